#include "env/hands/draw_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "env/core/error.h"
#include "env/hands/hand_classes.h"
#include "env/hands/subset_numbers.h"

namespace dealer {
namespace {

constexpr unsigned kAll = (1U << DrawTables::kHand) - 1;
constexpr HandValue kMostDense = 1U << 22;  // values without gaps number thousands
__extension__ using Wide = unsigned __int128;

struct Subset {
  std::size_t size = 0, number = 0;
};

Subset subset(const DrawTables::Places& places, unsigned mask) {
  Subset set;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (((mask >> i) & 1) != 0) set.number += subset_step(set.size++, static_cast<std::size_t>(places[i]));
  return set;
}

}  // namespace

DrawTables::DrawTables(const Evaluator& evaluator, std::span<const CardId> cards, int at_least,
                       const Progress& progress)
    : evaluator_(&evaluator),
      cards_(cards.begin(), cards.end()),
      at_least_(at_least),
      categories_(evaluator.ranking().categories().size()) {
  if (cards.size() < 2 * kHand)
    throw UsageError(
        fmt::format("'{}' has {} cards; drawing needs {}", evaluator.deck().name(), cards.size(), 2 * kHand));
  value_hands(progress);
  sum_fours(progress);
  sum_smaller();
}

DrawTables::Places DrawTables::places(std::span<const CardId> hand) const {
  Places places{};
  for (std::size_t i = 0; i < places.size(); ++i)
    places[i] = static_cast<int>(std::lower_bound(cards_.begin(), cards_.end(), hand[i]) - cards_.begin());
  std::sort(places.begin(), places.end());
  return places;
}

template <class Visit>
void DrawTables::for_all_hands(const Progress& progress, Visit&& visit) const {
  const std::size_t n = cards_.size();
  std::vector<CardId> hands;
  std::vector<HandValue> values;
  for (std::size_t e = 4; e < n; ++e) {
    for (std::size_t d = 3; d < e; ++d) {
      for (std::size_t c = 2; c < d; ++c) {
        hands.clear();
        for (std::size_t b = 1; b < c; ++b)
          for (std::size_t a = 0; a < b; ++a)
            hands.insert(hands.end(), {cards_[a], cards_[b], cards_[c], cards_[d], cards_[e]});
        values.resize(hands.size() / kHand);
        evaluator_->evaluate5(hands, values);
        const HandValue* at = values.data();
        for (std::size_t b = 1; b < c; at += b, ++b)
          visit(static_cast<int>(b), static_cast<int>(c), static_cast<int>(d), static_cast<int>(e), std::span(at, b));
      }
      if (progress) progress(choose(static_cast<int>(d), 3));
    }
  }
}

void DrawTables::value_hands(const Progress& progress) {
  std::uint64_t total = 0;
  if (evaluator_->values() <= kMostDense) worths_.resize(evaluator_->values());
  const bool dense = !worths_.empty();
  for_all_hands(progress, [&](int, int, int, int, std::span<const HandValue> values) {
    for (const HandValue value : values) ++(dense ? worths_[value] : few_worths_[value]).points;
    total += values.size();
  });
  std::vector<std::pair<HandValue, Worth*>> rising;
  for (HandValue value = 0; value < worths_.size(); ++value) rising.emplace_back(value, &worths_[value]);
  for (auto& [value, worth] : few_worths_) rising.emplace_back(value, &worth);
  std::sort(rising.begin(), rising.end());
  unit_ = at_least_ < 0 ? 2 * static_cast<double>(total) : 1;
  std::uint64_t weaker = 0;
  for (auto& [value, worth] : rising) {
    const std::uint64_t equal = worth->points;
    worth->category = static_cast<std::size_t>(evaluator_->category(value));
    worth->points = at_least_ < 0 ? 2 * weaker + equal : static_cast<int>(worth->category) >= at_least_ ? 1 : 0;
    weaker += equal;
  }
}

void DrawTables::sum_fours(const Progress& progress) {
  const std::size_t sets = subset_step(3, cards_.size());
  std::vector<std::uint64_t>& points = points_[4];
  points.assign(sets, 0);
  hands_of_four_.assign(sets * categories_, 0);
  for_all_hands(progress, [&](int b, int c, int d, int e, std::span<const HandValue> values) {
    // The sets without b, c, d or e, to which a adds its own place; and the one without a.
    const auto step = [](std::size_t i, int place) { return subset_step(i, static_cast<std::size_t>(place)); };
    const std::array<std::size_t, 4> with_a = {
        step(1, c) + step(2, d) + step(3, e), step(1, b) + step(2, d) + step(3, e),
        step(1, b) + step(2, c) + step(3, e), step(1, b) + step(2, c) + step(3, d)};
    const std::size_t without_a = step(0, b) + with_a[0];
    for (std::size_t a = 0; a < values.size(); ++a) {
      const Worth& worth = this->worth(values[a]);
      for (const std::size_t set : with_a) {
        points[set + a] += worth.points;
        ++hands_of_four_[(set + a) * categories_ + worth.category];
      }
      points[without_a] += worth.points;
      ++hands_of_four_[without_a * categories_ + worth.category];
    }
  });
}

// A set of k cards, from those with a card more: each hand is counted once for every one of its cards outside the set.
void DrawTables::sum_smaller() {
  for (std::size_t size = kHand - 1; size > 0; --size) {
    const std::size_t smaller = size - 1;
    const std::size_t sets = smaller == 0 ? 1 : subset_step(smaller - 1, cards_.size());
    points_[smaller].assign(sets, 0);
    hands_[smaller].assign(sets * categories_, 0);
    std::array<int, kHand> all{};
    const std::span<int> places = std::span(all).first(size);
    for (std::size_t i = 0; i < size; ++i) places[i] = static_cast<int>(i);
    const std::size_t larger = points_[size].size();
    for (std::size_t set = 0; set < larger; ++set, advance_subset(places)) {
      for_each_smaller(places, [&](std::size_t part) {
        points_[smaller][part] += points_[size][set];
        for (std::size_t c = 0; c < categories_; ++c)
          hands_[smaller][part * categories_ + c] +=
              size == kHand - 1 ? hands_of_four_[set * categories_ + c] : hands_[size][set * categories_ + c];
      });
    }
    const std::size_t times = kHand - smaller;
    for (std::uint64_t& points : points_[smaller]) points /= times;
    for (std::uint32_t& hands : hands_[smaller]) hands /= static_cast<std::uint32_t>(times);
  }
}

void DrawTables::count_hands(const Places& places, unsigned kept, const Worth& dealt,
                             std::vector<std::uint64_t>& hands) const {
  hands.assign(categories_, 0);
  const unsigned discarded = kAll & ~kept;
  // All subsets of the cards discarded, from all of them to none.
  for (unsigned more = discarded;; more = (more - 1) & discarded) {
    const Subset set = subset(places, kept | more);
    const bool minus = std::popcount(more) % 2 == 1;
    for (std::size_t c = 0; c < categories_; ++c) {
      const std::uint64_t n = set.size == kHand       ? (c == dealt.category ? 1 : 0)
                              : set.size == kHand - 1 ? hands_of_four_[set.number * categories_ + c]
                                                      : hands_[set.size][set.number * categories_ + c];
      hands[c] += minus ? std::uint64_t{0} - n : n;
    }
    if (more == 0) break;
  }
}

void DrawTables::best_draw(const Places& places, Draw& best) const {
  std::array<CardId, kHand> hand{};
  for (std::size_t i = 0; i < hand.size(); ++i) hand[i] = cards_[static_cast<std::size_t>(places[i])];
  const Worth& dealt = worth(evaluator_->evaluate(hand));
  std::array<std::uint64_t, kAll + 1> points{};
  for (unsigned mask = 0; mask < kAll; ++mask) {
    const Subset set = subset(places, mask);
    points[mask] = points_[set.size][set.number];
  }
  points[kAll] = dealt.points;
  keep_just_these(points);
  best.kept = kAll;
  best.points = points[kAll];
  best.ways = 1;
  best.hands.clear();
  std::vector<std::uint64_t> other;
  // From few discards to many, so that the first of equal points is kept.
  static constexpr auto kFewFirst = [] {
    std::array<unsigned, kAll> masks{};
    std::size_t n = 0;
    for (int kept = kHand - 1; kept >= 0; --kept)
      for (unsigned mask = 0; mask < kAll; ++mask)
        if (std::popcount(mask) == kept) masks[n++] = mask;
    return masks;
  }();
  for (const unsigned mask : kFewFirst) {
    const int discarded = kHand - std::popcount(mask);
    const std::uint64_t ways = subset_step(static_cast<std::size_t>(discarded) - 1, cards_.size() - kHand);
    const Wide here = Wide{points[mask]} * best.ways, there = Wide{best.points} * ways;
    if (here < there) continue;
    if (here == there) {
      if (discarded > kHand - std::popcount(best.kept)) continue;
      if (best.hands.empty()) count_hands(places, best.kept, dealt, best.hands);
      count_hands(places, mask, dealt, other);
      if (!std::lexicographical_compare(best.hands.rbegin(), best.hands.rend(), other.rbegin(), other.rend())) continue;
      best.hands = other;
    } else {
      best.hands.clear();
    }
    best.kept = mask;
    best.points = points[mask];
    best.ways = ways;
  }
  if (best.hands.empty()) count_hands(places, best.kept, dealt, best.hands);
  best.discarded = kHand - std::popcount(best.kept);
  best.dealt_points = dealt.points;
  best.dealt_category = static_cast<int>(dealt.category);
}

}  // namespace dealer
