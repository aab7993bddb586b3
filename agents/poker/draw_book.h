#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "env/core/random.h"
#include "env/games/poker/rules.h"

namespace dealer::poker {

// What hands become by drawing, found once a rule set by dealing many of them: how good a final hand is, and how good
// the hands of players are who drew so many cards. Immutable.
class DrawBook {
 public:
  // Rules of a draw game.
  explicit DrawBook(const GameRules& rules);

  // The share of hands after the last draw that a hand of five beats, ties counted half: 0 to 1. Of all players, or of
  // those who drew `drawn` cards last. In high-low games the mean of both halves.
  double beats(std::span<const CardId> hand) const { return share(all_, worth(hand)); }
  double beats(std::span<const CardId> hand, int drawn) const {
    return share(by_drawn_[static_cast<std::size_t>(drawn)], worth(hand));
  }

  struct Discard {
    unsigned mask = 0;  // bit i: the i-th card
    double share = 0;   // mean over the cards that come, of beats()^opponents
  };
  // The discard that makes the most of a hand of five against so many opponents, by dealing `samples` times from the
  // unseen cards (the same ones for every discard). `allowed`: the masks that may be discarded, a bit each.
  Discard best_discard(std::span<const CardId> hand, std::span<const CardId> unseen, std::uint32_t allowed,
                       int opponents, int samples, RandomStream& rng) const;

 private:
  // Values of the two halves; a low hand that does not qualify is 0, as all are without a low half.
  struct Worth {
    HandValue high = 0, low = 0;
  };
  // Of many hands.
  struct Ladder {
    std::vector<HandValue> high, low;
    void add(Worth worth) {
      high.push_back(worth.high);
      low.push_back(worth.low);
    }
    void sort();
  };
  Worth worth(std::span<const CardId> hand) const;
  double share(const Ladder& ladder, Worth worth) const;
  void play_out(const GameRules& rules, bool by_first_guess);

  HandValue low_value(HandValue value) const { return low_->qualifies(value) ? value + 1 : 0; }

  EvaluatorPtr high_, low_;  // low_: null without a low half
  Ladder all_;
  std::array<Ladder, kDrawHand + 1> by_drawn_;
};

}  // namespace dealer::poker
