#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "arena/studies/estimate.h"
#include "arena/studies/poker/draw_hand.h"

namespace dealer::studies::washizu {

// A hand has 0 to 5 visible (transparent) cards.
inline constexpr int kCounts = poker::kDrawHand + 1;
// Few visible cards and many, for comparisons.
constexpr bool is_few(int visible) { return visible <= 1; }
constexpr bool is_many(int visible) { return visible >= 3; }

// Final hands by strength among all final hands of the game in the study: the weakest third, the middle, the strongest.
enum Third : int { kWeak, kMiddle, kStrong, kThirds };
std::string_view name_of(Third third);

// What players do: while nobody has raised, and after another has.
struct Acting {
  Estimate fold, call, raise;
};

// Players with so many visible cards.
struct CountFigures {
  Estimate share;     // of hands dealt to players
  Estimate points;    // a hand, chips
  Estimate wins;      // of the pot
  Estimate folds;     // share of hands folded
  Estimate shown;     // share that comes to the showdown
  Estimate strength;  // share of final hands that it beats, ties counting half
};

struct BettingFigures {
  Acting first;                        // while nobody has raised
  std::array<Acting, kThirds> thirds;  // the same by strength
  Estimate bluffs;                     // of first raises: those with weak hands
  Acting answers;                      // to a raise
};

struct GameFigures {
  std::string game, agent, mixing;
  bool checks = false;                          // where nobody has bet one may check
  std::array<CountFigures, kCounts> dealt;      // by own visible cards before the draw
  std::array<CountFigures, kCounts> held;       // and after it
  std::array<CountFigures, kCounts> other;      // by the most visible cards of an opponent after the draw
  Estimate visible_dealt, visible_held;         // visible cards of a hand, before the draw and after it
  Estimate thrown_visible, thrown_hidden;       // share of cards that are thrown, of those that are visible and are not
  std::array<BettingFigures, kCounts> own;      // by own visible cards after the draw
  std::array<BettingFigures, kCounts> against;  // by those of an opponent: of who raised, else the most
  BettingFigures all;
  // Chips a hand for every visible card more: dealt; held after the draw; held by hands of like strength; held by the
  // opponent.
  Estimate worth_dealt, worth_held, worth_like, worth_other;
  // Differences, the first less the second.
  Estimate bluffs_many_few;  // raises with weak hands: many own visible cards, few
  Estimate value_many_few;   // with strong hands
  Estimate folds_many_few;   // folds to a raise by who has many visible cards, and few
  Estimate thrown_visible_hidden;
};

struct Figures {
  std::vector<GameFigures> games;
};

nlohmann::ordered_json to_json(const Figures& figures);

}  // namespace dealer::studies::washizu
