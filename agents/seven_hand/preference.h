#pragma once

#include <span>
#include <string_view>

#include "agents/seven_hand/turn_evaluator.h"

namespace dealer::seven_hand {

// A kind of turn that a player chooses whenever available, and then the best of that kind: two players that differ only
// in this measure the value of a piece of strategy advice.
struct Preference {
  std::string_view name;  // "many_middle"
  std::string_view what;  // for people, after "a player that"
  bool (*concerns)(const View& view);
  bool (*holds)(const View& view, const TurnChoice& choice);
};

std::span<const Preference> preferences();
// The first best choice, among the preferred kind if it applies to this turn and is available. Null: among all.
const TurnChoice& best_of(std::span<const TurnChoice> choices, const View& view, const Preference* preference);

}  // namespace dealer::seven_hand
