// A state for people and for programs, as one seat may see it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "env/games/small/state.h"

namespace dealer::small {
namespace {

bool to_call(const Node& node) { return node.turn >= 0 && node.paid[0] != node.paid[1]; }

std::string_view move_name(const Node& from, Action move) {
  switch (move) {
    case kFold:
      return "fold";
    case kCall:
      return to_call(from) ? "call" : "check";
    case kRaise:
      return to_call(from) ? "raise" : "bet";
    case kKeep:
      return "keep";
    case kDiscard:
      return "discard";
    default:
      return "nothing";
  }
}

}  // namespace

Choice State::choice(Action action) const {
  const std::string_view name = move_name(node(), action);
  Choice choice{action, std::string(name), name, {}, {}};
  return choice;
}

// [PLACEHOLDER]
void State::events(std::vector<Event>&) const {}

// What everybody has seen, in order: "0: check", "1: draws 2".
std::vector<std::string> State::history() const {
  std::vector<std::string> moves;
  const Tree& tree = rules_->tree();
  for (std::uint32_t index = node_; index != 0; index = tree.node(index).parent) {
    const Node& to = tree.node(index);
    const Node& from = tree.node(to.parent);
    for (Seat seat = kSeats; seat-- > 0;)
      if (to.drawn[at(seat)] && !from.drawn[at(seat)])
        moves.push_back(fmt::format("{}: draws {}", seat, to.discarded[at(seat)]));
    if (to.board && !from.board) moves.push_back(fmt::format("board {}", rules_->to_string(board())));
    if (from.kind == Kind::kBet) moves.push_back(fmt::format("{}: {}", from.seat, move_name(from, to.move)));
  }
  std::reverse(moves.begin(), moves.end());
  return moves;
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

nlohmann::json State::table_json(Seat seat) const {
  const Node& where = node();
  nlohmann::json json = {
      {"seat", seat},
      {"to_act", turn_ == kTerminal ? nlohmann::json(nullptr) : nlohmann::json(static_cast<int>(turn_))},
      {"hand", rules_->to_string(hand(seat))},
      {"paid", where.paid},
      {"history", history()}};
  if (where.board) json["board"] = rules_->to_string(board());
  if (rules_->options().variant == Variant::kDraw) {
    json["dealt"] = rules_->to_string(dealt_[at(seat)]);
    json["discarded"] = rules_->to_string(discarded_[at(seat)]);
    json["drawn"] = rules_->to_string(drawn_[at(seat)]);
    if (where.kind == Kind::kDraw && turn_ == seat) json["next"] = rules_->to_string(next_card());
  }
  if (where.kind == Kind::kShowdown) json["shown"] = rules_->to_string(shown(seat));
  if (turn_ == kTerminal) json["gain"] = {gain_, -gain_};
  return json;
}

}  // namespace dealer::small
