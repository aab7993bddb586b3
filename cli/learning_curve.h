#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arena/report/curves.h"
#include "env/core/game.h"

namespace dealer::cli {

// The strength of a `dealer train` run over time: its distance from an equilibrium if that was measured, else the
// results of matches against one opponent.
struct LearningCurve {
  std::string run;  // the folder's name
  GamePtr game;
  std::string against;  // the opponent; empty: exploitability
  struct Point {
    double hands = 0, iterations = 0;
    double seconds = 0;  // training time, summed over all sessions of the run
    studies::Estimate strength;
  };
  std::vector<Point> points;
  std::optional<studies::Estimate> level;  // strength of `default` by the same measure
  std::int64_t planned = 0, played = 0;    // hands

  std::string unit() const;  // "points a hand against rule"
};

// Reads config.yaml, metrics.jsonl and log.txt of a run folder. against: an opponent of the run's evaluations; empty:
// the first one. Throws UsageError if the folder is not a run folder, or, listing the opponents, if that one was not
// evaluated; FileError, ConfigError.
LearningCurve read_learning_curve(const std::filesystem::path& run, std::string_view against = {});

// The last evaluation: "+1.20 ± 0.31 points against rule"; a dash before the first.
std::string strength_text(const LearningCurve& curve);

// "hands", "seconds", "iterations"
enum class CurveAxis { kHands, kSeconds, kIterations };
// Throws UsageError when the runs have different measures.
studies::CurveChart chart_of(std::span<const LearningCurve> curves, CurveAxis axis);

// Draws learning.svg into the run folder, with the level of `default` if the game has a trained agent: it is measured
// once, over as many deals as an evaluation has, and stored in level.json.
void draw_learning(const std::filesystem::path& run);

inline constexpr std::string_view kLearningPicture = "learning.svg";

}  // namespace dealer::cli
