#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "agents/ofc/fantasyland.h"
#include "agents/ofc/placements.h"
#include "agents/ofc/value_model.h"

namespace dealer::ofc {

// Numbers the distinct keys that occur in a turn, from 0 in order of first occurrence; at most one per placement.
class TurnNumbers {
 public:
  void clear() {
    slot_.fill(0);
    count_ = 0;
  }
  struct Number {
    std::size_t value;
    bool fresh;  // the key has not occurred before
  };
  Number of(std::uint64_t key) {
    std::size_t slot = key * 0x9e3779b97f4a7c15 >> (64 - kBits);
    for (; slot_[slot] != 0; slot = (slot + 1) % kSlots)
      if (key_[slot_[slot] - 1U] == key) return {slot_[slot] - 1U, false};
    key_[count_] = key;
    slot_[slot] = static_cast<std::uint8_t>(++count_);
    return {count_ - 1, true};
  }

 private:
  static constexpr int kBits = 9;
  static constexpr std::size_t kSlots = std::size_t{1} << kBits;
  static_assert(kMaxPlacements < 255 && kMaxPlacements < kSlots);

  std::size_t count_ = 0;
  std::array<std::uint64_t, kMaxPlacements> key_;
  std::array<std::uint8_t, kSlots> slot_;  // 0: free, else the number + 1
};

// The payoff of complete boards. It is separable: each player's royalties and Fantasyland bonus do not depend on the
// other's board, so a player optimises its own share and the rows. Omitting the other's share from the training targets
// halves their variance and changes no choice.
struct EndOfHand {
  const Rules* scoring = &kStandardRules;
  // Null if the episode ends with the hand.
  const ChainValues* chain = nullptr;
  // Extra foul penalty in points during training (reward shaping).
  double foul_cost = 0;

  // The value of entering Fantasyland with each front; 0 if the episode ends with the hand.
  EntryValues entry_values(bool deals) const;
  // Royalties plus the value of the Fantasyland hand that follows, if one does.
  double share(const BoardValue& board, bool in_fantasyland, bool deals) const;
  // Own share plus row points: the quantity a player maximises. The expected points are this less the other's share.
  double stake(const BoardValue& own, const BoardValue& other, bool own_in_fantasyland, bool own_deals) const {
    return share(own, own_in_fantasyland, own_deals) + rows_score(own, other, scoring->bonus) -
           (own.foul ? foul_cost : 0.0);
  }
};

// Values all placements of many turns, in batches of network rows. Points are pairwise, and so are the values: against
// several opponents they are summed. A value does not depend on the batch it is in, bit for bit.
class AfterstateEvaluator {
 public:
  // Small enough for the cache, large enough for the groups in which rows are computed.
  static constexpr int kRowsAtOnce = 32;
  // Points added in proportion to the predicted probability of Fantasyland: for the non-dealer and for the dealer.
  using Tickets = std::array<double, 2>;
  // caution: points subtracted in proportion to the foul probability. The network must outlive the evaluator.
  explicit AfterstateEvaluator(const ValueNet& net, int rows_at_once = kRowsAtOnce, double caution = 0,
                               const Tickets& tickets = {});

  // Values the observer's turn: values[i] becomes the expected stake after placements[i] against the first opponent to
  // the left, values[n + i] against the second, n the number of placements (0 against one who is out of the match).
  // Complete once flush() has run; the memory must live until then.
  void add(const View& view, std::span<const Placement> placements, const EndOfHand& end, float* values);
  void flush();
  // The number of network evaluations so far.
  std::int64_t evaluations() const { return evaluations_; }

 private:
  static constexpr std::size_t kSubsets = 32;  // of at most five cards

  // Rows that wait for the dense layers of their turn.
  struct Rows {
    ReluLayers layers;
    int count = 0;
    AlignedFloats first;         // [capacity, width]
    std::vector<float*> target;  // destination of each row's value
    std::vector<float> ticket;   // points per unit of each row's Fantasyland probability
  };

  void add_rows(const View& view, std::size_t other, std::span<const Placement> placements, const EndOfHand& end,
                float* values);
  // Sums the features that all placements share; returns the rows of the turn.
  Rows& sum_common(const View& view, std::size_t other, CardSet live, int own_cards, const EndOfHand& end);
  void sum_row(int row, CardSet placed, CardSet hand, CardSet live, std::uint32_t subsets);
  const float* order_sum(const RowHand& front, const RowHand& middle, const RowHand& back);
  float* row_sum(std::size_t row, std::size_t subset) { return row_sum_.data() + (row * kSubsets + subset) * width_; }
  void run(Rows& rows);

  const ValueNet& net_;
  std::size_t width_;
  int capacity_;
  float caution_;
  std::array<float, 2> tickets_;
  std::int64_t evaluations_ = 0;
  std::vector<Rows> rows_;      // by the network's stacks
  std::vector<float> outputs_;  // [capacity, kOutputs]

  // Partial sums of the turn being added that depend on one own row alone, for each choice of the hand's cards in it;
  // the front's sums also hold the part common to all placements.
  AlignedFloats row_sum_;  // [3 rows, kSubsets, width]
  AlignedFloats common_;   // [width]: bias, the opponent's board and the context
  RowHands other_;
  std::array<std::array<RowHand, kSubsets>, kRows> hand_;
  // The sums of the order features that have occurred.
  AlignedFloats order_sum_;  // [kMaxPlacements, width]
  TurnNumbers orders_;
};

}  // namespace dealer::ofc
