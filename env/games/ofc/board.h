#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "env/cards/card.h"
#include "env/hands/hand_rank.h"

// Boards of Pineapple Open-Face Chinese poker and how they score: docs/rules/ofc.md.
namespace dealer::ofc {

enum Row : std::uint8_t { kFront = 0, kMiddle = 1, kBack = 2 };
inline constexpr int kRows = 3;
inline constexpr std::array<int, kRows> kRowSize = {3, 5, 5};
inline constexpr int kBoardCards = 13;
inline constexpr std::array<std::string_view, kRows> kRowNames = {"front", "middle", "back"};

// The cards placed so far, at most kRowSize in each row, all distinct.
struct Board {
  std::array<CardSet, kRows> row{};

  CardSet cards() const { return row[kFront] | row[kMiddle] | row[kBack]; }
  // Cards still to be placed in the row.
  int room(Row r) const { return kRowSize[r] - size(row[r]); }
  bool complete() const { return room(kFront) == 0 && room(kMiddle) == 0 && room(kBack) == 0; }
  bool operator==(const Board&) const = default;
};

// Points paid for a row of a board without foul, whichever side wins the row.
struct Royalties {
  // By HandCategory.
  std::array<int, 10> middle = {0, 0, 0, 2, 4, 8, 12, 20, 30, 50};
  std::array<int, 10> back = {0, 0, 0, 0, 2, 4, 6, 10, 15, 25};
  // By rank 0..12 of the pair or the trips.
  std::array<int, kRanks> front_pair = {0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::array<int, kRanks> front_trips = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22};
  bool operator==(const Royalties&) const = default;
};

// The way into a Fantasyland hand: a pair below kings, kings, aces or trips in front of a normal hand, or another
// Fantasyland hand.
enum FantasylandAfter : std::uint8_t { kAfterPair, kAfterKings, kAfterAces, kAfterTrips, kAfterStay };
inline constexpr int kFantasylandAfters = 5;

struct Bonus {
  int row_point = 1;
  // Paid on top of the row points to the side that wins all three rows.
  int scoop = 3;
  // The lowest pair in front that enters Fantasyland; any trips in front enter too.
  int entry_pair_rank = 10;
  // Fantasyland continues with at least these trips in front or at least this category in the back.
  int stay_trips_rank = 0;
  HandCategory stay_back = HandCategory::kQuads;
  // Cards of a Fantasyland hand, 13 to 17, by FantasylandAfter.
  std::array<std::uint8_t, kFantasylandAfters> fantasyland_cards = {14, 14, 14, 14, 14};

  // Progressive Fantasyland: some Fantasyland hands have more cards than others.
  bool progressive() const;
  bool operator==(const Bonus&) const = default;
};

struct Rules {
  Royalties royalties;
  Bonus bonus;
  bool operator==(const Rules&) const = default;
};
inline constexpr Rules kStandardRules{};

struct BoardValue {
  std::array<HandRank, kRows> rank{};
  // All 0 on a foul.
  std::array<std::int16_t, kRows> royalties{};
  // Not front < middle <= back.
  bool foul = false;
  // Cards of the Fantasyland hand that a normal hand with this board enters; 0: none, as on a foul.
  std::uint8_t fantasyland = 0;
  // Cards of the Fantasyland hand that follows a Fantasyland hand with this board; 0: none, as on a foul.
  std::uint8_t stays = 0;

  int total() const { return royalties[kFront] + royalties[kMiddle] + royalties[kBack]; }
};

// Royalties of one complete row, as paid on a board without foul.
int row_royalty(Row row, HandRank rank, const Royalties& royalties = kStandardRules.royalties);
// Cards of the Fantasyland hand that a normal hand with this front enters; 0: none.
int entry_cards(HandRank front, const Bonus& bonus = kStandardRules.bonus);
bool stays_in_fantasyland(HandRank front, HandRank back, const Bonus& bonus = kStandardRules.bonus);

// Ranks of the rows of a complete board.
BoardValue evaluate(const std::array<HandRank, kRows>& rank, const Rules& rules = kStandardRules);
// The board must be complete (not checked).
BoardValue evaluate(const Board& board, const Rules& rules = kStandardRules);

// One side's settlement with one other; the other side's is its negative.
struct PairScore {
  // Row points without the scoop bonus.
  std::array<int, kRows> rows{};
  // +bonus.scoop for winning all three rows, its negative for losing them.
  int scoop = 0;
  // The side's own royalties minus the other's.
  int royalties = 0;

  int total() const { return rows[kFront] + rows[kMiddle] + rows[kBack] + scoop + royalties; }
};

// From a's side. A foul loses all three rows to a board without foul; two fouls exchange nothing.
PairScore pair_score(const BoardValue& a, const BoardValue& b, const Bonus& bonus = kStandardRules.bonus);
// Row points with the scoop bonus, without royalties.
int rows_score(const BoardValue& a, const BoardValue& b, const Bonus& bonus = kStandardRules.bonus);
// pair_score(a, b).total()
int score(const BoardValue& a, const BoardValue& b, const Bonus& bonus = kStandardRules.bonus);

// A complete board, front / middle / back: "Kd Qd 6h / 5h 5c 3h 3c 6s / Js Jh Jd 7s 7d".
// Throws ParseError on a wrong number of rows or cards, a card given twice, text that is not a card.
Board parse_board(std::string_view text);
using dealer::to_string;
// Inverse of the above, each row's cards from high to low; also of incomplete boards.
std::string to_string(const Board& board);

}  // namespace dealer::ofc
