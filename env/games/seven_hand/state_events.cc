// The events of the hand in progress, reconstructed from the position.
#include <algorithm>
#include <utility>

#include "env/games/seven_hand/state.h"
#include "env/hands/hand_rank.h"

namespace dealer::seven_hand {
namespace {

// From high to low.
void add_cards(CardSet cards, Event& event) {
  for_each(cards, [&](Card card) { event.cards.push_back(card); });
  std::reverse(event.cards.begin(), event.cards.end());
  event.count = size(cards);
}

}  // namespace

void State::write_events(Story& story, std::vector<Event>& out) const {
  const auto add = [&](Event::Kind kind, Seat seat, int street) -> Event& {
    return add_event(out, kind, seat, street, hand_number());
  };
  const auto add_own = [&](Event::Kind kind, Seat seat, int street, CardSet cards) -> Event& {
    Event& event = add(kind, seat, street);
    event.faces = viewer_bit(seat);
    add_cards(cards, event);
    return event;
  };
  const auto add_laid = [&](Seat seat, int street, CardSet cards) {
    if (!story.laid) add_own(Event::Kind::kOwn, seat, street, cards).what = kLaidEvent;
  };
  if (!std::exchange(story.begun, true)) {
    add(Event::Kind::kHandBegun, dealer_, 0).values.assign(kSeats, 0);
    for (const Seat seat : {1 - dealer_, Seat{dealer_}})
      add_own(Event::Kind::kDealt, seat, 0, draws_[at(seat)][0]).what = "down";
  }
  for (; story.turns < turns_; ++story.turns) {
    const Seat seat = mover_of(story.turns);
    const int street = story.turns / kSeats, chip = chip_of(seat, street + 1);
    add_laid(seat, street, laid(seat, chip));
    story.laid = false;
    Event& named = add(Event::Kind::kOwn, 1 - seat, street);
    named.what = kNamedEvent;
    named.slot = chip + 1;
    if (street + 1 < kDraws) add_own(Event::Kind::kDrew, seat, street, draws_[at(seat)][at(street + 1)]);
    const int other = turn_laid(1 - seat, chip);
    if (other != 0 && (other < street + 1 || (other == street + 1 && seat == dealer_)))
      showdown_events(chip, seat, street, out);
  }
  if (naming_) {
    add_laid(mover_, turns_ / kSeats, picked_);
    story.laid = true;
  }
  if (!hand_over() || std::exchange(story.ended, true)) return;
  const int last = (turns_ - 1) / kSeats;
  add(Event::Kind::kHandEnded, -1, last).values = {reward_, -reward_};
  if (rules_->hands == 1 || !episode_over()) return;
  Event& match = add(Event::Kind::kMatchEnded, -1, last);
  match.values = {return_, -return_};
  match.seats = return_ > 0 ? 1 : return_ < 0 ? 2 : 3;
}

void State::showdown_events(int chip, Seat second, int street, std::vector<Event>& out) const {
  const auto add = [&](Event::Kind kind, Seat seat) -> Event& {
    Event& event = add_event(out, kind, seat, street, hand_number());
    event.slot = chip + 1;
    event.what = describe(evaluate(laid(seat, chip)));
    return event;
  };
  for (const Seat seat : {1 - second, second}) add_cards(laid(seat, chip), add(Event::Kind::kShown, seat));
  const Chip now = chip_[at(chip)];
  if (now != Chip::kTied) add(Event::Kind::kWon, now == Chip::kSeat0 ? 0 : 1);
}

}  // namespace dealer::seven_hand
