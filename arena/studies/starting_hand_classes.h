#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "env/games/poker/rules.h"

namespace dealer::studies {

// The classes that a game's starting hands fall into.
struct StartingHandClasses {
  struct Class {
    std::string code, name;  // "pair_a", "aces"
  };
  std::vector<Class> all;                                  // weak to strong, or as the game sorts them
  std::function<std::size_t(std::span<const CardId>)> of;  // index into `all`; cards as State::cards() has them
  // What is kept in a draw: "the pair and an ace". Empty where the number of cards says it all.
  std::function<std::string(std::span<const CardId>)> kept;
};

// With 52 cards: draw poker (high, ace_to_five, deuce_to_seven) by what is drawn to, stud and razz by the three cards
// that are dealt. Draw poker with other decks or rankings: by the categories of the ranking.
// Precondition: has_starting_hands().
StartingHandClasses starting_hand_classes(const dealer::poker::GameRules& rules);

// Whether hands of this game are told apart: draw poker, or stud with 52 cards, high or low.
bool has_starting_hand_classes(const dealer::poker::GameRules& rules);

}  // namespace dealer::studies
