#pragma once

#include "arena/studies/fantasyland/hand.h"
#include "tests/arena/studies/testing.h"

namespace dealer::test {

// The events of a hand of two players, as a table reports them, made by hand.
class WrittenHand {
 public:
  explicit WrittenHand(Seat dealer, std::vector<Seat> there = {}, int number = 0) {
    Event begun = event(Event::Kind::kHandBegun, dealer, 0);
    begun.hand = number;
    for (const Seat seat : there) begun.seats = static_cast<std::uint16_t>(begun.seats | 1U << seat);
    events_.push_back(begun);
  }
  // "Qs Kd / 2c / 3h 4h / 5s": to the front, the middle, the back; discarded.
  WrittenHand& place(Seat seat, int street, std::string_view text) {
    constexpr std::array<std::string_view, 4> kPlaces = {"front", "middle", "back", "discard"};
    Event placed = event(Event::Kind::kPlaced, seat, street);
    for (std::size_t p = 0; p < kPlaces.size(); ++p) {
      const std::string_view part = text.substr(0, text.find('/'));
      text.remove_prefix(std::min(text.size(), part.size() + 1));
      for (const Card card : parse_cards(part)) {
        placed.cards.push_back(card);
        placed.places.push_back(kPlaces[p]);
      }
    }
    events_.push_back(placed);
    return *this;
  }
  // Points of seat 0.
  std::vector<Event> end(Amount points) {
    Event ended = event(Event::Kind::kHandEnded, -1, 4);
    ended.values = {points, -points};
    events_.push_back(ended);
    return events_;
  }

 private:
  static Event event(Event::Kind kind, Seat seat, int street) {
    Event made;
    made.kind = kind;
    made.seat = seat;
    made.street = street;
    return made;
  }
  std::vector<Event> events_;
};

// A hand reduced to the cards of its Fantasyland hands, those of the next, and seat 0's winnings.
inline studies::fantasyland::Hand bare_hand(Seat dealer, std::array<std::uint8_t, 2> there,
                                            std::array<std::uint8_t, 2> next, double points) {
  studies::fantasyland::Hand hand;
  hand.dealer = dealer;
  for (std::size_t seat = 0; seat < 2; ++seat) {
    hand.sides[seat].fantasyland = there[seat];
    hand.sides[seat].next = next[seat];
    hand.sides[seat].points = seat == 0 ? points : -points;
  }
  return hand;
}

}  // namespace dealer::test
