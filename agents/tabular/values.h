#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "agents/tabular/game_tree.h"
#include "agents/tabular/policy.h"

namespace dealer::tabular {

// The sum of amount[i] * reach[others[i]]: where solvers spend their time. Four sums side by side, since one would wait
// for itself; the order of additions depends on nothing but their number.
inline double weighted_sum(std::span<const double> amount, const std::int32_t* others, const double* reach) {
  const std::size_t count = amount.size();
  double sum[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) sum[lane] += amount[i + lane] * reach[others[i + lane]];
  for (; i < count; ++i) sum[0] += amount[i] * reach[others[i]];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// The same with `width` others an entry, whose probabilities are multiplied.
inline double weighted_sum(std::span<const double> amount, const std::int32_t* others, std::size_t width,
                           const double* reach) {
  double sum = 0;
  for (std::size_t i = 0; i < amount.size(); ++i) {
    double weight = amount[i];
    for (std::size_t other = 0; other < width; ++other) weight *= reach[others[i * width + other]];
    sum += weight;
  }
  return sum;
}

// For every sequence of the seat the probability that the seat plays all its moves: the product of their probabilities.
// probability, reach: [sequences]; only the seat's own are read and written.
void add_up_reach(const GameTree& tree, Seat seat, std::span<const double> probability, std::span<double> reach);
// Of the information sets first_set .. last_set - 1 alone. Precondition: the reach of what leads there is known.
void add_up_reach(const GameTree& tree, std::int32_t first_set, std::int32_t last_set,
                  std::span<const double> probability, std::span<double> reach);

// For every sequence of the seat what it gets at the ends that come right after it (no move of its own in between),
// weighted with the probability that chance and all others play towards them. reach: [sequences], of all others;
// values: [sequences], the seat's own are written.
void end_values(const GameTree& tree, Seat seat, std::span<const double> reach, std::span<double> values);
// Of the sequences first .. last - 1 alone, which are the seat's.
void end_values(const GameTree& tree, Seat seat, std::int32_t first, std::int32_t last, std::span<const double> reach,
                std::span<double> values);

// What each seat gets when all play the policy, in the game's unit: [players].
std::vector<double> expected_returns(const GameTree& tree, const Policy& policy);

// By sequence: what its seat gets when it makes the last move of the sequence where that can be made, and everybody,
// the seat itself included, goes on by the policy. Histories within an information set have the probability with which
// the policy of the others reaches them; 0 where it reaches none.
std::vector<double> action_values(const GameTree& tree, const Policy& policy);

// The positions that a seat cannot tell apart, by information set: how likely chance and the others make them.
class Histories {
 public:
  Histories(const GameTree& tree, Seat seat);
  // How likely the set is if its seat plays towards it. reach: [sequences], of all others.
  double weight(std::int32_t set, std::span<const double> reach) const;

 private:
  std::int32_t first_set_;
  std::size_t width_;                 // others
  std::vector<std::int32_t> first_;   // of set number i of the seat: positions first_[i] .. first_[i + 1] - 1
  std::vector<double> chance_;        // product of the probabilities of all chance moves
  std::vector<std::int32_t> others_;  // [positions, players - 1]: last sequences of the others
};

}  // namespace dealer::tabular
