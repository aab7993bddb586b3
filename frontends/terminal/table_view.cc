#include "frontends/terminal/table_view.h"

#include "env/games/ofc/game.h"
#include "frontends/terminal/generic_view.h"
#include "frontends/terminal/ofc_view.h"

namespace dealer::terminal {

std::unique_ptr<TableView> make_table_view(const Game& game, const Seats& seats, const Style& style) {
  if (const ofc::Game* ofc = ofc::as_ofc(game)) return std::make_unique<OfcView>(ofc->rules(), seats, style);
  return std::make_unique<GenericView>(seats, style);
}

}  // namespace dealer::terminal
