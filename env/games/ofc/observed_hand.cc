#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "env/core/at.h"
#include "env/games/ofc/game.h"
#include "env/games/ofc/observation_parts.h"

namespace dealer::ofc {
namespace {

// Encodes the observation: the place of every observed card, and its street.
class ObservedHandReader : ObservedEvents {
 public:
  ObservedHandReader(const GameRules& rules, const ObservedHand& hand)
      : ObservedEvents(hand), rules_(rules), part_(rules.players), out_(at(part_.size)) {}

  std::vector<float> read() {
    begin(hand_.events.front());
    for (index_ = 1; index_ < hand_.events.size(); ++index_) {
      const Event& event = hand_.events[index_];
      const bool own = event.seat == hand_.viewer;
      if (event.kind == Event::Kind::kDealt) note_fantasyland(event);
      if (event.kind == Event::Kind::kDealt && own) deal(event);
      if (event.kind == Event::Kind::kPlaced) place(event);
      // For an observer in Fantasyland who has set: the others' opening cards.
      if (event.kind == Event::Kind::kShown) place(event);
    }
    end();
    return std::move(out_);
  }

 private:
  int relative(Seat seat) const { return (seat - hand_.viewer + rules_.players) % rules_.players; }
  float& number(int offset) { return out_[at(offset)]; }

  void begin(const Event& event) {
    if (event.seat < 0) refuse("dealer", fmt::format("0 to {}", rules_.players - 1));
    in_fantasyland_ = event.seats;
    for (Seat seat = 0; seat < rules_.players; ++seat) {
      const int rel = relative(seat);
      if (rules_.episode != Episode::kMatch) continue;
      const std::int64_t points = event.values[at(seat)];
      number(part_.out + rel) = points == 0 ? 1.0F : 0.0F;
      number(part_.points + rel) = static_cast<float>(points) / static_cast<float>(rules_.all_points());
    }
    number(part_.dealer + relative(event.seat)) = 1;
    number(part_.seat + hand_.viewer) = 1;
    number(part_.turn) = 1;
    number(part_.hands) = static_cast<float>(std::min(event.hand, kMostHands)) / kHandsScale;
  }

  // The number of cards of a Fantasyland hand is that of the cards dealt.
  void note_fantasyland(const Event& event) {
    if ((in_fantasyland_ >> event.seat & 1) == 0) return;
    const auto& numbers = rules_.scoring.bonus.fantasyland_cards;
    if (std::find(numbers.begin(), numbers.end(), event.count) == numbers.end())
      refuse("count", fmt::format("the cards of a Fantasyland hand, one of {}", fmt::join(numbers, ", ")));
    number(part_.fantasyland + relative(event.seat)) = fantasyland_value(event.count, rules_);
    if (event.seat == hand_.viewer) own_fantasyland_cards_ = event.count;
  }

  void deal(const Event& event) {
    if (in_hand_ != 0) refuse("event", "placed: the cards of the turn before are still in hand");
    for (const CardId card : event.cards) {
      if ((in_hand_ & bit(Card{card})) != 0 || known_[card]) refuse("cards", "cards that have not been dealt before");
      in_hand_ |= bit(Card{card});
    }
    street_ = event.street;
  }

  void place(const Event& event) {
    const bool own = event.seat == hand_.viewer, shown = event.kind == Event::Kind::kShown;
    const float street = static_cast<float>(event.street + 1) / 5.0F;
    if (event.cards.size() != event.places.size())
      refuse("places", fmt::format("as many as cards, {}", event.cards.size()));
    for (std::size_t i = 0; i < event.cards.size(); ++i) {
      const Card card = event.cards[i];
      if (own ? (in_hand_ & bit(card)) == 0 : (in_hand_ & bit(card)) != 0 || known_[card])
        refuse("cards", own ? "the cards that the seat was dealt" : "cards that lie nowhere else");
      const auto row = std::find(kPlaceNames.begin(), kPlaceNames.end(), event.places[i]) - kPlaceNames.begin();
      if (row == kToDiscard ? !own : row > kToDiscard)
        refuse("places", own ? "front, middle, back or discard" : "front, middle or back");
      known_[card] = true;
      in_hand_ &= ~bit(card);
      if (row == kToDiscard) {
        number(part_.discards + card) = street;
        continue;
      }
      if (++rows_[at(event.seat)][at(static_cast<int>(row))] > kRowSize[row])
        refuse("places", fmt::format("at most {} cards in {}", kRowSize[row], kPlaceNames[at(static_cast<int>(row))]));
      number(part_.rows + (relative(event.seat) * kRows + static_cast<int>(row)) * kCards + card) = street;
    }
    if (own && in_hand_ != 0 && !shown) refuse("cards", "all cards of the turn");
  }

  void end() {
    number(part_.street + street_) = 1;
    if (in_hand_ == 0) return;
    for_each(in_hand_, [&](Card card) { number(part_.hand + card) = 1; });
    number(part_.next + lowest(in_hand_)) = 1;
    const int discards = own_fantasyland_cards_ > 0 ? own_fantasyland_cards_ - kBoardCards : street_ > 0 ? 1 : 0;
    number(part_.places_left) = static_cast<float>(size(in_hand_) - discards) / kBoardCards;
    number(part_.discards_left) = static_cast<float>(discards) / (kMaxHand - kBoardCards);
  }

  const GameRules& rules_;
  const ObservationParts part_;
  std::vector<float> out_;
  unsigned in_fantasyland_ = 0;    // bit s: seat s
  int own_fantasyland_cards_ = 0;  // 0: a normal hand
  int street_ = 0;
  CardSet in_hand_ = 0;
  std::array<bool, kCards> known_{};
  std::array<std::array<int, kRows>, kMaxSeats> rows_{};
};

}  // namespace

std::vector<float> observe_hand(const GameRules& rules, const ObservedHand& hand) {
  return ObservedHandReader(rules, hand).read();
}

}  // namespace dealer::ofc
