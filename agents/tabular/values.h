#pragma once

#include <span>
#include <vector>

#include "agents/tabular/game_tree.h"
#include "agents/tabular/policy.h"

namespace dealer::tabular {

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

}  // namespace dealer::tabular
