#pragma once

#include <span>
#include <vector>

#include "agents/ofc/chain_values.h"
#include "agents/ofc/placements.h"
#include "agents/ofc/value_net.h"

namespace dealer::ofc {

// What is needed to value boards that are complete on both sides: no network has to guess there.
struct EndOfHand {
  const Rules* scoring = &kStandardRules;
  // Nothing when the episode ends with the hand.
  const ChainValues* chain = nullptr;

  double value(const BoardValue& own, const BoardValue& other, bool own_in_fantasyland, bool other_in_fantasyland,
               bool own_deals) const;
};

// Values all placements of many turns in large matrix products. Points are pairwise, and so are the values: against
// several opponents they add up.
class AfterstateEvaluator {
 public:
  explicit AfterstateEvaluator(const ValueNet& net, int rows_at_once = 512);

  // Values the observer's turn: values[i] becomes the points expected after placements[i] against the first opponent to
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
  void rectified_sum(const std::array<const float*, 5>& part, float* out) const;

  const ValueNet& net_;
  std::size_t width_;
  int capacity_;
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
