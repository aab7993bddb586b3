#pragma once

#include <span>
#include <vector>

#include "agents/ofc/chain_values.h"
#include "agents/ofc/placements.h"
#include "agents/ofc/value_net.h"

namespace dealer::ofc {

// What complete boards are worth. Points are taken apart: each player's royalties and ticket to Fantasyland do not
// depend on what the other does, so a player chooses by its own share and the rows. Leaving the other's share out of
// the targets halves their variance and changes no choice.
struct EndOfHand {
  const Rules* scoring = &kStandardRules;
  // Nothing when the episode ends with the hand.
  const ChainValues* chain = nullptr;
  // Points by which a player dislikes a foul beyond what it costs; for training careful players.
  double foul_cost = 0;

  // Royalties and the worth of the Fantasyland hand that follows, if one does.
  double share(const BoardValue& board, bool in_fantasyland, bool deals) const;
  // Own share and the rows: what a player plays for. The expected points are this less the other's share.
  double stake(const BoardValue& own, const BoardValue& other, bool own_in_fantasyland, bool own_deals) const {
    return share(own, own_in_fantasyland, own_deals) + rows_score(own, other, scoring->bonus) -
           (own.foul ? foul_cost : 0.0);
  }
};

// Values all placements of many turns in large matrix products. Points are pairwise, and so are the values: against
// several opponents they add up.
class AfterstateEvaluator {
 public:
  // caution: points taken off in proportion to the predicted chance of a foul.
  explicit AfterstateEvaluator(const ValueNet& net, int rows_at_once = 512, double caution = 0);

  // Values the observer's turn: values[i] becomes the stake expected after placements[i] against the first opponent to
  // the left, values[n + i] against the second, n the number of placements (0 against one who is out of the match).
  // Complete once flush() has run; the memory must live until then.
  void add(const View& view, std::span<const Placement> placements, const EndOfHand& end, float* values);
  void flush();
  // Network evaluations so far.
  std::int64_t evaluations() const { return evaluations_; }

 private:
  void add_rows(const View& view, std::size_t other, std::span<const Placement> placements, float* values);
  void start_common(const View& view, std::size_t other, CardSet live, int own_cards);
  void start_row(int row, CardSet cards, CardSet live, HandRank rank, float* sum) const;
  void relu_sum(const std::array<const float*, kRows + kActiveOrderFeatures>& part, float* out) const;

  const ValueNet& net_;
  std::size_t width_;
  int capacity_;
  float caution_;
  int rows_ = 0;
  std::int64_t evaluations_ = 0;
  std::vector<float> first_;    // [capacity, width]
  std::vector<float*> target_;  // where each row's value goes
  std::vector<float> outputs_;  // [capacity, kOutputs]
  std::vector<float> row_sum_;  // [3 rows, 32 subsets of the hand, width]
  std::vector<float> common_;   // [width]: bias, the opponent's board and the context
  std::array<HandRank, 3> other_rank_{};
  std::array<bool, 3> other_complete_{};
  ValueNet::Scratch scratch_;
};

}  // namespace dealer::ofc
