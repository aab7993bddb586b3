#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "arena/output.h"
#include "cli/commands.h"
#include "cli/learning_curve.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/picture_file.h"

namespace dealer::cli {
namespace {

struct PlotArguments {
  std::vector<std::string> runs;
  std::string by = "hands", against, out;
  bool json = false;
};

constexpr int kUsualWidth = 80;

nlohmann::ordered_json to_json(const LearningCurve& curve) {
  auto points = nlohmann::ordered_json::array();
  for (const LearningCurve::Point& point : curve.points)
    points.push_back({{"hands", point.hands},
                      {"iterations", point.iterations},
                      {"seconds", number_or_null(point.seconds)},
                      {"value", point.strength.value},
                      {"ci95", number_or_null(point.strength.ci95)}});
  nlohmann::ordered_json json = {{"run", curve.run},
                                 {"game", curve.game->spec()},
                                 {"measure", curve.against.empty() ? "exploitability" : "match"},
                                 {"against", curve.against},
                                 {"unit", curve.game->unit()},
                                 {"points", points}};
  if (curve.level) json["default"] = {{"value", curve.level->value}, {"ci95", number_or_null(curve.level->ci95)}};
  return json;
}

void run_plot(const PlotArguments& options) {
  std::vector<LearningCurve> curves;
  for (const std::string& run : options.runs) {
    curves.push_back(read_learning_curve(run, options.against));
    if (curves.back().points.empty())
      throw UsageError(
          fmt::format("{}: the run has no evaluation yet; expected one every 'evaluation.every_hands' hands", run));
  }
  const CurveAxis axis = options.by == "hands"     ? CurveAxis::kHands
                         : options.by == "seconds" ? CurveAxis::kSeconds
                                                   : CurveAxis::kIterations;
  const studies::CurveChart chart = chart_of(curves, axis);
  if (options.json) {
    auto json = nlohmann::ordered_json::array();
    for (const LearningCurve& curve : curves) json.push_back(to_json(curve));
    print_json(json);
  } else {
    print(studies::curve_text(chart, output_columns().value_or(kUsualWidth)));
  }
  if (options.out.empty()) return;
  write_picture(options.out, studies::curve_picture(chart));
  if (!options.json) print(fmt::format("picture {}\n", options.out));
}

}  // namespace

void add_plot(CLI::App& program) {
  const auto options = std::make_shared<PlotArguments>();
  CLI::App* command =
      add_command(program, "plot", "Draws the learning curves of runs of dealer train",
                  {"dealer plot runs/mine", "dealer plot runs/one runs/other --by seconds --out learning.svg",
                   "dealer plot runs/* --against rule --json"});
  command->add_option("RUN", options->runs, "Run folders of one game")->required();
  command->add_option("--by", options->by, "Unit of the horizontal axis: hands, seconds or iterations")
      ->check(one_of({"hands", "seconds", "iterations"}))
      ->capture_default_str();
  add_text(command, "--against", options->against,
           "Plot the evaluations against this opponent; default: the exploitability if measured, otherwise "
           "the first opponent",
           "an agent");
  add_text(command, "--out", options->out, kPictureHelp, "a file");
  add_json(command, options->json);
  bind(command, options, run_plot);
}

}  // namespace dealer::cli
