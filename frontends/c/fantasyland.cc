#include "agents/ofc/fantasyland.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "env/core/error.h"
#include "env/games/ofc/game.h"
#include "frontends/c/handles.h"

namespace dealer::capi {
namespace {

ofc::Setting solve(const dc_game* handle, std::span<const Card> cards, double stay_value) {
  const Game& game = *get(handle, "game").game;
  const ofc::Game* const typed = ofc::as_ofc(game);
  if (typed == nullptr) throw UsageError(fmt::format("'{}' is not Open-Face Chinese", game.spec()));
  if (!std::isfinite(stay_value)) throw UsageError("stay_value is not a finite number");
  if (cards.size() < ofc::kMinFantasylandCards || cards.size() > ofc::kMaxFantasylandCards)
    throw UsageError(fmt::format("{} cards given; a Fantasyland hand has {} to {}", cards.size(),
                                 ofc::kMinFantasylandCards, ofc::kMaxFantasylandCards));
  CardSet set = 0;
  for (const Card card : cards) {
    need_index("card", card, kCards);
    if ((set & bit(card)) != 0) throw UsageError(fmt::format("card {} is given twice", to_string(card)));
    set |= bit(card);
  }
  ofc::FantasylandGoal goal;
  goal.stay_value = stay_value;
  goal.rules = &typed->rules().scoring;
  return ofc::solve_fantasyland(set, goal);
}

// High to low.
void write_cards(CardSet set, uint8_t* out) {
  out += size(set);
  for_each(set, [&](Card card) { *--out = card; });
}

}  // namespace
}  // namespace dealer::capi

using namespace dealer;
using namespace dealer::capi;

dc_status dc_fantasyland(const dc_game* game, const uint8_t* cards, size_t count, double stay_value,
                         dc_setting* setting) {
  return guard([&] {
    need(cards, "cards");
    need(setting, "setting");
    const ofc::Setting best = solve(game, {cards, count}, stay_value);
    *setting = {};
    write_cards(best.board.row[ofc::kFront], setting->front);
    write_cards(best.board.row[ofc::kMiddle], setting->middle);
    write_cards(best.board.row[ofc::kBack], setting->back);
    write_cards(best.discards, setting->discards);
    setting->num_discards = size(best.discards);
    setting->royalties = best.royalties;
    setting->stays = best.stays ? 1 : 0;
    setting->value = best.value;
  });
}

dc_status dc_fantasyland_json(const dc_game* game, const char* cards, double stay_value, char** json) {
  return guard([&] {
    need(cards, "cards");
    need(json, "json");
    *json = new_text(to_json(solve(game, parse_cards(cards), stay_value)).dump());
  });
}
