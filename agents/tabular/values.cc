#include "agents/tabular/values.h"

#include <algorithm>
#include <numeric>

#include "env/core/at.h"

namespace dealer::tabular {
namespace {

std::vector<double> reach_of_all(const GameTree& tree, const Policy& policy) {
  std::vector<double> reach(at(tree.sequences()));
  for (Seat seat = 0; seat < tree.players(); ++seat) add_up_reach(tree, seat, policy.probability, reach);
  return reach;
}

// As end_values() with payoff 1 at every terminal node: the reach of each sequence's ends.
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

// Propagates the values of ends to sequences: values of followers are added to their predecessors.
void add_followers(const GameTree& tree, Seat seat, std::span<const double> probability, std::span<double> values) {
  for (std::size_t s = at(tree.first_set(seat + 1)); s-- > at(tree.first_set(seat));) {
    const GameTree::InformationSet& set = tree.sets()[s];
    for (std::int32_t a = set.first; a < set.first + set.actions; ++a)
      values[at(set.parent)] += probability[at(a)] * values[at(a)];
  }
}

// A traversal of all histories.
class Walk {
 public:
  explicit Walk(const GameTree& tree) : tree_(tree) {
    for (Seat seat = 0; seat < tree.players(); ++seat) last_.push_back(tree.first_sequence(seat));
  }

  // Calls found(set, chance, sequences of all) at each decision of the seat.
  template <class F>
  void visit(Seat seat, const F& found, std::int32_t index = 0, double chance = 1) {
    const GameTree::Node& node = tree_.nodes()[at(index)];
    if (node.turn == seat) found(node.set, chance, last_);
    if (node.turn == kTerminal) return;
    for (std::int32_t c = 0; c < node.children; ++c) {
      if (node.turn >= 0) last_[at(node.turn)] = tree_.sets()[at(node.set)].first + c;
      visit(seat, found, node.first + c,
            node.turn >= 0 ? chance : chance * tree_.nodes()[at(node.first + c)].probability);
    }
    if (node.turn >= 0) last_[at(node.turn)] = tree_.sets()[at(node.set)].parent;
  }

 private:
  const GameTree& tree_;
  std::vector<std::int32_t> last_;
};

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

Histories::Histories(const GameTree& tree, Seat seat)
    : first_set_(tree.first_set(seat)),
      width_(at(tree.players() - 1)),
      first_(at(tree.first_set(seat + 1) - first_set_) + 1) {
  Walk(tree).visit(seat, [&](std::int32_t set, double, const auto&) { ++first_[at(set - first_set_) + 1]; });
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  chance_.resize(at(first_.back()));
  others_.resize(chance_.size() * width_);
  std::vector<std::int32_t> next = first_;
  Walk(tree).visit(seat, [&](std::int32_t set, double chance, const std::vector<std::int32_t>& last) {
    const std::size_t entry = at(next[at(set - first_set_)]++);
    chance_[entry] = chance;
    std::size_t place = entry * width_;
    for (std::size_t other = 0; other < last.size(); ++other)
      if (other != at(seat)) others_[place++] = last[other];
  });
}

double Histories::weight(std::int32_t set, std::span<const double> reach) const {
  const std::size_t begin = at(first_[at(set - first_set_)]), count = at(first_[at(set - first_set_) + 1]) - begin;
  const std::span<const double> chance(chance_.data() + begin, count);
  const std::int32_t* const others = others_.data() + begin * width_;
  return width_ == 1 ? weighted_sum(chance, others, reach.data()) : weighted_sum(chance, others, width_, reach.data());
}

}  // namespace dealer::tabular
