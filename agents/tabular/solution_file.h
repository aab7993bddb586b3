#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "agents/agent.h"
#include "agents/nn/safetensors.h"
#include "agents/tabular/game_tree.h"
#include "agents/tabular/policy.h"
#include "agents/tabular/solver.h"
#include "env/core/registry.h"

namespace dealer::tabular {

// The metadata key "format" of files with a policy for a whole tree.
inline constexpr const char* kSolutionFormat = "tabular_policy";

// What a file tells of its policy.
struct SolutionInfo {
  std::string algorithm;  // as make_solver() takes it
  std::int64_t iterations = 0;
  std::uint64_t seed = 0;
  double exploitability = 0;
};

// A policy as a file: single precision, and of every information set all probabilities but the last, which is what they
// leave. With a solver also the state that it goes on from. The game's rules and a checksum of the tree's information
// sets stand in the metadata.
TensorFile to_file(const GameTree& tree, const Policy& policy, const SolutionInfo& info, const Solver* state = nullptr);

// All throw CheckpointError in one line.
// When the file is no solution, or one of another game or other rules. Before the tree is made.
void check_solution_of(const TensorFile& file, const Game& game);
Policy read_policy(const TensorFile& file, const GameTree& tree);
SolutionInfo read_info(const TensorFile& file);
// The solver that saved its state there, ready to go on. Throws CheckpointError also when the file has no state.
std::unique_ptr<Solver> read_solver(const TensorFile& file, const GameTree& tree, int threads);

// Plays a policy from a file of solution_file.h: every decision is drawn from it with the seed of reset(). value() is
// what the seat gets when everybody goes on by the policy. Agents of one factory share the tree and the policy. Throws
// UsageError when the tree is too large, CheckpointError when the file is none for this game.
AgentFactoryPtr make_solution_agents(const Spec& spec, const std::filesystem::path& file, const GamePtr& game);
// The same of a file that is in memory.
AgentFactoryPtr make_solution_agents(const TensorFile& file, const GamePtr& game, std::string spec = {});

}  // namespace dealer::tabular
