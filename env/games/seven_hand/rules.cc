#include "env/games/seven_hand/rules.h"

namespace dealer::seven_hand {

GameRules read_rules(Config& config) {
  GameRules rules;
  rules.players = config.get_int<int>("players", rules.players, 2, 2);
  rules.hands = config.get_int<int>("hands", rules.hands, 1, 1'000'000);
  rules.margin = config.get_bool("margin", rules.margin);
  rules.ties =
      static_cast<Ties>(config.get_choice("ties", "nobody", {"nobody", "second_mover", "first_mover", "both"}));
  return rules;
}

}  // namespace dealer::seven_hand
