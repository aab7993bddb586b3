// A state and the events of its hand as text and JSON, as one seat may see it.
#include <fmt/format.h>

#include <algorithm>

#include "env/core/json_writer.h"
#include "env/games/ofc/state.h"

namespace dealer::ofc {
namespace {

std::string row_text(CardSet cards, int capacity) {
  std::string text = to_string(cards);
  for (int i = size(cards); i < capacity; ++i) text += text.empty() ? "--" : " --";
  return text;
}

void write_cards(JsonWriter& json, std::string_view name, CardSet cards) {
  json.begin_array(name);
  for_each(cards, [&](Card card) { json.value(to_string(card)); });
  json.end_array();
}

void add_board(const Board& board, Event& event) {
  for (std::size_t row = 0; row < kRows; ++row)
    for_each(board.row[row], [&](Card card) {
      event.cards.push_back(card);
      event.places.push_back(kPlaceNames[row]);
    });
  event.count = static_cast<int>(event.cards.size());
}

// "Fantasyland", in progressive games "Fantasyland with 16 cards".
std::string fantasyland_text(int cards, const GameRules& rules) {
  return rules.scoring.bonus.progressive() ? fmt::format("Fantasyland with {} cards", cards) : "Fantasyland";
}

// "royalties 9, Fantasyland": royalties of a complete board and whether it enters Fantasyland.
std::string board_text(const HandRecord& record, Seat seat, const GameRules& rules) {
  if (record.foul[seat]) return "foul";
  std::string text = fmt::format("royalties {}", record.royalties[seat]);
  if (record.next[seat] != 0 && rules.episode != Episode::kHand)
    text += ", " + fantasyland_text(record.next[seat], rules);
  return text;
}

}  // namespace

Choice State::choice(Action action) const {
  Choice choice{action, fmt::format("action {}", action), "place", {}, {}};
  if (action < 0 || action >= kPlaces) return choice;
  choice.text = kPlaceNames[static_cast<std::size_t>(action)];
  if (action == kToDiscard) choice.kind = "discard";
  if (turn_ != kTerminal) choice.cards = {card_[at(turn_)][moved_[at(turn_)]]};
  return choice;
}

std::string State::to_string(Seat seat) const {
  const View seen = view(seat);
  std::string text =
      fmt::format("hand {}, street {}, {}\n", hands_finished_ + (turn_ == kTerminal ? 0 : 1), seen.street,
                  turn_ == kTerminal ? std::string("over") : fmt::format("seat {} to act", static_cast<int>(turn_)));
  for (int rel = 0; rel < seen.players; ++rel) {
    const Seat owner = (seat + rel) % seen.players;
    text += fmt::format("seat {}{}{}", owner, rel == 0 ? " (you)" : "", seen.dealer == rel ? ", dealer" : "");
    const int fantasyland = seen.fantasyland[at(rel)];
    if (seen.out[at(rel)])
      text += ", out";
    else if (fantasyland != 0)
      text += ", in " + fantasyland_text(fantasyland, *rules_);
    text += '\n';
    if (rules_->episode == Episode::kMatch) text += fmt::format("  points {}\n", points_[at(owner)]);
    for (std::size_t row = 0; row < kRows; ++row)
      text += fmt::format("  {:<7} {}\n", kRowNames[row], row_text(seen.board[rel].row[row], kRowSize[row]));
  }
  if (seen.discards != 0) text += fmt::format("discarded {}\n", dealer::to_string(seen.discards));
  if (seen.hand != 0) text += fmt::format("in hand {}\n", dealer::to_string(seen.hand));
  if (seen.turn == 0) text += fmt::format("place {}\n", dealer::to_string(lowest(seen.hand)));
  return text;
}

void State::write_table(JsonWriter& json, Seat seat) const {
  const View seen = view(seat);
  json.begin_object();
  json.member("street", seen.street);
  json.member("dealer", static_cast<int>(dealer_));
  json.member("places_left", seen.places_left);
  json.member("discards_left", seen.discards_left);
  json.begin_array("players");
  for (Seat owner = 0; owner < seen.players; ++owner) {
    const int rel = (owner - seat + seen.players) % seen.players;
    json.begin_object();
    json.member("seat", owner);
    json.member("points", points_[at(owner)]);
    json.member("out", seen.out[at(rel)]);
    json.member("fantasyland", seen.fantasyland[at(rel)] != 0);
    json.begin_object("rows");
    for (std::size_t row = 0; row < kRows; ++row) write_cards(json, kRowNames[row], seen.board[rel].row[row]);
    json.end_object();
    write_cards(json, "cards", rel == 0 ? seen.hand : 0);
    json.member("card_count", rel == 0 ? size(seen.hand) : cards_held(owner));
    write_cards(json, "discarded", rel == 0 ? seen.discards : 0);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

// Number of cards in another player's hand, from public information: the progress of a turn is hidden.
int State::cards_held(Seat seat) const {
  if (turn_ == kTerminal || out_[at(seat)] || turn_complete(seat)) return 0;
  return dealt(seat) - (street_ == 0 ? 0 : kDealtCards[at(street_ - 1)]);
}

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
  return moved_[at(seat)] >= (in_fantasyland(seat) ? fantasyland_[at(seat)] : kDealtCards[at(street)]);
}

// The cards of a finished turn. In Fantasyland they are hidden from the others; a Fantasyland player sees no board
// before setting its own, and then the boards as they are by now. A spectator sees no more until then.
void State::turn_events(Seat seat, int street, const SeatList& order, std::vector<Event>& out) const {
  const auto s = at(seat);
  const int hand = hands_finished_ - (hand_over() ? 1 : 0);
  const auto begin = street == 0 ? std::size_t{0} : static_cast<std::size_t>(kDealtCards[at(street - 1)]);
  const auto end = at(in_fantasyland(seat) ? fantasyland_[s] : kDealtCards[at(street)]);
  Event& placed = add_event(out, Event::Kind::kPlaced, seat, street, hand);
  placed.faces = viewer_bit(seat);
  for (std::size_t i = begin; i < end; ++i) {
    const Card card = card_[s][i];
    std::size_t place = kToDiscard;
    for (std::size_t row = 0; row < kRows; ++row)
      if ((board_[s].row[row] & bit(card)) != 0) place = row;
    if (place != kToDiscard && !in_fantasyland(seat)) placed.open |= 1U << placed.cards.size();
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
      if (!in_fantasyland(*later)) continue;
      hide_from(*later);
      hide_from(kSpectator);
    }
  }
  if (!in_fantasyland(seat)) return;
  for (const Seat* earlier = order.begin(); earlier != now; ++earlier) {
    if (in_fantasyland(*earlier)) continue;
    Event& shown = add_event(out, Event::Kind::kShown, *earlier, street, hand);
    shown.audience = viewer_bit(seat);
    Board opening;
    for (std::size_t i = 0; i < static_cast<std::size_t>(kPlacedCards[0]); ++i) {
      const int slot = slot_[at(*earlier)][i];
      opening.row[static_cast<std::size_t>(slot / kCards)] |= bit(static_cast<Card>(slot % kCards));
    }
    add_board(opening, shown);
  }
}

void State::end_events(const SeatList& order, std::vector<Event>& out) const {
  const int hand = hands_finished_ - 1;
  for (const Seat seat : order) {
    Event& shown = add_event(out, Event::Kind::kShown, seat, kStreets - 1, hand);
    add_board(board_[at(seat)], shown);
    shown.what = board_text(last_, seat, *rules_);
  }
  add_event(out, Event::Kind::kHandEnded, -1, kStreets - 1, hand)
      .values.assign(last_.points, last_.points + rules_->players);
  if (rules_->episode != Episode::kMatch || rules_->is_tournament() || !episode_over()) return;
  Event& match = add_event(out, Event::Kind::kMatchEnded, -1, kStreets - 1, hand);
  match.values.assign(return_.begin(), return_.begin() + rules_->players);
  const std::int32_t most = *std::max_element(points_.begin(), points_.end());
  for (Seat seat = 0; seat < rules_->players; ++seat)
    if (points_[at(seat)] == most) match.seats = static_cast<std::uint16_t>(match.seats | 1U << seat);
}

void State::begin_events(std::vector<Event>& out) const {
  Event& begun = add_event(out, Event::Kind::kHandBegun, dealer_, 0, hands_finished_ - (hand_over() ? 1 : 0));
  for (Seat seat = 0; seat < rules_->players; ++seat) {
    begun.values.push_back(points_[at(seat)] -
                           (hand_over() && rules_->episode == Episode::kMatch ? last_.points[seat] : 0));
    if (in_fantasyland(seat)) begun.seats = static_cast<std::uint16_t>(begun.seats | 1U << seat);
  }
}

void State::deal_events(int street, const SeatList& order, std::vector<Event>& out) const {
  for (const Seat seat : order) {
    if (!has_turn(seat, street)) continue;
    Event& dealt = add_event(out, Event::Kind::kDealt, seat, street, hands_finished_ - (hand_over() ? 1 : 0));
    dealt.what = "down";
    dealt.faces = viewer_bit(seat);
    const int begin = street == 0 ? 0 : kDealtCards[at(street - 1)];
    const int end = in_fantasyland(seat) ? fantasyland_[at(seat)] : kDealtCards[at(street)];
    dealt.cards.assign(card_[at(seat)].begin() + begin, card_[at(seat)].begin() + end);
    dealt.count = end - begin;
  }
}

void State::write_events(Story& story, std::vector<Event>& out) const {
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
