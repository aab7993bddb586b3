#include "agents/tabular/values.h"

#include <algorithm>

namespace dealer::tabular {
namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

std::vector<double> reach_of_all(const GameTree& tree, const Policy& policy) {
  std::vector<double> reach(at(tree.sequences()));
  for (Seat seat = 0; seat < tree.players(); ++seat) add_up_reach(tree, seat, policy.probability, reach);
  return reach;
}

// As end_values(), with `what(end)` instead of what the seat gets.
template <class F>
void add_ends(const GameTree& tree, Seat seat, std::span<const double> reach, std::span<double> values, F&& what) {
  std::fill(values.begin() + tree.first_sequence(seat), values.begin() + tree.first_sequence(seat + 1), 0.0);
  const auto players = at(tree.players()), me = at(seat);
  const std::span<const std::int32_t> sequences = tree.end_sequences();
  const std::span<const double> chance = tree.chance();
  if (players == 2) {
    for (std::size_t end = 0; end < chance.size(); ++end)
      values[at(sequences[2 * end + me])] += chance[end] * reach[at(sequences[2 * end + 1 - me])] * what(end);
    return;
  }
  for (std::size_t end = 0; end < chance.size(); ++end) {
    double weight = chance[end];
    for (std::size_t other = 0; other < players; ++other)
      if (other != me) weight *= reach[at(sequences[end * players + other])];
    values[at(sequences[end * players + me])] += weight * what(end);
  }
}

// Turns values of ends into values of sequences: what follows is added to what leads there.
void add_followers(const GameTree& tree, Seat seat, std::span<const double> probability, std::span<double> values) {
  for (std::size_t s = at(tree.first_set(seat + 1)); s-- > at(tree.first_set(seat));) {
    const GameTree::InformationSet& set = tree.sets()[s];
    for (std::int32_t a = set.first; a < set.first + set.actions; ++a)
      values[at(set.parent)] += probability[at(a)] * values[at(a)];
  }
}

}  // namespace

void add_up_reach(const GameTree& tree, Seat seat, std::span<const double> probability, std::span<double> reach) {
  reach[at(tree.first_sequence(seat))] = 1;
  for (std::int32_t s = tree.first_set(seat); s < tree.first_set(seat + 1); ++s) {
    const GameTree::InformationSet& set = tree.sets()[at(s)];
    for (std::int32_t a = set.first; a < set.first + set.actions; ++a)
      reach[at(a)] = reach[at(set.parent)] * probability[at(a)];
  }
}

void end_values(const GameTree& tree, Seat seat, std::span<const double> reach, std::span<double> values) {
  const auto players = at(tree.players());
  const double* const returns = tree.returns().data() + seat;
  add_ends(tree, seat, reach, values, [=](std::size_t end) { return returns[end * players]; });
}

std::vector<double> expected_returns(const GameTree& tree, const Policy& policy) {
  const std::vector<double> reach = reach_of_all(tree, policy);
  std::vector<double> values(reach.size()), result;
  for (Seat seat = 0; seat < tree.players(); ++seat) {
    end_values(tree, seat, reach, values);
    add_followers(tree, seat, policy.probability, values);
    result.push_back(values[at(tree.first_sequence(seat))]);
  }
  return result;
}

std::vector<double> action_values(const GameTree& tree, const Policy& policy) {
  const std::vector<double> reach = reach_of_all(tree, policy);
  std::vector<double> values(reach.size()), weights(reach.size());
  for (Seat seat = 0; seat < tree.players(); ++seat) {
    end_values(tree, seat, reach, values);
    add_followers(tree, seat, policy.probability, values);
    // The same with 1 at every end: how often a sequence gets there if the seat plays it.
    add_ends(tree, seat, reach, weights, [](std::size_t) { return 1.0; });
    add_followers(tree, seat, policy.probability, weights);
  }
  for (std::size_t s = 0; s < values.size(); ++s) values[s] = weights[s] > 0 ? values[s] / weights[s] : 0;
  return values;
}

}  // namespace dealer::tabular
