/* Plays a hand of no-limit hold'em: seat 0 is "rule", seat 1 an agent of our own, which calls every bet. */
#include <dealers_choice.h>
#include <stdio.h>
#include <stdlib.h>

static void check(dc_status status) {
  if (status == DC_OK) return;
  fprintf(stderr, "%s: %s\n", dc_status_name(status), dc_last_error());
  exit(status == DC_USAGE || status == DC_CONFIG ? 2 : 1);
}

/* Our agent sees what any agent sees: numbers, and which actions are legal. Fold is 0; check or call is 1. */
static int call_anything(void* agent, const dc_observation* seen, dc_decision* decision) {
  (void)agent;
  decision->action = (seen->legal_mask >> 1 & 1) != 0 ? 1 : 0;
  return 0;
}

int main(void) {
  dc_game* game;
  dc_game_info info;
  dc_env* table;
  dc_agents* kinds[2];
  dc_agent* agents[2];
  dc_agent_functions own = {0};
  dc_position at;
  dc_match_options match;
  double returns[2];
  float* numbers;
  char* text;
  int seat;

  check(dc_game_open("holdem[limit=no_limit]", &game));
  check(dc_game_get_info(game, &info));
  check(dc_env_open(game, 0, 0, &table));
  check(dc_env_reset(table, 7));
  numbers = malloc((size_t)info.observation_size * sizeof *numbers);
  if (numbers == NULL) return 1;

  own.act = call_anything;
  check(dc_agents_open(game, "rule", &kinds[0]));
  check(dc_agents_from_functions(game, "caller", &own, &kinds[1]));
  for (seat = 0; seat < 2; ++seat) {
    check(dc_agent_open(kinds[seat], &agents[seat]));
    check(dc_agent_reset(agents[seat], seat, 1));
  }

  for (check(dc_env_get_position(table, &at)); !at.terminated; check(dc_env_get_position(table, &at))) {
    dc_observation seen;
    dc_decision decision;
    seat = at.current_player;
    check(dc_env_observe(table, seat, numbers, (size_t)info.observation_size, &seen));
    check(dc_agent_act(agents[seat], &seen, &decision));
    check(dc_env_decision_text(table, decision, &text));
    printf("seat %d: %s\n", seat, text);
    dc_free(text);
    check(dc_env_step(table, decision, NULL));
  }
  check(dc_env_get_returns(table, returns, 2));
  printf("seat 0 wins %+g %s\n", returns[0], info.unit);

  /* The same two in a match: the result is what `dealer match --json` prints. */
  check(dc_match_options_init(&match));
  match.deals = 100;
  check(dc_play_match(game, (const dc_agents* const*)kinds, 2, &match, &text));
  printf("%s\n", text);
  dc_free(text);

  for (seat = 0; seat < 2; ++seat) {
    dc_agent_free(agents[seat]);
    dc_agents_free(kinds[seat]);
  }
  free(numbers);
  dc_env_free(table);
  dc_game_free(game);
  return 0;
}
