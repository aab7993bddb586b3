#pragma once

#include <compare>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "arena/knockout/knockout.h"
#include "env/core/game.h"

namespace dealer::knockout {
// The games at the tables of one tournament: one for every number of players and every level. Hands replace the clock:
// the level rises after every `raise_every` of them
//
//   - OFC's points count double, threefold and so on, by the game's own multiplier: one game for all hands;
//   - in betting games bets, blinds and antes double: each level is the same game with all of these, and the stack that
//     the game is named with, twice as high as before. Washizu betting goes by single chips: of that the ante doubles,
//     as long as it is no more than the stack at the beginning. Others stop doubling when what is forced is half of
//     all chips.
class Levels {
 public:
  // stack: of each player, by default the game's own. Throws UsageError for games without tournaments and for
  // unsupported table sizes, ConfigError if the game rejects the stack.
  Levels(const GamePtr& game, int players, int table_size, std::optional<Amount> stack, int raise_every);

  Amount stack() const { return stack_; }
  int count() const { return count_; }
  const std::vector<int>& sizes() const { return sizes_; }
  int level_of(int hand) const;
  // The multiplier of points, or bets, in a hand.
  int multiplier(int hand) const;
  // Precondition: one of sizes() and a level below count().
  const GamePtr& game(int size, int level) const { return games_.at({size, level}); }
  // The game as named, for `size` players: that of the agents trained for it.
  const GamePtr& named(int size) const { return named_.at(size); }

 private:
  void make_ofc(const GamePtr& game, int players, std::optional<Amount> stack);
  void make_poker(const GamePtr& game, int players, std::optional<Amount> stack);

  int raise_every_;
  bool doubles_ = false;  // otherwise by the game's own multiplier
  std::vector<int> sizes_;
  Amount stack_ = 0;
  int count_ = 1;
  std::map<std::pair<int, int>, GamePtr> games_;
  std::map<int, GamePtr> named_;
};

// The default maximum of players at a table: three in OFC, six or the game's maximum in betting games. Throws
// UsageError for games without tournaments.
int usual_table_size(const Game& game);

// An agent at a table of a given size and level: each pairing has a separate game.
struct PairingKey {
  int agent = 0, size = 0, level = 0;
  friend auto operator<=>(const PairingKey&, const PairingKey&) = default;  // NOLINT(modernize-use-nullptr)
};

// The data shared by all threads of a tournament.
struct Setup {
  // Validates the options, and that every agent supports every possible table. Throws as play().
  explicit Setup(const Options& given);

  int agents() const { return static_cast<int>(options.agents.size()); }
  int seatings() const { return options.duplicate ? agents() : 1; }
  int entries() const { return options.players / agents(); }  // per agent

  Options options;  // with defaults filled in
  Levels levels;
  std::map<PairingKey, AgentFactoryPtr> makers;
  int side_by_side = 1;  // number of seatings that a thread plays at once
  int most_threads = 1 << 20;
};

}  // namespace dealer::knockout
