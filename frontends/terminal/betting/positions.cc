#include "frontends/terminal/betting/positions.h"

#include <fmt/format.h>

namespace dealer::terminal {

std::vector<std::string> positions(const BettingTable& table, const Game& game) {
  if (game.big_blind() == 0 || table.dealer() < 0) return {};
  const auto players = static_cast<Seat>(table.seats().size());
  std::vector<Seat> seats;  // dealt in, left of the dealer first
  for (Seat i = 1; i <= players; ++i)
    if (const Seat seat = (table.dealer() + i) % players; table.seat(seat).in) seats.push_back(seat);
  std::vector<std::string> names(table.seats().size());
  const std::size_t count = seats.size();
  for (std::size_t i = 0; i < count; ++i) {
    // Heads-up the dealer posts the small blind.
    const std::size_t first = count == 2 ? 1 : 2, left = count - 1 - i;
    std::string& name = names[static_cast<std::size_t>(seats[i])];
    if (left == 0)
      name = "BTN";
    else if (i < first)
      name = i + 1 == first ? "BB" : "SB";
    else if (i == first)
      name = "UTG";
    else if (left <= 3)
      name = left == 1 ? "CO" : left == 2 ? "HJ" : "LJ";
    else
      name = fmt::format("UTG+{}", i - first);
  }
  return names;
}

}  // namespace dealer::terminal
