#include "cli/solve_buckets.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "agents/abstraction/bucket_solver.h"
#include "cli/interrupted.h"
#include "cli/output.h"
#include "cli/solution_out.h"
#include "env/core/registry.h"
#include "env/core/wall_seconds.h"
#include "env/games/poker/game.h"
#include "train/interrupt.h"
#include "train/progress.h"

namespace dealer::cli {
namespace {

constexpr double kSecondsBetweenChecks = 0.1;  // seconds

}  // namespace

bool solves_by_buckets(const Game& game, const std::string& algorithm) {
  return dynamic_cast<const poker::Game*>(&game) != nullptr && parse_spec(algorithm).name == "bucket_mccfr";
}

void solve_by_buckets(const GamePtr& game, const BucketSolveOptions& options) {
  if (!options.out.empty()) expect_writable(options.out);
  const auto made = abstraction::make_bucket_solver(game, options.algorithm, options.seed, options.threads);
  abstraction::BucketSolver& solver = *made;
  tell(fmt::format("{}: {} courses of betting and drawing, {} information sets, {}B of memory", game->spec(),
                   solver.tree().nodes.size(), solver.tree().sets, short_count(static_cast<double>(solver.memory()))));
  const std::int64_t last = options.iterations > 0 ? options.iterations
                            : options.seconds > 0  ? std::int64_t{1} << 60
                                                   : solver.usual_iterations();
  const InterruptGuard guard;
  Progress progress("solve", options.iterations > 0 || options.seconds == 0 ? last : 0,
                    ProgressOptions::standard("iterations", false));
  const double start = wall_seconds();
  std::int64_t step = 1;
  while (solver.iterations() < last && !InterruptGuard::requested() &&
         (options.seconds == 0 || wall_seconds() - start < options.seconds)) {
    const double begun = wall_seconds();
    const std::int64_t done = std::min(step, last - solver.iterations());
    solver.run(done);
    const double seconds = std::max(wall_seconds() - begun, 1e-6);
    step = std::clamp(static_cast<std::int64_t>(static_cast<double>(done) * kSecondsBetweenChecks / seconds),
                      std::int64_t{1}, 2 * std::max(done, step));
    progress.update(solver.iterations());
  }
  progress.finish();
  const double seconds = wall_seconds() - start;
  const bool interrupted = InterruptGuard::requested();
  if (!options.out.empty()) write_solution(options.out, solver.to_file());
  if (options.json) {
    nlohmann::ordered_json json = {
        {"game", game->spec()},      {"algorithm", options.algorithm},      {"iterations", solver.iterations()},
        {"seconds", seconds},        {"nodes", solver.tree().nodes.size()}, {"information_sets", solver.tree().sets},
        {"memory", solver.memory()}, {"interrupted", interrupted}};
    json["out"] = options.out.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(options.out);
    print_json(json);
  } else {
    print(fmt::format("{} by {}: {} iterations, {:.1f} s\n", game->spec(), options.algorithm, solver.iterations(),
                      seconds));
    if (!options.out.empty())
      print(fmt::format("saved            {}\n\nPlay against it:  dealer play --game '{}' --agent {}\n", options.out,
                        game->spec(), options.out));
  }
  if (!interrupted) return;
  flush_output();
  throw Interrupted(fmt::format("interrupted after {} iterations{}", solver.iterations(),
                                options.out.empty() ? "; nothing is saved without --out" : "; saved as it was"),
                    InterruptGuard::signal());
}

}  // namespace dealer::cli
