#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "env/games/ofc/state.h"

namespace dealer::terminal {

// A turn of Open-Face Chinese while it is being typed: where each of the turn's cards is to go. Cards that are left
// with one destination go there by themselves.
class OfcPlan {
 public:
  OfcPlan() = default;
  // The view of the player whose turn begins.
  explicit OfcPlan(const ofc::View& view);

  // What people type, in any of these forms (f m b x, or front middle back discard; commas are blanks):
  //   "Kd f 6h x"    cards, each or several followed by their row; a card already planned is moved
  //   "f Kd Qd x 6h" rows, each followed by its cards
  //   "f f x"        a row for each card still open, in the order shown; "ffx" is the same
  // Throws ParseError, and changes nothing, on anything else, on a card that is not in hand and on a full row.
  void enter(std::string_view text);
  // As if entered: the destination of every card.
  void adopt(const std::vector<std::pair<Card, ofc::Place>>& moves);
  // Forgets what was entered last; false when there is nothing.
  bool undo();

  bool complete() const { return open() == 0; }
  CardSet cards() const { return hand_; }
  // Cards without a destination; shown from high to low.
  CardSet open() const;
  // Nothing for a card without a destination.
  std::optional<ofc::Place> place_of(Card card) const;
  // The board as it would be.
  ofc::Board board() const;
  CardSet discards() const;
  // How many of the open cards are to be placed and how many discarded.
  int places_left() const;
  int discards_left() const;

 private:
  using Destinations = std::array<std::int8_t, kCards>;  // a Place, kOpen

  struct Tally;
  Tally tally(const Destinations& typed) const;
  void check(const Destinations& typed) const;
  Destinations forced(const Destinations& typed) const;
  void accept(const Destinations& typed);
  const Destinations& typed() const { return history_.back(); }

  ofc::Board base_;
  CardSet hand_ = 0;
  int places_ = 0;
  int discards_ = 0;
  std::vector<Destinations> history_;  // what was typed, after each command; never empty
  Destinations now_{};                 // with the forced ones
};

}  // namespace dealer::terminal
