#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "agents/abstraction/bucket_mccfr.h"
#include "agents/poker/holdem_equity.h"
#include "env/core/random.h"
#include "env/games/poker/game.h"
#include "env/games/poker/rules.h"
#include "env/games/poker/state.h"

namespace dealer::abstraction {

using betting::Chips;

// The public betting state of two-player hold'em at a decision. Players go by
// position: 0 acts first after the flop.
struct Spot {
  int street = 0;
  int position = 0;
  int bets = 0;    // bets and raises on this street
  int before = 0;  // how the street before ended: 0 without a bet, 1 with one of position 0, 2 with one of position 1
  Chips pot = 0;   // chips paid so far, by both
  Chips to_call = 0;
  Chips behind = 0;       // the amount that the player with less can still bet after a call
  LegalMask options = 0;  // of the game's actions; never a fold with nothing to call
};
// The spot at a betting decision. Precondition: the player to act chooses a bet.
Spot spot_of(const poker::View& view, LegalMask legal);

// The betting tree of two-player hold'em. Betting histories that leave the same chips, the same bets on the street and
// the same bettor on the street before are merged. Moreover, after the flop spots are merged if the stack behind, as a
// multiple of the pot, and the amount to call, as a fraction of it, are about equal: within a factor of `step`.
class HoldemTree {
 public:
  // Throws UsageError if there are too many betting histories. The rules must outlive it.
  HoldemTree(const poker::GameRules& rules, double step);

  // Spots that are treated alike.
  struct Group {
    Spot first;                     // one of them
    std::int64_t base = 0;          // see PublicNode
    std::array<double, 2> sizes{};  // log2 of the amount to call and of the stack behind, in pots
  };
  const PublicTree& tree() const { return tree_; }
  // Gives every group its numbers: [buckets of the street, options].
  void lay_out(std::span<const int> buckets);
  // The group of a spot; the nearest one if the spot is in none, after bets of other sizes than those in the tree.
  const Group& find(const Spot& spot) const;
  const std::vector<Group>& groups() const { return groups_; }

 private:
  using Key = std::array<std::int64_t, 8>;
  struct History;
  Key key(const Spot& spot) const;
  int size(std::int64_t part, std::int64_t whole) const;
  static std::array<double, 2> log_sizes(const Spot& spot);
  std::int32_t add(const poker::State& state, const History& history);

  const poker::GameRules& rules_;
  std::vector<double> sizes_;  // ascending limits between sizes that are treated as one
  PublicTree tree_;
  std::vector<Group> groups_;
  std::vector<std::int32_t> group_;  // by node; -1: the hand is over
  std::map<Key, std::int32_t> known_;
  std::unordered_map<std::string, std::int32_t> node_of_;  // key to node, while the tree is built
};

// Returns the game; throws UsageError if HoldemCards does not support it.
std::shared_ptr<const poker::Game> holdem_game(std::shared_ptr<const poker::Game> game);

// The card abstraction of two-player hold'em. Before the flop each of the pairs of cards distinct up to suits has its
// own bucket. Later buckets divide hands by equity against a uniform hand, and before the river each of these by the
// probability of beating four such hands, which separates draws from made hands (HoldemEquity).
class HoldemCards {
 public:
  // Throws UsageError unless the game is two-player hold'em with one ranking, fresh stacks and no transparent cards.
  HoldemCards(std::shared_ptr<const poker::Game> game, int buckets, double step);

  static constexpr int kStreets = 4;
  static constexpr std::size_t kDealt = 64;
  // A board and the possible hands of either player, by their strength at the showdown. They may share cards.
  struct Deal {
    struct Hand {
      std::array<CardId, poker::kHoleCards> cards{};
      std::array<std::int32_t, kStreets> bucket{};
      HandValue value = 0;
    };
    std::array<Hand, kDealt> hand;
  };
  using PerHand = std::array<float, kDealt>;
  void deal(Deal& deal, RandomStream& rng) const;
  int buckets(int street) const { return buckets_[at(street)]; }

  // The bucket of two cards and a board of none or of three to five cards.
  int find(std::span<const CardId> own, std::span<const CardId> board) const;

  const HoldemTree& betting() const { return tree_; }
  const PublicTree& tree() const { return tree_.tree(); }
  const poker::Game& game() const { return *game_; }

 private:
  // The buckets of a street: limits between equities, and in each part limits between probabilities of beating four.
  struct Limits {
    std::vector<float> share;
    std::vector<std::vector<float>> four;
    std::vector<int> first;  // the first bucket of every part
  };
  static std::pair<CardId, CardId> pair_of(const poker::HoldemEquities::Position& position);
  void number_pairs();
  void find_limits(int street, int buckets);
  std::vector<CardId> new_deck() const;

  std::shared_ptr<const poker::Game> game_;
  const poker::GameRules& rules_;
  HoldemTree tree_;
  poker::HoldemEquities equities_;
  std::map<std::pair<CardId, CardId>, int> pairs_;
  std::array<Limits, kStreets> limits_;
  std::array<int, kStreets> buckets_{};
};

}  // namespace dealer::abstraction
