#include "agents/poker/draw_means.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace dealer::poker {
namespace {

// Of a replaceable card: one of the four of its rank is not in the deck.
constexpr float kReplaceableWeight = 0.75F;
// Hands of a row that are worked on together.
constexpr std::size_t kLanes = 16;
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
  for (std::size_t level = 0; level < static_cast<std::size_t>(rules.draws); ++level) {
    levels_.emplace_back(first_[kDrawHand]);
    add_fours(level);
    add_smaller(levels_[level]);
    if (level + 1 == static_cast<std::size_t>(rules.draws)) break;
    shares_.emplace_back(levels_[level].size() + kLanes);
    for (std::size_t set = 0; set < levels_[level].size(); ++set) shares_[level][set] = levels_[level][set].share;
  }
  shares_.clear();
}

std::size_t DrawMeans::bytes(const GameRules& rules) {
  double sets = 0;
  for (int size = 0; size < kDrawHand; ++size) sets += choose(rules.deck->size(), size);
  return static_cast<std::size_t>(rules.draws) * static_cast<std::size_t>(sets) * sizeof(Sums);
}

// In the combinatorial number system, behind all smaller sets. The cards rise.
std::size_t DrawMeans::number(std::span<const CardId> set) const {
  std::size_t number = first_[set.size()];
  for (std::size_t i = 0; i < set.size(); ++i) number += step_[i][set[i]];
  return number;
}

// What hands of the four cards in `rest` and a lower one each, from 0 on, become by the best discards of a level.
// `values`: what they are worth pat, then the result. Sets with the lowest card lie side by side.
void DrawMeans::find_best(std::size_t level, Four rest, std::span<float> values) const {
  const std::vector<float>& sums = shares_[level];
  constexpr unsigned kSets = kDiscardChoices / 2;
  std::array<std::size_t, kSets> with{};  // number of the set with card 0
  std::array<float, kSets> without{}, weight{};
  unsigned light = 0;
  weight[0] = 1;
  for (const CardId card : rest) light += weight_[card] < 1 ? 1 : 0;
  for (unsigned set = 0; set < kSets; ++set) {
    std::array<CardId, kDrawHand> cards{};
    std::size_t size = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if ((set >> i & 1) == 0) continue;
      weight[set] = weight[set ^ 1U << i] * weight_[rest[i]];
      cards[size++] = rest[i];
    }
    without[set] = sums[number(std::span(cards).first(size))];
    with[set] = first_[size + 1];
    for (std::size_t i = 0; i < size; ++i) with[set] += step_[i + 1][cards[i]];
  }
  // By the weight of the lowest card: 1, or that of a card that may be out of play.
  std::array<std::array<float, kDiscardChoices>, 2> scale;
  for (unsigned lowest = 0; lowest < 2; ++lowest) {
    const auto& per_ways = per_ways_[std::min<std::size_t>(light + lowest, kDrawHand)];
    for (unsigned kept = 0; kept < kDiscardChoices; ++kept) {
      const float own = weight[kept / 2] * ((kept & 1) != 0 && lowest == 1 ? kReplaceableWeight : 1);
      scale[lowest][kept] = per_ways[static_cast<std::size_t>(kDrawHand - std::popcount(kept))] / own;
    }
  }
  std::array<std::array<float, kLanes>, kDiscardChoices> share;
  for (std::size_t first = 0; first < values.size(); first += kLanes) {
    const std::size_t lanes = std::min(kLanes, values.size() - first);
    for (unsigned set = 0; set < kSets; ++set) {
      share[2 * set].fill(without[set]);
      // Behind the last sum there is room.
      if (set + 1 < kSets) std::copy_n(&sums[with[set] + first], kLanes, share[2 * set + 1].begin());
    }
    std::array<float, kLanes> pat{}, best{};
    std::copy_n(&values[first], lanes, pat.begin());
    std::array<bool, kLanes> is_light{};
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      is_light[lane] = weight_[first + lane] < 1;
      share[kAll][lane] = pat[lane] * weight[kSets - 1] * weight_[first + lane];
    }
    for (std::size_t lane = lanes; lane < kLanes; ++lane) share[kAll][lane] = 0;
    for (unsigned card = 1; card < kDiscardChoices; card <<= 1)
      for (unsigned block = 0; block < kDiscardChoices; block += 2 * card)
        for (unsigned kept = block; kept < block + card; ++kept)
          for (std::size_t lane = 0; lane < kLanes; ++lane) share[kept][lane] -= share[kept + card][lane];
    best = pat;
    for (unsigned kept = 0; kept < kAll; ++kept) {
      const float always = scale[0][kept], sometimes = scale[1][kept];
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        best[lane] = std::max(best[lane], share[kept][lane] * (is_light[lane] ? sometimes : always));
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) values[first + lane] = std::min(1.0F, best[lane]);
  }
}

void DrawMeans::add_fours(std::size_t level) {
  std::vector<Sums>& sums = levels_[level];
  std::vector<CardId> hands;
  std::vector<float> values;
  for (int e = kDrawHand - 1; e < cards_; ++e) {
    for (int d = kDrawHand - 2; d < e; ++d) {
      for (int c = 2; c < d; ++c) {
        hands.clear();
        for (int b = 1; b < c; ++b)
          for (int a = 0; a < b; ++a)
            for (const int card : {a, b, c, d, e}) hands.push_back(static_cast<CardId>(card));
        values.resize(hands.size() / kDrawHand);
        book_->beats(hands, values);
        std::size_t row = 0;
        for (int b = 1; b < c; row += static_cast<std::size_t>(b), ++b) {
          const std::array<CardId, kDrawHand - 1> rest = {static_cast<CardId>(b), static_cast<CardId>(c),
                                                          static_cast<CardId>(d), static_cast<CardId>(e)};
          const std::span<float> of_row = std::span(values).subspan(row, static_cast<std::size_t>(b));
          for (std::size_t below = 0; below < level; ++below) find_best(below, rest, of_row);
          add_row(rest, of_row, sums);
        }
      }
    }
  }
}

// To the sums of the sets of four in the hands of a row.
void DrawMeans::add_row(Four rest, std::span<const float> values, std::vector<Sums>& sums) const {
  const float weight = weight_[rest[0]] * weight_[rest[1]] * weight_[rest[2]] * weight_[rest[3]];
  // Without one of the four; the lowest card adds its own index.
  std::array<std::size_t, kDrawHand - 1> with{};
  for (std::size_t out = 0; out < rest.size(); ++out) {
    with[out] = first_[kDrawHand - 1];
    for (std::size_t i = 0, place = 1; i < rest.size(); ++i)
      if (i != out) with[out] += step_[place++][rest[i]];
  }
  Sums all;
  for (std::size_t a = 0; a < values.size(); ++a) {
    const float share = weight * weight_[a] * values[a], fourth = share * values[a] * values[a] * values[a];
    all.share += share;
    all.fourth += fourth;
    for (const std::size_t set : with) {
      sums[set + a].share += share;
      sums[set + a].fourth += fourth;
    }
  }
  sums[number(rest)].share += all.share;
  sums[number(rest)].fourth += all.fourth;
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
    // Rounding may lead out of the range.
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
