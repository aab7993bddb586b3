#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "agents/search/play.h"
#include "env/core/at.h"
#include "env/core/typed_game.h"
#include "env/core/worker_pool.h"

namespace dealer {

// The statistics of one action at a node of the tree.
struct Edge {
  Action action = kNoAction;
  std::int64_t visits = 0;
  std::int64_t available = 0;  // visits to the node at which the action was legal
  double sum = 0;              // of the acting player's returns
  double squares = 0;          // sum of their squares
  double regret = 0;           // of not having played it
  double average = 0;          // sum of the probabilities it was played with
};

// The edges of an information set; the legal ones may differ between visits if the node is another player's view.
struct Node {
  std::vector<Edge> edges;
  LegalMask known = 0;
};

// The selection of actions at the nodes of a tree: UCB1 over the actions legal at this visit (Cowling, Powley and
// Whitehouse, "Information set Monte Carlo tree search", 2012), with returns scaled to 0..1, or regret matching (Hart
// and Mas-Colell, 2000) on regrets estimated from the action played, with a share of uniform play (Lisy, Lanctot and
// Bowling, "Online Monte Carlo counterfactual regret minimization for search in imperfect information games", 2015).
class NodeSelection {
 public:
  explicit NodeSelection(const SearchOptions& options) : options_(options) {}

  // The index of the edge to follow and the probability it was picked with; legal actions without an edge get one.
  struct Picked {
    std::size_t edge;
    double probability;
  };
  Picked pick(Node& node, LegalMask legal, RandomStream& rng);
  // Updates the node with the result of an earlier pick.
  void learn(Node& node, LegalMask legal, const Picked& picked, double value) const;
  // Tracks the lowest and highest return seen so far.
  void saw(double value) {
    least_ = std::min(least_, value);
    most_ = std::max(most_, value);
  }
  // The probabilities of the edges for the final decision: all on the most visited edge, or
  // the average of regret matching.
  std::vector<double> final_policy(const Node& node) const;

 private:
  std::size_t by_uct(const Node& node, LegalMask legal) const;
  Picked by_regret(const Node& node, LegalMask legal, RandomStream& rng);

  SearchOptions options_;
  double least_ = std::numeric_limits<double>::infinity(), most_ = -std::numeric_limits<double>::infinity();
  std::vector<double> strategy_;
};

// A hash of an observation's numbers.
std::uint64_t hash_of(std::span<const float> numbers, std::uint64_t seed = 0);

// Information-set Monte Carlo tree search. Each simulation samples a state consistent with what the seat sees, walks
// one path through the existing nodes, adds a node, and plays the rest out. A node is keyed by what the player to act
// sees, so that players act on what they know (MO-ISMCTS of Cowling et al.: many trees in one table), or with
// nodes=observer by what the searching seat sees (a single tree, as in SO-ISMCTS). With several threads each grows its
// own trees with a share of the simulations, and the roots are summed.
template <GameState S, SearchPlay<S> Play>
class TreeSearch final : public Search {
 public:
  TreeSearch(std::shared_ptr<const TypedGame<S>> game, Play play, const SearchSetup& setup)
      : game_(std::move(game)), play_(std::move(play)), options_(setup.options), pool_(setup.options.threads) {}

  SearchResult run(const Observation& seen, std::uint64_t seed) override {
    typename S::Sampler sampler(game_->rules(), seen.data);
    std::vector<Tree> trees;
    trees.reserve(at(pool_.size()));
    for (int w = 0; w < pool_.size(); ++w)
      trees.emplace_back(options_, sampler, RandomStream(seed, static_cast<std::uint64_t>(w)));
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(options_.milliseconds);
    pool_.run([&](int w) {
      Tree& tree = trees[at(w)];
      const std::int64_t share =
          options_.simulations / pool_.size() + (w < options_.simulations % pool_.size() ? 1 : 0);
      if (options_.milliseconds == 0)
        for (std::int64_t n = 0; n < share; ++n) simulate(tree, seen.player);
      else
        do simulate(tree, seen.player);
        while (std::chrono::steady_clock::now() < until);
    });
    RandomStream rng(seed, kRootStream);
    return summary(trees, sampler.draw(rng), rng);
  }

 private:
  static constexpr std::uint64_t kRootStream = ~std::uint64_t{0};

  struct Tree {
    Tree(const SearchOptions& options, const typename S::Sampler& from, RandomStream stream)
        : selection(options), sampler(from), rng(stream) {}
    NodeSelection selection;
    typename S::Sampler sampler;
    RandomStream rng;
    std::vector<Node> nodes = std::vector<Node>(1);
    std::unordered_map<std::uint64_t, std::size_t> index;
  };
  struct Step {
    std::size_t node;
    NodeSelection::Picked picked;
    LegalMask legal;
    Seat player;
  };

  void simulate(Tree& tree, Seat me) {
    S state = tree.sampler.draw(tree.rng);
    std::vector<double> earlier(at(game_->players()));
    for (Seat seat = 0; seat < game_->players(); ++seat) earlier[at(seat)] = state.return_of(seat);
    std::vector<Step> path;
    std::optional<std::size_t> node = 0;
    while (!state.hand_over() && node) {
      const LegalMask legal = state.legal_mask();
      const auto picked = tree.selection.pick(tree.nodes[*node], legal, tree.rng);
      path.push_back({*node, picked, legal, state.current_player()});
      const Action action = tree.nodes[*node].edges[picked.edge].action;
      state.apply_and_hold(action);
      if (!state.hand_over()) node = next_node(tree, state, me);
    }
    while (!state.hand_over()) play_.play(state, tree.rng);
    for (Seat seat = 0; seat < game_->players(); ++seat) tree.selection.saw(state.return_of(seat) - earlier[at(seat)]);
    for (const Step& step : path)
      tree.selection.learn(tree.nodes[step.node], step.legal, step.picked,
                           state.return_of(step.player) - earlier[at(step.player)]);
  }

  // The node of the player to act; a new one is created, and nullopt returned, if it does not exist yet.
  std::optional<std::size_t> next_node(Tree& tree, const S& state, Seat me) {
    const Seat player = state.current_player();
    std::vector<float> seen(at(game_->observation_spec().size()));
    state.observe(options_.nodes == SearchOptions::Nodes::kOwn ? player : me, seen.data());
    const std::uint64_t key = hash_of(seen, static_cast<std::uint64_t>(player) + 1);
    const auto [place, added] = tree.index.try_emplace(key, tree.nodes.size());
    if (!added) return place->second;
    tree.nodes.emplace_back();
    return std::nullopt;
  }

  SearchResult summary(const std::vector<Tree>& trees, const S& root, RandomStream& rng) const {
    Node sum;
    for (const Tree& tree : trees)
      for (const Edge& edge : tree.nodes.front().edges) {
        auto place = std::find_if(sum.edges.begin(), sum.edges.end(),
                                  [&](const Edge& other) { return other.action == edge.action; });
        if (place == sum.edges.end()) place = sum.edges.insert(place, Edge{.action = edge.action});
        place->visits += edge.visits;
        place->available += edge.available;
        place->sum += edge.sum;
        place->squares += edge.squares;
        place->average += edge.average;
      }
    std::sort(sum.edges.begin(), sum.edges.end(), [](const Edge& a, const Edge& b) { return a.action < b.action; });
    const std::vector<double> policy = trees.front().selection.final_policy(sum);
    std::vector<std::size_t> order(sum.edges.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return policy[a] != policy[b] ? policy[a] > policy[b] : sum.edges[a].visits > sum.edges[b].visits;
    });
    SearchResult result;
    double point = static_cast<double>(rng.uniform());
    bool found = false;
    for (const std::size_t i : order) {
      const Edge& edge = sum.edges[i];
      const auto n = static_cast<double>(edge.visits);
      const double mean = edge.visits > 0 ? edge.sum / n : 0;
      const double spread = edge.visits > 0 ? std::max(0.0, edge.squares / n - mean * mean) : 0;
      point -= policy[i];
      if (!found && (point < 0 || i == order.back())) {
        found = true;
        result.chosen = result.choices.size();
      }
      result.choices.push_back({{edge.action},
                                text_of(root, {edge.action}),
                                mean,
                                edge.visits > 0 ? std::sqrt(spread / n) : 0,
                                edge.visits});
    }
    return result;
  }

  std::shared_ptr<const TypedGame<S>> game_;
  Play play_;
  SearchOptions options_;
  WorkerPool pool_;
};

}  // namespace dealer
