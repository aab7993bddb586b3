#include "env/core/game.h"

#include <bit>

#include "env/core/error.h"

namespace dealer {

std::vector<Action> Observation::legal_actions() const {
  std::vector<Action> actions;
  for (std::uint64_t mask = legal_mask; mask != 0; mask &= mask - 1)
    actions.push_back(static_cast<Action>(std::countr_zero(mask)));
  return actions;
}

Action Env::parse_action(std::string_view text) const {
  std::string allowed;
  for (const Action action : legal_actions()) {
    const std::string name = action_to_string(action);
    if (name == text) return action;
    allowed += (allowed.empty() ? "" : ", ") + name;
  }
  throw IllegalAction("action '" + std::string(text) + "' is not legal; expected one of: " + allowed);
}

OwnedBatch::OwnedBatch(const Game& game, int tables) {
  const auto n = static_cast<std::size_t>(tables);
  observations_.resize(n * static_cast<std::size_t>(game.observation_spec().size()));
  rewards_.resize(n * static_cast<std::size_t>(game.players()));
  legal_.resize(n);
  seats_.resize(n);
  terminated_.resize(n);
  batch_ = {observations_, legal_, rewards_, seats_, terminated_};
}

}  // namespace dealer
