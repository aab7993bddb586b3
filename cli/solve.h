#pragma once

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "agents/nn/safetensors.h"
#include "cli/tree_options.h"
#include "env/core/game.h"
#include "env/core/wall_seconds.h"

namespace dealer::cli {

inline constexpr double kUsualSaveInterval = 60;  // seconds

// The options of `dealer solve`.
struct SolveArguments {
  TreeOptions tree;
  std::string algorithm = "dcfr", out, resume;
  std::int64_t iterations = 0;                // 0: the default number
  double target = 0;                          // 0: none
  double limit = 0;                           // seconds; 0: none
  double save_interval = kUsualSaveInterval;  // seconds of solving between two files
  int threads = 0;
  std::uint64_t seed = 0;
  bool algorithm_given = false, seed_given = false, state = false, json = false;
};

// Runs the next iterations, at most until `end`: as many at once as take a tenth of a second, so that an interruption
// is noticed. step: the number to run next.
template <class Solver>
void run_some(Solver& solver, std::int64_t end, std::int64_t& step) {
  constexpr double kBetweenChecks = 0.1;  // seconds
  const double begun = wall_seconds();
  const std::int64_t done = std::min(step, end - solver.iterations());
  solver.run(done);
  const double seconds = std::max(wall_seconds() - begun, 1e-6);
  step = std::clamp(static_cast<std::int64_t>(static_cast<double>(done) * kBetweenChecks / seconds), std::int64_t{1},
                    2 * std::max(done, step));
}

// Lines naming the solution's file and the command to play against it; empty without a file.
std::string how_to_play(const std::string& game, const std::string& out);
// The same for JSON: null without a file.
nlohmann::ordered_json path_or_null(const std::string& out);
// Ends an interrupted command and prints the command to continue. Never returns.
[[noreturn]] void end_interrupted_solving(const Game& game, std::int64_t iterations, const std::string& out);

// True if the game is solved with a card abstraction, its tree being too large. `saved`: the file of --resume, or null.
bool solves_by_buckets(const Game& game, const std::string& algorithm, const TensorFile* saved);
// saved: the file to continue from, or null. Throws UsageError, CheckpointError, FileError.
void solve_by_buckets(const GamePtr& game, const SolveArguments& options, const TensorFile* saved);

}  // namespace dealer::cli
