#include "agents/search/tree_search.h"

#include <bit>

namespace dealer {
namespace {

constexpr double kUntried = 1e300;

bool is_legal(const Edge& edge, LegalMask legal) { return (legal >> edge.action & 1) != 0; }

void add_edges(Node& node, LegalMask legal) {
  for (LegalMask fresh = legal & ~node.known; fresh != 0; fresh &= fresh - 1)
    node.edges.push_back({.action = std::countr_zero(fresh)});
  node.known |= legal;
}

}  // namespace

std::uint64_t hash_of(std::span<const float> numbers, std::uint64_t seed) {
  std::uint64_t hash = mix64(seed);
  for (const float number : numbers) {
    // Normalises -0 to +0.
    hash = (hash ^ std::bit_cast<std::uint32_t>(number + 0.0F)) * 0x100000001b3ULL;
    hash ^= hash >> 29;
  }
  return mix64(hash);
}

NodeSelection::Picked NodeSelection::pick(Node& node, LegalMask legal, RandomStream& rng) {
  add_edges(node, legal);
  for (Edge& edge : node.edges)
    if (is_legal(edge, legal)) ++edge.available;
  if (options_.selection == SearchOptions::Selection::kRegretMatching) return by_regret(node, legal, rng);
  LegalMask untried = 0;
  for (const Edge& edge : node.edges)
    if (edge.visits == 0 && is_legal(edge, legal)) untried |= LegalMask{1} << edge.action;
  if (untried == 0) return {by_uct(node, legal), 1};
  const Action action = any_of(untried, rng);
  const auto edge =
      std::find_if(node.edges.begin(), node.edges.end(), [&](const Edge& e) { return e.action == action; });
  return {static_cast<std::size_t>(edge - node.edges.begin()), 1};
}

std::size_t NodeSelection::by_uct(const Node& node, LegalMask legal) const {
  const double range = most_ > least_ ? most_ - least_ : 1;
  double most = -kUntried;
  std::size_t best = 0;
  for (std::size_t i = 0; i < node.edges.size(); ++i) {
    const Edge& edge = node.edges[i];
    if (!is_legal(edge, legal)) continue;
    const auto visits = static_cast<double>(edge.visits);
    const double upper = (edge.sum / visits - least_) / range +
                         options_.exploration * std::sqrt(std::log(static_cast<double>(edge.available)) / visits);
    if (upper > most) {
      most = upper;
      best = i;
    }
  }
  return best;
}

NodeSelection::Picked NodeSelection::by_regret(const Node& node, LegalMask legal, RandomStream& rng) {
  strategy_.assign(node.edges.size(), 0);
  double sum = 0;
  const double legal_count = std::popcount(legal);
  for (std::size_t i = 0; i < node.edges.size(); ++i)
    if (is_legal(node.edges[i], legal)) sum += strategy_[i] = std::max(0.0, node.edges[i].regret);
  const double explore = std::min(1.0, options_.exploration);
  double point = static_cast<double>(rng.uniform());
  Picked picked{0, 0};
  for (std::size_t i = 0; i < node.edges.size(); ++i) {
    if (!is_legal(node.edges[i], legal)) continue;
    const double matched = sum > 0 ? strategy_[i] / sum : 1 / legal_count;
    const double played = (1 - explore) * matched + explore / legal_count;
    // The rounding remainder goes to the last action.
    if (point >= 0) picked = {i, played};
    point -= played;
  }
  return picked;
}

void NodeSelection::learn(Node& node, LegalMask legal, const Picked& picked, double value) const {
  Edge& played = node.edges[picked.edge];
  ++played.visits;
  played.sum += value;
  played.squares += value * value;
  if (options_.selection == SearchOptions::Selection::kUct) return;
  double sum = 0;
  const double legal_count = std::popcount(legal);
  for (const Edge& edge : node.edges)
    if (is_legal(edge, legal)) sum += std::max(0.0, edge.regret);
  for (Edge& edge : node.edges)
    if (is_legal(edge, legal)) edge.average += sum > 0 ? std::max(0.0, edge.regret) / sum : 1 / legal_count;
  for (Edge& edge : node.edges)
    if (is_legal(edge, legal)) edge.regret -= value;
  played.regret += value / picked.probability;
}

std::vector<double> NodeSelection::final_policy(const Node& node) const {
  std::vector<double> policy(node.edges.size());
  if (options_.selection == SearchOptions::Selection::kUct) {
    const auto most = std::max_element(node.edges.begin(), node.edges.end(),
                                       [](const Edge& a, const Edge& b) { return a.visits < b.visits; });
    policy[static_cast<std::size_t>(most - node.edges.begin())] = 1;
    return policy;
  }
  double sum = 0;
  for (const Edge& edge : node.edges) sum += edge.average;
  for (std::size_t i = 0; i < policy.size(); ++i) policy[i] = node.edges[i].average / sum;
  return policy;
}

}  // namespace dealer
