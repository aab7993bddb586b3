// Whether a state can occur: bytes read from a file are believed only then.
#include <algorithm>

#include "env/games/small/state.h"

namespace dealer::small {

// Everything but the deck, the cards discarded and the place in the tree follows from these. The seed is of no more
// use once the cards are dealt, so any will do.
bool State::valid() const {
  if (walked_ != 0 || node_ >= rules_->tree().nodes().size()) return false;
  const Node& where = node();
  if (where.turn == kChance || turn_ != where.turn || legal_ != where.legal) return false;
  const auto count = static_cast<std::size_t>(rules_->dealt()), each = static_cast<std::size_t>(rules_->options().hand);
  CardSet cards = 0;
  std::array<CardSet, kSeats> dealt{};
  for (std::size_t i = 0; i < deck_.size(); ++i) {
    if (i >= count ? deck_[i] != 0 : deck_[i] >= rules_->options().cards() || (cards & bit(deck_[i])) != 0)
      return false;
    if (i < count) cards |= bit(deck_[i]);
    if (i < kSeats * each) dealt[i / each] |= bit(deck_[i]);
  }
  if (dealt != dealt_) return false;
  for (Seat seat = 0; seat < kSeats; ++seat) {
    if ((discarded_[at(seat)] & ~dealt_[at(seat)]) != 0 || discard_count(seat) != where.discarded[at(seat)])
      return false;
    if (drawn_[at(seat)] != (where.drawn[at(seat)] ? drawn_from_deck(seat) : 0)) return false;
  }
  // In the middle of a draw only cards decided upon are discarded.
  if (where.kind == Kind::kDraw && (discarded_[where.seat] & ~(bit(next_card()) - 1)) != 0) return false;
  const bool draw = rules_->options().variant == Variant::kDraw;
  if (winner_ != (draw && where.kind != Kind::kShowdown ? 0 : rules_->winner(hand(0), hand(1), board()))) return false;
  return gain_ == where.gain + winner_ * where.stake;
}

}  // namespace dealer::small
