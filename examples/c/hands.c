/* Values hands of five cards, and sets a Fantasyland hand. */
#include <dealers_choice.h>
#include <stdio.h>
#include <stdlib.h>

static void check(dc_status status) {
  if (status == DC_OK) return;
  fprintf(stderr, "%s: %s\n", dc_status_name(status), dc_last_error());
  exit(1);
}

int main(void) {
  static const char* const hands[] = {"Ks Kh 8d 8c As", "2s 3s 4s 5s 7s"};
  dc_evaluator* evaluator;
  dc_game* ofc;
  char* text;
  size_t i;

  check(dc_evaluator_open("standard_52", NULL, &evaluator));
  for (i = 0; i < sizeof hands / sizeof *hands; ++i) {
    uint8_t cards[5];
    size_t count;
    dc_hand hand;
    check(dc_evaluator_parse_cards(evaluator, hands[i], cards, 5, &count));
    check(dc_evaluate(evaluator, cards, count, &hand));
    check(dc_evaluator_hand_name(evaluator, cards, count, &text));
    printf("%s: %s, value %u\n", hands[i], text, (unsigned)hand.value);
    dc_free(text);
  }
  dc_evaluator_free(evaluator);

  check(dc_game_open("ofc", &ofc));
  check(dc_fantasyland_json(ofc, "9s 9h 9d 9c 6h 6c As Ks Kh Qs Qh Ts 7d 5s", 9.5, &text));
  printf("%s\n", text);
  dc_free(text);
  dc_game_free(ofc);
  return 0;
}
