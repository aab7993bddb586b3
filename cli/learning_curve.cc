#include "cli/learning_curve.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <ctime>
#include <map>
#include <nlohmann/json.hpp>

#include "agents/nn/model_files.h"
#include "arena/match.h"
#include "cli/evaluation.h"
#include "env/core/config.h"
#include "env/core/data_dir.h"
#include "env/core/error.h"
#include "env/core/files.h"
#include "env/core/numbers.h"
#include "env/core/registry.h"
#include "train/metrics.h"
#include "train/progress.h"

namespace dealer::cli {
namespace {

constexpr std::string_view kMatch = "match/", kFinal = "final/", kInterval = "_ci95",
                           kExploitability = "exploitability";
constexpr const char *kLevelFile = "level.json", *kConfigFile = "config.yaml", *kLogFile = "log.txt";

// Time stamp in seconds of "2026-11-27 10:41:21.307 info: ..."; nothing for other lines.
std::optional<double> time_of(const std::string& line) {
  std::tm time{};
  const char* const end = ::strptime(line.c_str(), "%Y-%m-%d %H:%M:%S", &time);
  if (end == nullptr || *end != '.') return std::nullopt;
  time.tm_isdst = -1;
  return static_cast<double>(std::mktime(&time)) + std::strtod(end, nullptr);
}

// Training seconds by the number of hands at each evaluation. The time between the last line of one process and the
// first of the next does not count.
std::map<std::int64_t, double> seconds_of(const std::string& log) {
  std::map<std::int64_t, double> seconds;
  double worked = 0, before = std::nan("");
  for (std::size_t begin = 0, end; (end = log.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::string line = log.substr(begin, end - begin);
    const auto now = time_of(line);
    if (!now) continue;
    const std::size_t text = line.find(": ");
    if (text == std::string::npos) continue;
    Words words(std::string_view(line).substr(text + 2));
    const std::string_view first = words.take();
    if (first != "dealer" && std::isfinite(before)) worked += std::max(0.0, *now - before);
    before = *now;
    const auto hands = number_in<std::int64_t>(first);
    if (hands && words.take() == "hands:") seconds.emplace(*hands, worked);
  }
  return seconds;
}

// The opponents of a run's evaluations, in their order.
std::vector<std::string> opponents_of(const std::vector<MetricLine>& lines, std::string_view prefix) {
  for (const MetricLine& line : lines) {
    std::vector<std::string> names;
    for (const auto& [name, value] : line.metrics)
      if (name.starts_with(prefix) && !name.ends_with(kInterval)) names.push_back(name.substr(prefix.size()));
    if (!names.empty()) return names;
  }
  return {};
}

// The final results of a finished run, which cover more deals than an evaluation at the same number of hands.
void add_final(LearningCurve& curve, const std::vector<MetricLine>& lines, bool distance) {
  if (lines.empty()) return;
  const std::string name = std::string(kFinal) + (distance ? std::string(kExploitability) : curve.against);
  const double value = lines.back().find(name), ci95 = distance ? 0 : lines.back().find(name + std::string(kInterval));
  if (!std::isfinite(value)) return;
  LearningCurve::Point last{
      static_cast<double>(curve.played), static_cast<double>(lines.back().step), std::nan(""), {}};
  if (!curve.points.empty() && curve.points.back().hands == last.hands) {
    last.seconds = curve.points.back().seconds;
    curve.points.pop_back();
  }
  last.strength = {value, std::isfinite(ci95) ? ci95 : HUGE_VAL, 1};
  curve.points.push_back(last);
}

std::optional<studies::Estimate> read_level(const std::filesystem::path& run, const std::string& against) {
  if (!std::filesystem::exists(run / kLevelFile)) return std::nullopt;
  const auto json = nlohmann::json::parse(read_file(run / kLevelFile), nullptr, false);
  if (!json.is_object() || json.value("against", std::string("?")) != against || !json.contains("value") ||
      !json["value"].is_number() || !json.contains("ci95") || !json["ci95"].is_number())
    return std::nullopt;
  return studies::Estimate{json["value"], json["ci95"], 1};
}

Config config_of(const std::filesystem::path& run) {
  if (!std::filesystem::exists(run / kConfigFile) || !std::filesystem::exists(run / kMetricsFile))
    throw UsageError(fmt::format("{}: not a run folder of dealer train; it has neither {} nor {}", run.string(),
                                 kConfigFile, kMetricsFile));
  return Config::load(run / kConfigFile);
}

}  // namespace

std::string LearningCurve::unit() const {
  return against.empty() ? fmt::format("exploitability, {} a hand", game->unit())
                         : fmt::format("{} a hand against {}", game->unit(), against);
}

LearningCurve read_learning_curve(const std::filesystem::path& run, std::string_view against) {
  Config config = config_of(run);
  LearningCurve curve;
  const std::filesystem::path named = std::filesystem::absolute(run).lexically_normal();
  curve.run = (named.has_filename() ? named : named.parent_path()).filename().string();
  curve.game = make_game(config.get_string("game", "ofc"));
  curve.planned = config.get_int("hands", 0);
  const std::vector<MetricLine> lines = read_metrics(run);
  std::vector<std::string> opponents = opponents_of(lines, kMatch);
  if (opponents.empty()) opponents = opponents_of(lines, kFinal);
  const bool distance = against.empty() && std::ranges::any_of(lines, [](const MetricLine& line) {
                          return std::isfinite(line.find(kExploitability)) ||
                                 std::isfinite(line.find(std::string(kFinal) + std::string(kExploitability)));
                        });
  if (!against.empty() && std::ranges::find(opponents, against) == opponents.end())
    throw UsageError(fmt::format("{}: the run was not evaluated against '{}'; opponents: {}", run.string(), against,
                                 fmt::join(opponents, ", ")));
  if (!distance) curve.against = !against.empty() ? std::string(against) : opponents.empty() ? "rule" : opponents[0];
  const std::string name = distance ? std::string(kExploitability) : std::string(kMatch) + curve.against;
  const auto seconds = seconds_of(std::filesystem::exists(run / kLogFile) ? read_file(run / kLogFile) : std::string());
  for (const MetricLine& line : lines) {
    const double hands = line.find("hands"), value = line.find(name);
    if (std::isfinite(hands)) curve.played = std::llround(hands);
    if (!std::isfinite(value) || !std::isfinite(hands)) continue;
    const double ci95 = distance ? 0 : line.find(name + std::string(kInterval));
    const auto at = seconds.find(std::llround(hands));
    curve.points.push_back({hands, static_cast<double>(line.step), at == seconds.end() ? std::nan("") : at->second,
                            studies::Estimate{value, std::isfinite(ci95) ? ci95 : HUGE_VAL, 1}});
  }
  add_final(curve, lines, distance);
  curve.level = read_level(run, curve.against);
  return curve;
}

std::string strength_text(const LearningCurve& curve) {
  if (curve.points.empty()) return "–";
  const studies::Estimate& last = curve.points.back().strength;
  if (curve.against.empty()) return fmt::format("exploitability {:.4f} {}", last.value, curve.game->unit());
  return fmt::format("{:+.2f} ± {:.2f} {} against {}", last.value, last.ci95, curve.game->unit(), curve.against);
}

studies::CurveChart chart_of(std::span<const LearningCurve> curves, CurveAxis axis) {
  studies::CurveChart chart;
  chart.unit = curves.front().unit();
  chart.title = curves.size() == 1 ? fmt::format("Learning {}: {}", curves.front().game->spec(), curves.front().run)
                                   : fmt::format("Learning {}", curves.front().game->spec());
  chart.axis = axis == CurveAxis::kHands ? "hands" : axis == CurveAxis::kSeconds ? "time" : "iterations";
  chart.at_text = axis == CurveAxis::kSeconds ? short_duration : short_count;
  for (const LearningCurve& curve : curves) {
    if (curve.unit() != chart.unit || curve.game->spec() != curves.front().game->spec())
      throw UsageError(fmt::format(
          "{} is measured in '{}' at '{}', but {} in '{}' at '{}'; expected runs of one game "
          "and one measure; for 'dealer plot', --against names an opponent of all",
          curves.front().run, chart.unit, curves.front().game->spec(), curve.run, curve.unit(), curve.game->spec()));
    studies::CurveChart::Curve drawn{curve.run, {}, {}};
    for (const LearningCurve::Point& point : curve.points) {
      const double at = axis == CurveAxis::kHands     ? point.hands
                        : axis == CurveAxis::kSeconds ? point.seconds
                                                      : point.iterations;
      if (!std::isfinite(at)) continue;
      drawn.at.push_back(at);
      drawn.points.push_back(point.strength);
    }
    chart.curves.push_back(std::move(drawn));
    if (chart.levels.empty() && curve.level) chart.levels.push_back({"default", curve.level->value});
  }
  return chart;
}

void draw_learning(const std::filesystem::path& run) {
  LearningCurve curve = read_learning_curve(run);
  if (curve.points.empty()) return;
  if (!curve.level && has_model(*curve.game, data_path("models"))) {
    Config config = config_of(run), evaluation = config.section("evaluation");
    int deals = evaluation.get_int<int>("deals", 500);
    if (deals == 0) deals = evaluation.get_int<int>("final_deals", 2000);
    const Evaluation level =
        curve.against.empty()
            ? Evaluation{measure_exploitability(make_agents("default", curve.game), curve.game).value_or(0), 0, {}}
            : play_evaluation(make_agents("default", curve.game), curve.against, curve.game, deals, kEvaluationSeed);
    if (level.interrupted) return;
    write_file(run / kLevelFile, nlohmann::json({{"agent", "default"},
                                                 {"against", curve.against},
                                                 {"value", level.mean},
                                                 {"ci95", level.ci95},
                                                 {"unit", curve.game->unit()}})
                                         .dump() +
                                     "\n");
    curve.level = studies::Estimate{level.mean, level.ci95, 1};
  }
  write_file(run / kLearningPicture, studies::curve_picture(chart_of({&curve, 1}, CurveAxis::kHands)));
}

}  // namespace dealer::cli
