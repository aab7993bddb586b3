// What has happened and how things stand, for programs.
#include <algorithm>
#include <utility>

#include "env/core/json_writer.h"
#include "env/games/small/state.h"

namespace dealer::small {
namespace {

std::vector<CardId> list_of(CardSet cards) {
  std::vector<CardId> list;
  for_each(cards, [&](Card card) { list.push_back(card); });
  std::reverse(list.begin(), list.end());
  return list;
}

Event cards_event(Event::Kind kind, Seat seat, int street, CardSet cards) {
  Event event;
  event.kind = kind;
  event.seat = seat;
  event.street = street;
  event.cards = list_of(cards);
  event.count = size(cards);
  return event;
}

}  // namespace

void State::tell(Story& story, std::vector<Event>& out) const {
  if (story.begun && story.node == node_) return;
  if (!std::exchange(story.begun, true)) begin_events(out);
  const std::vector<std::uint16_t> nodes = path(story.node);
  for (std::size_t i = 1; i < nodes.size(); ++i) add_events(nodes[i - 1], nodes[i], out);
  // Ways through a draw meet again: a node in the middle may not be on the way that comes to the end.
  for (const std::uint16_t index : nodes)
    if (const Node& passed = rules_->tree().node(index); passed.kind != Kind::kDraw || passed.step == 0)
      story.node = index;
  if (turn_ == kTerminal) end_events(out);
}

// There are no stacks: a player has as many chips as the hand can cost.
void State::begin_events(std::vector<Event>& out) const {
  Event begun;
  begun.kind = Event::Kind::kHandBegun;
  begun.values.assign(kSeats, rules_->options().most_chips());
  out.push_back(begun);
  for (Seat seat = 0; seat < kSeats; ++seat) {
    Event ante;
    ante.kind = Event::Kind::kPosted;
    ante.seat = seat;
    ante.what = "ante";
    ante.amount = rules_->options().ante;
    out.push_back(ante);
  }
  for (Seat seat = 0; seat < kSeats; ++seat) {
    if (dealt_[at(seat)] == 0) return;
    Event dealt = cards_event(Event::Kind::kDealt, seat, 0, dealt_[at(seat)]);
    dealt.what = "down";
    dealt.faces = viewer_bit(seat);
    out.push_back(dealt);
  }
}

void State::add_events(std::uint16_t from_index, std::uint16_t to_index, std::vector<Event>& out) const {
  const Node &from = rules_->tree().node(from_index), &to = rules_->tree().node(to_index);
  if (from.kind == Kind::kBet) {
    const std::int32_t paid = to.paid[from.seat];
    Event acted;
    acted.kind = Event::Kind::kActed;
    acted.seat = from.seat;
    acted.street = street(from);
    acted.what = move_name(from, to.move);
    acted.amount = paid - from.paid[from.seat];
    acted.total = paid - paid_before(from_index);
    acted.all_in = paid == rules_->options().most_chips();
    out.push_back(acted);
  }
  if (to.board && !from.board) {
    Event dealt = cards_event(Event::Kind::kDealt, -1, street(to), bit(board()));
    dealt.what = "board";
    out.push_back(dealt);
  }
  for (Seat seat = 0; seat < kSeats; ++seat) {
    if (!to.drawn[at(seat)] || from.drawn[at(seat)]) continue;
    for (const auto kind : {Event::Kind::kDiscarded, Event::Kind::kDrew}) {
      const bool drew = kind == Event::Kind::kDrew;
      Event event = cards_event(kind, seat, street(to), (drew ? drawn_ : discarded_)[at(seat)]);
      event.faces = viewer_bit(seat);
      if (!drew || event.count > 0) out.push_back(event);
    }
  }
}

void State::end_events(std::vector<Event>& out) const {
  const Node& where = node();
  const bool showdown = where.kind == Kind::kShowdown;
  const std::int32_t matched = std::min(where.paid[0], where.paid[1]);
  const auto add = [&](Event::Kind kind, Seat seat) -> Event& {
    Event& event = out.emplace_back();
    event.kind = kind;
    event.seat = seat;
    event.street = street(where);
    return event;
  };
  const auto shown_name = [&](Seat seat) { return showdown ? rules_->hand_name(hand(seat), board()) : std::string(); };
  for (Seat seat = 0; seat < kSeats && showdown; ++seat) {
    out.push_back(cards_event(Event::Kind::kShown, seat, street(where), hand(seat)));
    out.back().what = shown_name(seat);
  }
  for (Seat seat = 0; seat < kSeats; ++seat)
    if (where.paid[at(seat)] > matched) add(Event::Kind::kReturned, seat).amount = where.paid[at(seat)] - matched;
  for (Seat seat = 0; seat < kSeats; ++seat) {
    const std::int32_t won = gain_of(seat) + matched;
    if (won == 0) continue;
    Event& event = add(Event::Kind::kWon, seat);
    event.amount = won;
    event.what = shown_name(seat);
  }
  Event& ended = add(Event::Kind::kHandEnded, -1);
  ended.values = {gain_, -gain_};
}

void State::write_player(JsonWriter& json, Seat owner, Seat viewer) const {
  const Node& where = node();
  const std::int32_t before = paid_before(static_cast<std::uint16_t>(node_));
  const std::int32_t left = rules_->options().most_chips() - where.paid[at(owner)];
  const bool own = owner == viewer, showdown = where.kind == Kind::kShowdown;
  const auto cards = [&](CardSet set) {
    json.begin_array();
    for (const CardId card : list_of(set)) json.value(rules_->to_string(card));
    json.end_array();
  };
  json.begin_object();
  json.member("seat", owner);
  json.member("chips", turn_ == kTerminal ? rules_->options().most_chips() + gain_of(owner) : left);
  json.member("bet", where.paid[at(owner)] - before);
  json.member("paid", where.paid[at(owner)]);
  json.member("folded", where.kind == Kind::kFold && where.seat == owner);
  json.member("out", false);
  json.member("all_in", left == 0);
  json.key("cards");
  cards(own ? hand(owner) : 0);
  json.member("card_count", rules_->options().hand);
  json.begin_array("up");
  json.end_array();
  // One entry a draw.
  json.begin_array("drawn");
  if (where.drawn[at(owner)]) json.value(discard_count(owner));
  json.end_array();
  const bool deciding = where.kind == Kind::kDraw && turn_ == owner;
  json.begin_array("discarded");
  if (own && (where.drawn[at(owner)] || deciding)) cards(discarded_[at(owner)]);
  json.end_array();
  json.key("shown");
  cards(showdown ? hand(owner) : 0);
  json.end_object();
}

void State::write_table(JsonWriter& json, Seat seat) const {
  const Node& where = node();
  json.begin_object();
  json.member("street", street(where));
  json.member("dealer", nullptr);
  json.begin_array("board");
  if (where.board) json.value(rules_->to_string(board()));
  json.end_array();
  json.member("pot", turn_ == kTerminal ? 0 : where.paid[0] + where.paid[1]);
  json.member("to_call", turn_ >= 0 ? where.paid[at(1 - turn_)] - where.paid[at(turn_)] : 0);
  json.begin_array("history");
  for (const std::string& line : history()) json.value(line);
  json.end_array();
  json.key("next");
  if (where.kind == Kind::kDraw && turn_ == seat)
    json.value(rules_->to_string(next_card()));
  else
    json.value(nullptr);
  json.begin_array("players");
  for (Seat owner = 0; owner < kSeats; ++owner) write_player(json, owner, seat);
  json.end_array();
  json.end_object();
}

}  // namespace dealer::small
