#include "cli/seats.h"

#include <fmt/format.h>

#include "cli/program.h"
#include "env/core/numbers.h"

namespace dealer::cli {

terminal::Seats seats_of(const phh::HandHistory& hand, const Game& game) {
  terminal::Seats seats;
  seats.me = -1;
  const phh::TomlValue* everybody = hand.other("_players");
  for (std::size_t seat = 0; seat < static_cast<std::size_t>(game.players()); ++seat) {
    const bool named = everybody != nullptr && seat < everybody->items.size();
    seats.names.push_back(named ? one_line(everybody->items[seat].text) : fmt::format("seat {}", seat));
    // The person's name in `dealer play`.
    if (seats.names.back() == "you") seats.me = static_cast<Seat>(seat);
  }
  const phh::TomlValue *names = hand.other("players"), *places = hand.other("seats");
  for (std::size_t player = 0; player < static_cast<std::size_t>(hand.players()); ++player) {
    std::size_t seat = player + 1;
    if (places != nullptr && player < places->items.size()) {
      seat = number_in<std::size_t>(places->items[player].text).value_or(seat);
    }
    if (seat == 0 || seat > seats.names.size()) continue;
    const bool named = names != nullptr && player < names->items.size();
    seats.names[seat - 1] = named ? one_line(names->items[player].text) : fmt::format("p{}", player + 1);
    if (seats.names[seat - 1] == "you") seats.me = static_cast<Seat>(seat - 1);
  }
  return seats;
}

}  // namespace dealer::cli
