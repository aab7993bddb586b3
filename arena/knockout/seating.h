#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "env/core/decision.h"

namespace dealer::knockout {

// The seating of a tournament, from its beginning until one player is left. Players are numbered from 0 by their
// initial place. The number of tables is the minimum, and their sizes are nearly equal:
//
//   - Of n players there are ceil(n / most) tables, and none has two players more than another. So tables of three are
//     tables of two or three; only at tables of two somebody can be left alone, and waits there without playing.
//   - When fewer tables will do, the one with the highest number is broken: its players go one by one, from
//     the one who would deal next on, to the smallest table (of equals the first).
//   - Then, while a table has two players more than another, one of the largest (of equals the first), drawn at random,
//     goes to the smallest.
//   - A player who comes to a table gets a random place between two players there.
//   - The button of a table moves by the game's rules. When the player who would have it next leaves for another table,
//     it goes to the next to the left.
//
// Random choices come from the tournament's seed and the number of the hand.
struct SeatedTable {
  int number = 0;            // of the table, from 0; never changes
  std::vector<int> players;  // clockwise
  int dealer = -1;           // the player who deals next; -1: to be drawn
};

struct Move {
  int player = 0;
  int from = 0, to = 0;  // numbers of tables
  friend bool operator==(const Move&, const Move&) = default;
};

class Seating {
 public:
  // Player p begins at table p modulo the number of tables. Precondition: 2 <= most, 2 <= players.
  Seating(int players, int most, std::uint64_t seed);

  const std::vector<SeatedTable>& tables() const { return tables_; }
  SeatedTable& table(int number);
  int players() const;

  // Eliminates a player. If it was to deal next, the next player to the left does.
  void remove(int player);
  // Breaks and balances tables before a hand.
  std::vector<Move> rearrange(int hand);

 private:
  std::size_t smallest() const;
  std::size_t largest() const;

  int most_;
  std::uint64_t seed_;
  std::vector<SeatedTable> tables_;
};

// The possible table sizes while a tournament shrinks from `players` players to two: sorted, from 2 on.
std::vector<int> table_sizes(int players, int most);

// The end of a player: eliminated in a hand, with its chips at the beginning of that hand; or still in at the end.
struct Ending {
  static constexpr int kStayed = -1;
  int hand = kStayed;
  Amount chips = 0;  // at the beginning of that hand; for remaining players, at the end
};

// Shared places first .. last, from 1, of players with equal results.
struct Finish {
  int first = 1, last = 1;

  double place() const { return (first + last) / 2.0; }
  // The share of one place.
  double share(int place) const { return place < first || place > last ? 0 : 1.0 / (last - first + 1); }
  friend auto operator<=>(const Finish&, const Finish&) = default;  // NOLINT(modernize-use-nullptr)
};

// Places by player. Remaining players come before eliminated ones; among the remaining, more chips are better; among
// the eliminated, a later hand, then, at any table, more chips at its beginning. Ties share their places.
std::vector<Finish> finish(std::span<const Ending> endings);

}  // namespace dealer::knockout
