#include "train/time_budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "env/core/error.h"
#include "env/core/numbers.h"
#include "env/core/wall_seconds.h"

namespace dealer {
namespace {

constexpr double kLongest = 30 * 24 * 3600.0;
constexpr const char* kKey = "budget";

}  // namespace

TimeBudget::TimeBudget(Config& section, std::function<double()> clock)
    : clock_(clock ? std::move(clock) : wall_seconds),
      seconds_(section.get_double("seconds", 0, 0, kLongest)),
      start_(clock_()) {}

double TimeBudget::used() const { return earlier_ + clock_() - start_; }

std::int64_t TimeBudget::hands_that_fit(std::int64_t hands, std::int64_t most) {
  if (!limited()) return most;
  const double used_now = used(), step = used_now - std::exchange(asked_, used_now);
  const bool over = used_now + step > seconds_;
  // More than ten tenths do not count, and may exceed an int.
  const int tenths = static_cast<int>(std::min(10 * used_now / seconds_, 11.0));
  if (over) {
    fit_ = hands;
  } else if (tenths > tenths_ && hands > 0) {
    tenths_ = tenths;
    // At least one more than played: the time is not over.
    fit_ = std::max(hands + 1, static_cast<std::int64_t>(static_cast<double>(hands) * seconds_ / used_now));
  }
  return planned(most);
}

std::int64_t TimeBudget::planned(std::int64_t most) const { return fit_ == 0 ? most : std::min(fit_, most); }

void TimeBudget::save(std::map<std::string, std::string>& metadata) const {
  if (limited()) metadata[kKey] = fmt::format("{} {} {} {} {}", seconds_, used(), asked_, tenths_, fit_);
}

void TimeBudget::load(const std::map<std::string, std::string>& metadata, const std::string& file) {
  const auto found = metadata.find(kKey);
  if (found == metadata.end()) return;
  const std::string& text = found->second;
  Words words(text);
  const auto seconds = words.number<double>(), used = words.number<double>(), asked = words.number<double>();
  const auto tenths = words.number<std::int64_t>(), fit = words.number<std::int64_t>();
  if (!words.at_end() || !seconds || !std::isfinite(*seconds) || !used || !std::isfinite(*used) ||
      !(asked >= 0 && asked <= used) || !(tenths >= 0 && tenths <= 10) || !(fit >= 0))
    throw CheckpointError(
        fmt::format("{}: metadata '{}' is '{}'; expected seconds, those used, those used "
                    "when it last asked, tenths and hands",
                    file, kKey, text));
  earlier_ = *used;
  asked_ = *asked;
  start_ = clock_();
  if (seconds != seconds_) return;
  tenths_ = static_cast<int>(*tenths);
  fit_ = *fit;
}

}  // namespace dealer
