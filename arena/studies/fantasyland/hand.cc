#include "arena/studies/fantasyland/hand.h"

#include "env/core/at.h"
#include "env/hands/hand_rank.h"

namespace dealer::studies::fantasyland {
namespace {

void place(const Event& event, Board& board) {
  for (std::size_t i = 0; i < event.cards.size(); ++i)
    for (std::size_t row = 0; row < dealer::ofc::kRows; ++row)
      if (event.places[i] == dealer::ofc::kRowNames[row]) board.row[row] |= bit(static_cast<Card>(event.cards[i]));
}

}  // namespace

Hand read_hand(std::span<const Event> events, const dealer::ofc::Rules& rules) {
  Hand hand;
  unsigned there = 0;  // in Fantasyland, a bit a seat
  for (const Event& event : events) {
    switch (event.kind) {
      case Event::Kind::kHandBegun:
        hand.number = event.hand;
        hand.dealer = event.seat;
        there = event.seats;
        break;
      case Event::Kind::kPlaced: {
        Side& side = hand.sides[at(event.seat)];
        const Side& other = hand.sides[at(1 - event.seat)];
        const Board before = side.board;
        place(event, side.board);
        if ((there >> event.seat & 1) != 0) {
          side.fantasyland = static_cast<std::uint8_t>(event.cards.size());
          break;
        }
        Turn& turn = side.turns[at(event.street)];
        for (const CardId card : event.cards) turn.dealt |= bit(static_cast<Card>(card));
        turn.before = before;
        turn.after = side.board;
        if (there == 0) turn.other = other.board;
        break;
      }
      case Event::Kind::kHandEnded:
        for (int seat = 0; seat < kSides; ++seat) {
          Side& side = hand.sides[at(seat)];
          side.value = evaluate(side.board, rules);
          side.next = side.fantasyland > 0 ? side.value.stays : side.value.fantasyland;
          side.points = static_cast<double>(event.values[at(seat)]);
        }
        break;
      default:
        break;
    }
  }
  return hand;
}

std::span<const Named> standings() {
  static constexpr Named kNames[] = {{"behind", "behind"}, {"level", "level"}, {"ahead", "ahead"}};
  return kNames;
}

Standing standing_of(const Board& own, const Board& other) {
  int lead = 0;
  for (std::size_t row = 0; row < dealer::ofc::kRows; ++row) {
    const HandRank mine = evaluate(own.row[row]), theirs = evaluate(other.row[row]);
    lead += mine > theirs ? 1 : mine < theirs ? -1 : 0;
  }
  return lead > 0 ? kAhead : lead < 0 ? kBehind : kLevel;
}

}  // namespace dealer::studies::fantasyland
