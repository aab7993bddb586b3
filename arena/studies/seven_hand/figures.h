#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "arena/studies/estimate.h"
#include "arena/studies/seven_hand/hand.h"

namespace dealer::studies::seven_hand {

// Chips 3, 4 and 5, of which each is one of three rows of three adjacent chips; the ends are 1, 2, 6 and 7.
constexpr bool is_middle(int chip) { return chip >= 2 && chip <= 4; }
inline constexpr int kMiddle = 3, kEnds = 4;
// Rows of three adjacent chips.
inline constexpr int kRows = 5;
// The winner's chips less the loser's: from -1, with three adjacent chips against four, to 6.
inline constexpr int kLeastMargin = -1, kMargins = 8;

// Turns of a player: early up to the third, late from the fifth on.
inline constexpr int kEarly = 3, kLate = 5;

// Groups by how many cards they have: few 1 or 2, many 4 or 5.
constexpr bool is_few(int count) { return count <= 2; }
constexpr bool is_many(int count) { return count >= 4; }

// What a chip may be like for who names it, for cards that wait. Not exclusive.
enum ChipState : int {
  kInMiddle,
  kAtEnds,
  kEmpty,         // nobody has laid there
  kOpposed,       // the namer's cards lie there, so that there is a showdown at once
  kAgainstFewer,  // and they are fewer than those that wait
  kAgainstEqual,
  kAgainstMore,
  kOpenBeside,   // the chips beside it belong to nobody yet
  kMoverBeside,  // one of them is the mover's
  kNamerBeside,  // one is the namer's
  kMoverThreat,  // the mover would have three adjacent chips
  kNamerThreat,  // the namer would
  kChipStates
};
std::string_view name_of(ChipState state);
std::string_view title_of(ChipState state);
bool is_in(ChipState state, const Laying& laying, int chip);

// Quarters of strength among the groups of as many cards that are laid in the study: 0 the weakest.
inline constexpr int kQuarters = 4;

// Groups that are not what their number suggests, and those that are.
enum GroupClass : int { kManyWeak, kFewWeak, kFewStrong, kManyStrong, kGroupClasses };
std::string_view name_of(GroupClass group);
std::string_view title_of(GroupClass group);
// kGroupClasses: none of them.
GroupClass class_of(int count, int quarter);

struct ChipFigures {
  Estimate used;             // share of players that laid there in a hand
  Estimate cards;            // that lie there
  Estimate turn;             // in which they were laid, 1 to 7
  Estimate showdowns;        // a hand
  Estimate taken_by_second;  // share of showdowns: by who laid there second
  Estimate taken_by_starter;
  Estimate tied;
  Estimate win_rate;  // of the hand, of who takes the chip
};

struct TurnFigures {
  Estimate cards;
  std::array<Estimate, kMostLaid> numbers;  // share of turns in which so many are laid
  std::array<Estimate, kChips> chips;       // share of turns whose cards go to each chip
  std::array<Estimate, kChips> cards_at;    // how many, of those that go there
};

// How often cards are sent to a chip where they could be.
struct Sending {
  Estimate rate;    // share of the times it could be named
  Estimate chance;  // how often it is named, where naming at random would name it once
};

struct StateFigures {
  Sending all, few, many;
};

struct GroupFigures {
  Estimate share;      // of all groups laid
  Estimate showdowns;  // share that was shown
  Estimate strength;   // share of all groups of the study that it beats, ties counting half
  Estimate takes;      // share of its showdowns that it wins, ties counting half
  Estimate beyond;     // takes less strength, of those shown
  Estimate points;     // of the hand, for who laid it
};

struct EndFigures {
  Estimate three_adjacent, majority, drawn;  // shares of hands
  Estimate three_with_fewer;                 // won with three adjacent, but fewer chips than the other
  std::array<Estimate, kRows> rows;          // of the hands that end so: chips 1-3, 2-4 ... 5-7
  Estimate turns;                            // of both, a hand
  Estimate showdowns;                        // a hand
  std::array<Estimate, kMargins> margins;    // of hands that somebody wins: chips of the winner less the loser's
};

// What choices are worth: points of the hand more than the mean of all choices there are in the same turn.
struct AdviceFigures {
  std::int64_t tries = 0;                                           // turns that were tried; 0: no figures
  std::array<std::array<Estimate, kMostLaid>, kTurns> numbers;      // to the mover: laying so many cards, by turn
  std::array<std::array<Estimate, kChips>, kMostLaid> chips;        // to the namer: naming a chip for so many cards
  std::array<std::array<Estimate, kMostLaid>, kChipStates> states;  // … one that is so
  // Differences, the first less the second.
  Estimate many_few_early, many_few_late, middle_ends_many, middle_ends_few, opposed_empty;
};

// Points of the hand for the agent where it has laid so, against its responder, and how many more than against itself.
struct Fare {
  Estimate points, less;
};
// How often the responder does so, and how much more often than the agent against itself.
struct Habit {
  Estimate rate, less;
};
// The agent against an opponent that knows its policy and answers it as well as a search can.
struct ResponseFigures {
  std::string responder;  // its spec; empty: no figures
  std::int64_t hands = 0;
  Estimate points, win_rate;                               // of the agent
  std::array<std::array<Fare, kChips>, kMostLaid> sent;    // by number of cards and chip
  std::array<std::array<Fare, kMostLaid>, kTurns> turns;   // by turn and number of cards
  std::array<Fare, kGroupClasses> classes;                 // by the quarters of the agent's own games
  std::array<std::array<Habit, kChips>, kMostLaid> named;  // of the times it could name the chip
  std::array<std::array<Habit, kMostLaid>, kTurns> laid;   // of its turns
  Estimate cards;                                          // that it lays a turn more than the agent against itself
  // How often it names a chip of the middle, against naming at random, less how often the agent does.
  Estimate middle_many, middle_few;
};

struct Figures {
  std::array<ChipFigures, kChips> chips;
  std::array<TurnFigures, kTurns> turns;
  std::array<std::array<Sending, kChips>, kMostLaid> sent;  // by number of cards, 1 first
  std::array<StateFigures, kChipStates> states;
  std::array<Estimate, kMiddle + 1> win_by_middle;  // of players that took so many of the middle chips
  std::array<Estimate, kEnds + 1> win_by_ends;
  std::array<std::array<Estimate, kEnds + 1>, kMiddle + 1> win_by_both;
  std::array<std::array<GroupFigures, kQuarters>, kMostLaid> groups;
  std::array<GroupFigures, kGroupClasses> classes;
  EndFigures ends;
  // Of the starter; the same cards are played with either player as the starter.
  Estimate first_points, first_wins, first_win_rate;
  // Differences, the first less the second.
  Estimate cards_middle_ends, turn_middle_ends, cards_late_early, middle_many_few, sent_opposed_empty, win_middle_ends,
      points_many_few_weak, points_few_many_strong;
  AdviceFigures advice;
  ResponseFigures responses;
};

nlohmann::ordered_json to_json(const Figures& figures);

}  // namespace dealer::studies::seven_hand
