#include "cli/solve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "agents/abstraction/bucket_solver.h"
#include "agents/tabular/solution_file.h"
#include "agents/tabular/solver.h"
#include "arena/exploitability.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/solution_out.h"
#include "env/core/counted.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/games/poker/game.h"
#include "train/interrupt.h"
#include "train/progress.h"

namespace dealer::cli {
namespace {

constexpr std::int64_t kMaxIterations = 1'000'000'000'000;
// Number of iterations before the first exploitability measurement.
constexpr std::int64_t kFirstLook = 16;

// A running solver.
class Solving {
 public:
  // info: for the files written meanwhile.
  Solving(const tabular::GameTree& tree, tabular::Solver& solver, const SolveArguments& options,
          const tabular::SolutionInfo& info, std::int64_t iterations)
      : tree_(tree),
        solver_(solver),
        info_(info),
        target_(options.target),
        limit_(options.limit),
        keeper_(options.out, options.save_interval),
        last_(iterations),
        progress_("solve", iterations == kMaxIterations ? 0 : iterations,
                  ProgressOptions::standard("iterations", false), solver.iterations()) {}

  // Runs until the iterations are done, the target is reached or an interrupt.
  void run() {
    const double start = wall_seconds();
    std::int64_t look = std::max(kFirstLook, next_look(solver_.iterations()));
    std::int64_t step = 1;
    progress_.update(solver_.iterations());
    while (solver_.iterations() < last_ && !InterruptGuard::requested() &&
           (limit_ == 0 || wall_seconds() - start < limit_)) {
      run_some(solver_, std::min(look, last_), step);
      if (solver_.iterations() == look) {
        work_out();
        look = next_look(look);
        if (target_ > 0 && result_->exploitability <= target_) break;
      }
      keeper_.offer([&] { return so_far(); });
      progress_.update(solver_.iterations(), figures_);
    }
    if (worked_out_ != solver_.iterations()) work_out();
    if (curve_.empty() || curve_.back().first != worked_out_) curve_.emplace_back(worked_out_, result_->exploitability);
    seconds_ = wall_seconds() - start;
    progress_.update(solver_.iterations(), figures_);
    progress_.finish();
  }

  const tabular::Policy& policy() const { return policy_; }
  const Exploitability& result() const { return *result_; }
  double seconds() const { return seconds_; }
  // Iterations, approximately doubling, and the exploitability of the policy after them.
  const std::vector<std::pair<std::int64_t, double>>& curve() const { return curve_; }

 private:
  TensorFile so_far() const {
    const tabular::Policy policy = solver_.solution();
    tabular::SolutionInfo info = info_;
    info.iterations = solver_.iterations();
    info.exploitability = exploitability(tree_, policy).exploitability;
    return tabular::to_file(tree_, policy, info, &solver_);
  }
  // Doubles; with a target, grows by a tenth.
  std::int64_t next_look(std::int64_t iterations) const {
    return target_ > 0 ? iterations + iterations / 10 + 1 : 2 * iterations;
  }
  void work_out() {
    policy_ = solver_.solution();
    result_ = exploitability(tree_, policy_);
    worked_out_ = solver_.iterations();
    if (!std::isfinite(result_->exploitability))
      throw Error(fmt::format("the exploitability is {} after {}; no solution is written", result_->exploitability,
                              counted(worked_out_, "iteration")));
    if (curve_.empty() || worked_out_ >= 2 * curve_.back().first)
      curve_.emplace_back(worked_out_, result_->exploitability);
    figures_ = {{"exploitability", result_->exploitability}};
  }

  const tabular::GameTree& tree_;
  tabular::Solver& solver_;
  const tabular::SolutionInfo info_;
  double target_, limit_;
  SolutionKeeper keeper_;
  std::int64_t last_;
  Progress progress_;
  tabular::Policy policy_;
  std::optional<Exploitability> result_;
  std::int64_t worked_out_ = -1;  // iterations at the last measurement
  std::vector<std::pair<std::int64_t, double>> curve_;
  std::vector<Figure> figures_;
  double seconds_ = 0;
};

void expect_nothing_beside_resume(const SolveArguments& options) {
  if (options.resume.empty()) return;
  if (options.algorithm_given)
    throw UsageError("--algorithm cannot be combined with --resume; the file determines the algorithm");
  if (options.seed_given) throw UsageError("--seed cannot be combined with --resume; the file determines the seed");
}

std::int64_t iterations_of(const SolveArguments& options, const std::string& algorithm) {
  if (options.iterations > 0) return options.iterations;
  if (options.target > 0 || options.limit > 0) return kMaxIterations;
  const std::string name = parse_spec(algorithm).name;
  for (const tabular::SolverKind& kind : tabular::solver_kinds())
    if (kind.name == name) return kind.iterations;
  return kMaxIterations;
}

nlohmann::ordered_json to_json(const tabular::GameTree& tree, const tabular::SolutionInfo& info, const Solving& solving,
                               const std::string& out, bool interrupted) {
  auto curve = nlohmann::ordered_json::array();
  for (const auto& [iterations, exploitability] : solving.curve())
    curve.push_back({{"iterations", iterations}, {"exploitability", exploitability}});
  nlohmann::ordered_json json = {{"game", tree.game().spec()},
                                 {"algorithm", info.algorithm},
                                 {"iterations", info.iterations},
                                 {"value", solving.result().value},
                                 {"exploitability", solving.result().exploitability},
                                 {"nash_conv", solving.result().nash_conv},
                                 {"unit", unit_of(tree.game())},
                                 {"seconds", solving.seconds()},
                                 {"nodes", tree.nodes().size()},
                                 {"information_sets", tree.sets().size()},
                                 {"sequences", tree.sequences()},
                                 {"memory", tree.memory()},
                                 {"curve", std::move(curve)},
                                 {"interrupted", interrupted}};
  json["out"] = path_or_null(out);
  return json;
}

void print_solution(const tabular::GameTree& tree, const tabular::SolutionInfo& info, const Solving& solving,
                    const std::string& out) {
  print(fmt::format("iterations  exploitability\n"));
  for (const auto& [iterations, exploitability] : solving.curve())
    print(fmt::format("{:>10}  {:>14.4g}\n", iterations, exploitability));
  print(fmt::format("\n{} by {}: {}, {:.1f} s\n", tree.game().spec(), info.algorithm,
                    counted(info.iterations, "iteration"), solving.seconds()));
  for (std::size_t seat = 0; seat < solving.result().value.size(); ++seat)
    print(fmt::format("value of seat {}  {:+.7f} {}\n", seat, solving.result().value[seat], unit_of(tree.game())));
  print(fmt::format("exploitability   {:.7f} {}\n", solving.result().exploitability, unit_of(tree.game())));
  print(how_to_play(tree.game().spec(), out));
}

// For a game with too many chance moves to list: names the algorithm that supports it.
void refuse_large(const Game& game) {
  if (dynamic_cast<const poker::Game*>(&game) == nullptr) return;
  const std::string refusal = abstraction::bucket_refusal(game);
  if (!refusal.empty())
    throw UsageError(fmt::format("'{}' is too large to be solved exactly, and {}", game.spec(), refusal));
  throw UsageError(
      fmt::format("'{0}' is too large to be solved exactly; bucket_mccfr solves it over buckets of hands: dealer solve "
                  "'{0}' --algorithm bucket_mccfr --out {1}.safetensors",
                  game.spec(), parse_spec(game.spec()).name));
}

void run_solve(SolveArguments options) {
  options.algorithm = tabular::standard_algorithm(options.algorithm);
  expect_nothing_beside_resume(options);
  const GamePtr game = make_game(options.tree.game);
  if (!options.out.empty()) expect_writable(options.out);
  TensorFile saved;
  if (!options.resume.empty()) saved = read_safetensors(options.resume);
  const TensorFile* const resumed = options.resume.empty() ? nullptr : &saved;
  if (solves_by_buckets(*game, options.algorithm, resumed)) return solve_by_buckets(game, options, resumed);
  refuse_large(*game);
  tabular::SolverMaker maker;
  tabular::SolutionInfo info{options.algorithm, 0, options.seed, 0};
  if (options.resume.empty()) {
    maker = tabular::solver_maker(options.algorithm);
  } else {
    tabular::check_solution_of(saved, *game);
    info = tabular::read_info(saved);
  }
  const tabular::GameTree tree = make_tree(game, options.tree);
  const std::unique_ptr<tabular::Solver> solver = options.resume.empty()
                                                      ? maker(tree, {options.threads, options.seed})
                                                      : tabular::read_solver(saved, tree, options.threads);
  Solving solving(tree, *solver, options, info, iterations_of(options, info.algorithm));
  const InterruptGuard guard;
  solving.run();
  const bool interrupted = InterruptGuard::requested();
  info.iterations = solver->iterations();
  info.exploitability = solving.result().exploitability;
  if (!options.out.empty())
    write_solution(options.out, tabular::to_file(tree, solving.policy(), info,
                                                 options.state || interrupted ? solver.get() : nullptr));
  if (options.json)
    print_json(to_json(tree, info, solving, options.out, interrupted));
  else
    print_solution(tree, info, solving, options.out);
  if (interrupted) end_interrupted_solving(*game, info.iterations, options.out);
}

}  // namespace

std::string how_to_play(const std::string& game, const std::string& out) {
  return out.empty() ? ""
                     : fmt::format("saved            {}\n\nPlay against it:  dealer play --game '{}' --agent {}\n", out,
                                   game, out);
}

nlohmann::ordered_json path_or_null(const std::string& out) {
  return out.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(out);
}

void end_interrupted_solving(const Game& game, std::int64_t iterations, const std::string& out) {
  const std::string after = fmt::format("interrupted after {}", counted(iterations, "iteration"));
  end_interrupted(out.empty() ? after + "; nothing is saved without --out"
                              : fmt::format("{}; continue with: dealer solve '{}' --resume {} --out {}", after,
                                            game.spec(), out, out));
}

void add_solve(CLI::App& program) {
  const auto options = std::make_shared<SolveArguments>();
  CLI::App* command = add_command(
      program, "solve",
      "Finds an equilibrium of a small game on its whole tree, or of a draw game or hold'em over a card abstraction",
      {"dealer solve leduc --iterations 1000 --out leduc.safetensors", "dealer solve kuhn --algorithm 'dcfr[gamma=3]'",
       "dealer solve draw --algorithm 'bucket_mccfr[buckets=20]' --seconds 2"});
  add_tree_options(command, options->tree);
  std::string kinds;
  for (const tabular::SolverKind& kind : tabular::solver_kinds())
    kinds += fmt::format("{}{}: {}", kinds.empty() ? "" : "; ", kind.name, kind.what);
  CLI::Option* const algorithm =
      add_text(command, "--algorithm", options->algorithm, kinds, "an algorithm")->capture_default_str();
  add_number(command, "--iterations", options->iterations,
             "Number of iterations, those before --resume included; default: 10000 for mmd, 10000000 for mccfr and "
             "bucket_mccfr (hold'em: 200000), otherwise 1000; no limit with --target or --seconds",
             1, kMaxIterations);
  command
      ->add_option("--target", options->target, "Stop as soon as the exploitability, in chips a hand, is at most this")
      ->check(positive_number());
  command->add_option("--seconds", options->limit, "Stop after this many seconds of solving")->check(positive_number());
  add_text(command, "--out", options->out, "Write the solution to this file (.safetensors), which is then an agent",
           "the path of a file");
  command->add_flag("--state", options->state, "Also write the state that --resume needs; Ctrl-C always writes it");
  command
      ->add_option("--save-every", options->save_interval,
                   "With --out: seconds of solving between saves of the solution with its state; a crash loses at most "
                   "this much work")
      ->check(positive_number())
      ->capture_default_str();
  add_text(command, "--resume", options->resume,
           "Resume from a file with a saved state, bit for bit as an uninterrupted run", "the path of a file");
  add_threads(command, options->threads,
              "Number of threads; 0: as many as are useful. The result does not depend on it");
  CLI::Option* const seed = add_seed(command, options->seed, "Seed of algorithms that sample");
  add_json(command, options->json);
  command->callback([command, options, algorithm, seed] {
    refuse_given_twice(*command);
    options->algorithm_given = algorithm->count() > 0;
    options->seed_given = seed->count() > 0;
    for (const char* const option : {"--state", "--save-every"})
      if (options->out.empty() && command->count(option) > 0) throw UsageError(fmt::format("{} needs --out", option));
    run_solve(*options);
  });
}

}  // namespace dealer::cli
