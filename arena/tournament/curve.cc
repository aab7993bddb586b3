#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "arena/studies/report/charts.h"
#include "arena/studies/report/picture.h"
#include "arena/studies/report/text.h"
#include "arena/tournament/report.h"

namespace dealer::tournament {
namespace {

using studies::Picture;
using studies::Scale;
using Anchor = Picture::Anchor;

constexpr double kLeft = 46, kRight = studies::kPictureWidth - 10, kTop = 14, kBottom = 214, kHeight = 262;
constexpr double kLine = 13;  // between the names of two lines

double low_of(const Rating& rating) { return std::isfinite(rating.ci95) ? rating.value - rating.ci95 : rating.value; }
double high_of(const Rating& rating) { return std::isfinite(rating.ci95) ? rating.value + rating.ci95 : rating.value; }

std::string steps_text(double steps) {
  if (steps >= 1e6) return fmt::format("{:g}M", steps / 1e6);
  if (steps >= 1e4) return fmt::format("{:g}k", steps / 1e3);
  return fmt::format("{:g}", steps);
}

int digits_for(double step) { return std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9))); }

// Where the names of lines stand, from the top, so that none covers another.
std::vector<double> apart(std::vector<double> at) {
  for (std::size_t i = 1; i < at.size(); ++i) at[i] = std::max(at[i], at[i - 1] + kLine);
  for (std::size_t i = at.size(); i-- > 0;)
    at[i] = std::min(at[i], kBottom - kLine * static_cast<double>(at.size() - 1 - i));
  return at;
}

}  // namespace

std::string learning_curve(const Results& results) {
  const std::vector<const AgentStanding*> curve = curve_of(results);
  if (curve.empty()) return {};
  std::vector<const AgentStanding*> others;
  for (const AgentStanding& agent : results.agents)
    if (agent.rating.known && !agent.step) others.push_back(&agent);
  double low = low_of(curve.front()->rating), high = high_of(curve.front()->rating);
  for (const AgentStanding& agent : results.agents) {
    if (!agent.rating.known) continue;
    // Of the lines across the intervals are not drawn.
    low = std::min(low, agent.step ? low_of(agent.rating) : agent.rating.value);
    high = std::max(high, agent.step ? high_of(agent.rating) : agent.rating.value);
  }
  const Scale y_scale = studies::scale_for(low, high, 5);
  const Scale x_scale = studies::scale_for(0, static_cast<double>(std::max<std::int64_t>(*curve.back()->step, 1)), 4);
  const auto y = [&](double v) {
    return kBottom - (kBottom - kTop) * (v - y_scale.low) / (y_scale.high - y_scale.low);
  };
  const auto x = [&](double v) { return kLeft + (kRight - kLeft) * (v - x_scale.low) / (x_scale.high - x_scale.low); };

  Picture picture(kHeight, "The rating of the checkpoints by training step");
  const auto ticks = [](const Scale& scale) {
    return static_cast<int>(std::round((scale.high - scale.low) / scale.step));
  };
  for (int i = 0; i <= ticks(y_scale); ++i) {
    const double at = y_scale.low + i * y_scale.step;
    picture.line(kLeft, y(at), kRight, y(at), "axis");
    picture.text(kLeft - 6, y(at) + 4, studies::fixed(at, digits_for(y_scale.step)), Anchor::kEnd, "quiet small");
  }
  for (int i = 0; i <= ticks(x_scale); ++i) {
    const double at = x_scale.low + i * x_scale.step;
    picture.text(x(at), kBottom + 18, steps_text(at), Anchor::kMiddle, "quiet small");
  }
  // Agents come with the best first, so from the top.
  std::vector<double> names;
  for (const AgentStanding* other : others) {
    picture.line(kLeft, y(other->rating.value), kRight, y(other->rating.value), "mark");
    names.push_back(y(other->rating.value) - 3);
  }
  names = apart(names);
  for (std::size_t i = 0; i < others.size(); ++i)
    picture.text(kLeft + 4, names[i], short_name(others[i]->name), Anchor::kStart, "quiet small value");
  const auto steps = [](const AgentStanding* agent) { return static_cast<double>(*agent->step); };
  for (std::size_t i = 1; i < curve.size(); ++i)
    picture.line(x(steps(curve[i - 1])), y(curve[i - 1]->rating.value), x(steps(curve[i])), y(curve[i]->rating.value),
                 "curve");
  for (const AgentStanding* agent : curve) {
    picture.upright_whisker(x(steps(agent)), y(low_of(agent->rating)), y(high_of(agent->rating)));
    picture.circle(x(steps(agent)), y(agent->rating.value), 4, "first");
  }
  picture.text((kLeft + kRight) / 2, kBottom + 40, "training step", Anchor::kMiddle, "quiet");
  return picture.finish();
}

}  // namespace dealer::tournament
