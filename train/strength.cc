#include "train/strength.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace dealer {
namespace {

constexpr std::string_view kMatch = "match/", kInterval = "_ci95", kExploitability = "exploitability";

}  // namespace

void Strength::add(std::span<const Metric> figures) {
  const auto find = [&](const std::string& name) { return std::ranges::find(figures, name, &Metric::first); };
  Seen seen;
  if (const auto distance = find(std::string(kExploitability)); distance != figures.end()) {
    seen.value = distance->second;
  } else {
    const auto match = std::ranges::find_if(figures, [](const Metric& each) { return each.first.starts_with(kMatch); });
    if (match == figures.end()) return;
    seen = {match->first.substr(kMatch.size()), match->second, std::nan("")};
    if (const auto ci95 = find(match->first + std::string(kInterval)); ci95 != figures.end()) seen.ci95 = ci95->second;
  }
  before_ = last_;
  last_ = seen;
}

std::string Strength::text() const {
  if (!last_) return {};
  const bool match = !last_->against.empty();
  std::string text = match ? fmt::format("{} {:+.2f}", last_->against, last_->value)
                           : fmt::format("{} {:.4f}", kExploitability, last_->value);
  if (match && std::isfinite(last_->ci95)) text += fmt::format(" ± {:.2f}", last_->ci95);
  if (!before_) return text;
  const double gain = match ? last_->value - before_->value : before_->value - last_->value;
  // Both evaluations use the same deals, so this interval of their difference is conservative.
  const double noise = match ? std::hypot(last_->ci95, before_->ci95) : 0;
  return text + (gain > noise ? ", better" : gain < -noise ? ", worse" : ", as before");
}

}  // namespace dealer
