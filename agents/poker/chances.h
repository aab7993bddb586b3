#pragma once

#include <map>
#include <optional>
#include <vector>

#include "agents/poker/draw_book.h"
#include "env/core/random.h"
#include "env/games/poker/rules.h"
#include "env/games/poker/view.h"

namespace dealer::poker {

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
