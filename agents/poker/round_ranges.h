#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/poker/betting_round.h"
#include "agents/poker/hand_policies.h"
#include "env/games/poker/game.h"

namespace dealer::resolve {

// What everybody has seen of a hand of hold'em for two.
struct PublicHand {
  Seat dealer = 0;
  std::vector<CardId> board;
  std::vector<Decision> before;  // this round of betting
  std::vector<Decision> path;    // of this round

  std::string key() const;  // of the beginning of the round
};

std::string text_of(std::span<const Decision> decisions);

// Nothing where the round is not that of `street`, or the observer is not to bet.
std::optional<PublicHand> round_of(int street, const poker::GameRules& rules, const poker::View& view);

// The hand at the beginning of its round of betting, and how likely each hand of either seat is to have come there.
struct RoundStart {
  poker::State root;
  std::shared_ptr<const Matchups> matchups;
  Ranges ranges;
};

// Ranges by the policy of an agent that both seats are taken to play by. Now and then (kAnything) a player decides
// anything, so that nothing that somebody did is impossible. A bet of another size counts as the offered one that comes
// nearest in proportion.
class RangeFinder {
 public:
  static constexpr float kAnything = 0.05F;

  RangeFinder(std::shared_ptr<const poker::Game> game, std::unique_ptr<PositionEvaluator> agent);

  RoundStart find(const PublicHand& hand);
  PositionEvaluator& agent() { return agent_.agent(); }

 private:
  std::shared_ptr<const poker::Game> game_;
  HandPolicies agent_;
};

}  // namespace dealer::resolve
