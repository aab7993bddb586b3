// A state for people, as one seat may see it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "env/games/small/state.h"

namespace dealer::small {

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

// What everybody has seen, in order: "0: check", "1: draws 2".
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

}  // namespace dealer::small
