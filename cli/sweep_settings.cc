#include "cli/sweep_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>

#include "arena/studies/sweep/sweep.h"
#include "env/core/error.h"
#include "env/core/numbers.h"

namespace dealer::cli {
namespace {

constexpr std::int64_t kLongestRange = 1000;
constexpr std::string_view kSeed = "seed";

// "1..3"
std::optional<std::pair<std::int64_t, std::int64_t>> range_in(const std::string& text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) return std::nullopt;
  const auto first = number_in<std::int64_t>(std::string_view(text).substr(0, dots));
  const auto last = number_in<std::int64_t>(std::string_view(text).substr(dots + 2));
  if (!first || !last) return std::nullopt;
  return std::pair(*first, *last);
}

}  // namespace

std::string SweepRun::name() const {
  std::string name = fmt::format("{}", fmt::join(overrides, " "));
  for (char& sign : name)
    if (std::isalnum(static_cast<unsigned char>(sign)) == 0 &&
        std::string_view("=.,-_").find(sign) == std::string::npos)
      sign = '_';
  return name.empty() ? "as_it_stands" : name;
}

std::vector<std::string> sweep_values(const std::string& word, const std::string& values) {
  std::vector<std::string> all;
  for (const std::string& part : studies::parts_at_commas(values).first) {
    const auto range = range_in(part);
    if (!range) {
      all.push_back(part);
      continue;
    }
    const auto [first, last] = *range;
    if (first > last || last - first >= kLongestRange)
      throw UsageError(fmt::format("'{}': {} is not a range; expected FIRST..LAST, rising, at most {} numbers", word,
                                   part, kLongestRange));
    for (std::int64_t value = first; value <= last; ++value) all.push_back(std::to_string(value));
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].empty()) throw UsageError(fmt::format("'{}': a value is empty; expected key=a,b,c", word));
    if (std::find(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i), all[i]) !=
        all.begin() + static_cast<std::ptrdiff_t>(i))
      throw UsageError(fmt::format("'{}': the value {} is given twice", word, all[i]));
  }
  return all;
}

std::vector<SweepRun> sweep_runs(std::span<const std::string> words) {
  std::vector<SweepRun> runs(1);
  std::vector<std::string> keys;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string::npos)
      throw UsageError(fmt::format("'{}' is not a setting; expected key=a,b,c behind the config", word));
    const std::string key = word.substr(0, equals);
    if (std::ranges::find(keys, key) != keys.end()) throw UsageError(fmt::format("the key {} is given twice", key));
    keys.push_back(key);
    const std::vector<std::string> values = sweep_values(word, word.substr(equals + 1));
    std::vector<SweepRun> longer;
    for (const SweepRun& run : runs)
      for (const std::string& value : values) {
        SweepRun& next = longer.emplace_back(run);
        next.overrides.push_back(key + "=" + value);
        if (key == kSeed)
          next.seed = value;
        else if (values.size() > 1)
          next.setting += (next.setting.empty() ? "" : " ") + key + "=" + value;
      }
    runs.swap(longer);
  }
  for (SweepRun& run : runs)
    if (run.setting.empty()) run.setting = "as it stands";
  return runs;
}

}  // namespace dealer::cli
