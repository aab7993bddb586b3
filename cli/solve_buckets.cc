// `dealer solve` for games with too many hands for a tree: with a card abstraction.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "agents/abstraction/bucket_solver.h"
#include "cli/output.h"
#include "cli/solution_out.h"
#include "cli/solve.h"
#include "env/core/counted.h"
#include "env/core/error.h"
#include "env/core/memory.h"
#include "env/core/registry.h"
#include "env/games/poker/game.h"
#include "train/interrupt.h"
#include "train/progress.h"

namespace dealer::cli {
namespace {

void refuse_target(const SolveArguments& options) {
  if (options.target > 0)
    throw UsageError(fmt::format(
        "--target needs an exact solver; bucket_mccfr of '{}' does not compute the exploitability", options.tree.game));
}

}  // namespace

bool solves_by_buckets(const Game& game, const std::string& algorithm, const TensorFile* saved) {
  if (dynamic_cast<const poker::Game*>(&game) == nullptr) return false;
  if (saved != nullptr) return saved->meta("format") == abstraction::kBucketPolicyFormat;
  return parse_spec(algorithm).name == "bucket_mccfr";
}

void solve_by_buckets(const GamePtr& game, const SolveArguments& options, const TensorFile* saved) {
  refuse_target(options);
  const auto solver = saved != nullptr
                          ? abstraction::read_bucket_solver(*saved, game, options.threads)
                          : abstraction::make_bucket_solver(game, options.algorithm, options.seed, options.threads);
  notify(fmt::format("{}: {} betting histories, {} information sets, {} of memory", game->spec(),
                     solver->tree().nodes.size(), solver->tree().sets,
                     memory_text(static_cast<double>(solver->memory()))));
  const bool timed = options.iterations == 0 && options.limit > 0;
  const std::int64_t last = options.iterations > 0 ? options.iterations
                            : timed                ? std::int64_t{1} << 60
                                                   : solver->usual_iterations();
  const InterruptGuard guard;
  Progress progress("solve", timed ? 0 : last, ProgressOptions::standard("iterations", false), solver->iterations());
  SolutionKeeper keeper(options.out, options.save_interval);
  const double start = wall_seconds();
  std::int64_t step = 1;
  while (solver->iterations() < last && !InterruptGuard::requested() &&
         (options.limit == 0 || wall_seconds() - start < options.limit)) {
    run_some(*solver, last, step);
    keeper.offer([&] { return solver->to_file(true); });
    progress.update(solver->iterations());
  }
  progress.finish();
  const double seconds = wall_seconds() - start;
  const bool interrupted = InterruptGuard::requested();
  if (!options.out.empty()) write_solution(options.out, solver->to_file(options.state || interrupted));
  if (options.json)
    print_json({{"game", game->spec()},
                {"algorithm", solver->algorithm()},
                {"iterations", solver->iterations()},
                {"seconds", seconds},
                {"nodes", solver->tree().nodes.size()},
                {"information_sets", solver->tree().sets},
                {"memory", solver->memory()},
                {"interrupted", interrupted},
                {"out", path_or_null(options.out)}});
  else
    print(fmt::format("{} by {}: {}, {:.1f} s\n{}", game->spec(), solver->algorithm(),
                      counted(solver->iterations(), "iteration"), seconds, how_to_play(game->spec(), options.out)));
  if (interrupted) end_interrupted_solving(*game, solver->iterations(), options.out);
}

}  // namespace dealer::cli
