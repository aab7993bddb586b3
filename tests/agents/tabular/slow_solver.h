#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "env/core/game_state.h"

namespace dealer::test {

// The whole tree of a game for two, with its information sets told apart by nothing but what the player observes.
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
    std::uint64_t legal;
    std::vector<int> points;
  };
  std::vector<Point> points;  // 0 is the root; what follows a point has a higher index
  std::vector<Set> sets;
  std::array<int, 2> sets_of{};  // by seat
  int ends = 0;
};

template <ExplicitChance S>
class Walker {
 public:
  explicit Walker(const typename S::Rules& rules) : numbers_(static_cast<std::size_t>(S::observation_spec(rules).size())) {
    visit(S::start(rules));
  }
  Walk walk;

 private:
  int visit(const S& state) {
    const auto index = walk.points.size();
    walk.points.emplace_back();
    const Seat turn = walk.points[index].turn = state.current_player();
    if (turn == kTerminal) {
      ++walk.ends;
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
    if (added) {
      walk.sets.push_back({seat, state.legal_mask(), {}});
      ++walk.sets_of[static_cast<std::size_t>(seat)];
    }
    walk.sets[static_cast<std::size_t>(found->second)].points.push_back(point);
    return found->second;
  }

  std::vector<float> numbers_;
  std::map<std::string, int> known_;
};

template <ExplicitChance S>
Walk walk_tree(const typename S::Rules& rules) {
  return std::move(Walker<S>(rules).walk);
}

// What seat 0 gains when both play the average strategies of so many iterations of CFR+ (Tammelin, 2014), and what each
// seat could gain against the other's.
struct Solved {
  double value;
  std::array<double, 2> best_response;
  double nash_conv() const { return best_response[0] + best_response[1]; }
};
Solved solve(const Walk& walk, int iterations);

}  // namespace dealer::test
