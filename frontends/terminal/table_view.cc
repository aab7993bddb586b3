#include "frontends/terminal/table_view.h"

#include "env/games/ofc/game.h"
#include "env/games/poker/game.h"
#include "env/games/seven_hand/game.h"
#include "env/games/small/game.h"
#include "frontends/terminal/betting_rules.h"
#include "frontends/terminal/betting_view.h"
#include "frontends/terminal/generic_view.h"
#include "frontends/terminal/ofc_view.h"
#include "frontends/terminal/seven_hand_view.h"

namespace dealer::terminal {

std::unique_ptr<TableView> make_table_view(const Game& game, const Seats& seats, const Style& style) {
  if (const ofc::Game* ofc = ofc::as_ofc(game)) return std::make_unique<OfcView>(ofc->rules(), seats, style);
  if (const poker::Game* bets = poker::as_poker(game))
    return std::make_unique<BettingView>(rules_text(bets->rules()), typing_text(bets->rules()), seats, style);
  if (const small::Game* small = small::as_small(game))
    return std::make_unique<BettingView>(rules_text(small->rules()), typing_text(small->rules()), seats, style);
  if (const seven_hand::Game* seven = seven_hand::as_seven_hand(game))
    return std::make_unique<SevenHandView>(seven->rules(), seats, style);
  return std::make_unique<GenericView>(seats, style);
}

}  // namespace dealer::terminal
