/* Steps 1024 tables of Open-Face Chinese together; every player places each card where it first may. */
#include <dealers_choice.h>
#include <stdio.h>
#include <stdlib.h>

enum { kTables = 1024, kSteps = 1000 };

static void check(dc_status status) {
  if (status == DC_OK) return;
  fprintf(stderr, "%s: %s\n", dc_status_name(status), dc_last_error());
  exit(1);
}

static void* allocate(size_t count, size_t size) {
  void* memory = calloc(count, size);
  if (memory == NULL) exit(1);
  return memory;
}

int main(void) {
  static int32_t actions[kTables];
  dc_game* game;
  dc_game_info info;
  dc_vector_env* tables;
  dc_batch batch = {0};
  int64_t hands;
  int step, table;

  check(dc_game_open("ofc", &game));
  check(dc_game_get_info(game, &info));
  check(dc_vector_env_open(game, kTables, 1, 0, &tables));

  batch.observations_count = (size_t)kTables * (size_t)info.observation_size;
  batch.observations = allocate(batch.observations_count, sizeof *batch.observations);
  batch.rewards_count = (size_t)kTables * (size_t)info.players;
  batch.rewards = allocate(batch.rewards_count, sizeof *batch.rewards);
  batch.legal_count = batch.current_players_count = batch.terminated_count = kTables;
  batch.legal = allocate(kTables, sizeof *batch.legal);
  batch.current_players = allocate(kTables, sizeof *batch.current_players);
  batch.terminated = allocate(kTables, sizeof *batch.terminated);

  check(dc_vector_env_reset(tables, 7, &batch));
  for (step = 0; step < kSteps; ++step) {
    for (table = 0; table < kTables; ++table) {
      actions[table] = 0;
      while ((batch.legal[table] >> actions[table] & 1) == 0) ++actions[table];
    }
    check(dc_vector_env_step(tables, actions, kTables, &batch));
  }
  check(dc_vector_env_hands_finished(tables, &hands));
  printf("%d decisions, %lld hands\n", kTables * kSteps, (long long)hands);

  free(batch.observations);
  free(batch.rewards);
  free(batch.legal);
  free(batch.current_players);
  free(batch.terminated);
  dc_vector_env_free(tables);
  dc_game_free(game);
  return 0;
}
