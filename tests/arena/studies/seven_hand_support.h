#pragma once

#include <string>
#include <vector>

#include "arena/studies/seven_hand/hand.h"
#include "env/core/registry.h"
#include "env/games/seven_hand/game.h"

namespace dealer::test {

// A hand that is played by hand: each seat gets cards as they are needed.
class ScriptedHand {
 public:
  // The cards that the seats have from the beginning, up to eight each; the others come from below.
  ScriptedHand(const std::string& seat0, const std::string& seat1, Seat dealer) : game_(make_game("seven_hand")) {
    using namespace seven_hand;
    std::array<std::array<Card, kOwnCards>, kSeats> cards{};
    const std::array<std::vector<Card>, kSeats> wished = {parse_cards(seat0), parse_cards(seat1)};
    CardSet rest = kFullDeck & ~to_set(wished[0]) & ~to_set(wished[1]);
    for (std::size_t seat = 0; seat < kSeats; ++seat)
      for (std::size_t i = 0; i < kOwnCards; ++i) {
        cards[seat][i] = i < wished[seat].size() ? wished[seat][i] : lowest(rest);
        if (i >= wished[seat].size()) rest &= rest - 1;
      }
    state_.deal(as_seven_hand(*game_)->rules(), cards, dealer);
  }

  // The seat to act lays these cards, and the other names the chip, 1 to 7.
  ScriptedHand& lay(const std::string& cards, int chip) {
    const int before = state_.turns();
    for_each(to_set(parse_cards(cards)), [&](Card card) { state_.apply_and_hold(card); });
    if (!state_.naming() && state_.turns() == before) state_.apply_and_hold(seven_hand::kStop);
    if (state_.turns() == before) state_.apply_and_hold(seven_hand::kFirstChip + chip - 1);
    return *this;
  }
  // The lowest cards in hand, so many.
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
  GamePtr game_;
  seven_hand::State state_;
};

}  // namespace dealer::test
