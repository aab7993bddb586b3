#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "env/games/ofc/board.h"

namespace dealer::ofc {

// The number of values of HandRank.
inline constexpr std::size_t kHandRanks = 9842;

// The value in points of the rows of a board without foul, in addition to its royalties.
class RowValues {
 public:
  // All 0.
  RowValues();

  // values: kHandRanks finite numbers, by rank. Throws UsageError otherwise.
  void set(Row row, std::span<const float> values);

  double value(Row row, HandRank rank) const { return static_cast<double>(rows_[row].value[rank]); }
  // The maximum value over this rank and all weaker ones.
  double ceiling(Row row, HandRank rank) const { return static_cast<double>(rows_[row].ceiling[rank]); }

  // True if the three rows together have an extra value: the scoop against the boards these values come from.
  bool has_scoop() const { return boards_ != 0; }
  // Expected scoop bonus. Only if has_scoop().
  double scoop(HandRank front, HandRank middle, HandRank back) const;
  // An upper bound on scoop(), given the back, or the back and the middle.
  double scoop_ceiling(HandRank back) const;
  double scoop_ceiling(HandRank middle, HandRank back) const;

 private:
  friend RowValues row_values_against(std::span<const Board>, const Bonus&);

  struct PerRow {
    std::vector<float> value, ceiling;
    // The boards sorted by this row, fouls first: the number that a rank beats, and the number it does not lose to.
    std::vector<std::uint16_t> beaten, not_lost;
    // [count * words_]: the first `count` boards in that order, as a bit set.
    std::vector<std::uint64_t> first;
  };
  const std::uint64_t* beaten(Row row, HandRank rank) const {
    return rows_[row].first.data() + rows_[row].beaten[rank] * words_;
  }
  const std::uint64_t* not_lost(Row row, HandRank rank) const {
    return rows_[row].first.data() + rows_[row].not_lost[rank] * words_;
  }
  double share(int boards) const { return scoop_ * boards / static_cast<double>(boards_); }
  void compare_with(Row row, std::span<const BoardValue> boards, const Bonus& bonus);

  std::array<PerRow, kRows> rows_;
  std::size_t boards_ = 0, words_ = 0;
  double scoop_ = 0;
};

inline constexpr std::size_t kMaxSampledBoards = 4096;

// Expected row points and scoop bonus against a known complete board, or against 1 to kMaxSampledBoards equally likely
// complete boards. A board with a foul loses all rows. Throws UsageError on another number of boards.
RowValues row_values_against(const Board& opponent, const Bonus& bonus = kStandardRules.bonus);
RowValues row_values_against(std::span<const Board> opponents, const Bonus& bonus = kStandardRules.bonus);

}  // namespace dealer::ofc
