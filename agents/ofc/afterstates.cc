#include "agents/ofc/afterstates.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace dealer::ofc {
namespace {

// The index of a subset of the hand's cards: bit i for the i-th lowest.
std::size_t subset_of(CardSet cards, CardSet hand) {
#if defined(__BMI2__)
  return _pext_u64(cards, hand);
#else
  std::size_t subset = 0;
  std::size_t position = 1;
  for (; hand != 0; hand &= hand - 1, position *= 2)
    if ((cards & hand & (0 - hand)) != 0) subset |= position;
  return subset;
#endif
}

CardSet cards_of(std::size_t subset, CardSet hand) {
#if defined(__BMI2__)
  return _pdep_u64(subset, hand);
#else
  CardSet cards = 0;
  for (; subset != 0; subset /= 2, hand &= hand - 1)
    if (subset % 2 != 0) cards |= hand & (0 - hand);
  return cards;
#endif
}

// ReLU of the sum of four.
void relu_sum(const float* a, const float* b, const float* c, const float* d, std::size_t width, float* out) {
  std::size_t i = 0;
  for (; i + kSimdWidth <= width; i += kSimdWidth)
    store_vector(out + i, relu((load_vector(a + i) + load_vector(b + i)) + (load_vector(c + i) + load_vector(d + i))));
  for (; i < width; ++i) out[i] = std::max((a[i] + b[i]) + (c[i] + d[i]), 0.0F);
}

}  // namespace

double EndOfHand::share(const BoardValue& board, bool in_fantasyland, bool deals) const {
  const int next = in_fantasyland ? board.stays : board.fantasyland;
  return board.total() + (chain != nullptr && next != 0 ? (*chain)(next, 0, deals) : 0.0);
}

EntryValues EndOfHand::entry_values(bool deals) const {
  EntryValues values{};
  if (chain == nullptr) return values;
  for (std::size_t front = 0; front < values.size(); ++front)
    values[front] = (*chain)(scoring->bonus.fantasyland_cards[front], 0, deals);
  return values;
}

AfterstateEvaluator::AfterstateEvaluator(const ValueNet& net, int rows_at_once, double caution, const Tickets& tickets)
    : net_(net),
      width_(at(net.width())),
      capacity_(rows_at_once),
      caution_(static_cast<float>(caution)),
      tickets_{static_cast<float>(tickets[0]), static_cast<float>(tickets[1])},
      outputs_(at(rows_at_once) * kOutputs),
      row_sum_(kRows * kSubsets * width_),
      common_(width_),
      order_sum_(kMaxPlacements * width_) {
  for (const ReluLayers& layers : net.all_layers())
    rows_.push_back({layers, 0, AlignedFloats(at(rows_at_once) * width_), std::vector<float*>(at(rows_at_once)),
                     std::vector<float>(at(rows_at_once))});
}

void AfterstateEvaluator::add(const View& view, std::span<const Placement> placements, const EndOfHand& end,
                              float* values) {
  const bool last = placements.front().board.complete();
  for (std::size_t other = 1; other < at(view.players); ++other, values += placements.size()) {
    std::fill_n(values, placements.size(), 0.0F);
    if (view.out[other]) continue;
    if (!last || !view.board[other].complete()) {
      add_rows(view, other, placements, end, values);
      continue;
    }
    const BoardValue theirs = evaluate(view.board[other], *end.scoring);
    for (std::size_t i = 0; i < placements.size(); ++i)
      values[i] =
          static_cast<float>(end.stake(evaluate(placements[i].board, *end.scoring), theirs, false, view.dealer == 0));
  }
}

AfterstateEvaluator::Rows& AfterstateEvaluator::sum_common(const View& view, std::size_t other, CardSet live,
                                                           int own_cards, const EndOfHand& end) {
  const Board& board = view.board[other];
  FeatureList list;
  for (int row = 0; row < kRows; ++row) {
    const auto r = at(row);
    other_[r] = row_hand(row, board.row[r]);
    add_row_features(kOther, row, board.row[r], other_[r], live, list);
  }
  add_order_features(kOther, other_, list);
  add_context_features(live, own_cards, size(board.cards()), view.fantasyland[other] != 0, list);
  if (net_.knows_fantasyland())
    add_fantasyland_features(end.entry_values(view.dealer == 0), view.fantasyland[other], list);
  net_.sum(list.active(), net_.sparse().bias.data(), common_.data());
  return rows_[net_.stacks().of(list.active())];
}

void AfterstateEvaluator::sum_row(int row, CardSet placed, CardSet hand, CardSet live, std::uint32_t subsets) {
  const auto r = at(row);
  for (; subsets != 0; subsets &= subsets - 1) {
    const auto subset = at(std::countr_zero(subsets));
    const CardSet cards = placed | cards_of(subset, hand);
    const RowHand& so_far = hand_[r][subset] = row_hand(row, cards);
    FeatureList list;
    add_row_features(kOwn, row, cards, so_far, live, list);
    add_versus_feature(row, so_far, other_[r], list);
    net_.sum(list.active(), row == kFront ? common_.data() : nullptr, row_sum(r, subset));
  }
}

// The placements of a turn have few distinct orders.
const float* AfterstateEvaluator::order_sum(const RowHand& front, const RowHand& middle, const RowHand& back) {
  const auto features = order_features(front, middle, back);
  const TurnNumbers::Number order = orders_.of(std::bit_cast<std::uint64_t>(features));
  float* const sum = order_sum_.data() + order.value * width_;
  if (order.fresh) net_.sum(features, nullptr, sum);
  return sum;
}

void AfterstateEvaluator::add_rows(const View& view, std::size_t other, std::span<const Placement> placements,
                                   const EndOfHand& end, float* values) {
  const CardSet live = kFullDeck & ~view.seen();
  std::array<std::array<std::uint8_t, kRows>, kMaxPlacements> subsets;
  std::array<std::uint32_t, kRows> needed{};
  for (std::size_t i = 0; i < placements.size(); ++i) {
    for (std::size_t row = 0; row < kRows; ++row) {
      const std::size_t subset = subset_of(placements[i].board.row[row], view.hand);
      subsets[i][row] = static_cast<std::uint8_t>(subset);
      needed[row] |= std::uint32_t{1} << subset;
    }
  }
  Rows& rows = sum_common(view, other, live, size(placements.front().board.cards()), end);
  for (int row = 0; row < kRows; ++row) sum_row(row, view.board[0].row[at(row)], view.hand, live, needed[at(row)]);
  orders_.clear();
  for (std::size_t i = 0; i < placements.size(); ++i) {
    const auto [front, middle, back] = subsets[i];
    const float* order = order_sum(hand_[kFront][front], hand_[kMiddle][middle], hand_[kBack][back]);
    relu_sum(row_sum(kFront, front), row_sum(kMiddle, middle), row_sum(kBack, back), order, width_,
             rows.first.data() + at(rows.count) * width_);
    rows.ticket[at(rows.count)] = tickets_[view.dealer == 0 ? 1 : 0];
    rows.target[at(rows.count++)] = values + i;
    if (rows.count == capacity_) run(rows);
  }
}

void AfterstateEvaluator::run(Rows& rows) {
  rows.layers.forward(rows.first.data(), rows.count, outputs_.data());
  for (std::size_t row = 0; row < at(rows.count); ++row) {
    const float* out = outputs_.data() + row * kOutputs;
    float& value = *rows.target[row];
    value = out[0] * kValueScale;
    if (caution_ != 0) value -= caution_ / (1 + std::exp(-out[1]));
    if (rows.ticket[row] != 0) value += rows.ticket[row] / (1 + std::exp(-out[2]));
  }
  evaluations_ += rows.count;
  rows.count = 0;
}

void AfterstateEvaluator::flush() {
  for (Rows& rows : rows_)
    if (rows.count > 0) run(rows);
}

}  // namespace dealer::ofc
