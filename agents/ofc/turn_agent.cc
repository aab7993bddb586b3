#include "agents/ofc/turn_agent.h"

#include <fmt/format.h>

#include "agents/ofc/fantasyland_play.h"
#include "env/core/error.h"

namespace dealer::ofc {
namespace {

const Game& ofc_game(const GamePtr& game) {
  const Game* ofc = as_ofc(*game);
  if (ofc == nullptr) throw UsageError(fmt::format("a player of OFC cannot play '{}'", game->spec()));
  return *ofc;
}

}  // namespace

View decode_turn(const GameRules& rules, const Observation& observation) {
  const View view = State::decode(rules, observation.data);
  if (view.turn != 0 || view.hand == 0) throw UsageError("there is nothing to choose: the observer is not to act");
  return view;
}

TurnAgent::TurnAgent(const GamePtr& game) : game_(game), rules_(&ofc_game(game).rules()) {}

void TurnAgent::reset(Seat /*seat*/, std::uint64_t /*seed*/) { plan_ = {}; }

const MacroAction& TurnAgent::plan(const View& view) {
  if (plan_.fits(view.board[0], view.discards, view.hand)) return plan_;
  if (view.fantasyland[0]) {
    plan_ = choose_fantasyland(view);
  } else {
    const Placement chosen = choose(view);
    plan_ = MacroAction(chosen.board, view.discards | chosen.discards);
  }
  return plan_;
}

MacroAction TurnAgent::choose_fantasyland(const View& view) {
  return plan_fantasyland(
      view, {.stay_value = usual_stay_value(*rules_, opponents(view)), .rows = nullptr, .rules = &rules_->scoring});
}

Decision TurnAgent::act(const Observation& observation) {
  // Later cards of a turn need no look at anybody else's.
  const OwnCards own = State::decode_own(*rules_, observation.data);
  if (plan_.goes_on(own)) return plan_.next(own.hand);
  return plan(decode(observation)).next(own.hand);
}

std::optional<std::vector<double>> TurnAgent::policy(const Observation& observation) {
  const Action chosen = act(observation).action;
  std::vector<double> probabilities;
  for (const Action action : observation.legal_actions()) probabilities.push_back(action == chosen ? 1 : 0);
  return probabilities;
}

}  // namespace dealer::ofc
