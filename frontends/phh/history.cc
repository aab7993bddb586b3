#include "frontends/phh/history.h"

#include <cmath>

#include "env/games/poker/game.h"
#include "frontends/phh/poker_history.h"

namespace dealer::phh {
namespace {

HandHistory moves_history(const Game& game, const HandPlayed& hand, const std::vector<std::string>& players) {
  HandHistory history = stakes_of_moves(game);
  for (const double points : hand.points) history.finishing_stacks.push_back(kMovesStack + std::llround(points));
  for (const auto& [seat, words] : hand.moves) {
    HandAction move;
    move.kind = HandAction::Kind::kMove;
    move.player = seat;
    move.move = words;
    history.actions.push_back(std::move(move));
  }
  if (!players.empty()) history.set_texts("players", players);
  history.set_text("_game", game.spec());
  history.set_text("_seed", std::to_string(hand.seed));
  history.set_number("_hand", hand.hand);
  return history;
}

}  // namespace

HandHistory stakes_of_moves(const Game& game) {
  HandHistory history;
  history.variant = std::string(kOwnVariant) + game.name();
  history.antes.assign(static_cast<std::size_t>(game.players()), 0);
  history.starting_stacks.assign(static_cast<std::size_t>(game.players()), kMovesStack);
  return history;
}

HandHistory history_of(const Game& game, const HandPlayed& hand, const std::vector<std::string>& players) {
  if (const poker::Game* bets = poker::as_poker(game))
    return poker_history(bets->rules(), game.spec(), hand.events, players);
  return moves_history(game, hand, players);
}

std::string section_of(const Game& game, const HandPlayed& hand, const std::vector<std::string>& players,
                       std::string heading) {
  HandHistory history = history_of(game, hand, players);
  history.heading = std::move(heading);
  return to_string(history) + '\n';
}

}  // namespace dealer::phh
