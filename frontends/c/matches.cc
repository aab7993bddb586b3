#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "arena/match.h"
#include "env/core/error.h"
#include "frontends/c/handles.h"

using namespace dealer;
using namespace dealer::capi;

dc_status dc_match_options_init(dc_match_options* options) {
  return guard([&] {
    const MatchOptions defaults;
    dc_match_options& to = get(options, "options");
    to = {};
    to.deals = defaults.deals;
    to.duplicate = defaults.duplicate ? 1 : 0;
    to.threads = defaults.threads;
  });
}

dc_status dc_play_match(const dc_game* game, const dc_agents* const* agents, size_t count,
                        const dc_match_options* options, char** json) {
  return guard([&] {
    need(game, "game");
    need(agents, "agents");
    need(json, "json");
    MatchOptions match;
    match.game = game->game;
    need_count("agents", count, static_cast<std::size_t>(game->game->players()));
    for (std::size_t i = 0; i < count; ++i) {
      const dc_agents& kind = get(agents[i], fmt::format("agents[{}]", i));
      need_same_game(fmt::format("agents[{}]", i), *kind.game, *game->game);
      match.agents.push_back(kind.agents);
    }
    if (options != nullptr) {
      match.deals = options->deals;
      match.first_deal = options->first_deal;
      match.seed = options->seed;
      match.move_time = options->move_time;
      match.duplicate = options->duplicate != 0;
      match.threads = options->threads;
      match.num_envs = options->num_envs;
      match.strict = options->strict != 0;
      void* const context = options->context;
      if (options->progress != nullptr)
        match.progress = [call = options->progress, context](std::int64_t done) { call(context, done); };
      if (options->stop != nullptr) match.stop = [call = options->stop, context] { return call(context) != 0; };
    }
    *json = new_text(to_json(play_match(match)).dump());
  });
}
