#pragma once

#include <cstdint>
#include <vector>

#include "arena/studies/fantasyland/hand.h"
#include "arena/studies/figure.h"

namespace dealer::studies::fantasyland {

// Who is in Fantasyland. Between two hands nothing is dealt, so this and who deals is all there is to know; the button
// stays while anybody is there. Players are told apart by the button alone: what holds for one holds for the other with
// the sign turned.
enum ChainState : int { kDealerThere, kOtherThere, kBothThere, kChainStates };

// What a Fantasyland hand leads to, for who is there; of two, for the dealer.
enum ChainStep : int {
  kNobodyNext,   // the chain is over
  kSameNext,     // who was there stays alone; of two, the dealer stays alone
  kSwappedNext,  // the other enters and who was there leaves; of two, the other stays alone
  kBothNext
};

// What Fantasyland is worth: the hands of self-play as a Markov chain with rewards. The value of a state is the mean
// points of its hands plus that of the state they lead to, v = r + P v, solved with the means and shares that were
// seen: least-squares temporal differences with a table (Bradtke and Barto, "Linear least-squares algorithms for
// temporal difference learning", Machine Learning 22, 1996). The interval is that of its influence function, deals
// being the independent unit: an error of the Bellman residuals e moves the values by (I - P)^-1 e.
class ChainCounter {
 public:
  ChainCounter();
  // Hands of a deal come one after the other, and so do deals.
  void add(std::int64_t deal, const Hand& hand);
  // "chain" of docs/study-fields-fantasyland.md: "value" and "values" by the chain, "direct" as counted.
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
  // Of a chain that began with one player entering alone: who, and what the hands since have brought.
  int entered_ = -1;
  double since_ = 0;
};

}  // namespace dealer::studies::fantasyland
