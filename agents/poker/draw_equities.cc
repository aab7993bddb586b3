#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <utility>

#include "agents/poker/draw_equity_tables.h"

namespace dealer::poker {
namespace {

// The weight of a replaceable card: one of the four of its rank is not in the deck.
constexpr float kReplaceableWeight = 0.75F;
// Hands of a row that are processed together.
constexpr std::size_t kLanes = 16;
struct Lanes {
  std::array<float, kLanes> of;
  void operator-=(const Lanes& other) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) of[lane] -= other.of[lane];
  }
};

double choose(int n, int k) {
  double ways = n < k ? 0 : 1;
  for (int i = 0; i < k; ++i) ways = ways * (n - i) / (i + 1);
  return ways;
}

// Advances to the next ascending set of numbers below `end` with the first at least 2; returns false after the last.
template <std::size_t kSize>
bool next_rising(std::array<int, kSize>& set, int end) {
  for (std::size_t i = 0; i < kSize; ++i) {
    if (set[i] + 1 < (i + 1 < kSize ? set[i + 1] : end)) {
      ++set[i];
      for (std::size_t below = 0; below < i; ++below) set[below] = static_cast<int>(below) + 2;
      return true;
    }
  }
  return false;
}

}  // namespace

// The implementation for hands of kCards cards.
template <int kCards>
class DrawEquities::TablesOf final : public DrawEquities::Tables {
 public:
  TablesOf(const GameRules& rules, std::shared_ptr<const HandsAfterDraw> book);
  void find(std::span<const CardId> hand, int left, Means& means) const override;

 private:
  static constexpr unsigned kChoices = 1U << kCards, kAll = kChoices - 1;
  struct Sums {
    float share = 0, fourth = 0;
  };
  using Hand = std::span<const CardId, kCards>;
  using Rest = std::span<const CardId, kCards - 1>;
  void add_rows(std::size_t level);
  void add_row(Rest rest, std::span<const float> values, std::vector<Sums>& sums) const;
  void find_best(std::size_t level, Rest rest, std::span<float> values) const;
  void add_smaller(std::vector<Sums>& sums) const;
  float best(Hand hand, std::size_t level) const;
  float standing(Hand hand, std::size_t level) const;
  void transform(Hand hand, std::size_t level, float pat, Means& means) const;
  std::size_t number(std::span<const CardId> set) const;

  std::shared_ptr<const HandsAfterDraw> book_;
  int cards_;
  std::vector<float> weight_;                      // of a card: its probability of being in play
  std::array<std::uint32_t, kCards + 1> first_{};  // offset of the sets of each size among the sums
  // 1 / the total weight of sets of each size outside a hand, by the number of its cards that may be out of play.
  std::array<std::array<float, kCards + 1>, kCards + 1> per_ways_{};
  std::vector<std::vector<Sums>> levels_;   // by number of draws after this one
  std::vector<std::vector<float>> shares_;  // of these sums, while they are built
};

template <int kCards>
DrawEquities::TablesOf<kCards>::TablesOf(const GameRules& rules, std::shared_ptr<const HandsAfterDraw> book)
    : book_(std::move(book)), cards_(rules.deck->size()) {
  int light = 0;
  for (int card = 0; card < cards_; ++card) {
    const bool always = !rules.random_mix() || rules.replaceable[at(card)].suit == Replaceable::kNever;
    weight_.push_back(always ? 1 : kReplaceableWeight);
    if (!always) ++light;
  }
  for (int size = 0; size < kCards; ++size)
    first_[at(size) + 1] = first_[at(size)] + static_cast<std::uint32_t>(choose(cards_, size));
  for (int mine = 0; mine <= std::min(light, kCards); ++mine) {
    for (int count = 0; count <= kCards; ++count) {
      double ways = 0, weight = 1;
      for (int k = 0; k <= count; ++k, weight *= static_cast<double>(kReplaceableWeight))
        ways += weight * choose(light - mine, k) * choose(cards_ - light - (kCards - mine), count - k);
      per_ways_[at(mine)][at(count)] = ways > 0 ? static_cast<float>(1 / ways) : 0;
    }
  }
  for (std::size_t level = 0; level < at(rules.draws); ++level) {
    levels_.emplace_back(first_[kCards]);
    add_rows(level);
    add_smaller(levels_[level]);
    if (level + 1 == at(rules.draws)) break;
    shares_.emplace_back(levels_[level].size() + kLanes);
    for (std::size_t set = 0; set < levels_[level].size(); ++set) shares_[level][set] = levels_[level][set].share;
  }
  shares_.clear();
}

// The number of a set in the combinatorial number system, after all smaller sets. Cards ascend.
template <int kCards>
std::size_t DrawEquities::TablesOf<kCards>::number(std::span<const CardId> set) const {
  std::size_t number = first_[set.size()];
  for (std::size_t i = 0; i < set.size(); ++i) number += subset_step(i, set[i]);
  return number;
}

// For hands of the cards in `rest` and one lower card each, from 0 on: their values under the best discards of a level.
// `values`: their values when pat, replaced by the result. Sets with the lowest card are adjacent.
template <int kCards>
void DrawEquities::TablesOf<kCards>::find_best(std::size_t level, Rest rest, std::span<float> values) const {
  const std::vector<float>& sums = shares_[level];
  constexpr unsigned kSets = kChoices / 2;
  std::array<std::size_t, kSets> with{};  // number of the set with card 0
  std::array<float, kSets> without{}, weight{};
  unsigned light = 0;
  weight[0] = 1;
  for (const CardId card : rest) light += weight_[card] < 1 ? 1 : 0;
  for (unsigned set = 0; set < kSets; ++set) {
    std::array<CardId, kCards> cards{};
    std::size_t size = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if ((set >> i & 1) == 0) continue;
      weight[set] = weight[set ^ 1U << i] * weight_[rest[i]];
      cards[size++] = rest[i];
    }
    without[set] = sums[number(std::span(cards).first(size))];
    with[set] = first_[size + 1];
    for (std::size_t i = 0; i < size; ++i) with[set] += subset_step(i + 1, cards[i]);
  }
  // By the weight of the lowest card: 1, or that of a card that may be out of play.
  std::array<std::array<float, kChoices>, 2> scale;
  for (unsigned lowest = 0; lowest < 2; ++lowest) {
    const auto& per_ways = per_ways_[std::min<std::size_t>(light + lowest, kCards)];
    for (unsigned kept = 0; kept < kChoices; ++kept) {
      const float own = weight[kept / 2] * ((kept & 1) != 0 && lowest == 1 ? kReplaceableWeight : 1);
      scale[lowest][kept] = per_ways[at(kCards - std::popcount(kept))] / own;
    }
  }
  std::array<Lanes, kChoices> share;
  for (std::size_t first = 0; first < values.size(); first += kLanes) {
    const std::size_t lanes = std::min(kLanes, values.size() - first);
    for (unsigned set = 0; set < kSets; ++set) {
      share[2 * set].of.fill(without[set]);
      // There is room after the last sum.
      if (set + 1 < kSets) std::copy_n(&sums[with[set] + first], kLanes, share[2 * set + 1].of.begin());
    }
    std::array<float, kLanes> pat{}, best{};
    std::copy_n(&values[first], lanes, pat.begin());
    std::array<bool, kLanes> is_light{};
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      is_light[lane] = weight_[first + lane] < 1;
      share[kAll].of[lane] = pat[lane] * weight[kSets - 1] * weight_[first + lane];
    }
    for (std::size_t lane = lanes; lane < kLanes; ++lane) share[kAll].of[lane] = 0;
    keep_just_these(share);
    best = pat;
    for (unsigned kept = 0; kept < kAll; ++kept) {
      const float always = scale[0][kept], sometimes = scale[1][kept];
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        best[lane] = std::max(best[lane], share[kept].of[lane] * (is_light[lane] ? sometimes : always));
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) values[first + lane] = std::min(1.0F, best[lane]);
  }
}

template <int kCards>
void DrawEquities::TablesOf<kCards>::add_rows(std::size_t level) {
  std::vector<Sums>& sums = levels_[level];
  std::vector<CardId> hands;
  std::vector<float> values;
  // All cards of a hand but the two lowest, ascending: the corresponding hands are valued together.
  std::array<int, kCards - 2> high{};
  for (std::size_t i = 0; i < high.size(); ++i) high[i] = static_cast<int>(i) + 2;
  do {
    hands.clear();
    for (int b = 1; b < high[0]; ++b) {
      for (int a = 0; a < b; ++a) {
        hands.push_back(static_cast<CardId>(a));
        hands.push_back(static_cast<CardId>(b));
        for (const int card : high) hands.push_back(static_cast<CardId>(card));
      }
    }
    values.resize(hands.size() / kCards);
    book_->beats(hands, values);
    std::size_t row = 0;
    for (int b = 1; b < high[0]; row += at(b), ++b) {
      std::array<CardId, kCards - 1> rest = {static_cast<CardId>(b)};
      std::transform(high.begin(), high.end(), rest.begin() + 1, [](int card) { return static_cast<CardId>(card); });
      const std::span<float> of_row = std::span(values).subspan(row, at(b));
      for (std::size_t below = 0; below < level; ++below) find_best(below, rest, of_row);
      add_row(rest, of_row, sums);
    }
  } while (next_rising(high, cards_));
}

// Adds the hands of a row to the sums of the sets without one card.
template <int kCards>
void DrawEquities::TablesOf<kCards>::add_row(Rest rest, std::span<const float> values, std::vector<Sums>& sums) const {
  float weight = 1;
  for (const CardId card : rest) weight *= weight_[card];
  // The numbers of sets without one card; the lowest card adds its own index.
  std::array<std::size_t, kCards - 1> with{};
  for (std::size_t out = 0; out < rest.size(); ++out) {
    with[out] = first_[kCards - 1];
    for (std::size_t i = 0, place = 1; i < rest.size(); ++i)
      if (i != out) with[out] += subset_step(place++, rest[i]);
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

// A set of k cards from those with one card more: each hand is counted once for every card outside the set.
template <int kCards>
void DrawEquities::TablesOf<kCards>::add_smaller(std::vector<Sums>& sums) const {
  for (std::size_t size = kCards - 1; size > 0; --size) {
    std::vector<double> share(first_[size] - first_[size - 1]), fourth(share.size());
    std::array<int, kCards> all{};
    std::iota(all.begin(), all.end(), 0);
    const std::span<int> set = std::span(all).first(size);
    for (std::size_t larger = first_[size]; larger < first_[size + 1]; ++larger, advance_subset(set)) {
      for_each_smaller(set, [&](std::size_t smaller) {
        share[smaller] += static_cast<double>(sums[larger].share);
        fourth[smaller] += static_cast<double>(sums[larger].fourth);
      });
    }
    const auto times = static_cast<double>(kCards + 1 - size);
    for (std::size_t i = 0; i < share.size(); ++i)
      sums[first_[size - 1] + i] = {static_cast<float>(share[i] / times), static_cast<float>(fourth[i] / times)};
  }
}

template <int kCards>
void DrawEquities::TablesOf<kCards>::transform(Hand hand, std::size_t level, float pat, Means& means) const {
  const std::vector<Sums>& sums = levels_[level];
  std::array<std::uint32_t, kChoices> number{};
  std::array<float, kChoices> share, fourth, weight;
  unsigned light = 0;
  weight[0] = 1;
  for (std::size_t i = 0; i < kCards; ++i) light |= weight_[hand[i]] < 1 ? 1U << i : 0U;
  for (unsigned kept = 1; kept < kChoices; ++kept) {
    const auto last = at(std::bit_width(kept)) - 1;
    const unsigned others = kept ^ 1U << last;
    number[kept] = number[others] + kSubsetSteps[at(std::popcount(others))][hand[last]];
    weight[kept] = weight[others] * weight_[hand[last]];
  }
  for (unsigned kept = 0; kept < kAll; ++kept) {
    const Sums& sum = sums[first_[at(std::popcount(kept))] + number[kept]];
    share[kept] = sum.share;
    fourth[kept] = sum.fourth;
  }
  share[kAll] = weight[kAll] * pat;
  fourth[kAll] = weight[kAll] * pat * pat * pat * pat;
  keep_just_these(share);
  keep_just_these(fourth);
  const auto& per_ways = per_ways_[at(std::popcount(light))];
  for (unsigned kept = 0; kept < kAll; ++kept) {
    const auto come = at(kCards - std::popcount(kept));
    const float scale = per_ways[come] / weight[kept];
    // Rounding may leave the range.
    means[kAll ^ kept] = {std::clamp(share[kept] * scale, 0.0F, 1.0F), std::clamp(fourth[kept] * scale, 0.0F, 1.0F)};
  }
  means[0] = {pat, pat * pat * pat * pat};
}

// The value of the hand before draws, after `levels` levels have been processed.
template <int kCards>
float DrawEquities::TablesOf<kCards>::standing(Hand hand, std::size_t level) const {
  if (level > 0) return best(hand, level - 1);
  float share = 0;
  book_->beats(hand, std::span(&share, 1));
  return share;
}

template <int kCards>
float DrawEquities::TablesOf<kCards>::best(Hand hand, std::size_t level) const {
  Means means;
  transform(hand, level, standing(hand, level), means);
  float most = 0;
  for (unsigned mask = 0; mask < kChoices; ++mask) most = std::max(most, means[mask].share);
  return most;
}

template <int kCards>
void DrawEquities::TablesOf<kCards>::find(std::span<const CardId> cards, int left, Means& means) const {
  const Hand hand = cards.template first<kCards>();
  const auto level = at(left - 1);
  transform(hand, level, standing(hand, level), means);
}

std::size_t DrawEquities::bytes(const GameRules& rules) {
  double sets = 0;
  for (int size = 0; size < rules.hand_cards; ++size) sets += choose(rules.deck->size(), size);
  return at(rules.draws) * static_cast<std::size_t>(sets) * 2 * sizeof(float);
}

DrawEquities::DrawEquities(const GameRules& rules, std::shared_ptr<const HandsAfterDraw> book) {
  if (rules.hand_cards == 4)
    tables_ = std::make_unique<const TablesOf<4>>(rules, std::move(book));
  else
    tables_ = std::make_unique<const TablesOf<kDrawHand>>(rules, std::move(book));
}

}  // namespace dealer::poker
