#pragma once

#include <string>
#include <vector>

#include "arena/studies/seven_hand/hand.h"
#include "env/core/registry.h"
#include "env/games/seven_hand/game.h"
#include "tests/support/seven_hand.h"

namespace dealer::test {

// A hand-made hand: each seat gets cards as needed.
class ScriptedHand {
 public:
  // The initial cards of the seats, up to eight each; the others are the lowest available.
  ScriptedHand(std::string_view seat0, std::string_view seat1, Seat dealer)
      : state_(dealt(seven_hand::as_seven_hand(*game_)->rules(), seat0, seat1, dealer)) {}

  // The seat to act lays these cards, and the other names the chip, 1 to 7.
  ScriptedHand& lay(const std::string& cards, int chip) {
    const int before = state_.turns();
    for_each(to_set(parse_cards(cards)), [&](Card card) { state_.apply_and_hold(card); });
    if (!state_.naming() && state_.turns() == before) state_.apply_and_hold(seven_hand::kStop);
    if (state_.turns() == before) state_.apply_and_hold(seven_hand::kFirstChip + chip - 1);
    return *this;
  }
  // Lays the `count` lowest cards in hand.
  ScriptedHand& lay_low(int count, int chip) {
    CardSet cards = 0;
    for (int i = 0; i < count; ++i) cards |= bit(lowest(state_.hand(state_.current_player()) & ~cards));
    return lay(to_string(cards), chip);
  }
  bool over() const { return state_.hand_over(); }
  const seven_hand::State& state() const { return state_; }
  std::vector<Event> events() const {
    std::vector<Event> all;
    state_.events(all);
    return all;
  }
  studies::seven_hand::Hand hand() const { return studies::seven_hand::read_hand(events()); }

 private:
  GamePtr game_ = make_game("seven_hand");
  seven_hand::State state_;
};

}  // namespace dealer::test
