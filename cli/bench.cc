#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/measure/evaluator.h"
#include "bench/measure/fantasyland.h"
#include "bench/measure/train.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "env/core/error.h"
#include "env/core/nearest.h"
#include "train/progress.h"

namespace dealer::cli {
namespace {

struct Options {
  std::vector<std::string> names;
  double seconds = 1;
  bool json = false;
};

// Measures for about so many seconds.
using Measure = std::function<double(double seconds)>;

struct Benchmark {
  std::string name;
  std::string unit;  // "/s": more is better; times: less is better
  Measure measure;
  Measure peer;  // the same work done plainly; may be null
};

const std::vector<Benchmark>& benchmarks() {
  static const std::vector<Benchmark> list = {
      {"evaluate5", "hands/s", measure_evaluate5, measure_reference5},
      {"evaluate7", "hands/s", measure_evaluate7, measure_reference7},
      {"fantasyland14", "us/hand", measure_fantasyland14, measure_fantasyland14_reference},
      {"train.ofc", "hands/s", [](double seconds) { return measure_ofc_training(seconds).hands_per_second; }, {}},
  };
  return list;
}

const Benchmark& find(const std::string& name) {
  std::vector<std::string> names;
  for (const Benchmark& benchmark : benchmarks()) {
    if (benchmark.name == name) return benchmark;
    names.push_back(benchmark.name);
  }
  throw UsageError(fmt::format("there is no benchmark '{}'{}; benchmarks: {}", name, did_you_mean(name, names),
                               fmt::join(names, ", ")));
}

struct Result {
  std::string name, unit;
  double value;
  std::optional<double> peer;
  // How many times better than the peer.
  std::optional<double> ratio;
};

Result measure(const Benchmark& benchmark, double seconds) {
  Result result{benchmark.name, benchmark.unit, benchmark.measure(seconds), {}, {}};
  if (!benchmark.peer) return result;
  result.peer = benchmark.peer(seconds);
  result.ratio = benchmark.unit.ends_with("/s") ? result.value / *result.peer : *result.peer / result.value;
  return result;
}

nlohmann::ordered_json to_json(const Result& result) {
  nlohmann::ordered_json json = {{"name", result.name}, {"value", result.value}, {"unit", result.unit}};
  if (result.peer) json["peer"] = *result.peer;
  if (result.ratio) json["ratio"] = *result.ratio;
  return json;
}

std::string to_line(const Result& result) {
  std::string line = fmt::format("{:<16} {:>8} {:<10}", result.name, short_count(result.value), result.unit);
  if (result.peer) line += fmt::format(" {:>8} plainly: {:.1f} times better", short_count(*result.peer), *result.ratio);
  return line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
}

void run(const Options& options) {
  std::vector<const Benchmark*> chosen;
  for (const std::string& name : options.names) chosen.push_back(&find(name));
  if (chosen.empty())
    for (const Benchmark& benchmark : benchmarks()) chosen.push_back(&benchmark);
  auto all = nlohmann::ordered_json::array();
  for (const Benchmark* benchmark : chosen) {
    if (options.json) fmt::print(stderr, "measuring {}\n", benchmark->name);
    const Result result = measure(*benchmark, options.seconds);
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

void add_bench(CLI::App& program) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = add_command(program, "bench", "Measures how fast this machine is at what takes the time",
                                  {"dealer bench", "dealer bench fantasyland14 --json"});
  command->add_option("NAME", options->names, "Only these benchmarks");
  command->add_option("--seconds", options->seconds, "How long each figure is measured, about")
      ->check(seconds())
      ->capture_default_str();
  add_json(command, options->json);
  bind(command, options, run);
}

}  // namespace dealer::cli
