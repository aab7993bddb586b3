#include "tests/frontends/c/c99_calls.h"

#include <stdlib.h>

static int32_t nth_action(uint64_t mask, int32_t n) {
  int32_t count = 0, action;
  for (action = 0; action < 64; ++action) count += (int32_t)((mask >> action) & 1);
  n %= count;
  for (action = 0; action < 64; ++action)
    if (((mask >> action) & 1) != 0 && n-- == 0) return action;
  return DC_NO_ACTION;
}

static dc_status play(dc_env* env, int32_t* steps) {
  dc_position at;
  dc_status status = dc_env_get_position(env, &at);
  for (*steps = 0; status == DC_OK && at.current_player != DC_NOBODY; ++*steps) {
    const dc_decision decision = {nth_action(at.legal_mask, *steps), 0};
    status = dc_env_step(env, decision, NULL);
    if (status == DC_OK) status = dc_env_get_position(env, &at);
  }
  return status;
}

dc_status c99_play(const char* spec, uint64_t seed, double* returns, size_t players, int32_t* steps) {
  dc_game* game = NULL;
  dc_env* env = NULL;
  dc_status status = dc_game_open(spec, &game);
  if (status == DC_OK) status = dc_env_open(game, 0, 1000, &env);
  if (status == DC_OK) status = dc_env_reset(env, seed);
  if (status == DC_OK) status = play(env, steps);
  if (status == DC_OK) status = dc_env_get_returns(env, returns, players);
  dc_env_free(env);
  dc_game_free(game);
  return status;
}

dc_status c99_value(const char* deck, const char* cards, uint32_t* value) {
  dc_evaluator* evaluator = NULL;
  uint8_t hand[7];
  size_t count = 0;
  dc_hand result;
  dc_status status = dc_evaluator_open(deck, NULL, &evaluator);
  if (status == DC_OK) status = dc_evaluator_parse_cards(evaluator, cards, hand, 7, &count);
  if (status == DC_OK) status = dc_evaluate(evaluator, hand, count, &result);
  if (status == DC_OK) *value = result.value;
  dc_evaluator_free(evaluator);
  return status;
}

static int lowest(void* agent, const dc_observation* observation, dc_decision* decision) {
  ++*(int64_t*)agent;
  decision->action = nth_action(observation->legal_mask, 0);
  return 0;
}

dc_status c99_match(const char* spec, int64_t deals, int64_t* asked, char** json) {
  dc_game* game = NULL;
  dc_agents* agents[2] = {NULL, NULL};
  dc_agent_functions functions = {0};
  dc_match_options options;
  dc_status status = dc_game_open(spec, &game);
  *asked = 0;
  functions.act = lowest;
  functions.context = asked;
  if (status == DC_OK) status = dc_agents_from_functions(game, "lowest", &functions, &agents[0]);
  if (status == DC_OK) status = dc_agents_open(game, "random", &agents[1]);
  if (status == DC_OK) status = dc_match_options_init(&options);
  options.deals = deals;
  if (status == DC_OK) status = dc_play_match(game, (const dc_agents* const*)agents, 2, &options, json);
  dc_agents_free(agents[0]);
  dc_agents_free(agents[1]);
  dc_game_free(game);
  return status;
}
