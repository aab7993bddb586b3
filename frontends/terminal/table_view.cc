#include "frontends/terminal/table_view.h"

#include "frontends/terminal/event_text.h"
#include "frontends/terminal/generic_view.h"

namespace dealer::terminal {
namespace {

GameTable table_of(const Game& game) {
  const auto known = game_tables().find(game.id().family);
  return known == game_tables().end() ? GameTable() : known->second;
}

}  // namespace

const GameTables& game_tables() {
  static const GameTables kTables = [] {
    GameTables tables;
    register_tables(tables);
    return tables;
  }();
  return kTables;
}

std::unique_ptr<TableView> make_table_view(const Game& game, const Seats& seats, const Style& style) {
  const GameTable table = table_of(game);
  return table.view != nullptr ? table.view(game, seats, style) : std::make_unique<GenericView>(seats, style);
}

std::string cards_text(const Env& env, Seat seat, const Style& style) {
  const GameTable table = table_of(env.game());
  return table.cards != nullptr ? table.cards(env, seat, style) : std::string();
}

std::string hand_replay_text(const Game& game, std::span<const Event> events, const Seats& seats, const Style& style) {
  std::vector<Event> hand(events.begin(), events.end());
  // Histories do not record the index of the hand in its match.
  for (Event& event : hand)
    if (event.kind == Event::Kind::kHandBegun) event.hand = -1;
  if (const GameTable table = table_of(game); table.replay != nullptr) return table.replay(game, hand, seats, style);
  std::string text;
  for (const Event& event : hand) text += event_line(event, game, seats, style);
  return text;
}

}  // namespace dealer::terminal
