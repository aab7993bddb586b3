#include <fmt/format.h>

#include <utility>

#include "env/core/error.h"
#include "frontends/c/handles.h"

namespace dealer::capi {
namespace {

constexpr int kMaxThreads = 1024;

VectorEnv& tables(dc_vector_env* envs) { return *get(envs, "envs").envs; }
const VectorEnv& tables(const dc_vector_env* envs) { return *get(envs, "envs").envs; }

template <class T>
std::span<T> span_of(T* data, std::size_t count, std::string_view name) {
  if (count > 0) need(data, name);
  return {data, count};
}

// VectorEnv checks the sizes.
Batch batch_of(const dc_batch* from) {
  const dc_batch& batch = get(from, "batch");
  return {.observations = span_of(batch.observations, batch.observations_count, "batch->observations"),
          .legal = span_of(batch.legal, batch.legal_count, "batch->legal"),
          .rewards = span_of(batch.rewards, batch.rewards_count, "batch->rewards"),
          .current_players = span_of(batch.current_players, batch.current_players_count, "batch->current_players"),
          .terminated = span_of(batch.terminated, batch.terminated_count, "batch->terminated"),
          .truncated = span_of(batch.truncated, batch.truncated_count, "batch->truncated"),
          .all_observations = span_of(batch.all_observations, batch.all_observations_count, "batch->all_observations"),
          .final_observations =
              span_of(batch.final_observations, batch.final_observations_count, "batch->final_observations"),
          .returns = span_of(batch.returns, batch.returns_count, "batch->returns"),
          .statistics = span_of(batch.statistics, batch.statistics_count, "batch->statistics")};
}

}  // namespace
}  // namespace dealer::capi

using namespace dealer;
using namespace dealer::capi;

dc_status dc_vector_env_open(const dc_game* game, int32_t num_envs, int32_t threads, int64_t max_steps,
                             dc_vector_env** envs) {
  return guard([&] {
    need(game, "game");
    need(envs, "envs");
    if (threads < 1 || threads > kMaxThreads)
      throw UsageError(fmt::format("{} threads; expected 1 to {}", threads, kMaxThreads));
    *envs = new dc_vector_env{
        game->game->new_vector_env({.num_envs = num_envs, .threads = threads, .max_steps = max_steps})};
  });
}

void dc_vector_env_free(dc_vector_env* envs) { delete envs; }

dc_status dc_vector_env_reset(dc_vector_env* envs, uint64_t seed, const dc_batch* batch) {
  return guard([&] { tables(envs).reset(seed, batch_of(batch)); });
}

dc_status dc_vector_env_step(dc_vector_env* envs, const int32_t* actions, size_t count, const dc_batch* batch) {
  return guard([&] {
    VectorEnv& all = tables(envs);
    all.step(span_of(actions, count, "actions"), batch_of(batch));
  });
}

dc_status dc_vector_env_hands_finished(const dc_vector_env* envs, int64_t* hands) {
  return guard([&] {
    const VectorEnv& all = tables(envs);
    get(hands, "hands") = all.hands_finished();
  });
}

dc_status dc_vector_env_save(const dc_vector_env* envs, void** bytes, size_t* size) {
  return guard([&] { give_bytes(tables(envs).save(), bytes, size); });
}

dc_status dc_vector_env_load(dc_vector_env* envs, const void* bytes, size_t size, const dc_batch* batch) {
  return guard([&] {
    VectorEnv& all = tables(envs);
    need(bytes, "bytes");
    all.load({static_cast<const char*>(bytes), size}, batch_of(batch));
  });
}
