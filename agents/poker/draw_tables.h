#pragma once

#include <memory>

#include "agents/poker/draw_fields.h"
#include "agents/poker/draw_means.h"
#include "agents/poker/hand_categories.h"
#include "agents/poker/shared_tables.h"

namespace dealer::poker {

// What is worked out once for the cards and the draws of a draw game.
struct DrawTables {
  explicit DrawTables(const GameRules& rules)
      : means(rules, std::make_shared<const DrawBook>(rules)), fields(rules, means), categories(*rules.high) {}
  DrawMeans means;
  DrawFields fields;
  HandCategories categories;
};

// Shared by all games of the same cards, and made when somebody first asks. Precondition: DrawMeans has tables for such
// rules.
std::shared_ptr<const Lazy<DrawTables>> shared_draw_tables(const GameRules& rules);

}  // namespace dealer::poker
