#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "agents/choice_rater.h"
#include "agents/ofc/fantasyland_play.h"
#include "agents/ofc/model_play.h"
#include "agents/search/play.h"
#include "env/games/ofc/game.h"

namespace dealer::ofc {

// The board after the actions of a turn, and what the turn discards. `root`: any state that agrees with what the seat
// to act sees. Throws UsageError when the actions are no whole turn of that seat.
Placement placement_of(State root, std::span<const Action> turn);

// The actions by which a plan is played from a state on, as far as the game asks for them.
Line line_of(const TurnPlan& plan, State state);

// What a setting of Fantasyland cards is worth against all opponents together, by what the cards are set for; the best
// setting has the most. A foul loses all rows and the scoop.
double setting_value(const Board& board, const FantasylandGoal& goal, int opponents);

// Both settings of a Fantasyland hand, the solver's first, with their values.
std::vector<RatedChoice> rate_settings(const View& view, const ModelPlay& play, const State& root,
                                       std::span<const Action> given);

// Rates by the network's values of the afterstates; Fantasyland hands exactly.
std::unique_ptr<ChoiceRater> make_turn_rater(const GamePtr& game, std::shared_ptr<const ModelPlay> play);

}  // namespace dealer::ofc
