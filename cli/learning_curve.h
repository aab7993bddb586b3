#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arena/studies/report/curves.h"
#include "env/core/game.h"

namespace dealer::cli {

// How strong a run of `dealer train` was, from first to last: by its distance from an equilibrium where that was
// measured, else by matches against one opponent.
struct LearningCurve {
  std::string run;  // the folder's name
  GamePtr game;
  std::string against;  // the opponent; empty: exploitability
  struct Point {
    double hands = 0, iterations = 0;
    double seconds = 0;  // at work, of all the times that the run went on
    studies::Estimate strength;
  };
  std::vector<Point> points;
  std::optional<studies::Estimate> level;  // of `default` by the same measure
  std::int64_t planned = 0, played = 0;    // hands

  std::string unit() const;  // "points a hand against rule"
};

// Reads config.yaml, metrics.jsonl and log.txt of a run folder. against: an opponent that the run was evaluated with;
// empty: what the run is evaluated with first. Throws UsageError where it is no run folder, and naming the opponents
// where that one was not met; FileError, ConfigError.
LearningCurve read_learning_curve(const std::filesystem::path& run, std::string_view against = {});

// The last evaluation: "+1.20 ± 0.31 points against rule"; a dash before the first.
std::string strength_text(const LearningCurve& curve);

// "hands", "seconds", "iterations"
enum class CurveAxis { kHands, kSeconds, kIterations };
// Throws UsageError where the runs were measured by different things.
studies::CurveChart chart_of(std::span<const LearningCurve> curves, CurveAxis axis);

// Draws learning.svg into the run folder, with the level of `default` where there is a trained agent of the game: it is
// measured once, over as many deals as an evaluation has, and kept in level.json.
void draw_learning(const std::filesystem::path& run);

inline constexpr std::string_view kLearningPicture = "learning.svg";

}  // namespace dealer::cli
