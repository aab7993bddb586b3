#include "env/hands/draw_odds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "env/core/error.h"
#include "env/hands/draw_tables.h"
#include "tests/env/hands/evaluator_checks.h"
#include "tests/support/error_message.h"

namespace dealer::draw_odds_test {
namespace {

using test::custom;

// Calls f with every choice of n of the cards.
template <class F>
void choices(const std::vector<CardId>& cards, std::size_t n, std::size_t first, std::vector<CardId>& chosen, F&& f) {
  if (chosen.size() == n) return f();
  for (std::size_t i = first; i < cards.size(); ++i) {
    chosen.push_back(cards[i]);
    choices(cards, n, i + 1, chosen, f);
    chosen.pop_back();
  }
}

struct Option {
  int discarded = 0;
  double points = 0;
  std::vector<double> share;  // by category
};

// Brute force: all hands, all discards, all draws.
class Trial {
 public:
  Trial(const Evaluator& evaluator, int at_least) : evaluator_(evaluator), at_least_(at_least) {
    cards_.resize(static_cast<std::size_t>(evaluator.deck().size()));
    std::iota(cards_.begin(), cards_.end(), CardId{0});
    std::vector<CardId> hand;
    choices(cards_, 5, 0, hand, [&] { values_.push_back(evaluator.evaluate(hand)); });
    std::sort(values_.begin(), values_.end());
  }

  DrawOdds odds() const {
    DrawOdds odds;
    odds.rows.resize(evaluator_.ranking().categories().size());
    const double each = 1 / static_cast<double>(values_.size());
    std::vector<CardId> hand;
    choices(cards_, 5, 0, hand, [&] {
      const Option best = best_option(hand);
      odds.goal.mean += each * best.points;
      odds.goal_dealt.mean += each * points(evaluator_.evaluate(hand));
      odds.discarded[static_cast<std::size_t>(best.discarded)].mean += each;
      for (std::size_t c = 0; c < best.share.size(); ++c) odds.rows[c].drawn.mean += each * best.share[c];
    });
    return odds;
  }

  Option best_option(const std::vector<CardId>& hand) const {
    std::vector<CardId> stock;
    std::set_difference(cards_.begin(), cards_.end(), hand.begin(), hand.end(), std::back_inserter(stock));
    Option best;
    for (int discarded = 0; discarded <= 5; ++discarded) {
      for (unsigned kept = 0; kept < 32; ++kept) {
        if (std::popcount(kept) != 5 - discarded) continue;
        const Option option = draw(hand, kept, stock);
        const bool first = best.share.empty();
        const bool equal = !first && std::abs(option.points - best.points) < 1e-12;
        if (first || (!equal && option.points > best.points) ||
            (equal && option.discarded == best.discarded && stronger(option.share, best.share)))
          best = option;
      }
    }
    return best;
  }

 private:
  static bool stronger(const std::vector<double>& a, const std::vector<double>& b) {
    for (std::size_t c = a.size(); c-- > 0;)
      if (std::abs(a[c] - b[c]) > 1e-12) return a[c] > b[c];
    return false;
  }

  double points(HandValue value) const {
    if (at_least_ >= 0) return evaluator_.category(value) >= at_least_ ? 1 : 0;
    const auto [low, high] = std::equal_range(values_.begin(), values_.end(), value);
    return static_cast<double>((low - values_.begin()) + (high - values_.begin())) / 2 /
           static_cast<double>(values_.size());
  }

  Option draw(const std::vector<CardId>& hand, unsigned kept, const std::vector<CardId>& stock) const {
    Option option;
    option.discarded = 5 - std::popcount(kept);
    option.share.resize(evaluator_.ranking().categories().size());
    std::vector<CardId> fresh;
    double ways = 0;
    choices(stock, static_cast<std::size_t>(option.discarded), 0, fresh, [&] {
      std::vector<CardId> last = fresh;
      for (std::size_t i = 0; i < 5; ++i)
        if (((kept >> i) & 1) != 0) last.push_back(hand[i]);
      const HandValue value = evaluator_.evaluate(last);
      option.points += points(value);
      option.share[static_cast<std::size_t>(evaluator_.category(value))] += 1;
      ++ways;
    });
    option.points /= ways;
    for (double& share : option.share) share /= ways;
    return option;
  }

  const Evaluator& evaluator_;
  int at_least_;
  std::vector<CardId> cards_;
  std::vector<HandValue> values_;
};

void expect_as_tried(const Evaluator& evaluator, std::optional<int> at_least) {
  DrawOptions options;
  options.at_least = at_least;
  const DrawOdds odds = draw_odds(evaluator, options);
  const DrawOdds tried = Trial(evaluator, at_least.value_or(-1)).odds();
  EXPECT_TRUE(odds.exact);
  EXPECT_NEAR(odds.goal.mean, tried.goal.mean, 1e-10);
  EXPECT_NEAR(odds.goal_dealt.mean, tried.goal_dealt.mean, 1e-10);
  for (std::size_t n = 0; n < odds.discarded.size(); ++n)
    EXPECT_NEAR(odds.discarded[n].mean, tried.discarded[n].mean, 1e-10) << n;
  for (std::size_t c = 0; c < odds.rows.size(); ++c)
    EXPECT_NEAR(odds.rows[c].drawn.mean, tried.rows[c].drawn.mean, 1e-10) << odds.rows[c].code;
}

TEST(DrawOdds, EqualWhatTryingEverythingGives) {
  const EvaluatorPtr pips = custom("ranks: 9 T J Q\nsuits:\n  s: {symbol: s}\n  h: {symbol: h}\n  d: {symbol: d}\n",
                                   "order: [NON, P1, P2, K3, FH]\n");
  expect_as_tried(*pips, std::nullopt);
  expect_as_tried(*pips, pips->ranking().find("K3"));
  const EvaluatorPtr joker = custom("ranks: 2 3 4 5 A\nsuits:\n  s: {symbol: s}\n  h: {symbol: h}\njokers: 2\n",
                                    "order: [NON, P1, P2, K3, ST, FL, SF]\n");
  expect_as_tried(*joker, std::nullopt);
  expect_as_tried(*joker, joker->ranking().find("FL"));
  // Trumps whose runs matter differ: those in the middle belong to more runs.
  const EvaluatorPtr trumps =
      custom("ranks: A 2 3\nsuits:\n  s: {symbol: s}\n  h: {symbol: h}\n  t: {kind: trumps, cards: 6}\n",
             "ties: category\naces: low\norder: [NON, P1, HF, EFL, ESF]\nwithin:\n  HF: {trumps: [3, 2, 4, 1]}\n");
  expect_as_tried(*trumps, std::nullopt);
  expect_as_tried(*trumps, trumps->ranking().find("ESF"));
}

// Textbook values of draw poker: two cards kept, 16215 draws of three; a single card, 47.
TEST(DrawOdds, KnowTheBooks) {
  const EvaluatorPtr evaluator = test::make("standard_52");
  std::vector<CardId> deck(52);
  std::iota(deck.begin(), deck.end(), CardId{0});
  const DrawTables strength(*evaluator, deck, -1);
  const auto hands = [&](const DrawTables& tables, std::string_view text, unsigned* kept_cards = nullptr) {
    DrawTables::Draw draw;
    tables.best_draw(tables.places(evaluator->deck().parse(text)), draw);
    if (kept_cards != nullptr) *kept_cards = draw.kept;
    std::vector<std::uint64_t> result = draw.hands;
    result.push_back(draw.ways);
    return result;
  };
  using Hands = std::vector<std::uint64_t>;  // NON P1 P2 K3 ST FL FH K4 SF, and all
  unsigned kept = 0;
  EXPECT_EQ(hands(strength, "Ks Kh 9d 7c 2s", &kept), (Hands{0, 11559, 2592, 1854, 0, 0, 165, 45, 0, 16215}));
  EXPECT_EQ(kept, 0b11000U);
  EXPECT_EQ(hands(strength, "Qs Qh Qd 7c 2s"), (Hands{0, 0, 0, 969, 0, 0, 66, 46, 0, 1081}));
  EXPECT_EQ(hands(strength, "Qs Qh 7d 7c 2s"), (Hands{0, 0, 43, 0, 0, 0, 4, 0, 0, 47}));
  EXPECT_EQ(hands(strength, "As Ks Qs Js Ts"), (Hands{0, 0, 0, 0, 0, 0, 0, 0, 1, 1}));
  const DrawTables flushes(*evaluator, deck, *evaluator->ranking().find("FL"));
  const Hands four = hands(flushes, "As 9s 6s 2s Kd");
  EXPECT_EQ(four[5], 9U);
  EXPECT_EQ(four.back(), 47U);
}

TEST(DrawOdds, SamplesAgreeWithinTheirInterval) {
  const EvaluatorPtr evaluator = test::make("standard_52");
  DrawOptions options;
  const DrawOdds exact = draw_odds(*evaluator, options);
  options.samples = 4000;
  options.seed = 3;
  const DrawOdds sampled = draw_odds(*evaluator, options);
  EXPECT_FALSE(sampled.exact);
  EXPECT_EQ(sampled.samples, 4000);
  EXPECT_GT(sampled.goal.ci95, 0);
  EXPECT_LT(std::abs(sampled.goal.mean - exact.goal.mean), 2 * sampled.goal.ci95);
  EXPECT_NEAR(exact.goal_dealt.mean, 0.5, 1e-9);
  double sum = 0, dealt = 0;
  for (const DrawOdds::Row& row : exact.rows) {
    sum += row.drawn.mean;
    dealt += row.dealt.mean;
  }
  EXPECT_NEAR(sum, 1, 1e-9);
  EXPECT_NEAR(dealt, 1, 1e-9);
  EXPECT_EQ(draw_odds(*evaluator, options).goal.mean, sampled.goal.mean);
  options.seed = 4;
  EXPECT_NE(draw_odds(*evaluator, options).goal.mean, sampled.goal.mean);
}

TEST(DrawOdds, CompositionsAreDrawnByLot) {
  const EvaluatorPtr mixed = custom(
      "ranks: T J Q A\nsuits:\n  s: {symbol: s}\n  h: {symbol: h}\n  d: {symbol: d}\n  c: {symbol: c}\n"
      "washizu: replace_random\njokers: 1\n",
      "order: [NON, P1, P2, K3, FL3, FH, K4]\ncategories:\n  FL3: {by_suit: 4}\n");
  DrawOptions options;
  options.samples = 40;
  const DrawOdds odds = draw_odds(*mixed, options);
  EXPECT_FALSE(odds.exact);
  EXPECT_NEAR(odds.goal_dealt.mean, 0.5, 1e-9);
  // Frequencies as dealt are those of the census, except for sampling error.
  const Census census = take_census(*mixed, 5);
  for (std::size_t c = 0; c < census.rows.size(); ++c)
    EXPECT_LE(std::abs(odds.rows[c].dealt.mean - census.rows[c].count / static_cast<double>(census.total)),
              2 * odds.rows[c].dealt.ci95 + 1e-12)
        << census.rows[c].code;
}

TEST(DrawOdds, NeedsCardsToDraw) {
  const EvaluatorPtr small =
      custom("ranks: 2 3 4\nsuits:\n  s: {symbol: s}\n  h: {symbol: h}\n  d: {symbol: d}\n", "order: [NON, P1]\n");
  EXPECT_EQ(test::error_message<UsageError>([&] { draw_odds(*small, {}); }), "'d' has 9 cards; drawing needs 10");
}

}  // namespace
}  // namespace dealer::draw_odds_test
