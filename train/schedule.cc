#include "train/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "env/core/error.h"

namespace dealer {
namespace {

constexpr std::array<std::string_view, 5> kShapes = {"constant", "linear", "cosine", "exponential", "inverse_root"};

}  // namespace

double Schedule::at(double progress, std::int64_t iteration) const {
  progress = std::clamp(progress, 0.0, 1.0);
  switch (shape) {
    case Shape::kLinear:
      return first + (last - first) * progress;
    case Shape::kCosine:
      return last + (first - last) * (1 + std::cos(M_PI * progress)) / 2;
    case Shape::kExponential:
      return first * std::pow(last / first, progress);
    case Shape::kInverseRoot:
      return std::max(last, first / std::sqrt(static_cast<double>(std::max<std::int64_t>(1, iteration))));
    case Shape::kConstant:
      break;
  }
  return first;
}

Schedule read_schedule(Config& config, std::string_view key, const Schedule& fallback, double low, double high) {
  if (config.has(key) && config.names(key).empty()) {
    const double value = config.get_double(key, fallback.first, low, high);
    return Schedule::constant(value);
  }
  Config section = config.section(key);
  Schedule schedule;
  schedule.shape = static_cast<Schedule::Shape>(
      section.get_choice("shape", kShapes[static_cast<std::size_t>(fallback.shape)], kShapes));
  schedule.first = section.get_double("first", fallback.first, low, high);
  // A user's first value does not fall to the fallback's last one.
  schedule.last = section.get_double("last", section.has("first") ? schedule.first : fallback.last, low, high);
  if (schedule.shape == Schedule::Shape::kExponential && !(schedule.first > 0 && schedule.last > 0))
    throw ConfigError(fmt::format("{}: {:g} to {:g} is not allowed with shape exponential; expected numbers above 0",
                                  section.where("first"), schedule.first, schedule.last));
  section.finish();
  return schedule;
}

}  // namespace dealer
