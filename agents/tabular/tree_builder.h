#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "agents/tabular/game_tree.h"
#include "env/core/at.h"
#include "env/core/env_text.h"
#include "env/core/error.h"
#include "env/core/typed_game.h"

namespace dealer::tabular {

// The possible successors: chance moves, or actions with a probability of 1.
template <class S>
std::vector<ChanceOutcome> moves_of(const S& state) {
  std::vector<ChanceOutcome> moves = state.chance_outcomes();
  for (LegalMask rest = state.legal_mask(); rest != 0; rest &= rest - 1) moves.push_back({std::countr_zero(rest), 1});
  return moves;
}

struct TreeSize {
  std::int64_t nodes = 0, ends = 0;
};
// Counts the subtree of a state, itself included, until there are more than max_nodes.
template <class S>
void add_size(const S& state, std::int64_t max_nodes, TreeSize& size) {
  ++size.nodes;
  if (state.current_player() == kTerminal) ++size.ends;
  for (const ChanceOutcome& move : moves_of(state)) {
    if (size.nodes > max_nodes) return;
    S next = state;
    next.apply(move.action);
    add_size(next, max_nodes, size);
  }
}

// Builds a GameTree by visiting all states of a game.
template <class S>
class TreeBuilder {
 public:
  TreeBuilder(const TypedGame<S>& game, const TreeSize& size)
      : game_(game), tree_(game.shared_from_this()), last_(at(game.players()), -1) {
    const auto nodes = at(size.nodes), ends = at(size.ends);
    tree_.nodes_.reserve(nodes);
    tree_.chance_.reserve(ends);
    tree_.returns_.reserve(ends * last_.size());
    tree_.end_sequences_.reserve(ends * last_.size());
  }

  GameTree build() && {
    tree_.nodes_.emplace_back();
    write(S::start(game_.rules()), 0, 1);
    number_sequences();
    tree_.index_sets();
    tree_.list_payoffs();
    return std::move(tree_);
  }

 private:
  void write(const S& state, std::size_t index, double chance) {
    const Seat turn = tree_.nodes_[index].turn = state.current_player();
    if (turn == kTerminal) return write_end(state, index, chance);
    const std::int32_t set = turn == kChance ? -1 : set_of(state);
    const std::vector<ChanceOutcome> moves = moves_of(state);
    const std::size_t first = tree_.nodes_.size();
    tree_.nodes_[index].set = set;
    tree_.nodes_[index].first = static_cast<std::int32_t>(first);
    tree_.nodes_[index].children = static_cast<std::int32_t>(moves.size());
    tree_.nodes_.resize(first + moves.size());
    for (std::size_t m = 0; m < moves.size(); ++m) {
      tree_.nodes_[first + m].probability = moves[m].probability;
      S next = state;
      next.apply(moves[m].action);
      if (set >= 0) last_[at(turn)] = tree_.sets_[at(set)].first + static_cast<std::int32_t>(m);
      write(next, first + m, chance * moves[m].probability);
    }
    if (set >= 0) last_[at(turn)] = tree_.sets_[at(set)].parent;
  }

  void write_end(const S& state, std::size_t index, double chance) {
    tree_.nodes_[index].first = tree_.ends();
    tree_.chance_.push_back(chance);
    for (Seat seat = 0; seat < game_.players(); ++seat)
      tree_.returns_.push_back(static_cast<double>(state.return_of(seat)));
    tree_.end_sequences_.insert(tree_.end_sequences_.end(), last_.begin(), last_.end());
  }

  // Until number_sequences(), moves are numbered in order of discovery, and -1 is the empty sequence.
  std::int32_t set_of(const S& state) {
    const Seat seat = state.current_player();
    Observation seen{seat, std::vector<float>(at(game_.observation_spec().size())), {}, {}};
    state.observe(seat, seen.data.data());
    std::string key(reinterpret_cast<const char*>(seen.data.data()), seen.data.size() * sizeof(float));
    const auto [known, added] =
        known_.emplace(std::to_string(seat) + std::move(key), static_cast<std::int32_t>(tree_.sets_.size()));
    const std::int32_t parent = last_[at(seat)];
    if (added) {
      const int actions = std::popcount(state.legal_mask());
      tree_.sets_.push_back({state.legal_mask(), moves_, actions, parent, seat});
      moves_ += actions;
      tree_.observations_.insert(tree_.observations_.end(), seen.data.begin(), seen.data.end());
      if constexpr (requires { state.information_text(seat); })
        tree_.texts_.push_back(state.information_text(seat));
      else
        tree_.texts_.push_back(information_text(game_, seen, 0));
      return known->second;
    }
    const auto& set = tree_.sets_[at(known->second)];
    if (set.parent != parent || set.legal != state.legal_mask())
      throw UsageError(
          fmt::format("'{}' is not a game of perfect recall: seat {} cannot tell two positions with different "
                      "moves of its own, or different legal ones, from each other at '{}'",
                      game_.spec(), seat, tree_.texts_[at(known->second)]));
    return known->second;
  }

  // For every set, the first set of its seat on the path to it.
  std::vector<std::size_t> first_decisions() const {
    std::vector<std::size_t> first(tree_.sets_.size()), of_move(at(moves_));
    for (std::size_t s = 0; s < first.size(); ++s) {
      const GameTree::InformationSet& set = tree_.sets_[s];
      first[s] = set.parent < 0 ? s : of_move[at(set.parent)];
      std::fill_n(of_move.begin() + set.first, set.actions, first[s]);
    }
    return first;
  }

  // Sorts the sets by seat and its first decision; within these they keep their order of discovery.
  void number_sequences() {
    const std::size_t count = tree_.sets_.size(), width = at(game_.observation_spec().size());
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&, first = first_decisions()](std::size_t a, std::size_t b) {
      return std::pair(tree_.sets_[a].seat, first[a]) < std::pair(tree_.sets_[b].seat, first[b]);
    });
    std::vector<std::int32_t> set_now(count), sequence_now(at(moves_));
    std::vector<GameTree::InformationSet> sets;
    std::vector<float> observations;
    std::vector<std::string> texts;
    observations.reserve(tree_.observations_.size());
    std::int32_t next = 0;
    auto set = order.begin();
    for (Seat seat = 0; seat < game_.players(); ++seat) {
      tree_.first_set_.push_back(static_cast<std::int32_t>(sets.size()));
      tree_.first_sequence_.push_back(next++);
      for (; set != order.end() && tree_.sets_[*set].seat == seat; ++set) {
        set_now[*set] = static_cast<std::int32_t>(sets.size());
        sets.push_back(tree_.sets_[*set]);
        std::iota(sequence_now.begin() + sets.back().first,
                  sequence_now.begin() + sets.back().first + sets.back().actions, next);
        sets.back().first = next;
        next += sets.back().actions;
        const auto row = tree_.observations_.begin() + static_cast<std::ptrdiff_t>(*set * width);
        observations.insert(observations.end(), row, row + static_cast<std::ptrdiff_t>(width));
        texts.push_back(std::move(tree_.texts_[*set]));
      }
    }
    tree_.first_set_.push_back(static_cast<std::int32_t>(sets.size()));
    tree_.first_sequence_.push_back(next);
    const auto renumber = [&](std::int32_t& sequence, std::size_t seat) {
      sequence = sequence < 0 ? tree_.first_sequence_[seat] : sequence_now[at(sequence)];
    };
    for (auto& each : sets) renumber(each.parent, at(each.seat));
    for (std::size_t i = 0; i < tree_.end_sequences_.size(); ++i) renumber(tree_.end_sequences_[i], i % last_.size());
    for (GameTree::Node& node : tree_.nodes_)
      if (node.set >= 0) node.set = set_now[at(node.set)];
    tree_.sets_ = std::move(sets);
    tree_.observations_ = std::move(observations);
    tree_.texts_ = std::move(texts);
  }

  const TypedGame<S>& game_;
  std::int32_t moves_ = 0;
  GameTree tree_;
  std::vector<std::int32_t> last_;  // sequence of each seat
  std::unordered_map<std::string, std::int32_t> known_;
};

// Builds the GameTree of a game with states of type S.
template <ExplicitChance S>
GameTree build_tree(const TypedGame<S>& game, std::int32_t max_nodes = GameTree::kMaxNodes) {
  TreeSize size;
  add_size(S::start(game.rules()), max_nodes, size);
  if (size.nodes > max_nodes)
    throw UsageError(
        fmt::format("the tree of '{}' is too large to be walked: expected at most {} nodes", game.spec(), max_nodes));
  return TreeBuilder<S>(game, size).build();
}

}  // namespace dealer::tabular
