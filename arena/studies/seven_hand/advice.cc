#include "arena/studies/seven_hand/advice.h"

#include "agents/seven_hand/preference.h"
#include "arena/lines_file.h"
#include "arena/studies/seven_hand/kinds.h"
#include "env/core/at.h"

namespace dealer::studies::seven_hand {
namespace {

// The mean of the known values; nullopt if there was no choice.
template <std::size_t n>
std::optional<double> mean_of(const std::array<std::optional<double>, n>& values) {
  double sum = 0;
  int count = 0;
  for (const auto& value : values) {
    sum += value.value_or(0);
    count += value ? 1 : 0;
  }
  return count > 1 ? std::optional(sum / count) : std::nullopt;
}

// A difference, and the preferences for it above 0 and below 0.
constexpr std::array<std::array<std::string_view, 3>, 5> kAdvice = {{
    {"middle_ends_many", "many_middle", "many_ends"},
    {"middle_ends_few", "few_middle", "few_ends"},
    {"opposed_empty", "opposed", "empty"},
    {"many_few_early", "many_early", "few_early"},
    {"many_few_late", "many_late", "few_late"},
}};

}  // namespace

AdviceCounter::AdviceCounter() {
  figures_ = object(
      {{"tries", value(0)},
       {"numbers", list(kTurns, list(kMostLaid, mean()))},
       {"chips", list(kMostLaid, list(kChips, mean()))},
       {"states", by_name(chip_states(), list(kMostLaid, mean()))},
       {"differences", counters("many_few_early- many_few_late- middle_ends_many- middle_ends_few- opposed_empty-")}});
}

void AdviceCounter::add(const Tried& tried) {
  ++tries_;
  add_numbers(tried);
  add_chips(tried);
}

void AdviceCounter::add_numbers(const Tried& tried) {
  const auto mean = mean_of(tried.laid);
  if (!mean) return;
  const bool early = tried.turn <= kEarly, late = tried.turn >= kLate;
  for (int count = 1; count <= kMostLaid; ++count) {
    const auto& value = tried.laid[at(count - 1)];
    if (!value) continue;
    figures_["numbers"][tried.turn - 1][count - 1].add(tried.number, *value - *mean);
    if ((early || late) && (is_many(count) || is_few(count)))
      figures_["differences"][early ? "many_few_early" : "many_few_late"].compare(tried.number, is_many(count),
                                                                                  *value - *mean);
  }
}

void AdviceCounter::add_chips(const Tried& tried) {
  const auto mean = mean_of(tried.named);
  if (!mean) return;
  const int count = tried.laying.count();
  Figure& differences = figures_["differences"];
  for (int chip = 0; chip < kChips; ++chip) {
    if (!tried.named[at(chip)]) continue;
    const double worth = *tried.named[at(chip)] - *mean;
    figures_["chips"][count - 1][chip].add(tried.number, worth);
    for (std::size_t s = 0; s < chip_states().size(); ++s)
      if (is_in(s, tried.laying, chip)) figures_["states"][s][count - 1].add(tried.number, worth);
    if (is_many(count) || is_few(count))
      differences[is_many(count) ? "middle_ends_many" : "middle_ends_few"].compare(tried.number, is_middle(chip),
                                                                                   worth);
    differences["opposed_empty"].compare(tried.number, tried.laying.opposite[at(chip)] > 0, worth);
  }
}

Figure AdviceCounter::figures() const {
  Figure figures = figures_;
  figures.set("tries", value(tries_));
  return tries_ == 0 ? Figure() : figures;
}

Figure count_tries(const std::filesystem::path& file) {
  AdviceCounter counter;
  LinesFile::read(file, kTriesUnit, [&](std::string_view line) {
    const std::optional<Tried> tried = read_tried(line);
    if (tried) counter.add(*tried);
    return tried.has_value();
  });
  return counter.figures();
}

std::vector<std::string_view> advised(const Figure& advice) {
  std::vector<std::string_view> names;
  if (advice.is_null()) return names;
  for (const auto& [difference, above, below] : kAdvice) {
    const Estimate seen = advice["differences"][difference].estimate();
    if (seen.above(0)) names.push_back(above);
    if (seen.below(0)) names.push_back(below);
  }
  return names;
}

std::string_view what_is_preferred(std::string_view preference) {
  for (const dealer::seven_hand::Preference& each : dealer::seven_hand::preferences())
    if (each.name == preference) return each.what;
  return {};
}

}  // namespace dealer::studies::seven_hand
