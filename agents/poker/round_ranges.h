#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/poker/last_round.h"
#include "agents/search/state_evaluator.h"
#include "env/games/poker/game.h"

namespace dealer::resolve {

// What everybody has seen of a hand of hold'em for two that is in its last round of betting.
struct PublicHand {
  Seat dealer = 0;
  std::vector<CardId> board;
  std::vector<Decision> before;  // this round
  std::vector<Decision> path;    // of this round

  std::string key() const;  // of the beginning of the round
};

std::string text_of(std::span<const Decision> decisions);

// Nothing where the round is an earlier one, or the observer is not to bet.
std::optional<PublicHand> last_round_of(const poker::GameRules& rules, const poker::View& view);

// The hand at the beginning of its last round, and how likely each hand of either seat is to have come there.
struct RoundStart {
  poker::State root;
  std::vector<Hand> hands;
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
  PositionEvaluator& agent() { return agent_.evaluator(); }

 private:
  void weigh(const poker::State& state, const Decision& decision, const RoundStart& start,
             std::span<const CardId> board);

  std::shared_ptr<const poker::Game> game_;
  StateEvaluator<poker::State> agent_;
  std::vector<poker::State> asked_;
  std::vector<float> chance_;  // of a decision, by hand
};

}  // namespace dealer::resolve
