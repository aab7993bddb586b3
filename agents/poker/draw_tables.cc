#include "agents/poker/draw_tables.h"

#include <fmt/format.h>

#include "agents/poker/facts.h"

namespace dealer::poker {

std::shared_ptr<const Lazy<DrawTables>> shared_draw_tables(const GameRules& rules) {
  return shared_tables<DrawTables>(fmt::format("{}\n{}", cards_key(rules), rules.draws));
}

}  // namespace dealer::poker
