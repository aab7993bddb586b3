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

  // The share of hands after the last draw that a value beats, ties counted half: 0 to 1. Of all players, or of those
  // who drew `drawn` cards last.
  double beats(HandValue value) const { return share(all_, value); }
  double beats(HandValue value, int drawn) const { return share(by_drawn_[static_cast<std::size_t>(drawn)], value); }

  struct Throw {
    unsigned mask = 0;  // bit i: the i-th card
    double share = 0;   // mean over the cards that come, of beats()^opponents
  };
  // The throw that makes the most of a hand of five against so many opponents, by dealing `samples` times from the
  // unseen cards (the same ones for every throw). `allowed`: the masks that may be thrown, a bit each.
  Throw best_throw(std::span<const CardId> hand, std::span<const CardId> unseen, std::uint32_t allowed, int opponents,
                   int samples, RandomStream& rng) const;

 private:
  static double share(const std::vector<HandValue>& sorted, HandValue value);
  void play_out(const GameRules& rules, bool by_first_guess);

  EvaluatorPtr evaluator_;
  std::vector<HandValue> all_;  // sorted
  std::array<std::vector<HandValue>, kDrawHand + 1> by_drawn_;
};

}  // namespace dealer::poker
