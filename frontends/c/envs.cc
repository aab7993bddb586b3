#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "env/core/error.h"
#include "frontends/c/handles.h"

namespace dealer::capi {
namespace {

constexpr std::uint32_t kFlags = DC_HOLD_HANDS | DC_KEEP_EVENTS;

Env& table(dc_env* env) { return *get(env, "env").env; }
const Env& table(const dc_env* env) { return *get(env, "env").env; }

void write_step(const Step& from, dc_step* to) {
  if (to == nullptr) return;
  std::fill(std::begin(to->rewards), std::end(to->rewards), 0.0);
  std::copy(from.rewards.begin(), from.rewards.end(), std::begin(to->rewards));
  to->hands_finished = from.hands_finished;
  to->terminated = from.terminated ? 1 : 0;
  to->truncated = from.truncated ? 1 : 0;
}

}  // namespace
}  // namespace dealer::capi

using namespace dealer;
using namespace dealer::capi;

dc_status dc_env_open(const dc_game* game, uint32_t flags, int64_t max_steps, dc_env** env) {
  return guard([&] {
    need(game, "game");
    need(env, "env");
    if ((flags & ~kFlags) != 0)
      throw UsageError(fmt::format("flags of {}; expected DC_HOLD_HANDS, DC_KEEP_EVENTS, their sum or 0", flags));
    const EnvOptions options = {.hold_hands = (flags & DC_HOLD_HANDS) != 0,
                                .keep_events = (flags & DC_KEEP_EVENTS) != 0,
                                .max_steps = max_steps};
    *env = new dc_env{game->game->new_env(options), {}, {}};
  });
}

dc_status dc_env_clone(const dc_env* env, dc_env** clone) {
  return guard([&] {
    need(clone, "clone");
    *clone = new dc_env{table(env).clone(), {}, {}};
  });
}

void dc_env_free(dc_env* env) { delete env; }

dc_status dc_env_reset(dc_env* env, uint64_t seed) {
  return guard([&] { table(env).reset(seed); });
}

dc_status dc_env_step(dc_env* env, dc_decision decision, dc_step* step) {
  return guard([&] {
    table(env).step(from_c(decision), env->step);
    write_step(env->step, step);
  });
}

dc_status dc_env_next_hand(dc_env* env, dc_step* step) {
  return guard([&] { write_step(table(env).next_hand(), step); });
}

dc_status dc_env_get_position(const dc_env* env, dc_position* position) {
  return guard([&] {
    const Env& from = table(env);
    need(position, "position");
    position->legal_mask = from.legal_mask();
    position->amounts = to_c(from.amount_range());
    position->current_player = from.current_player();
    position->hands_finished = from.hands_finished();
    position->hand_over = from.hand_over() ? 1 : 0;
    position->terminated = from.terminated() ? 1 : 0;
    position->truncated = from.truncated() ? 1 : 0;
  });
}

dc_status dc_env_observe(const dc_env* env, int32_t seat, float* data, size_t size, dc_observation* observation) {
  return guard([&] {
    const Env& from = table(env);
    need(data, "data");
    need_count("data", size, static_cast<std::size_t>(from.game().observation_spec().size()));
    Observation& seen = env->seen;
    from.observe(seat, seen);
    std::copy(seen.data.begin(), seen.data.end(), data);
    if (observation != nullptr) *observation = {data, size, seen.legal_mask, to_c(seen.amounts), seat};
  });
}

dc_status dc_env_get_returns(const dc_env* env, double* returns, size_t count) {
  return guard([&] {
    const std::vector<double> all = table(env).returns();
    need(returns, "returns");
    need_count("returns", count, all.size());
    std::copy(all.begin(), all.end(), returns);
  });
}

dc_status dc_env_get_statistics(const dc_env* env, int32_t seat, double* figures, size_t count) {
  return guard([&] {
    const Statistics all = table(env).statistics(seat);
    need(figures, "figures");
    need_count("figures", count, table(env).game().statistic_names().size() * 2);
    for (const Statistic& figure : all) {
      *figures++ = figure.numerator;
      *figures++ = figure.denominator;
    }
  });
}

dc_status dc_env_choices(const dc_env* env, char** json) {
  return guard([&] {
    const Env& from = table(env);
    need(json, "json");
    const Seat seat = from.current_player();
    *json = new_text(seat == kTerminal ? "[]" : from.to_json(seat)["legal"].dump());
  });
}

dc_status dc_env_to_text(const dc_env* env, int32_t seat, char** text) {
  return guard([&] {
    const Env& from = table(env);
    need(text, "text");
    *text = new_text(from.to_string(seat));
  });
}

dc_status dc_env_to_json(const dc_env* env, int32_t seat, char** json) {
  return guard([&] {
    const Env& from = table(env);
    need(json, "json");
    *json = new_text(from.to_json(seat).dump());
  });
}

dc_status dc_env_information_state(const dc_env* env, int32_t seat, char** text, uint64_t* hash) {
  return guard([&] {
    if (text == nullptr && hash == nullptr) throw UsageError("text and hash are both NULL");
    const InformationState state = table(env).information_state(seat);
    if (text != nullptr) *text = new_text(state.text);
    if (hash != nullptr) *hash = state.hash;
  });
}

dc_status dc_env_decision_text(const dc_env* env, dc_decision decision, char** text) {
  return guard([&] {
    const Env& from = table(env);
    need(text, "text");
    const Decision wanted = from_c(decision);
    if (const std::string why = illegal_reason(wanted, from.legal_mask(), from.amount_range(), from.game());
        !why.empty())
      throw IllegalAction(why);
    *text = new_text(from.decision_to_string(wanted));
  });
}

dc_status dc_env_parse_decision(const dc_env* env, const char* text, dc_decision* decision) {
  return guard([&] {
    const Env& from = table(env);
    need(text, "text");
    get(decision, "decision") = to_c(from.parse_decision(text));
  });
}

dc_status dc_env_serialize(const dc_env* env, void** bytes, size_t* size) {
  return guard([&] { give_bytes(table(env).serialize(), bytes, size); });
}

dc_status dc_env_deserialize(dc_env* env, const void* bytes, size_t size) {
  return guard([&] {
    Env& to = table(env);
    need(bytes, "bytes");
    to.deserialize({static_cast<const char*>(bytes), size});
  });
}

dc_status dc_env_sample(dc_env* env, const dc_observation* observation, uint64_t seed) {
  return guard([&] {
    Env& to = table(env);
    read_observation(to.game(), get(observation, "observation"), env->seen);
    to.sample_state(env->seen, seed);
  });
}

dc_status dc_env_events(const dc_env* env, int32_t viewer, const dc_cursor* since, char** json, dc_cursor* now) {
  return guard([&] {
    const Env& from = table(env);
    need(json, "json");
    const EventCursor cursor = since == nullptr ? EventCursor{} : EventCursor{since->episode, since->hand, since->next};
    auto list = nlohmann::json::array();
    for (const Event& event : from.events(viewer, cursor)) list.push_back(to_json(event, from.game()));
    const EventCursor present = from.cursor();
    *json = new_text(list.dump());
    if (now != nullptr) *now = {present.episode, present.hand, present.next};
  });
}
