#include <nlohmann/json.hpp>

#include "env/core/error.h"
#include "frontends/c/handles.h"

using namespace dealer;
using namespace dealer::capi;

dc_status dc_game_feature_names(const dc_game* game, char*** names, size_t* count) {
  return guard([&] { give_list(get(game, "game").inputs().names(), names, count); });
}

dc_status dc_features(const dc_game* game, const float* observations, size_t num_observations, float* features,
                      size_t count) {
  return guard([&] {
    const InputFeatures& inputs = get(game, "game").inputs();
    const auto size = static_cast<std::size_t>(game->game->observation_spec().size());
    need_count("features", count, num_observations * inputs.names().size());
    if (num_observations == 0) return;
    need(observations, "observations");
    if (count > 0) need(features, "features");
    inputs.encode({observations, num_observations * size}, {features, count});
  });
}

dc_status dc_afterstates(const dc_game* game, const dc_observation* observation, char** json) {
  return guard([&] {
    const InputFeatures& inputs = get(game, "game").inputs();
    need(json, "json");
    Observation seen;
    read_observation(*game->game, get(observation, "observation"), seen);
    auto choices = nlohmann::json::array();
    for (const EncodedAfterstate& each : inputs.afterstates(seen))
      choices.push_back({{"actions", each.actions}, {"text", each.text}, {"rows", each.rows}});
    *json = new_text(nlohmann::json{{"size", inputs.afterstate_size()}, {"choices", choices}}.dump());
  });
}
