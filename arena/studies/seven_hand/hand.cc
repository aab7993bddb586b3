#include "arena/studies/seven_hand/hand.h"

#include <algorithm>

#include "env/core/at.h"

namespace dealer::studies::seven_hand {
namespace {

using dealer::seven_hand::kAdjacent;
using dealer::seven_hand::kNamedEvent;

CardSet set_of(const Event& event) {
  CardSet cards = 0;
  for (const CardId card : event.cards) cards |= bit(card);
  return cards;
}

// The index of the laying at each role's chips; -1: none yet.
using Places = std::array<std::array<int, kChips>, kRoles>;

// Records the state of the line for cards that wait for their chip.
void look_at_line(const Hand& hand, const Places& places, Laying& laying) {
  laying.line = hand.line;
  for (int c = 0; c < kChips; ++c) {
    if (places[at(laying.role)][at(c)] >= 0) continue;
    laying.free |= 1U << c;
    const int other = places[at(1 - laying.role)][at(c)];
    if (other >= 0) laying.opposite[at(c)] = hand.layings[at(other)].count();
  }
}

}  // namespace

double Hand::win(int role) const {
  const double won = points_of(role);
  return won > 0 ? 1 : won < 0 ? 0 : 0.5;
}

int Hand::three_adjacent() const {
  for (int first = 0; first + kAdjacent <= kChips; ++first) {
    const int owner = line[at(first)];
    if (owner < 0) continue;
    if (std::all_of(line.begin() + first, line.begin() + first + kAdjacent, [&](int c) { return c == owner; }))
      return first;
  }
  return -1;
}

int Hand::chips(int role) const { return static_cast<int>(std::count(line.begin(), line.end(), role)); }

Hand read_hand(std::span<const Event> events) {
  Hand hand;
  hand.line.fill(kNotYet);
  Seat starter = 0;
  Places places;
  for (auto& of_role : places) of_role.fill(-1);
  std::array<int, kRoles> finished{};
  const auto role_of = [&](Seat seat) { return seat == starter ? kStarter : kSecond; };
  for (const Event& event : events) {
    const int c = event.slot - 1;
    switch (event.kind) {
      case Event::Kind::kHandBegun:
        starter = 1 - event.seat;
        break;
      case Event::Kind::kOwn: {
        Laying& laying = hand.layings[at(hand.turns)];
        if (event.what == kNamedEvent) {
          laying.chip = c;
          places[at(laying.role)][at(c)] = hand.turns++;
          break;
        }
        laying.role = role_of(event.seat);
        laying.turn = ++finished[at(laying.role)];
        laying.cards = set_of(event);
        look_at_line(hand, places, laying);
        break;
      }
      case Event::Kind::kShown:
        // Both hands are shown in order, the one laid second last. A tie unless a winner is named.
        hand.showdown[at(c)] = true;
        hand.second[at(c)] = role_of(event.seat);
        hand.line[at(c)] = kNobody;
        hand.layings[at(places[at(role_of(event.seat))][at(c)])].outcome = Laying::kTied;
        break;
      case Event::Kind::kWon: {
        const int winner = role_of(event.seat);
        hand.line[at(c)] = winner;
        hand.layings[at(places[at(winner)][at(c)])].outcome = Laying::kTaken;
        hand.layings[at(places[at(1 - winner)][at(c)])].outcome = Laying::kLost;
        break;
      }
      case Event::Kind::kHandEnded:
        hand.points = static_cast<double>(event.values[at(starter)]);
        break;
      default:
        break;
    }
  }
  return hand;
}

}  // namespace dealer::studies::seven_hand
