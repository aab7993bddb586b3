#include "arena/knockout/log.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace dealer::knockout {
namespace {

std::string player_name(int player, const std::vector<int>& agent_of_player, const std::vector<std::string>& agents) {
  return fmt::format("{} {}", player,
                     agents[static_cast<std::size_t>(agent_of_player[static_cast<std::size_t>(player)])]);
}

}  // namespace

std::string heading(std::int64_t tournament, int seating, const std::vector<int>& agent_of_player,
                    const std::vector<std::string>& agents) {
  std::vector<std::string> names;
  for (std::size_t p = 0; p < agent_of_player.size(); ++p)
    names.push_back(player_name(static_cast<int>(p), agent_of_player, agents));
  return fmt::format("tournament {}, seating {}: {}\n", tournament, seating, fmt::join(names, ", "));
}

std::string line_of(const Move& move, int hand) {
  return fmt::format("hand {}: {} goes from table {} to table {}\n", hand, move.player, move.from, move.to);
}

std::string line_of(const TableHand& hand, const std::vector<std::string>& agents) {
  std::vector<std::string> players;
  for (std::size_t seat = 0; seat < hand.players.size(); ++seat)
    players.push_back(fmt::format("{} {} {:+} = {}{}", player_name(hand.players[seat], hand.agent_of_player, agents),
                                  hand.before[seat], hand.after[seat] - hand.before[seat], hand.after[seat],
                                  hand.fantasyland[seat] != 0 ? " (Fantasyland)" : ""));
  return fmt::format("hand {}, table {}, x{}, dealer {}: {}\n", hand.hand, hand.table, hand.multiplier, hand.dealer,
                     fmt::join(players, ", "));
}

std::string ending_of(const std::vector<Finish>& places, const std::vector<int>& agent_of_player,
                      const std::vector<std::string>& agents) {
  std::vector<int> order(places.size());
  std::iota(order.begin(), order.end(), 0);
  const auto finish = [&](int player) -> const Finish& { return places[static_cast<std::size_t>(player)]; };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return finish(a).first < finish(b).first; });
  std::vector<std::string> names;
  for (const int player : order)
    names.push_back(
        fmt::format("{}{}: {}", finish(player).first,
                    finish(player).last > finish(player).first ? fmt::format("-{}", finish(player).last) : "",
                    player_name(player, agent_of_player, agents)));
  return fmt::format("places {}\n", fmt::join(names, ", "));
}

}  // namespace dealer::knockout
