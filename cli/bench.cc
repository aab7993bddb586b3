#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/measure/measure.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/training.h"
#include "env/core/error.h"
#include "env/core/nearest.h"
#include "env/core/registry.h"
#include "env/hands/evaluator.h"
#include "train/progress.h"

namespace dealer::cli {
namespace {

struct BenchArguments {
  std::vector<std::string> names;
  double seconds = 1;
  bool json = false;
};

struct Figure {
  double value;
  std::vector<std::pair<std::string, double>> details = {};
};
// Measures for about this many seconds.
using Measure = std::function<Figure(double seconds)>;

struct Benchmark {
  std::string name;
  std::string unit;  // "/s": higher is better; times: lower is better
  Measure measure;
  Measure peer = nullptr;  // the same work done plainly
};

Measure plain(double (*measure)(double)) {
  return [measure](double seconds) { return Figure{measure(seconds)}; };
}

Figure train_ofc(double seconds) {
  const TrainingSpeed speed = need_training_speeds().measure(seconds);
  return {speed.hands_per_second,
          {{"roofline_share", speed.roofline_share},
           {"self_play_share", speed.self_play_share},
           {"peak_gflops", speed.peak_gflops}}};
}

Figure train_draw_with(bool overlap, double seconds) {
  const PolicyTrainingSpeed speed = need_training_speeds().measure_policy("draw", overlap, seconds);
  return {speed.decisions_per_second,
          {{"roofline_share", speed.roofline_share},
           {"environment_share", speed.environment_share},
           {"inference_share", speed.inference_share},
           {"critic_share", speed.critic_share},
           {"learning_share", speed.learning_share},
           {"waiting_share", speed.waiting_share},
           {"peak_gflops", speed.peak_gflops}}};
}

Figure train_draw(double seconds) { return train_draw_with(false, seconds); }
Figure train_draw_overlap(double seconds) { return train_draw_with(true, seconds); }

constexpr int kTrainingThreads = 2;  // as in the shipped configs

Figure train_adam(double seconds) { return {need_training_speeds().measure_adam(seconds, kTrainingThreads)}; }
Figure libtorch_adam(double seconds) {
  return {need_training_speeds().measure_libtorch_adam(seconds, kTrainingThreads)};
}

// The bot of examples/bots, built with the program.
std::string first_bot() { return fmt::format("exec:'{}'", (training_program().parent_path() / "first_bot").string()); }

constexpr int kBotsTables = 64;

// The benchmarks available for any game, by the name before the game's, and their default games.
struct GameBenchmark {
  std::string_view prefix;
  const char* unit;
  Figure (*measure)(const GamePtr& game, double seconds);
  std::vector<std::string> games;
};

// Listed in this order.
std::vector<GameBenchmark> game_benchmarks() {
  const auto rule = [](const GamePtr& game, double seconds) { return Figure{measure_rule(game, seconds)}; };
  const auto input_features = [](const GamePtr& game, double seconds) {
    const FeaturesSpeed speed = measure_features(game, seconds);
    return Figure{speed.positions_per_second,
                  {{"tables_seconds", speed.tables_seconds}, {"features", speed.input_features}}};
  };
  const auto process = [](const GamePtr& game, double seconds) {
    return Figure{measure_bot(game, first_bot(), 1, seconds)};
  };
  const auto tcp = [](const GamePtr& game, double seconds) { return Figure{measure_tcp_bot(game, 1, seconds)}; };
  const auto tables = [](const GamePtr& game, double seconds) {
    return Figure{measure_tcp_bot(game, kBotsTables, seconds)};
  };
  const auto sample = [](const GamePtr& game, double seconds) {
    const SamplingSpeed speed = measure_sampling(*game, seconds);
    return Figure{speed.draws_per_second, {{"make_us", speed.make_us}}};
  };
  const auto solve = [](const GamePtr& game, double seconds) { return Figure{measure_solving(game, seconds)}; };
  const auto env = [](const GamePtr& game, double seconds) { return Figure{measure_env(game, seconds)}; };
  return {{"agents.rule.", "hands/s", rule, {"draw", "stud", "holdem", "leduc", "kuhn"}},
          {"features.", "positions/s", input_features, {"draw", "holdem", "stud"}},
          {"bot.exec.", "decisions/s", process, {"leduc"}},
          {"bot.tcp.", "decisions/s", tcp, {"leduc"}},
          {"bot.tables.", "decisions/s", tables, {"leduc"}},
          {"sample.", "draws/s", sample, {"leduc", "holdem[limit=no_limit]", "draw", "ofc"}},
          {"solve.", "iter/s", solve, {"leduc", "mini_draw"}},
          {"env.", "hands/s", env, game_names()}};
}

// "evaluate5[deck=tarot_78,ranking=NAME]": hands of a deck under a ranking, by default the deck's own.
std::optional<Benchmark> evaluator_benchmark(const std::string& name) {
  const Spec spec = parse_spec(name);
  if ((spec.name != "evaluate5" && spec.name != "evaluate7") || spec.options.empty()) return std::nullopt;
  std::string deck_name = "standard_52", ranking_name;
  for (const auto& [key, value] : spec.options) {
    if (key != "deck" && key != "ranking") {
      const std::vector<std::string> known = {"deck", "ranking"};
      throw UsageError(fmt::format("benchmark '{}': unknown option '{}'{}; allowed: deck, ranking", name, key,
                                   did_you_mean(key, known)));
    }
    (key == "deck" ? deck_name : ranking_name) = value;
  }
  const DeckPtr deck = Deck::make(deck_name);
  const RankingPtr ranking = Ranking::make(ranking_name.empty() ? deck->default_ranking() : ranking_name);
  const EvaluatorPtr evaluator = make_evaluator(deck, ranking);
  const int cards = spec.name == "evaluate5" ? 5 : 7;
  return Benchmark{name, "hands/s",
                   [=](double seconds) { return Figure{measure_evaluator(*evaluator, cards, seconds)}; },
                   [=](double seconds) { return Figure{measure_rules(*evaluator, cards, seconds)}; }};
}

// The default rankings.
constexpr const char* kRankings[] = {
    "evaluate5[deck=court_tarot_54]", "evaluate7[deck=court_tarot_54]", "evaluate5[deck=court_color_52]",
    "evaluate7[deck=court_color_52]", "evaluate5[deck=tarot_78]",       "evaluate7[deck=tarot_78]",
    "evaluate5[ranking=ace_to_five]", "evaluate7[ranking=ace_to_five]", "evaluate5[deck=standard_52[jokers=1]]",
};

// All benchmarks except those of games and rankings.
const std::vector<Benchmark>& benchmarks() {
  static const std::vector<Benchmark> kAll = {
      {"evaluate5", "hands/s", plain(measure_evaluate5), plain(measure_reference5)},
      {"evaluate7", "hands/s", plain(measure_evaluate7), plain(measure_reference7)},
      {"fantasyland14", "us/hand", plain(measure_fantasyland14), plain(measure_fantasyland14_reference)},
      {"train.ofc", "hands/s", train_ofc},
      {"train.draw", "decisions/s", train_draw},
      {"train.draw.overlap", "decisions/s", train_draw_overlap},
      {"train.adam", "us/update", train_adam, libtorch_adam},
  };
  return kAll;
}

// Benchmarks of games accept any game, with options in brackets: env.ofc[players=3].
Benchmark find(std::string name) {
  constexpr std::string_view kOld = "facts.", kNow = "features.";
  if (name.starts_with(kOld)) {
    name.replace(0, kOld.size(), kNow);
    notify(fmt::format("dealer: the benchmarks {}GAME are now called {}GAME", kOld, kNow));
  }
  for (const Benchmark& benchmark : benchmarks())
    if (benchmark.name == name) return benchmark;
  if (auto benchmark = evaluator_benchmark(name)) return *std::move(benchmark);
  const std::vector<std::string> games = game_names();
  const std::string head = parse_spec(name).name;
  for (const GameBenchmark& kind : game_benchmarks()) {
    if (!head.starts_with(kind.prefix)) continue;
    const std::string game = head.substr(kind.prefix.size());
    if (game.find('/') != std::string::npos || std::count(games.begin(), games.end(), game) > 0)
      return {name, kind.unit,
              [measure = kind.measure, game = make_game(name.substr(kind.prefix.size()))](double seconds) {
                return measure(game, seconds);
              }};
  }
  const std::vector<std::string> names = benchmark_names();
  throw UsageError(fmt::format("there is no benchmark '{}'{}; benchmarks: {}", name, did_you_mean(name, names),
                               fmt::join(names, ", ")));
}

struct Result {
  std::string name, unit;
  Figure figure;
  std::optional<double> peer;
  // The ratio to the peer, above 1 if better.
  std::optional<double> ratio;
};

Result measure(const Benchmark& benchmark, double seconds) {
  Result result{benchmark.name, benchmark.unit, benchmark.measure(seconds), {}, {}};
  if (!benchmark.peer) return result;
  result.peer = benchmark.peer(seconds).value;
  const double more = result.figure.value / *result.peer;
  result.ratio = benchmark.unit.ends_with("/s") ? more : 1 / more;
  return result;
}

nlohmann::ordered_json to_json(const Result& result) {
  nlohmann::ordered_json json = {{"name", result.name}, {"value", result.figure.value}, {"unit", result.unit}};
  if (result.peer) json["peer"] = *result.peer;
  if (result.ratio) json["ratio"] = *result.ratio;
  for (const auto& [name, value] : result.figure.details) json[name] = value;
  return json;
}

std::string to_line(const Result& result) {
  std::string line = fmt::format("{:<37} {:>8} {:<10}", result.name, short_count(result.figure.value), result.unit);
  if (result.peer)
    line += fmt::format(" {:>8} unoptimised: {:.1f} times better", short_count(*result.peer), *result.ratio);
  for (const auto& [name, value] : result.figure.details) line += fmt::format("  {} {:.3g}", name, value);
  return line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
}

void run_bench(const BenchArguments& options) {
  std::vector<Benchmark> chosen;
  for (const std::string& name : options.names.empty() ? benchmark_names() : options.names)
    chosen.push_back(find(name));
  if (std::any_of(chosen.begin(), chosen.end(), [](const auto& b) { return b.name.starts_with("train."); }))
    need_training_speeds();
  auto all = nlohmann::ordered_json::array();
  for (const Benchmark& benchmark : chosen) {
    if (options.json) notify("measuring " + benchmark.name);
    const Result result = measure(benchmark, options.seconds);
    if (options.json) {
      all.push_back(to_json(result));
    } else {
      print(to_line(result));
      flush_output();
    }
  }
  if (options.json) print_json(all);
}

}  // namespace

std::vector<std::string> benchmark_names() {
  std::vector<std::string> names;
  for (const Benchmark& benchmark : benchmarks()) names.push_back(benchmark.name);
  for (const char* name : kRankings) names.emplace_back(name);
  for (const GameBenchmark& kind : game_benchmarks())
    for (const std::string& game : kind.games) names.push_back(std::string(kind.prefix) + game);
  return names;
}

void add_bench(CLI::App& program) {
  const auto options = std::make_shared<BenchArguments>();
  CLI::App* command =
      add_command(program, "bench", "Measures the speed of games, evaluators, solvers and training on this machine",
                  {"dealer bench", "dealer bench fantasyland14 'env.ofc[players=3]' --json"});
  command->add_option(
      "NAME", options->names,
      "Run only these benchmarks, such as env.GAME, sample.GAME, features.GAME, solve.GAME and agents.rule.GAME for "
      "any game; a wrong name lists all");
  command->add_option("--seconds", options->seconds, "Approximate seconds for each measurement")
      ->check(seconds())
      ->capture_default_str();
  add_json(command, options->json);
  bind(command, options, run_bench);
}

}  // namespace dealer::cli
