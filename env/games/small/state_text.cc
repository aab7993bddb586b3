// A state and the events of its hand as text and JSON, as one seat may see it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
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

Event& add_cards(std::vector<Event>& out, Event::Kind kind, Seat seat, int street, CardSet cards) {
  Event& event = add_event(out, kind, seat, street);
  event.cards = list_of(cards);
  event.count = size(cards);
  return event;
}

}  // namespace

Choice State::choice(Action action) const {
  const Node& where = node();
  Choice choice{action, std::string(move_name(where, action)), move_name(where, action), {}, {}};
  if (action < 0 || action >= kMoves || (legal_ >> action & 1) == 0) return choice;
  if (action == kKeep || action == kDiscard) choice.cards = {next_card()};
  if (action == kRaise) {
    const std::int32_t paid = where.paid[at(1 - turn_)] + rules_->options().bet[where.round];
    choice.amount.low = choice.amount.high = paid - paid_before(static_cast<std::uint16_t>(node_));
  }
  return choice;
}

std::vector<std::uint16_t> State::path(std::uint16_t from) const {
  const Tree& tree = rules_->tree();
  std::vector<std::uint16_t> nodes;
  for (auto index = static_cast<std::uint16_t>(node_);; index = tree.node(index).parent) {
    nodes.push_back(index);
    if (index == 0 || index == from || index == tree.first_decision()) break;
  }
  std::reverse(nodes.begin(), nodes.end());
  return nodes;
}

std::int32_t State::paid_before(std::uint16_t index) const {
  const Tree& tree = rules_->tree();
  const int round = tree.node(index).round;
  while (index != 0 && tree.node(tree.node(index).parent).round == round) index = tree.node(index).parent;
  return tree.node(index).paid[0];
}

// The public history, in order: "0: check", "1: draws 2".
std::vector<std::string> State::history() const {
  std::vector<std::string> moves;
  const std::vector<std::uint16_t> nodes = path();
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const Node &from = rules_->tree().node(nodes[i - 1]), &to = rules_->tree().node(nodes[i]);
    if (from.kind == Kind::kBet) moves.push_back(fmt::format("{}: {}", from.seat, move_name(from, to.move)));
    if (to.board && !from.board) moves.push_back(fmt::format("board {}", rules_->to_string(board())));
    for (Seat seat = 0; seat < kSeats; ++seat)
      if (to.drawn[at(seat)] && !from.drawn[at(seat)])
        moves.push_back(fmt::format("{}: draws {}", seat, to.discarded[at(seat)]));
  }
  return moves;
}

std::string State::information_text(Seat seat) const {
  std::vector<std::string> seen;
  const Tree& tree = rules_->tree();
  const auto decided = [&](int count) {
    for_each(dealt_[at(seat)], [&](Card card) {
      if (count-- <= 0) return;
      const bool discarded = (discarded_[at(seat)] & bit(card)) != 0;
      seen.push_back(fmt::format("{} {}", discarded ? "discard" : "keep", rules_->to_string(card)));
    });
  };
  const std::vector<std::uint16_t> nodes = path();
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const Node &from = tree.node(nodes[i - 1]), &to = tree.node(nodes[i]);
    if (from.kind == Kind::kBet) seen.emplace_back(move_name(from, to.move));
    if (to.board && !from.board) seen.push_back("board " + rules_->to_string(board()));
    for (Seat owner = 0; owner < kSeats; ++owner) {
      if (!to.drawn[at(owner)] || from.drawn[at(owner)]) continue;
      if (owner == seat) decided(rules_->options().hand);
      const bool faces = owner == seat && to.discarded[at(owner)] > 0;
      seen.push_back("draws " +
                     (faces ? rules_->to_string(drawn_[at(seat)]) : std::to_string(to.discarded[at(owner)])));
    }
  }
  const Node& where = node();
  if (where.kind == Kind::kDraw && turn_ == seat) decided(where.step);
  if (where.kind == Kind::kShowdown) seen.push_back("shown " + rules_->to_string(shown(seat)));
  return fmt::format("{}: {} |{}{}", seat, rules_->to_string(dealt_[at(seat)]), seen.empty() ? "" : " ",
                     fmt::join(seen, ", "));
}

std::string State::to_string(Seat seat) const {
  const Node& where = node();
  std::string text = turn_ == kTerminal ? fmt::format("over, seat 0 {:+} chips\n", gain_)
                     : turn_ == kChance ? std::string("cards are dealt\n")
                                        : fmt::format("seat {} to act\n", static_cast<int>(turn_));
  for (Seat owner = 0; owner < kSeats; ++owner)
    text += fmt::format("seat {}{}: {} in the pot\n", owner, owner == seat ? " (you)" : "", where.paid[at(owner)]);
  const std::vector<std::string> moves = history();
  if (!moves.empty()) text += fmt::format("so far {}\n", fmt::join(moves, ", "));
  text += fmt::format("hand {}\n", rules_->to_string(hand(seat)));
  if (where.board) text += fmt::format("board {}\n", rules_->to_string(board()));
  if (discarded_[at(seat)] != 0) text += fmt::format("discarded {}\n", rules_->to_string(discarded_[at(seat)]));
  if (drawn_[at(seat)] != 0) text += fmt::format("drawn {}\n", rules_->to_string(drawn_[at(seat)]));
  if (where.kind == Kind::kDraw && turn_ == seat)
    text += fmt::format("keep or discard {}\n", rules_->to_string(next_card()));
  if (where.kind == Kind::kShowdown)
    text += fmt::format("seat {} shows {}\n", 1 - seat, rules_->to_string(shown(seat)));
  return text;
}

void State::write_events(Story& story, std::vector<Event>& out) const {
  if (story.begun && story.node == node_) return;
  if (!std::exchange(story.begun, true)) begin_events(out);
  const std::vector<std::uint16_t> nodes = path(story.node);
  for (std::size_t i = 1; i < nodes.size(); ++i) add_events(nodes[i - 1], nodes[i], out);
  // Paths through a draw meet again: a node in the middle may not be on the path to the end.
  for (const std::uint16_t index : nodes)
    if (const Node& passed = rules_->tree().node(index); passed.kind != Kind::kDraw || passed.step == 0)
      story.node = index;
  if (turn_ == kTerminal) end_events(out);
}

// There are no stacks: a player has as many chips as a hand can cost at most.
void State::begin_events(std::vector<Event>& out) const {
  add_event(out, Event::Kind::kHandBegun, -1, 0).values.assign(kSeats, rules_->options().most_chips());
  for (Seat seat = 0; seat < kSeats; ++seat) {
    Event& ante = add_event(out, Event::Kind::kPosted, seat, 0);
    ante.what = "ante";
    ante.amount = rules_->options().ante;
  }
  for (Seat seat = 0; seat < kSeats; ++seat) {
    if (dealt_[at(seat)] == 0) return;
    Event& dealt = add_cards(out, Event::Kind::kDealt, seat, 0, dealt_[at(seat)]);
    dealt.what = "down";
    dealt.faces = viewer_bit(seat);
  }
}

void State::add_events(std::uint16_t from_index, std::uint16_t to_index, std::vector<Event>& out) const {
  const Node &from = rules_->tree().node(from_index), &to = rules_->tree().node(to_index);
  if (from.kind == Kind::kBet) {
    const std::int32_t paid = to.paid[from.seat];
    Event& acted = add_event(out, Event::Kind::kActed, from.seat, street(from));
    acted.what = move_name(from, to.move);
    acted.amount = paid - from.paid[from.seat];
    acted.total = paid - paid_before(from_index);
    acted.all_in = paid == rules_->options().most_chips();
  }
  if (to.board && !from.board) add_cards(out, Event::Kind::kDealt, -1, street(to), bit(board())).what = "board";
  for (Seat seat = 0; seat < kSeats; ++seat) {
    if (!to.drawn[at(seat)] || from.drawn[at(seat)]) continue;
    add_cards(out, Event::Kind::kDiscarded, seat, street(to), discarded_[at(seat)]).faces = viewer_bit(seat);
    if (drawn_[at(seat)] != 0)
      add_cards(out, Event::Kind::kDrew, seat, street(to), drawn_[at(seat)]).faces = viewer_bit(seat);
  }
}

void State::end_events(std::vector<Event>& out) const {
  const Node& where = node();
  const bool showdown = where.kind == Kind::kShowdown;
  const std::int32_t matched = std::min(where.paid[0], where.paid[1]);
  const auto add = [&](Event::Kind kind, Seat seat) -> Event& { return add_event(out, kind, seat, street(where)); };
  const auto shown_name = [&](Seat seat) { return showdown ? rules_->hand_name(hand(seat), board()) : std::string(); };
  for (Seat seat = 0; seat < kSeats && showdown; ++seat)
    add_cards(out, Event::Kind::kShown, seat, street(where), hand(seat)).what = shown_name(seat);
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
  const auto text = [&](CardId card) { return rules_->to_string(card); };
  json.begin_object();
  json.member("seat", owner);
  json.member("chips", turn_ == kTerminal ? rules_->options().most_chips() + gain_of(owner) : left);
  json.member("bet", where.paid[at(owner)] - before);
  json.member("paid", where.paid[at(owner)]);
  json.member("folded", where.kind == Kind::kFold && where.seat == owner);
  json.member("out", false);
  json.member("all_in", left == 0);
  json.array("cards", list_of(own ? hand(owner) : 0), text);
  json.member("card_count", rules_->options().hand);
  json.array("up", list_of(0), text);
  // One entry per draw.
  json.begin_array("drawn");
  if (where.drawn[at(owner)]) json.value(discard_count(owner));
  json.end_array();
  const bool deciding = where.kind == Kind::kDraw && turn_ == owner;
  json.begin_array("discarded");
  if (own && (where.drawn[at(owner)] || deciding)) json.values(list_of(discarded_[at(owner)]), text);
  json.end_array();
  json.array("shown", list_of(showdown ? hand(owner) : 0), text);
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
  json.array("history", history());
  if (where.kind == Kind::kDraw && turn_ == seat)
    json.member("next", rules_->to_string(next_card()));
  else
    json.member("next", nullptr);
  json.begin_array("players");
  for (Seat owner = 0; owner < kSeats; ++owner) write_player(json, owner, seat);
  json.end_array();
  json.end_object();
}

}  // namespace dealer::small
