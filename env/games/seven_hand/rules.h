#pragma once

#include <cstdint>

#include "env/core/config.h"

namespace dealer::seven_hand {

// The owner of a chip at which both sides lie with equal hands. kBoth: it counts for either side.
enum class Ties : std::uint8_t { kNobody, kSecondMover, kFirstMover, kBoth };

// One rule set of 7-Hand Poker. Immutable once a game is built from it.
struct GameRules {
  int players = 2;
  int hands = 1;        // hands per episode; the deal alternates
  bool margin = false;  // the winner gets the difference in chips, at least 1, instead of 1
  Ties ties = Ties::kNobody;

  // Largest value of a hand and of an episode. A side can hold five chips without three adjacent, never six.
  int most_of_hand() const { return margin ? 6 : 1; }
  int most_points() const { return hands * most_of_hand(); }
};

// Reads the keys of configs/games/seven_hand.yaml and checks them. Throws ConfigError.
GameRules read_rules(Config& config);

}  // namespace dealer::seven_hand
