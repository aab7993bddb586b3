#include "env/games/poker/view_script.h"

#include <algorithm>

#include "env/core/at.h"

namespace dealer::poker {
namespace {

void add_seen(const GameRules& rules, const View::Player& seen, Script::Player& player) {
  for (const SeenCard& card : seen.cards)
    if (std::find(seen.up.begin(), seen.up.end(), card.card) == seen.up.end())
      player.down[at(card.when)].push_back(card.card);
  for (std::size_t i = 0; i < std::min<std::size_t>(seen.up.size(), Script::kTimes); ++i)
    player.up[i].push_back(seen.up[i]);
  for (std::size_t draw = 0; draw < at(rules.draws); ++draw) {
    player.discarded[draw].count = seen.drawn[draw];
    for (const SeenCard& card : seen.discarded[draw]) {
      player.down[at(card.when)].push_back(card.card);
      player.discarded[draw].cards.push_back(card.card);
    }
  }
}

}  // namespace

Script script_of(const GameRules& rules, const View& view) {
  Script script;
  script.dealer = view.dealer;
  script.hand_number = view.hand_number;
  std::copy(view.taken_out.begin(), view.taken_out.end(), script.taken_out.begin());
  for (std::size_t i = 0; i < view.board.size(); ++i)
    script
        .board[rules.procedure == Procedure::kStud ? at(rules.streets - 1)
               : i < 3                             ? 1
                                                   : std::min<std::size_t>(i - 1, 4)]
        .push_back(view.board[i]);
  for (const PastAction& action : view.actions)
    script.player[at(action.seat)].bets[at(action.round)].push_back({action.action, action.total});
  for (Seat seat = 0; seat < rules.players; ++seat) {
    const View::Player& seen = view.player[at(seat)];
    if (seen.out) continue;
    script.in = static_cast<SeatSet>(script.in | betting::bit(seat));
    script.chips[at(seat)] = seen.stack + seen.paid;
    add_seen(rules, seen, script.player[at(seat)]);
  }
  return script;
}

void add_hidden(const HiddenCards& hidden, Script& script) {
  for (const HiddenPlace& place : std::span(hidden.place).first(at(hidden.places))) {
    Script::Player& player = script.player[at(place.seat)];
    player.down[at(place.when)].push_back(place.card);
    if (place.discarded >= 0) player.discarded[at(place.discarded)].cards.push_back(place.card);
  }
}

}  // namespace dealer::poker
