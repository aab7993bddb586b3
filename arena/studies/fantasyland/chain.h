#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "arena/studies/fantasyland/hand.h"
#include "arena/studies/figure.h"
#include "env/games/ofc/board.h"

namespace dealer::studies::fantasyland {

// The cards of the Fantasyland hands of both players; 0: a normal hand. Between two hands nothing else is dealt, so
// this is the whole state; the button stays while anybody is there.
struct ChainState {
  std::uint8_t dealer = 0, other = 0;
  bool over() const { return dealer == 0 && other == 0; }
  auto operator<=>(const ChainState&) const = default;  // NOLINT(modernize-use-nullptr)
};

enum PlayersThere : int { kDealerThere, kOtherThere, kBothThere, kPlayersThere };

// The players in Fantasyland next, relative to the player there; with both there, to the dealer.
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
  explicit ChainCounter(const dealer::ofc::Bonus& bonus = {});
  // The hands of a deal must be added in order, and so must deals.
  void add(std::int64_t deal, const Hand& hand);
  // Sets the values that the agent assumes, by number of cards.
  void set_counts(const std::function<std::optional<double>(int cards)>& counts);
  // "chain" of docs/study-fields-fantasyland.md: "value", "values" and those of "sizes" by the chain, "direct" as
  // observed means.
  Figure figures() const;

 private:
  struct Row {
    std::int64_t deal;
    ChainState state, next;
    float points;  // of the dealer
  };
  void set_values(Figure& figures) const;

  std::vector<std::uint8_t> sizes_;  // numbers of cards, in order
  std::vector<Row> rows_;
  Figure figures_;
  // A chain that began with one player entering alone: that player, the index of its number of cards, and the points of
  // the hands since.
  int entered_ = -1;
  std::ptrdiff_t size_ = 0;
  double since_ = 0;
};

}  // namespace dealer::studies::fantasyland
