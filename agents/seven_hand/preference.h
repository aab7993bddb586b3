#pragma once

#include <span>
#include <string_view>

#include "agents/seven_hand/turn_evaluator.h"

namespace dealer::seven_hand {

// A kind of turn that a player chooses wherever there is one, and the best of that kind: two players that differ in
// this alone show what a piece of advice is worth.
struct Preference {
  std::string_view name;  // "many_middle"
  std::string_view what;  // for people, after "a player that"
  bool (*concerns)(const View& view);
  bool (*holds)(const View& view, const TurnChoice& choice);
};

std::span<const Preference> preferences();
// The first of the best, of the kind that is preferred if the turn is concerned and there is one. Null: of all.
const TurnChoice& best_of(std::span<const TurnChoice> choices, const View& view, const Preference* preference);

}  // namespace dealer::seven_hand
