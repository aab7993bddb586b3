#include "arena/studies/seven_hand/advice.h"

#include "arena/studies/lines_file.h"
#include "env/core/at.h"

namespace dealer::studies::seven_hand {
namespace {

// The mean of what there is; nothing where there was no choice.
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

}  // namespace

void AdviceTally::add(const Tried& tried) {
  const std::int64_t number = tried.number;
  ++tries_;
  if (const auto mean = mean_of(tried.laid)) {
    for (int count = 1; count <= kMostLaid; ++count) {
      const auto& value = tried.laid[at(count - 1)];
      if (!value) continue;
      const double worth = *value - *mean;
      numbers_[at(tried.turn - 1)][at(count - 1)].add(number, worth);
      ClusterDifference& when = tried.turn <= kEarly ? many_few_early_ : many_few_late_;
      if (tried.turn > kEarly && tried.turn < kLate) continue;
      if (is_many(count)) when.add_first(number, worth);
      if (is_few(count)) when.add_second(number, worth);
    }
  }
  const auto mean = mean_of(tried.named);
  if (!mean) return;
  const int count = tried.laying.count();
  for (int chip = 0; chip < kChips; ++chip) {
    if (!tried.named[at(chip)]) continue;
    const double worth = *tried.named[at(chip)] - *mean;
    chips_[at(count - 1)][at(chip)].add(number, worth);
    for (int state = 0; state < kChipStates; ++state)
      if (is_in(static_cast<ChipState>(state), tried.laying, chip))
        states_[at(state)][at(count - 1)].add(number, worth);
    const auto compare = [&](ClusterDifference& difference, bool first) {
      first ? difference.add_first(number, worth) : difference.add_second(number, worth);
    };
    if (is_many(count)) compare(middle_ends_many_, is_middle(chip));
    if (is_few(count)) compare(middle_ends_few_, is_middle(chip));
    compare(opposed_empty_, tried.laying.opposite[at(chip)] > 0);
  }
}

AdviceFigures AdviceTally::figures() const {
  AdviceFigures f;
  f.tries = tries_;
  const auto read = [](const auto& means, auto& into) {
    for (std::size_t r = 0; r < means.size(); ++r)
      for (std::size_t c = 0; c < means[r].size(); ++c) into[r][c] = means[r][c].estimate();
  };
  read(numbers_, f.numbers);
  read(chips_, f.chips);
  read(states_, f.states);
  f.many_few_early = many_few_early_.estimate();
  f.many_few_late = many_few_late_.estimate();
  f.middle_ends_many = middle_ends_many_.estimate();
  f.middle_ends_few = middle_ends_few_.estimate();
  f.opposed_empty = opposed_empty_.estimate();
  return f;
}

AdviceFigures count_tries(const std::filesystem::path& file) {
  AdviceTally tally;
  LinesFile::read(file, kTriesUnit, [&](std::string_view line) {
    const std::optional<Tried> tried = read_tried(line);
    if (tried) tally.add(*tried);
    return tried.has_value();
  });
  return tally.figures();
}

}  // namespace dealer::studies::seven_hand
