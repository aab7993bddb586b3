#include <utility>

#include "env/core/registry.h"
#include "frontends/c/handles.h"

namespace dealer::capi {
namespace {

dc_game_info info_of(const dc_game& handle) {
  const Game& game = *handle.game;
  const auto [fewest, most] = game.player_range();
  dc_game_info info;
  info.name = game.name().c_str();
  info.spec = game.spec().c_str();
  info.family = game.id().family.c_str();
  info.rules = game.id().rules.c_str();
  info.unit = handle.unit.c_str();
  info.big_blind = game.big_blind();
  info.players = game.players();
  info.min_players = fewest;
  info.max_players = most;
  info.num_actions = game.num_actions();
  info.num_cards = game.num_cards();
  info.observation_size = game.observation_spec().size();
  info.num_observation_parts = static_cast<int32_t>(game.observation_spec().parts().size());
  info.num_statistics = static_cast<int32_t>(game.statistic_names().size());
  info.zero_sum = game.zero_sum() ? 1 : 0;
  return info;
}

}  // namespace
}  // namespace dealer::capi

using namespace dealer;
using namespace dealer::capi;

dc_status dc_game_names(char*** names, size_t* count) {
  return guard([&] { give_list(game_names(), names, count); });
}

dc_status dc_game_open(const char* spec, dc_game** game) {
  return guard([&] {
    need(spec, "spec");
    need(game, "game");
    GamePtr made = make_game(spec);
    std::string unit = made->unit();
    *game = new dc_game{std::move(made), std::move(unit)};
  });
}

void dc_game_free(dc_game* game) { delete game; }

dc_status dc_game_get_info(const dc_game* game, dc_game_info* info) {
  return guard([&] { get(info, "info") = info_of(get(game, "game")); });
}

dc_status dc_game_get_observation_part(const dc_game* game, int32_t index, dc_observation_part* part) {
  return guard([&] {
    const std::vector<ObservationPart>& parts = get(game, "game").game->observation_spec().parts();
    need(part, "part");
    need_index("part", index, static_cast<std::int64_t>(parts.size()));
    const ObservationPart& from = parts[static_cast<std::size_t>(index)];
    *part = {from.name.c_str(), from.meaning.c_str(), from.shape.data(), static_cast<int32_t>(from.shape.size()),
             from.offset,       from.size(),          from.low,          from.high};
  });
}

dc_status dc_game_get_statistic_name(const dc_game* game, int32_t index, const char** name) {
  return guard([&] {
    const std::vector<std::string>& names = get(game, "game").game->statistic_names();
    need(name, "name");
    need_index("statistic", index, static_cast<std::int64_t>(names.size()));
    *name = names[static_cast<std::size_t>(index)].c_str();
  });
}

dc_status dc_game_card_text(const dc_game* game, uint8_t card, char** text) {
  return guard([&] {
    need_index("card", card, get(game, "game").game->num_cards());
    need(text, "text");
    *text = new_text(game->game->card_to_string(card));
  });
}
