#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/poker/betting_round.h"
#include "agents/poker/hand_policies.h"
#include "env/games/poker/game.h"

namespace dealer::resolve {

// The public information of a hand of two-player hold'em.
struct PublicHand {
  Seat dealer = 0;
  std::vector<CardId> board;
  std::vector<Decision> before;  // decisions before this betting round
  std::vector<Decision> path;    // decisions of this round

  std::string key() const;  // of the beginning of the round
};

std::string text_of(std::span<const Decision> decisions);

// nullopt if the round is not that of `street`, or the observer is not to bet.
std::optional<PublicHand> round_of(int street, const poker::GameRules& rules, const poker::View& view);

// The hand at the beginning of its betting round, and the weight of each hand of either seat at that point.
struct RoundStart {
  poker::State root;
  std::shared_ptr<const Matchups> matchups;
  Ranges ranges;
};

// Computes ranges assuming that both seats follow the policy of an agent. With probability kAnything a player
// chooses uniformly, so that no observed action is impossible. A bet of another size is treated as the
// offered one nearest in proportion.
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
