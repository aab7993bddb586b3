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

// The metadata that a file has about its policy.
struct SolutionInfo {
  std::string algorithm;  // as make_solver() takes it
  std::int64_t iterations = 0;
  std::uint64_t seed = 0;
  double exploitability = 0;
};

// A policy as a file: single precision, and for every information set all probabilities but the last, which is
// the remainder. With a solver also its state for resuming. The metadata holds the game's rules and a checksum
// of the tree's information sets.
TensorFile to_file(const GameTree& tree, const Policy& policy, const SolutionInfo& info, const Solver* state = nullptr);

// All throw CheckpointError with a one-line message. Checks that the file is a solution of this game with these
// rules, before the tree is built.
void check_solution_of(const TensorFile& file, const Game& game);
Policy read_policy(const TensorFile& file, const GameTree& tree);
SolutionInfo read_info(const TensorFile& file);
// The solver that saved its state there, ready to resume. Throws CheckpointError also if the file has no state.
std::unique_ptr<Solver> read_solver(const TensorFile& file, const GameTree& tree, int threads);

// Plays a policy from a file of solution_file.h: every decision is sampled from it with the seed of reset(). value() is
// the expected return of the seat if everybody follows the policy. Agents of one factory share the tree and the policy.
// Throws UsageError if the tree is too large, CheckpointError if the file is not a solution of this game.
AgentFactoryPtr make_solution_agents(const Spec& spec, const std::filesystem::path& file, const GamePtr& game);
// The same for a file in memory.
AgentFactoryPtr make_solution_agents(const TensorFile& file, const GamePtr& game, std::string spec = {});

}  // namespace dealer::tabular
