#include "cli/recorded_hand.h"

#include <fmt/format.h>

#include <utility>

#include "cli/program.h"
#include "env/core/numbers.h"
#include "frontends/phh/nearest_table.h"
#include "frontends/phh/standard_text.h"

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

std::optional<analysis::RecordedHand> recorded_hand(std::int64_t number, const phh::HandHistory& hand,
                                                    const phh::Replayer& replayer) {
  analysis::RecordedHand recorded;
  recorded.name = hand.heading.empty() ? std::to_string(number) : hand.heading;
  recorded.number = number;
  GamePtr game = replayer.game();
  phh::HandDecisions decisions;
  if (replayer.standard() != nullptr) {
    phh::NearestTable near = phh::nearest_table(*replayer.standard());
    if (near.game == nullptr) return std::nullopt;
    game = near.game;
    decisions = std::move(near.decisions);
    recorded.brought_near = std::move(near.brought_near);
    recorded.players.assign(static_cast<std::size_t>(game->players()), "");
    const std::vector<std::string> names = phh::names_of(hand);
    for (std::size_t player = 0; player < names.size(); ++player)
      if (near.seats[player] >= 0) recorded.players[static_cast<std::size_t>(near.seats[player])] = names[player];
  } else {
    recorded.players = seats_of(hand, *game).names;
    decisions = replayer.decisions(hand);
  }
  if (decisions.table == nullptr) {
    recorded.table = game->new_env();
    recorded.whole = false;
    return recorded;
  }
  recorded.table = std::move(decisions.table);
  recorded.decisions = std::move(decisions.decisions);
  recorded.lines = std::move(decisions.lines);
  recorded.unknown = std::move(decisions.unknown);
  return recorded;
}

}  // namespace dealer::cli
