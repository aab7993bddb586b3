#include "cli/policy_spot.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "arena/preflop_chart.h"
#include "env/core/at.h"
#include "env/core/error.h"
#include "frontends/terminal/betting/input.h"
#include "frontends/terminal/betting/positions.h"
#include "frontends/terminal/betting/view.h"

namespace dealer::cli {
namespace {

std::string position_of(const Env& table, Seat seat) {
  const std::vector<std::string> names = terminal::positions(terminal::table_of(table, seat), table.game());
  return names.empty() ? fmt::format("seat {}", seat) : names[at(seat)];
}

}  // namespace

std::string Spot::where() const {
  return before.empty() ? fmt::format("{} first to act", seat) : fmt::format("{} after {}", seat, before);
}

Spot spot_after(const Game& game, const std::string& after) {
  Spot spot{game.new_env({.hold_hands = true, .keep_events = true}), {}, {}, {}};
  Env& table = *spot.table;
  table.reset(0);
  const auto is_over = [&] {
    return table.hand_over() || table.to_json(table.current_player())["table"]["street"] != 0;
  };
  for (std::size_t from = 0; from < after.size();) {
    const std::size_t end = std::min(after.find(',', from), after.size());
    const std::string words = after.substr(from, end - from);
    from = end + 1;
    try {
      const Decision decision = terminal::parse_betting(table, words);
      spot.before += fmt::format("{}{} {}", spot.before.empty() ? "" : ", ", position_of(table, table.current_player()),
                                 table.decision_to_string(decision));
      table.step(decision);
      spot.decisions.push_back(decision);
      if (is_over())
        throw UsageError(has_preflop_chart(game) ? "the betting before the flop is over"
                                                 : "the first round of betting is over");
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("--after: '{}': {}", words, error.what()));
    }
  }
  spot.seat = position_of(table, table.current_player());
  return spot;
}

}  // namespace dealer::cli
