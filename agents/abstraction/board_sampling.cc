#include "agents/abstraction/board_sampling.h"

#include <array>

#include "env/core/at.h"
#include "env/core/weighted_index.h"

namespace dealer::abstraction {
namespace {

using PerHand = HoldemCards::PerHand;
constexpr std::size_t kHands = HoldemCards::kDealt;
// The number of iterations per board: finding the buckets of its hands costs as much as several of them.
constexpr int kRounds = 4;

// The total weight of a range, and the part that holds each card.
struct ByCard {
  float all = 0;
  std::array<float, kMaxDeckCards> with{};

  void add(const HoldemCards::Deal::Hand& hand, float reach) {
    all += reach;
    with[hand.cards[0]] += reach;
    with[hand.cards[1]] += reach;
  }
  // The weight of hands that share no card with a hand that is not itself included.
  float without(const HoldemCards::Deal::Hand& hand) const { return all - with[hand.cards[0]] - with[hand.cards[1]]; }
};

struct Walk {
  const PublicTree& tree;
  const HoldemCards::Deal& deal;
  BoardSampling::Table& table;
  int position;
  float weight;
  RandomStream& rng;

  // reach: of the other player's hands. value: of the own hands, in chips.
  void visit(const PublicNode& node, const PerHand& reach, PerHand& value) {
    if (node.options == 0) {
      const auto amount = static_cast<float>(position == 0 ? node.amount : -node.amount);
      if (node.kind == PublicNode::Kind::kFold)
        others(deal, reach, value);
      else
        settle(deal, reach, value);
      // settle() gives the net result of each own hand, so a showdown amount is not negated.
      const float each = node.kind == PublicNode::Kind::kFold ? amount : static_cast<float>(node.amount);
      for (float& of_hand : value) of_hand *= each;
      return;
    }
    const int options = node.options;
    const auto stage = at(node.stage);
    std::array<PerHand, kMostOptions> probability;
    for (std::size_t h = 0; h < kHands; ++h) {
      std::array<float, kMostOptions> own;
      normalise(&table.regret[first(node, deal.hand[h].bucket[stage])], options, own.data());
      for (int i = 0; i < options; ++i) probability[at(i)][h] = own[at(i)];
    }
    if (node.position == position)
      decide(node, reach, probability, value);
    else
      follow(node, reach, probability, value);
  }

 private:
  using Probabilities = std::array<PerHand, kMostOptions>;
  static std::size_t first(const PublicNode& node, std::int32_t bucket) {
    return at(node.base + std::int64_t{bucket} * node.options);
  }

  void decide(const PublicNode& node, const PerHand& reach, const Probabilities& probability, PerHand& value) {
    const int options = node.options;
    std::array<PerHand, kMostOptions> values;
    value.fill(0);
    for (int i = 0; i < options; ++i) {
      visit(tree.child(node, i), reach, values[at(i)]);
      for (std::size_t h = 0; h < kHands; ++h) value[h] += probability[at(i)][h] * values[at(i)][h];
    }
    for (std::size_t h = 0; h < kHands; ++h) {
      float* const regret = &table.regret[first(node, deal.hand[h].bucket[at(node.stage)])];
      for (int i = 0; i < options; ++i) regret[i] += weight * (values[at(i)][h] - value[h]);
    }
  }

  void follow(const PublicNode& node, const PerHand& reach, const Probabilities& probability, PerHand& value) {
    const int options = node.options;
    for (std::size_t h = 0; h < kHands; ++h) {
      if (reach[h] == 0) continue;
      float* const sum = &table.sum[first(node, deal.hand[h].bucket[at(node.stage)])];
      for (int i = 0; i < options; ++i) sum[i] += weight * reach[h] * probability[at(i)][h];
    }
    std::array<float, kMostOptions> taken{};
    float all = 0;
    for (int i = 0; i < options; ++i) {
      for (std::size_t h = 0; h < kHands; ++h) taken[at(i)] += reach[h] * probability[at(i)][h];
      all += taken[at(i)];
    }
    // Options beyond those of the node are never taken.
    const std::size_t option = weighted_index(taken, static_cast<float>(rng.uniform()) * all, kMostOptions);
    if (option == kMostOptions) return value.fill(0);
    PerHand next;
    const float scale = all / taken[option];
    for (std::size_t h = 0; h < kHands; ++h) next[h] = reach[h] * probability[option][h] * scale;
    visit(tree.child(node, static_cast<int>(option)), next, value);
  }
};

}  // namespace

void others(const HoldemCards::Deal& deal, const PerHand& reach, PerHand& sum) {
  ByCard all;
  for (std::size_t h = 0; h < kHands; ++h) all.add(deal.hand[h], reach[h]);
  for (std::size_t h = 0; h < kHands; ++h) sum[h] = all.without(deal.hand[h]) + reach[h];
}

void settle(const HoldemCards::Deal& deal, const PerHand& reach, PerHand& won) {
  // Prefix sums from the weakest to the strongest hand: the hands strictly below each group of ties.
  const auto pass = [&](bool up, float sign) {
    ByCard beaten;
    for (std::size_t i = 0; i < kHands;) {
      const auto hand = [&](std::size_t k) -> std::size_t { return up ? k : kHands - 1 - k; };
      std::size_t end = i;
      while (end < kHands && deal.hand[hand(end)].value == deal.hand[hand(i)].value) ++end;
      for (std::size_t k = i; k < end; ++k) won[hand(k)] += sign * beaten.without(deal.hand[hand(k)]);
      for (std::size_t k = i; k < end; ++k) beaten.add(deal.hand[hand(k)], reach[hand(k)]);
      i = end;
    }
  };
  won.fill(0);
  pass(true, 1);
  pass(false, -1);
}

void BoardSampling::sample(Table& table, double weight, RandomStream& rng) const {
  HoldemCards::Deal deal;
  cards_.deal(deal, rng);
  PerHand reach, value;
  reach.fill(1.0F / kHands);
  for (int round = 0; round < kRounds; ++round)
    for (int position = 0; position < 2; ++position)
      Walk{tree_, deal, table, position, static_cast<float>(weight), rng}.visit(tree_.nodes[0], reach, value);
}

}  // namespace dealer::abstraction
