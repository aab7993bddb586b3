// What a seat may know, as numbers.
#include <cstring>

#include "env/games/small/state.h"

namespace dealer::small {
namespace {

// A call of memcpy() takes longer than the copying. Every observation has at least 16 numbers.
void copy_row(const float* from, int size, float* to) {
  constexpr int kBlock = 16;
  const auto copy = [&](int at) { std::memcpy(to + at, from + at, kBlock * sizeof(float)); };
  for (int at = 0; at + kBlock < size; at += kBlock) copy(at);
  copy(size - kBlock);
}

}  // namespace

ObservationSpec State::observation_spec(const Rules& rules) {
  const Options& options = rules.options();
  const int cards = options.cards();
  const bool leduc = options.variant == Variant::kLeduc, draw = options.variant == Variant::kDraw;
  ObservationSpec spec;
  spec.add("hand", {cards}, "1: own card as dealt at the start; cards suits * rank + suit, lowest rank first");
  if (leduc) spec.add("board", {cards}, "1: the card on the board; nothing before it is dealt");
  if (draw) {
    spec.add("discarded", {cards}, "1: own card discarded");
    spec.add("drawn", {cards}, "1: own card drawn for one discarded");
    spec.add("next", {cards}, "1: the card that keep or discard is about; nothing otherwise");
  }
  spec.add("shown", {cards}, "1: card in the other player's hand at the showdown");
  spec.add("betting", {options.rounds, rules.parts().moves, kBettingMoves},
           "moves of each betting round in order, one-hot: fold, check or call, bet or raise");
  if (draw)
    spec.add("draws", {kSeats, options.hand + 1},
             "one-hot: how many cards the player has drawn, observer first; nothing before");
  spec.add("paid", {kSeats}, "chips in the pot / the most there can be of one player, observer first");
  spec.add("turn", {kSeats}, "one-hot: the player to act, observer first; nothing at the end");
  spec.add("seat", {kSeats}, "one-hot: seat of the observer; seat 0 acts first");
  return spec;
}

void State::observe(Seat seat, float* out) const {
  const Parts& part = rules_->parts();
  copy_row(rules_->tree().row(node_, seat), part.size, out);
  const auto write = [out](int offset, CardSet cards) { for_each(cards, [=](Card card) { out[offset + card] = 1; }); };
  const Node& where = node();
  write(part.hand, dealt_[at(seat)]);
  switch (rules_->options().variant) {
    case Variant::kKuhn:
      break;
    case Variant::kLeduc:
      out[part.board + board()] = where.board ? 1.0F : 0.0F;
      break;
    case Variant::kDraw:
      write(part.discarded, discarded_[at(seat)]);
      write(part.drawn, drawn_[at(seat)]);
      if (where.kind == Kind::kDraw && turn_ == seat) out[part.next + next_card()] = 1;
  }
  if (where.kind == Kind::kShowdown) write(part.shown, shown(seat));
}

}  // namespace dealer::small
