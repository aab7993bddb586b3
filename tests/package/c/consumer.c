/* Lists the games, plays a hand of the one that is named, values a hand of cards and sets a Fantasyland hand. First of
 * all it goes to another folder: where the library was found may be said relative to this one. */
#define _POSIX_C_SOURCE 200809L
#include <dealers_choice.h>
#include <stdio.h>
#include <unistd.h>

static int failed(dc_status status) {
  if (status != DC_OK) fprintf(stderr, "%s: %s\n", dc_status_name(status), dc_last_error());
  return status != DC_OK;
}

static int list_games(void) {
  char** names;
  size_t count, i;
  if (failed(dc_game_names(&names, &count))) return 1;
  for (i = 0; i < count; ++i) printf("game %s\n", names[i]);
  dc_free(names);
  return 0;
}

static int play(dc_env* env) {
  dc_position at;
  double returns[2];
  char* text;
  if (failed(dc_env_reset(env, 1))) return 1;
  for (;;) {
    dc_decision decision = {0, 0};
    if (failed(dc_env_get_position(env, &at))) return 1;
    if (at.current_player == DC_NOBODY) break;
    while ((at.legal_mask >> decision.action & 1) == 0) ++decision.action;
    if (failed(dc_env_step(env, decision, NULL))) return 1;
  }
  if (failed(dc_env_get_returns(env, returns, 2)) || failed(dc_env_to_text(env, 0, &text))) return 1;
  printf("%sreturns add up to %g\n", text, returns[0] + returns[1]);
  dc_free(text);
  return 0;
}

static int evaluate(void) {
  dc_evaluator* evaluator;
  uint8_t cards[5];
  size_t count;
  dc_hand hand;
  int bad;
  if (failed(dc_evaluator_open("standard_52", "high", &evaluator))) return 1;
  bad = failed(dc_evaluator_parse_cards(evaluator, "Ks Kh 8d 8c As", cards, 5, &count)) ||
        failed(dc_evaluate(evaluator, cards, count, &hand));
  if (!bad) printf("hand: %s\n", hand.category);
  dc_evaluator_free(evaluator);
  return bad;
}

int main(int argc, char** argv) {
  dc_game* game;
  dc_env* env;
  char* setting;
  int bad;
  if (argc != 2 || chdir("/") != 0) return 2;
  printf("version %s\n", dc_version());
  if (list_games() || failed(dc_game_open(argv[1], &game))) return 1;
  if (failed(dc_env_open(game, 0, 40, &env))) return 1;
  bad = play(env) || evaluate();
  if (!bad && !(bad = failed(dc_fantasyland_json(game, "9s 9h 9d 9c 6h 6c As Ks Kh Qs Qh Ts 7d 5s", 9.5, &setting)))) {
    printf("%s\n", setting);
    dc_free(setting);
  }
  dc_env_free(env);
  dc_game_free(game);
  return bad;
}
