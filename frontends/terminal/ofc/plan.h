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

// A turn of Open-Face Chinese while it is typed: the destination of each card of the turn. Cards with only one possible
// destination are placed automatically.
class OfcPlan {
 public:
  OfcPlan() = default;
  // `view`: of the player whose turn begins.
  explicit OfcPlan(const ofc::View& view);

  // Accepted inputs (rows are f m b x, or front middle back discard; commas are blanks):
  //   "Kd f 6h x"    cards, each or several followed by their row; a card already planned is moved
  //   "f Kd Qd x 6h" rows, each followed by its cards
  //   "f f x"        a row for each card still open, in the order shown; "ffx" is the same
  // Throws ParseError, and changes nothing, on any other text, on a card that is not in hand and on a full row.
  void enter(std::string_view text);
  // Sets the destination of every card, as if typed.
  void adopt(const std::vector<std::pair<Card, ofc::Place>>& moves);
  // Undoes the last input; false when there is none.
  bool undo();

  bool complete() const { return open() == 0; }
  CardSet cards() const { return hand_; }
  // Cards without a destination; shown from high to low.
  CardSet open() const;
  // Nothing if the card has no destination yet.
  std::optional<ofc::Place> place_of(Card card) const;
  // The board after the plan.
  ofc::Board board() const;
  CardSet discards() const;
  // Number of open cards to be placed and to be discarded.
  int places_left() const;
  int discards_left() const;

 private:
  using Destinations = std::array<std::int8_t, kCards>;  // a Place, kOpen

  struct RowCounts;
  RowCounts count(const Destinations& typed) const;
  void check(const Destinations& typed) const;
  Destinations forced(const Destinations& typed) const;
  void accept(const Destinations& typed);
  const Destinations& typed() const { return history_.back(); }

  ofc::Board base_;
  CardSet hand_ = 0;
  int places_ = 0;
  int discards_ = 0;
  std::vector<Destinations> history_;  // after each input; never empty
  Destinations now_{};                 // including the forced ones
};

}  // namespace dealer::terminal
