#pragma once

#include <map>
#include <optional>
#include <vector>

#include "agents/poker/draw_book.h"
#include "env/core/random.h"
#include "env/games/poker/rules.h"
#include "env/games/poker/view.h"

namespace dealer::poker {

// Cards that the observer has not seen, sorted.
std::vector<CardId> unseen_cards(const GameRules& rules, const View& view);

// The part of the pot that the observer can expect at a showdown with everybody who is still in, 0 to 1, if nobody
// else folds. Stud and hold'em: mean over `samples` ways to deal all that is hidden and to come. Draw games: from what
// hands become by drawing, and of how many cards each opponent drew.
double pot_share(const GameRules& rules, const View& view, const DrawBook* book, int samples, RandomStream& rng);

// The discard of the seat to act that makes the most of its hand against those still in (DrawBook::best_discard).
Action best_discard(const GameRules& rules, const View& view, LegalMask legal, const DrawBook& book, int samples,
                    RandomStream& rng);

// What a discard brings.
struct DiscardChances {
  std::vector<CardId> cards;  // that go, sorted from high to low; none: stands pat
  double share = 0;           // of the pot at a showdown with all who are still in (DrawBook::discards)
  // How often the hand becomes what after this draw, by category of the high ranking (of the only one, in lowball).
  std::map<int, double> becomes;
};

// Chances in a position for people who ask: what a player of the field's best tools would look up. Immutable.
class Chances {
 public:
  explicit Chances(const GameRules& rules);

  // Of the pot, 0 to 1, against hidden cards dealt at random, if nobody else folds (pot_share()).
  double share(const View& view, int samples, RandomStream& rng) const;
  // The part that the pot odds ask for, 0 to 1; 0 with nothing to call.
  static double needed(const View& view);
  // Of the seat that is to discard: every discard, the best first; opponents are those still in.
  std::vector<DiscardChances> discards(const View& view, int samples, RandomStream& rng) const;

 private:
  std::map<int, double> becomes(const std::vector<CardId>& kept, std::vector<CardId> unseen, int samples,
                                RandomStream rng) const;

  const GameRules& rules_;
  std::optional<DrawBook> book_;  // draw games
};

}  // namespace dealer::poker
