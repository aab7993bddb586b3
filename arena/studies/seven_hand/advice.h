#pragma once

#include <filesystem>

#include "arena/studies/seven_hand/figures.h"
#include "arena/studies/seven_hand/tries.h"

namespace dealer::studies::seven_hand {

// Counts turns that were tried in every way. What a choice is worth is what it wins less the mean of all choices there
// were in the same turn.
class AdviceTally {
 public:
  void add(const Tried& tried);
  AdviceFigures figures() const;

 private:
  template <std::size_t rows, std::size_t n>
  using Table = std::array<std::array<DealMean, n>, rows>;

  std::int64_t tries_ = 0;
  Table<kTurns, kMostLaid> numbers_;
  Table<kMostLaid, kChips> chips_;
  Table<kChipStates, kMostLaid> states_;
  ClusterDifference many_few_early_, many_few_late_, middle_ends_many_, middle_ends_few_, opposed_empty_;
};

// Counts the file of tries. Throws FileError.
AdviceFigures count_tries(const std::filesystem::path& file);

}  // namespace dealer::studies::seven_hand
