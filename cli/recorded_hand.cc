#include "cli/recorded_hand.h"

#include <utility>

#include "cli/seats.h"
#include "frontends/phh/nearest_table.h"
#include "frontends/phh/standard_text.h"

namespace dealer::cli {

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
