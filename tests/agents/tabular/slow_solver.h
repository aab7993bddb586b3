#pragma once

#include <map>
#include <string>
#include <vector>

#include "agents/tabular/game_tree.h"
#include "agents/tabular/policy.h"
#include "agents/tabular/tree_builder.h"
#include "env/core/game_state.h"
#include "tests/support/coin_game.h"

namespace dealer::test {

// The reference for agents/tabular: slow, simple and for two players only. The whole tree of a game, with information
// sets distinguished only by the player's observation.
struct Walk {
  struct Point {
    Seat turn = kTerminal;
    int set = -1;                     // of decisions
    std::vector<int> next;            // points
    std::vector<double> probability;  // of chance moves
    double gain = 0;                  // of seat 0, at the end
  };
  struct Set {
    Seat seat;
    std::vector<float> seen;
    std::vector<int> points;
  };
  std::vector<Point> points;  // 0 is the root; successors have higher indices
  std::vector<Set> sets;
};

template <ExplicitChance S>
class Walker {
 public:
  explicit Walker(const typename S::Rules& rules) : numbers_(at(S::observation_spec(rules).size())) {
    visit(S::start(rules));
  }
  Walk walk;

 private:
  int visit(const S& state) {
    const auto index = walk.points.size();
    walk.points.emplace_back();
    const Seat turn = walk.points[index].turn = state.current_player();
    if (turn == kTerminal) {
      walk.points[index].gain = state.return_of(0);
      return static_cast<int>(index);
    }
    if (turn != kChance) walk.points[index].set = set_of(state, static_cast<int>(index));
    const auto follow = [&](Action action) {
      S next = state;
      next.apply(action);
      const int child = visit(next);
      walk.points[index].next.push_back(child);
    };
    for (const ChanceOutcome& outcome : state.chance_outcomes()) {
      walk.points[index].probability.push_back(outcome.probability);
      follow(outcome.action);
    }
    for (Action action = 0; action < 64; ++action)
      if (((state.legal_mask() >> action) & 1) != 0) follow(action);
    return static_cast<int>(index);
  }

  int set_of(const S& state, int point) {
    const Seat seat = state.current_player();
    state.observe(seat, numbers_.data());
    const std::string bytes(reinterpret_cast<const char*>(numbers_.data()), numbers_.size() * sizeof(float));
    const auto [found, added] = known_.emplace(std::to_string(seat) + bytes, static_cast<int>(walk.sets.size()));
    if (added) walk.sets.push_back({seat, numbers_, {}});
    walk.sets[at(found->second)].points.push_back(point);
    return found->second;
  }

  std::vector<float> numbers_;
  std::map<std::string, int> known_;
};

template <ExplicitChance S>
Walk walk_tree(const typename S::Rules& rules) {
  return std::move(Walker<S>(rules).walk);
}

// The coin game has its own tree, also for more than two players.
inline tabular::GameTree coin_tree(const CoinRules& rules) {
  return tabular::build_tree(
      *std::make_shared<TypedGame<CoinState>>(GameId{"coin", "coin", "coin", ""}, rules, "chips", true));
}

using SlowStrategy = std::vector<std::vector<double>>;  // by set and move

enum class SlowKind { kPlain, kPlus, kDiscounted };
// The average strategy after that many iterations of CFR, CFR+ or discounted CFR (3/2, 0, 2), by recursion.
SlowStrategy slow_cfr(const Walk& walk, int iterations, SlowKind kind);
// The gain of seat 0 if both play a strategy.
double slow_value(const Walk& walk, const SlowStrategy& strategy);
// The gain of a seat that plays a best response to the other.
double slow_best_response(const Walk& walk, const SlowStrategy& strategy, Seat seat);

// The value of each move to the acting player, by set and move.
SlowStrategy slow_action_values(const Walk& walk, const SlowStrategy& strategy);

// The same strategy, converted by the players' observations.
SlowStrategy slow_strategy(const Walk& walk, const tabular::GameTree& tree, const tabular::Policy& policy);
// A random policy for a tree: no two moves have the same probability.
tabular::Policy random_policy(const tabular::GameTree& tree, std::uint64_t seed);

}  // namespace dealer::test
