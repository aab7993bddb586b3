#pragma once

#include <memory>

#include "agents/agent.h"
#include "agents/ofc/macro_action.h"
#include "agents/ofc/placements.h"
#include "env/games/ofc/game.h"

namespace dealer::ofc {

// What a player sees who is to act. Throws UsageError when it is no observation of the rules or nothing is to be
// chosen.
View decode_turn(const GameRules& rules, const Observation& observation);

// A player who sets the cards of a turn as a whole: chooses once and then plays card by card, for as long as what it
// sees agrees. Fantasyland hands are set by the exact solver.
class TurnAgent : public Agent {
 public:
  // The game must be OFC; it is kept alive.
  explicit TurnAgent(const GamePtr& game);

  void reset(Seat seat, std::uint64_t seed) override;
  // Throws UsageError when the observation is none of this game or the observer is not to act.
  Decision act(const Observation& observation) override;
  // All on one action.
  std::optional<std::vector<double>> policy(const Observation& observation) override;

 protected:
  const GameRules& rules() const { return *rules_; }
  View decode(const Observation& observation) const { return decode_turn(*rules_, observation); }
  // What is to be done in this turn.
  const MacroAction& plan(const View& view);

 private:
  // The board after a turn that is not in Fantasyland, and its discards. Called once a turn.
  virtual Placement choose(const View& view) = 0;
  virtual MacroAction choose_fantasyland(const View& view);

  GamePtr game_;
  const GameRules* rules_;
  MacroAction plan_;
};

}  // namespace dealer::ofc
