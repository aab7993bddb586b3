#include "agents/seven_hand/preference.h"

#include <algorithm>
#include <array>

#include "env/core/at.h"

namespace dealer::seven_hand {
namespace {

// Few cards means one or two, many four or five; the middle is chips 3, 4 and 5; early turns are a player's first
// three, late ones the fifth to the seventh.
bool sends_many(const View& view) { return view.naming && view.pending >= 4; }
bool sends_few(const View& view) { return view.naming && view.pending <= 2; }
bool sends(const View& view) { return view.naming; }
int own_turn(const View& view) {
  return 1 + static_cast<int>(kChips - std::count(view.turn[0].begin(), view.turn[0].end(), 0));
}
bool lays_early(const View& view) { return !view.naming && own_turn(view) <= 3; }
bool lays_late(const View& view) { return !view.naming && own_turn(view) >= 5; }

bool middle(const View& /*view*/, const TurnChoice& choice) { return choice.chip >= 2 && choice.chip <= 4; }
bool end(const View& view, const TurnChoice& choice) { return !middle(view, choice); }
bool opposed(const View& view, const TurnChoice& choice) { return view.count[0][at(choice.chip)] > 0; }
bool empty(const View& view, const TurnChoice& choice) { return !opposed(view, choice); }
bool many(const View& /*view*/, const TurnChoice& choice) { return size(choice.cards) >= 4; }
bool few(const View& /*view*/, const TurnChoice& choice) { return size(choice.cards) <= 2; }

constexpr std::array<Preference, 10> kPreferences = {{
    {"many_middle", "sends four or five cards to the middle", sends_many, middle},
    {"many_ends", "sends four or five cards to the ends", sends_many, end},
    {"few_middle", "sends one or two cards to the middle", sends_few, middle},
    {"few_ends", "sends one or two cards to the ends", sends_few, end},
    {"opposed", "sends cards to chips where it has cards", sends, opposed},
    {"empty", "sends cards to empty chips", sends, empty},
    {"many_early", "lays four or five cards in its first three turns", lays_early, many},
    {"few_early", "lays one or two cards in its first three turns", lays_early, few},
    {"many_late", "lays four or five cards in its last three turns", lays_late, many},
    {"few_late", "lays one or two cards in its last three turns", lays_late, few},
}};

}  // namespace

std::span<const Preference> preferences() { return kPreferences; }

const TurnChoice& best_of(std::span<const TurnChoice> choices, const View& view, const Preference* preference) {
  if (preference == nullptr || !preference->concerns(view)) return best_of(choices);
  const TurnChoice* best = nullptr;
  for (const TurnChoice& choice : choices)
    if (preference->holds(view, choice) && (best == nullptr || choice.value > best->value)) best = &choice;
  return best == nullptr ? best_of(choices) : *best;
}

}  // namespace dealer::seven_hand
