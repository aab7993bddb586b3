#include "agents/tabular/values.h"

#include <algorithm>

#include "agents/tabular/weighted_sum.h"
#include "env/core/at.h"

namespace dealer::tabular {
namespace {

std::vector<double> reach_of_all(const GameTree& tree, const Policy& policy) {
  std::vector<double> reach(at(tree.sequences()));
  for (Seat seat = 0; seat < tree.players(); ++seat) add_up_reach(tree, seat, policy.probability, reach);
  return reach;
}

// As end_values(), with 1 at every end instead of what the seat gets: how often a sequence comes there.
void end_weights(const GameTree& tree, Seat seat, std::span<const double> reach, std::span<double> values) {
  std::fill(values.begin() + tree.first_sequence(seat), values.begin() + tree.first_sequence(seat + 1), 0.0);
  const auto players = at(tree.players()), me = at(seat);
  const std::span<const std::int32_t> sequences = tree.end_sequences();
  for (std::size_t end = 0; end < tree.chance().size(); ++end) {
    double weight = tree.chance()[end];
    for (std::size_t other = 0; other < players; ++other)
      if (other != me) weight *= reach[at(sequences[end * players + other])];
    values[at(sequences[end * players + me])] += weight;
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
  add_up_reach(tree, tree.first_set(seat), tree.first_set(seat + 1), probability, reach);
}

void add_up_reach(const GameTree& tree, std::int32_t first_set, std::int32_t last_set,
                  std::span<const double> probability, std::span<double> reach) {
  for (std::int32_t s = first_set; s < last_set; ++s) {
    const GameTree::InformationSet& set = tree.sets()[at(s)];
    for (std::int32_t a = set.first; a < set.first + set.actions; ++a)
      reach[at(a)] = reach[at(set.parent)] * probability[at(a)];
  }
}

void end_values(const GameTree& tree, Seat seat, std::span<const double> reach, std::span<double> values) {
  end_values(tree, seat, tree.first_sequence(seat), tree.first_sequence(seat + 1), reach, values);
}

void end_values(const GameTree& tree, Seat seat, std::int32_t first, std::int32_t last, std::span<const double> reach,
                std::span<double> values) {
  const GameTree::Payoffs& payoffs = tree.payoffs(seat);
  const std::int32_t* const bound = payoffs.first.data() + (first - tree.first_sequence(seat));
  const std::size_t width = at(tree.players() - 1);
  for (std::int32_t s = first; s < last; ++s) {
    const std::size_t begin = at(bound[s - first]), count = at(bound[s - first + 1]) - begin;
    const double* const amount = payoffs.amount.data() + begin;
    const std::int32_t* const others = payoffs.others.data() + begin * width;
    values[at(s)] = width == 1 ? weighted_sum({amount, count}, others, reach.data())
                               : weighted_sum({amount, count}, others, width, reach.data());
  }
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
    end_weights(tree, seat, reach, weights);
    add_followers(tree, seat, policy.probability, weights);
  }
  for (std::size_t s = 0; s < values.size(); ++s) values[s] = weights[s] > 0 ? values[s] / weights[s] : 0;
  return values;
}

}  // namespace dealer::tabular
