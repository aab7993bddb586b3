// The story of the hand in progress, told from the position: who was dealt what, what was placed, what was shown.
#include <fmt/format.h>

#include <algorithm>

#include "env/games/ofc/state.h"

namespace dealer::ofc {
namespace {

Event event_of(Event::Kind kind, Seat seat, int street, int hand) {
  Event event;
  event.kind = kind;
  event.seat = seat;
  event.street = street;
  event.hand = hand;
  return event;
}

void add_board(const Board& board, Event& event) {
  for (std::size_t row = 0; row < kRows; ++row)
    for_each(board.row[row], [&](Card card) {
      event.cards.push_back(card);
      event.places.push_back(kPlaceNames[row]);
    });
  event.count = static_cast<int>(event.cards.size());
}

// "royalties 9, Fantasyland": what a complete board pays and where it leads.
std::string board_text(const HandRecord& record, Seat seat, Episode episode) {
  if (record.foul[seat]) return "foul";
  std::string text = fmt::format("royalties {}", record.royalties[seat]);
  if (record.next[seat] && episode != Episode::kHand) text += ", Fantasyland";
  return text;
}

}  // namespace

State::SeatList State::players_of_hand() const {
  SeatList list;
  Seat seat = dealer_;
  for (int i = 0; i < rules_->players; ++i) {
    seat = seat + 1 == rules_->players ? 0 : seat + 1;
    if (hand_over() ? last_.played[seat] : !out_[at(seat)]) list.seat[list.count++] = seat;
  }
  return list;
}

bool State::turn_done(Seat seat, int street) const {
  const int end = fantasyland_[at(seat)] ? rules_->fantasyland_cards : kDealtCards[static_cast<std::size_t>(street)];
  return moved_[at(seat)] >= end;
}

// The cards of a finished turn. In Fantasyland nobody else sees them; who is there sees nobody's before its own are
// set, and then is shown what lies there by now. Until then who watches the table sees no more.
void State::turn_events(Seat seat, int street, const SeatList& order, std::vector<Event>& out) const {
  const auto s = at(seat);
  const int hand = hands_finished_ - (hand_over() ? 1 : 0);
  const auto begin = street == 0 ? std::size_t{0} : static_cast<std::size_t>(kDealtCards[at(street - 1)]);
  const auto end = static_cast<std::size_t>(fantasyland_[s] ? rules_->fantasyland_cards : kDealtCards[at(street)]);
  Event placed = event_of(Event::Kind::kPlaced, seat, street, hand);
  placed.faces = viewer_bit(seat);
  for (std::size_t i = begin; i < end; ++i) {
    const Card card = card_[s][i];
    std::size_t place = kToDiscard;
    for (std::size_t row = 0; row < kRows; ++row)
      if ((board_[s].row[row] & bit(card)) != 0) place = row;
    if (place != kToDiscard && !fantasyland_[s]) placed.open |= 1U << placed.cards.size();
    placed.cards.push_back(card);
    placed.places.push_back(kPlaceNames[place]);
  }
  placed.count = static_cast<int>(placed.cards.size());
  const Seat* const now = std::find(order.begin(), order.end(), seat);
  if (street == 0) {
    const auto hide_from = [&](Viewer viewer) {
      placed.open_to = static_cast<ViewerSet>(placed.open_to & ~viewer_bit(viewer));
    };
    for (const Seat* later = now; later != order.end(); ++later) {
      if (!fantasyland_[at(*later)]) continue;
      hide_from(*later);
      hide_from(kSpectator);
    }
  }
  out.push_back(std::move(placed));
  if (!fantasyland_[s]) return;
  for (const Seat* earlier = order.begin(); earlier != now; ++earlier) {
    if (fantasyland_[at(*earlier)]) continue;
    Event shown = event_of(Event::Kind::kShown, *earlier, street, hand);
    shown.audience = viewer_bit(seat);
    Board opening;
    for (std::size_t i = 0; i < static_cast<std::size_t>(kPlacedCards[0]); ++i) {
      const int slot = slot_[at(*earlier)][i];
      opening.row[static_cast<std::size_t>(slot / kCards)] |= bit(static_cast<Card>(slot % kCards));
    }
    add_board(opening, shown);
    out.push_back(std::move(shown));
  }
}

void State::end_events(const SeatList& order, std::vector<Event>& out) const {
  const int hand = hands_finished_ - 1;
  for (const Seat seat : order) {
    Event shown = event_of(Event::Kind::kShown, seat, kStreets - 1, hand);
    add_board(board_[at(seat)], shown);
    shown.what = board_text(last_, seat, rules_->episode);
    out.push_back(std::move(shown));
  }
  Event ended = event_of(Event::Kind::kHandEnded, -1, kStreets - 1, hand);
  ended.values.assign(last_.points, last_.points + rules_->players);
  out.push_back(std::move(ended));
  if (rules_->episode != Episode::kMatch || rules_->is_tournament() || !episode_over()) return;
  Event match = event_of(Event::Kind::kMatchEnded, -1, kStreets - 1, hand);
  match.values.assign(return_.begin(), return_.begin() + rules_->players);
  const std::int32_t most = *std::max_element(points_.begin(), points_.end());
  for (Seat seat = 0; seat < rules_->players; ++seat)
    if (points_[at(seat)] == most) match.seats = static_cast<std::uint16_t>(match.seats | 1U << seat);
  out.push_back(std::move(match));
}

void State::begin_events(std::vector<Event>& out) const {
  Event begun = event_of(Event::Kind::kHandBegun, dealer_, 0, hands_finished_ - (hand_over() ? 1 : 0));
  for (Seat seat = 0; seat < rules_->players; ++seat) {
    begun.values.push_back(points_[at(seat)] -
                           (hand_over() && rules_->episode == Episode::kMatch ? last_.points[seat] : 0));
    if (fantasyland_[at(seat)]) begun.seats = static_cast<std::uint16_t>(begun.seats | 1U << seat);
  }
  out.push_back(std::move(begun));
}

void State::deal_events(int street, const SeatList& order, std::vector<Event>& out) const {
  for (const Seat seat : order) {
    if (!has_turn(seat, street)) continue;
    Event dealt = event_of(Event::Kind::kDealt, seat, street, hands_finished_ - (hand_over() ? 1 : 0));
    dealt.what = "down";
    dealt.faces = viewer_bit(seat);
    const int begin = street == 0 ? 0 : kDealtCards[at(street - 1)];
    const int end = fantasyland_[at(seat)] ? rules_->fantasyland_cards : kDealtCards[at(street)];
    dealt.cards.assign(card_[at(seat)].begin() + begin, card_[at(seat)].begin() + end);
    dealt.count = end - begin;
    out.push_back(std::move(dealt));
  }
}

void State::tell(Story& story, std::vector<Event>& out) const {
  if (story.ended) return;
  const SeatList order = players_of_hand();
  if (story.street < 0) {
    begin_events(out);
    deal_events(story.street = 0, order, out);
  }
  for (;;) {
    for (; story.turns < order.count; ++story.turns) {
      const Seat seat = order.seat[story.turns];
      if (!has_turn(seat, story.street)) continue;
      if (!turn_done(seat, story.street)) return;
      turn_events(seat, story.street, order, out);
    }
    if (story.street + 1 >= kStreets || story.street == street_) break;
    story.turns = 0;
    deal_events(++story.street, order, out);
  }
  if (!hand_over()) return;
  end_events(order, out);
  story.ended = true;
}

}  // namespace dealer::ofc
