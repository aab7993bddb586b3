#include "agents/ofc/afterstates.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace dealer::ofc {
namespace {

constexpr std::size_t kSubsets = 32;  // of at most five cards

// Which of the hand's cards are in the set: bit i for the i-th lowest.
std::size_t subset_of(CardSet cards, CardSet hand) {
  std::size_t subset = 0;
  std::size_t position = 1;
  for (; hand != 0; hand &= hand - 1, position *= 2)
    if ((cards & hand & (0 - hand)) != 0) subset |= position;
  return subset;
}

}  // namespace

double EndOfHand::share(const BoardValue& board, bool in_fantasyland, bool deals) const {
  const bool next = in_fantasyland ? board.stays : board.fantasyland;
  return board.total() + (chain != nullptr && next ? (*chain)(true, false, deals) : 0.0);
}

AfterstateEvaluator::AfterstateEvaluator(const ValueNet& net, int rows_at_once, double caution)
    : net_(net),
      width_(static_cast<std::size_t>(net.width())),
      capacity_(rows_at_once),
      caution_(static_cast<float>(caution)),
      first_(static_cast<std::size_t>(rows_at_once) * width_),
      target_(static_cast<std::size_t>(rows_at_once)),
      outputs_(static_cast<std::size_t>(rows_at_once) * kOutputs),
      row_sum_(kRows * kSubsets * width_),
      common_(width_) {}

void AfterstateEvaluator::add(const View& view, std::span<const Placement> placements, const EndOfHand& end,
                              float* values) {
  const bool last = placements.front().board.complete();
  for (std::size_t other = 1; other < static_cast<std::size_t>(view.players); ++other, values += placements.size()) {
    std::fill_n(values, placements.size(), 0.0F);
    if (view.out[other]) continue;
    if (!last || !view.board[other].complete()) {
      add_rows(view, other, placements, values);
      continue;
    }
    const BoardValue theirs = evaluate(view.board[other], *end.scoring);
    for (std::size_t i = 0; i < placements.size(); ++i)
      values[i] =
          static_cast<float>(end.stake(evaluate(placements[i].board, *end.scoring), theirs, false, view.dealer == 0));
  }
}

void AfterstateEvaluator::start_common(const View& view, std::size_t other, CardSet live, int own_cards) {
  const Board& board = view.board[other];
  FeatureList list;
  for (std::size_t row = 0; row < kRows; ++row) {
    other_rank_[row] = dealer::evaluate(board.row[row]);
    other_complete_[row] = board.room(static_cast<Row>(row)) == 0;
    add_row_features(kOther, static_cast<int>(row), board.row[row], live, list);
  }
  add_order_features(kOther, board, other_rank_, list);
  add_context_features(live, own_cards, size(board.cards()), view.fantasyland[other], list);
  std::copy_n(net_.sparse().bias.data(), width_, common_.data());
  net_.accumulate(list.active(), common_.data());
}

// The weights of everything that depends on one own row alone, for one choice of the hand's cards in it.
void AfterstateEvaluator::start_row(int row, CardSet cards, CardSet live, HandRank rank, float* sum) const {
  FeatureList list;
  add_row_features(kOwn, row, cards, live, list);
  const auto r = static_cast<std::size_t>(row);
  add_versus_feature(row, rank, size(cards) == kRowSize[r], other_rank_[r], other_complete_[r], list);
  std::fill_n(sum, width_, 0.0F);
  net_.accumulate(list.active(), sum);
}

void AfterstateEvaluator::add_rows(const View& view, std::size_t other, std::span<const Placement> placements,
                                   float* values) {
  const CardSet live = kFullDeck & ~view.seen();
  start_common(view, other, live, size(placements.front().board.cards()));
  std::array<std::array<bool, kSubsets>, kRows> known{};
  std::array<std::array<HandRank, kSubsets>, kRows> rank;
  for (std::size_t i = 0; i < placements.size(); ++i) {
    const Board& board = placements[i].board;
    std::array<HandRank, 3> ranks;
    std::array<const float*, kRows + kActiveOrderFeatures> part;
    for (std::size_t row = 0; row < kRows; ++row) {
      const std::size_t subset = subset_of(board.row[row], view.hand);
      float* sum = row_sum_.data() + (row * kSubsets + subset) * width_;
      if (!known[row][subset]) {
        known[row][subset] = true;
        rank[row][subset] = dealer::evaluate(board.row[row]);
        start_row(static_cast<int>(row), board.row[row], live, rank[row][subset], sum);
      }
      ranks[row] = rank[row][subset];
      part[row] = sum;
    }
    FeatureList order;
    add_order_features(kOwn, board, ranks, order);
    for (std::size_t f = 0; f < kActiveOrderFeatures; ++f)
      part[kRows + f] = net_.sparse().weight.data() + order.feature[f] * width_;
    relu_sum(part, first_.data() + static_cast<std::size_t>(rows_) * width_);
    target_[static_cast<std::size_t>(rows_++)] = values + i;
    if (rows_ == capacity_) flush();
  }
}

void AfterstateEvaluator::relu_sum(const std::array<const float*, kRows + kActiveOrderFeatures>& part,
                                        float* out) const {
  static_assert(kRows + kActiveOrderFeatures == 7);
  const float* __restrict common = common_.data();
  const float* __restrict a = part[0], * __restrict b = part[1], * __restrict c = part[2], * __restrict d = part[3];
  const float* __restrict e = part[4], * __restrict f = part[5], * __restrict g = part[6];
  float* __restrict sum = out;
  for (std::size_t i = 0; i < width_; ++i)
    sum[i] = std::max(((common[i] + a[i]) + (b[i] + c[i])) + ((d[i] + e[i]) + (f[i] + g[i])), 0.0F);
}

void AfterstateEvaluator::flush() {
  if (rows_ == 0) return;
  net_.forward(first_.data(), rows_, outputs_.data(), scratch_);
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows_); ++row) {
    const float* out = outputs_.data() + row * kOutputs;
    *target_[row] = out[0] * kValueScale;
    if (caution_ != 0) *target_[row] -= caution_ / (1 + std::exp(-out[1]));
  }
  evaluations_ += rows_;
  rows_ = 0;
}

}  // namespace dealer::ofc
