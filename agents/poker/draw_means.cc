#include "agents/poker/draw_means.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "env/core/random.h"

namespace dealer::poker {
namespace {

// Of a replaceable card: one of the four of its rank is not in the deck.
constexpr float kReplaceableWeight = 0.75F;
// Hands that a level looks at: with values from tables, from rules, or from the level below.
constexpr std::size_t kTableHands = 25'000'000, kRuleHands = 300'000, kLevelHands = 4'000'000;
constexpr HandValue kTableValues = 1 << 20;  // rankings without tables number their values with wide gaps
constexpr std::uint64_t kSeed = 0xd3a;
constexpr unsigned kAll = kDiscardChoices - 1;

double choose(int n, int k) {
  double ways = n < k ? 0 : 1;
  for (int i = 0; i < k; ++i) ways = ways * (n - i) / (i + 1);
  return ways;
}

}  // namespace

DrawMeans::DrawMeans(const GameRules& rules, std::shared_ptr<const DrawBook> book)
    : book_(std::move(book)), cards_(rules.deck->size()) {
  int light = 0;
  for (int card = 0; card < cards_; ++card) {
    const bool always =
        !rules.random_mix() || rules.replaceable[static_cast<std::size_t>(card)].suit == Replaceable::kNever;
    weight_.push_back(always ? 1 : kReplaceableWeight);
    if (!always) ++light;
  }
  for (int i = 0; i < kDrawHand; ++i)
    for (int card = 0; card <= cards_; ++card)
      step_[static_cast<std::size_t>(i)][static_cast<std::size_t>(card)] =
          static_cast<std::uint32_t>(choose(card, i + 1));
  for (int size = 0; size < kDrawHand; ++size)
    first_[static_cast<std::size_t>(size) + 1] =
        first_[static_cast<std::size_t>(size)] + static_cast<std::uint32_t>(choose(cards_, size));
  for (int mine = 0; mine <= std::min(light, kDrawHand); ++mine) {
    for (int count = 0; count <= kDrawHand; ++count) {
      double ways = 0, weight = 1;
      for (int k = 0; k <= count; ++k, weight *= static_cast<double>(kReplaceableWeight))
        ways += weight * choose(light - mine, k) * choose(cards_ - light - (kDrawHand - mine), count - k);
      per_ways_[static_cast<std::size_t>(mine)][static_cast<std::size_t>(count)] =
          ways > 0 ? static_cast<float>(1 / ways) : 0;
    }
  }
  const auto hands = static_cast<std::size_t>(choose(cards_, kDrawHand));
  const bool from_tables = rules.high->values() <= kTableValues && (!rules.low || rules.low->values() <= kTableValues);
  for (std::size_t level = 0; level < static_cast<std::size_t>(rules.draws); ++level) {
    levels_.emplace_back(first_[kDrawHand]);
    const std::size_t most = level > 0 ? kLevelHands : from_tables ? kTableHands : kRuleHands;
    if (hands <= most)
      add_all(level);
    else
      add_some(level, std::max<std::size_t>(1, most / (first_[kDrawHand] - first_[kDrawHand - 1])));
    add_smaller(levels_[level]);
  }
}

std::size_t DrawMeans::bytes() const { return levels_.size() * first_[kDrawHand] * sizeof(Sums); }

// In the combinatorial number system, behind all smaller sets. The cards rise.
std::size_t DrawMeans::number(std::span<const CardId> set) const {
  std::size_t number = first_[set.size()];
  for (std::size_t i = 0; i < set.size(); ++i) number += step_[i][set[i]];
  return number;
}

void DrawMeans::value_hands(std::size_t level, std::span<const CardId> hands, std::vector<float>& values) const {
  values.resize(hands.size() / kDrawHand);
  if (level == 0) return book_->beats(hands, values);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = best(hands.subspan(i * kDrawHand).first<kDrawHand>(), level - 1);
}

void DrawMeans::add_all(std::size_t level) {
  std::vector<Sums>& sums = levels_[level];
  std::vector<CardId> hands;
  std::vector<float> values;
  for (int e = kDrawHand - 1; e < cards_; ++e) {
    for (int d = kDrawHand - 2; d < e; ++d) {
      hands.clear();
      for (int c = 2; c < d; ++c)
        for (int b = 1; b < c; ++b)
          for (int a = 0; a < b; ++a)
            for (const int card : {a, b, c, d, e}) hands.push_back(static_cast<CardId>(card));
      value_hands(level, hands, values);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const Hand hand = std::span(hands).subspan(i * kDrawHand).first<kDrawHand>();
        float weight = 1;
        for (const CardId card : hand) weight *= weight_[card];
        const float share = weight * values[i], fourth = share * values[i] * values[i] * values[i];
        // The set without the i-th card, from the one without the card before it.
        std::size_t set =
            first_[kDrawHand - 1] + step_[0][hand[1]] + step_[1][hand[2]] + step_[2][hand[3]] + step_[3][hand[4]];
        for (std::size_t out = 0;; ++out) {
          sums[set].share += share;
          sums[set].fourth += fourth;
          if (out + 1 == kDrawHand) break;
          set += std::size_t{step_[out][hand[out]]} - step_[out][hand[out + 1]];
        }
      }
    }
  }
}

// Each set of four with so many fifth cards drawn by lot.
void DrawMeans::add_some(std::size_t level, std::size_t each) {
  constexpr std::size_t kBlock = 1024;  // sets
  std::vector<Sums>& sums = levels_[level];
  RandomStream rng(kSeed, level);
  std::vector<CardId> hands;
  std::vector<float> values, weights;
  std::array<CardId, kDrawHand - 1> four{0, 1, 2, 3};
  for (std::size_t set = first_[kDrawHand - 1]; set < sums.size();) {
    const std::size_t block = std::min(kBlock, sums.size() - set);
    hands.clear();
    weights.clear();
    for (std::size_t i = 0; i < block; ++i) {
      float others = 0, own = 1, drawn = 0;
      for (int card = 0; card < cards_; ++card)
        (std::find(four.begin(), four.end(), card) == four.end() ? others : drawn) +=
            weight_[static_cast<std::size_t>(card)];
      for (const CardId card : four) own *= weight_[card];
      drawn = 0;
      for (std::size_t k = 0; k < each; ++k) {
        CardId fifth = 0;
        do fifth = static_cast<CardId>(rng.below(static_cast<std::uint32_t>(cards_)));
        while (std::find(four.begin(), four.end(), fifth) != four.end());
        std::array<CardId, kDrawHand> hand{four[0], four[1], four[2], four[3], fifth};
        std::sort(hand.begin(), hand.end());
        hands.insert(hands.end(), hand.begin(), hand.end());
        weights.push_back(weight_[fifth]);
        drawn += weight_[fifth];
      }
      for (std::size_t k = weights.size() - each; k < weights.size(); ++k) weights[k] *= own * others / drawn;
      std::size_t next = 0;
      while (next + 1 < four.size() && four[next] + 1 == four[next + 1]) ++next;
      ++four[next];
      for (std::size_t below = 0; below < next; ++below) four[below] = static_cast<CardId>(below);
    }
    value_hands(level, hands, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const float v = values[i];
      sums[set + i / each].share += weights[i] * v;
      sums[set + i / each].fourth += weights[i] * v * v * v * v;
    }
    set += block;
  }
}

// A set of k cards from those with a card more: each hand is met once for every card of it that is not in the set.
void DrawMeans::add_smaller(std::vector<Sums>& sums) const {
  for (std::size_t size = kDrawHand - 1; size > 0; --size) {
    std::vector<double> share(first_[size] - first_[size - 1]), fourth(share.size());
    std::array<CardId, kDrawHand> set{};
    for (std::size_t i = 0; i < size; ++i) set[i] = static_cast<CardId>(i);
    for (std::size_t larger = first_[size]; larger < first_[size + 1]; ++larger) {
      for (std::size_t out = 0; out < size; ++out) {
        std::size_t smaller = 0;
        for (std::size_t i = 0; i < size; ++i)
          if (i != out) smaller += step_[i < out ? i : i - 1][set[i]];
        share[smaller] += static_cast<double>(sums[larger].share);
        fourth[smaller] += static_cast<double>(sums[larger].fourth);
      }
      std::size_t next = 0;
      while (next + 1 < size && set[next] + 1 == set[next + 1]) ++next;
      ++set[next];
      for (std::size_t below = 0; below < next; ++below) set[below] = static_cast<CardId>(below);
    }
    const auto times = static_cast<double>(kDrawHand + 1 - size);
    for (std::size_t i = 0; i < share.size(); ++i)
      sums[first_[size - 1] + i] = {static_cast<float>(share[i] / times), static_cast<float>(fourth[i] / times)};
  }
}

void DrawMeans::transform(Hand hand, std::size_t level, float pat, Means& means) const {
  const std::vector<Sums>& sums = levels_[level];
  std::array<std::uint32_t, kDiscardChoices> number{};
  std::array<float, kDiscardChoices> share, fourth, weight;
  unsigned light = 0;
  weight[0] = 1;
  for (std::size_t i = 0; i < kDrawHand; ++i) light |= weight_[hand[i]] < 1 ? 1U << i : 0U;
  for (unsigned kept = 1; kept < kDiscardChoices; ++kept) {
    const auto last = static_cast<std::size_t>(std::bit_width(kept)) - 1;
    const unsigned others = kept ^ 1U << last;
    number[kept] = number[others] + step_[static_cast<std::size_t>(std::popcount(others))][hand[last]];
    weight[kept] = weight[others] * weight_[hand[last]];
  }
  for (unsigned kept = 0; kept < kAll; ++kept) {
    const Sums& sum = sums[first_[static_cast<std::size_t>(std::popcount(kept))] + number[kept]];
    share[kept] = sum.share;
    fourth[kept] = sum.fourth;
  }
  share[kAll] = weight[kAll] * pat;
  fourth[kAll] = weight[kAll] * pat * pat * pat * pat;
  // Hands that have more than the cards kept in common with this one go out.
  for (unsigned card = 1; card < kDiscardChoices; card <<= 1) {
    for (unsigned block = 0; block < kDiscardChoices; block += 2 * card) {
      for (unsigned kept = block; kept < block + card; ++kept) {
        share[kept] -= share[kept + card];
        fourth[kept] -= fourth[kept + card];
      }
    }
  }
  const auto& per_ways = per_ways_[static_cast<std::size_t>(std::popcount(light))];
  for (unsigned kept = 0; kept < kAll; ++kept) {
    const auto come = static_cast<std::size_t>(kDrawHand - std::popcount(kept));
    const float scale = per_ways[come] / weight[kept];
    // Rounding, and hands that were drawn by lot, may lead out of the range.
    means[kAll ^ kept] = {std::clamp(share[kept] * scale, 0.0F, 1.0F), std::clamp(fourth[kept] * scale, 0.0F, 1.0F)};
  }
  means[0] = {pat, pat * pat * pat * pat};
}

// Of the hand as it is before the draws of so many levels are gone through.
float DrawMeans::standing(Hand hand, std::size_t level) const {
  if (level > 0) return best(hand, level - 1);
  float share = 0;
  book_->beats(hand, std::span(&share, 1));
  return share;
}

float DrawMeans::best(Hand hand, std::size_t level) const {
  Means means;
  transform(hand, level, standing(hand, level), means);
  float most = 0;
  for (const Mean& mean : means) most = std::max(most, mean.share);
  return most;
}

void DrawMeans::find(Hand hand, int left, Means& means) const {
  const auto level = static_cast<std::size_t>(left - 1);
  transform(hand, level, standing(hand, level), means);
}

}  // namespace dealer::poker
