#pragma once

#include <map>
#include <optional>
#include <vector>

#include "agents/poker/hands_after_draw.h"
#include "env/core/random.h"
#include "env/games/poker/rules.h"
#include "env/games/poker/view.h"

namespace dealer::poker {

// The cards that the observer has not seen, sorted.
std::vector<CardId> unseen_cards(const GameRules& rules, const View& view);

// The observer's expected fraction of the pot at a showdown with everybody who is still in, 0 to 1, if nobody else
// folds. Stud and hold'em: the mean over `samples` random deals of all hidden and future cards. Draw games: from the
// distribution of hands after drawing, given the number of cards each opponent drew.
double showdown_equity(const GameRules& rules, const View& view, const HandsAfterDraw* book, int samples,
                       RandomStream& rng);

// The discard of the seat to act that maximises its share against those still in (HandsAfterDraw::best_discard).
Action best_discard(const GameRules& rules, const View& view, LegalMask legal, const HandsAfterDraw& book, int samples,
                    RandomStream& rng);

// The outcome of a discard.
struct DiscardOdds {
  std::vector<CardId> cards;  // discarded cards, sorted from high to low; none: stands pat
  double share = 0;           // of the pot at a showdown with all who are still in (HandsAfterDraw::discards)
  // The distribution of the hand after this draw, by category of the high ranking (of the only one, in lowball).
  std::map<int, double> becomes;
};

// Probabilities in a position for human players: equity, pot odds and discards. Immutable.
class ShowdownOdds {
 public:
  explicit ShowdownOdds(const GameRules& rules);

  // The equity, 0 to 1, against random hidden cards, if nobody else folds (showdown_equity()).
  double equity(const View& view, int samples, RandomStream& rng) const;
  // The equity required by the pot odds, 0 to 1; 0 with nothing to call.
  static double needed(const View& view);
  // Every discard of the seat to discard, best first; the opponents are the players still in.
  std::vector<DiscardOdds> discards(const View& view, int samples, RandomStream& rng) const;

 private:
  std::map<int, double> becomes(const std::vector<CardId>& kept, std::vector<CardId> unseen, int samples,
                                RandomStream rng) const;

  const GameRules& rules_;
  std::optional<HandsAfterDraw> book_;  // draw games
};

}  // namespace dealer::poker
