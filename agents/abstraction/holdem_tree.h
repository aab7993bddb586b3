#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "agents/abstraction/public_tree.h"
#include "env/games/poker/rules.h"
#include "env/games/poker/state.h"

namespace dealer::abstraction {

using betting::Chips;

// What a player of hold'em for two knows of the betting when it is its turn. Players go by position: 0 acts first after
// the flop.
struct Spot {
  int street = 0;
  int position = 0;
  int bets = 0;    // bets and raises on this street
  int before = 0;  // how the street before ended: 0 without a bet, 1 with one of position 0, 2 with one of position 1
  Chips pot = 0;   // all that has been paid, by both
  Chips to_call = 0;
  Chips behind = 0;       // what the player with less can still bet after a call
  LegalMask options = 0;  // of the game's actions; never a fold with nothing to call
};
// Precondition: a betting decision.
Spot spot_of(const poker::View& view, LegalMask legal);

// The courses of betting in hold'em for two. Courses that leave the same chips, the same bets on the street and the
// same bettor on the street before are one. Beyond that, after the flop, spots play alike where what is behind, as a
// multiple of the pot, and what is to be called, as a part of it, are about the same: within a factor of `step`.
class HoldemTree {
 public:
  // Throws UsageError when there are too many courses. The rules must outlive it.
  HoldemTree(const poker::GameRules& rules, double step);

  // Spots that play alike.
  struct Group {
    Spot first;             // one of them
    std::int64_t base = 0;  // see PublicNode
  };
  const PublicTree& tree() const { return tree_; }
  // Gives every group its numbers: [buckets of the street, options].
  void lay_out(std::span<const int> buckets);
  // The group of a spot; where bets of other sizes than those on offer led to one that is in none, the nearest.
  const Group& find(const Spot& spot) const;
  const std::vector<Group>& groups() const { return groups_; }

 private:
  using Key = std::array<std::int64_t, 8>;
  struct Course;
  Key key(const Spot& spot) const;
  int size(std::int64_t part, std::int64_t whole) const;
  std::int32_t add(const poker::State& state, const Course& course);

  const poker::GameRules& rules_;
  std::vector<double> sizes_;  // limits between sizes that count as one, rising
  PublicTree tree_;
  std::vector<Group> groups_;
  std::vector<std::int32_t> group_;  // by node; -1: the hand is over
  std::map<Key, std::int32_t> known_;
  std::unordered_map<std::string, std::int32_t> courses_;  // nodes, while the tree is made
};

}  // namespace dealer::abstraction
