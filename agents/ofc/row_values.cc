#include "agents/ofc/row_values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <string>

#include "env/core/error.h"

namespace dealer::ofc {

RowValues::RowValues() {
  for (PerRow& row : rows_) {
    row.value.assign(kHandRanks, 0);
    row.ceiling.assign(kHandRanks, 0);
  }
}

void RowValues::set(Row row, std::span<const float> values) {
  if (values.size() != kHandRanks ||
      !std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); })) {
    throw UsageError("values of the " + std::string(kRowNames[row]) + " must be " + std::to_string(kHandRanks) +
                     " finite numbers, one for each rank of hand");
  }
  rows_[row].value.assign(values.begin(), values.end());
  std::partial_sum(values.begin(), values.end(), rows_[row].ceiling.begin(),
                   [](float a, float b) { return std::max(a, b); });
}

double RowValues::scoop(HandRank front, HandRank middle, HandRank back) const {
  const std::array<const std::uint64_t*, kRows> won = {beaten(kFront, front), beaten(kMiddle, middle),
                                                       beaten(kBack, back)};
  const std::array<const std::uint64_t*, kRows> held = {not_lost(kFront, front), not_lost(kMiddle, middle),
                                                        not_lost(kBack, back)};
  int scooped = -static_cast<int>(boards_);
  for (std::size_t word = 0; word < words_; ++word) {
    scooped += std::popcount(won[kFront][word] & won[kMiddle][word] & won[kBack][word]);
    scooped += std::popcount(held[kFront][word] | held[kMiddle][word] | held[kBack][word]);
  }
  return share(scooped);
}

double RowValues::scoop_ceiling(HandRank back) const {
  return scoop_ < 0 ? -scoop_ : share(static_cast<int>(rows_[kBack].beaten[back]));
}

double RowValues::scoop_ceiling(HandRank middle, HandRank back) const {
  if (scoop_ < 0) return -scoop_;
  const std::uint64_t* first = beaten(kMiddle, middle);
  const std::uint64_t* second = beaten(kBack, back);
  int boards = 0;
  for (std::size_t word = 0; word < words_; ++word) boards += std::popcount(first[word] & second[word]);
  return share(boards);
}

void RowValues::compare_with(Row row, std::span<const BoardValue> boards, const Bonus& bonus) {
  // A foul ranks below everything.
  const auto strength = [&](std::size_t board) { return boards[board].foul ? -1 : int{boards[board].rank[row]}; };
  std::vector<std::size_t> order(boards.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return strength(a) < strength(b); });

  PerRow& of = rows_[row];
  of.first.assign((boards.size() + 1) * words_, 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto previous = of.first.begin() + static_cast<std::ptrdiff_t>(i * words_);
    const auto next = std::copy_n(previous, words_, previous + static_cast<std::ptrdiff_t>(words_));
    (next - static_cast<std::ptrdiff_t>(words_))[static_cast<std::ptrdiff_t>(order[i] / 64)] |= std::uint64_t{1}
                                                                                                << order[i] % 64;
  }
  of.beaten.resize(kHandRanks);
  of.not_lost.resize(kHandRanks);
  std::vector<float> values(kHandRanks);
  std::size_t below = 0, up_to = 0;
  for (std::size_t rank = 0; rank < kHandRanks; ++rank) {
    while (below < order.size() && strength(order[below]) < static_cast<int>(rank)) ++below;
    while (up_to < order.size() && strength(order[up_to]) <= static_cast<int>(rank)) ++up_to;
    of.beaten[rank] = static_cast<std::uint16_t>(below);
    of.not_lost[rank] = static_cast<std::uint16_t>(up_to);
    const double won = static_cast<double>(below) - static_cast<double>(order.size() - up_to);
    values[rank] = static_cast<float>(bonus.row_point * won / static_cast<double>(order.size()));
  }
  set(row, values);
}

RowValues row_values_against(const Board& opponent, const Bonus& bonus) {
  return row_values_against(std::span(&opponent, 1), bonus);
}

RowValues row_values_against(std::span<const Board> opponents, const Bonus& bonus) {
  if (opponents.empty() || opponents.size() > kMaxSampledBoards) {
    throw UsageError("row values need 1 to " + std::to_string(kMaxSampledBoards) + " boards to compare with, not " +
                     std::to_string(opponents.size()));
  }
  std::vector<BoardValue> boards;
  boards.reserve(opponents.size());
  for (const Board& board : opponents) boards.push_back(evaluate(board));
  RowValues values;
  values.boards_ = boards.size();
  values.words_ = (boards.size() + 63) / 64;
  values.scoop_ = bonus.scoop;
  for (const Row row : {kFront, kMiddle, kBack}) values.compare_with(row, boards, bonus);
  return values;
}

}  // namespace dealer::ofc
