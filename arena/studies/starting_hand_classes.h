#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "env/games/poker/rules.h"

namespace dealer::studies {

// The classes of a game's starting hands.
struct StartingHandClasses {
  struct Class {
    std::string code, name;  // "pair_a", "aces"
  };
  std::vector<Class> all;                                  // weak to strong, or in the game's order
  std::function<std::size_t(std::span<const CardId>)> of;  // index into `all`; cards in the form of State::cards()
  // The cards kept in a draw: "the pair and an ace". Empty if the number of cards is enough.
  std::function<std::string(std::span<const CardId>)> kept;
};

// With 52 cards: draw poker (high, ace_to_five, deuce_to_seven) by what is drawn to, stud and razz by the
// three dealt cards. Draw poker with other decks or rankings: by the categories of the ranking.
// Precondition: has_starting_hands().
StartingHandClasses starting_hand_classes(const dealer::poker::GameRules& rules);

// True if the game has classes of starting hands: draw poker, or stud with 52 cards, high or low.
bool has_starting_hand_classes(const dealer::poker::GameRules& rules);

}  // namespace dealer::studies
