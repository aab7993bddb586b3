#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "agents/tabular/game_tree.h"
#include "agents/tabular/policy.h"

namespace dealer::tabular {

// The sum of amount[i] * reach[others[i]]: the inner loop of the solvers. Four partial sums in parallel hide the
// latency of additions; the order of additions depends only on their number.
inline double weighted_sum(std::span<const double> amount, const std::int32_t* others, const double* reach) {
  const std::size_t count = amount.size();
  double sum[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) sum[lane] += amount[i + lane] * reach[others[i + lane]];
  for (; i < count; ++i) sum[0] += amount[i] * reach[others[i]];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// The same with `width` others per entry, whose probabilities are multiplied.
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
// probability, reach: [sequences]; only the seat's own entries are read and written.
void add_up_reach(const GameTree& tree, Seat seat, std::span<const double> probability, std::span<double> reach);
// Only for the information sets first_set .. last_set - 1. Precondition: the reach of their parents is known.
void add_up_reach(const GameTree& tree, std::int32_t first_set, std::int32_t last_set,
                  std::span<const double> probability, std::span<double> reach);

// For every sequence of the seat its payoff at the terminal nodes that follow it directly (no move of its own in
// between), weighted by the probability that chance and all others play towards them. reach: [sequences], of all
// others; values: [sequences], the seat's own entries are written.
void end_values(const GameTree& tree, Seat seat, std::span<const double> reach, std::span<double> values);
// Only for the seat's sequences first .. last - 1.
void end_values(const GameTree& tree, Seat seat, std::int32_t first, std::int32_t last, std::span<const double> reach,
                std::span<double> values);

// The expected return of each seat if all follow the policy, in the game's unit: [players].
std::vector<double> expected_returns(const GameTree& tree, const Policy& policy);

// By sequence: the expected return of its seat after the last move of the sequence, given that the move can be made and
// that everybody, the seat itself included, follows the policy afterwards. Histories within an information set are
// weighted by the others' reach probabilities under the policy; 0 if it is not reached.
std::vector<double> action_values(const GameTree& tree, const Policy& policy);

// The histories in each information set of a seat, with their counterfactual reach probabilities.
class Histories {
 public:
  Histories(const GameTree& tree, Seat seat);
  // The probability of the set given that its seat plays towards it. reach: [sequences], of all others.
  double weight(std::int32_t set, std::span<const double> reach) const;

 private:
  std::int32_t first_set_;
  std::size_t width_;                 // the number of other players
  std::vector<std::int32_t> first_;   // for set number i of the seat: positions first_[i] .. first_[i + 1] - 1
  std::vector<double> chance_;        // product of the probabilities of all chance moves
  std::vector<std::int32_t> others_;  // [positions, players - 1]: last sequences of the others
};

}  // namespace dealer::tabular
