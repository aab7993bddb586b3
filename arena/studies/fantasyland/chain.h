#pragma once

#include <cstdint>
#include <vector>

#include "arena/studies/fantasyland/hand.h"
#include "arena/studies/figure.h"

namespace dealer::studies::fantasyland {

// The players in Fantasyland. Between two hands nothing is dealt, so this and the dealer are the whole state;
// the button stays while anybody is there. Players are distinguished only by the button: values for one hold for
// the other with the opposite sign.
enum ChainState : int { kDealerThere, kOtherThere, kBothThere, kChainStates };

// The successor state of a Fantasyland hand, relative to the player there; with both there, to the dealer.
enum ChainStep : int {
  kNobodyNext,   // the chain is over
  kSameNext,     // the player there stays alone; with both, the dealer stays alone
  kSwappedNext,  // the other enters and the player there leaves; with both, the other stays alone
  kBothNext
};

// The value of Fantasyland: the hands of self-play as a Markov chain with rewards. The value of a state is the mean
// points of its hands plus that of the successor state, v = r + P v, solved with the observed means and shares: tabular
// least-squares temporal differences (Bradtke and Barto, "Linear least-squares algorithms for temporal difference
// learning", Machine Learning 22, 1996). The interval is that of its influence function, clustered by deal: an error e
// of the Bellman residuals moves the values by (I - P)^-1 e.
class ChainCounter {
 public:
  ChainCounter();
  // The hands of a deal must be added in order, and so must deals.
  void add(std::int64_t deal, const Hand& hand);
  // "chain" of docs/study-fields-fantasyland.md: "value" and "values" by the chain, "direct" as observed means.
  Figure figures() const;

 private:
  struct Row {
    std::int64_t deal;
    std::int8_t state;
    std::int8_t step;
    float points;
  };
  void set_values(Figure& figures) const;

  std::vector<Row> rows_;
  Figure figures_;
  // A chain that began with one player entering alone: that player, and the points of the hands since.
  int entered_ = -1;
  double since_ = 0;
};

}  // namespace dealer::studies::fantasyland
