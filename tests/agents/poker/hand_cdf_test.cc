#include "agents/poker/hand_cdf.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "env/cards/shuffle.h"
#include "env/hands/direct_evaluator.h"

namespace dealer::poker::hand_cdf_test {
namespace {

std::vector<HandValue> random_hands(const Evaluator& evaluator, int count, std::uint64_t seed) {
  std::vector<CardId> deck(static_cast<std::size_t>(evaluator.deck().size()));
  std::iota(deck.begin(), deck.end(), CardId{0});
  RandomStream rng(seed);
  std::vector<HandValue> values;
  for (int n = 0; n < count; ++n) {
    shuffle_first(std::span(deck), 5, rng);
    values.push_back(evaluator.evaluate(std::span(deck).first(5)));
  }
  return values;
}

// Hand by hand.
std::uint32_t slow_count(const Evaluator& evaluator, bool low_half, const std::vector<HandValue>& hands,
                         HandValue value) {
  const auto counts = [&](HandValue v) { return !low_half || evaluator.qualifies(v); };
  std::uint32_t twice = 0;
  for (const HandValue hand : hands) {
    if (counts(value) && counts(hand))
      twice += value > hand ? 2 : value == hand ? 1 : 0;
    else
      twice += counts(value) ? 2 : counts(hand) ? 0 : 1;
  }
  return twice;
}

void expect_counts(const EvaluatorPtr& evaluator, bool low_half) {
  const std::vector<HandValue> hands = random_hands(*evaluator, 300, 1);
  const HandCdf cdf(evaluator, low_half, hands);
  EXPECT_EQ(cdf.hands(), hands.size());
  std::vector<HandValue> asked = random_hands(*evaluator, 300, 2);
  asked.insert(asked.end(), hands.begin(), hands.end());  // ties
  asked.push_back(0);
  asked.push_back(evaluator->values() - 1);
  std::vector<std::uint32_t> sums(asked.size(), 7);
  cdf.add_twice_beaten(asked, sums);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const std::uint32_t expected = slow_count(*evaluator, low_half, hands, asked[i]);
    ASSERT_EQ(cdf.twice_beaten(asked[i]), expected) << asked[i];
    ASSERT_EQ(sums[i], 7 + expected) << asked[i];
  }
}

TEST(HandCdf, CountsAsHandByHand) {
  expect_counts(make_evaluator(Deck::make("standard_52"), Ranking::make("high")), false);
  expect_counts(make_evaluator(Deck::make("court_tarot_54"), Ranking::make("court_tarot_54")), false);
}

TEST(HandCdf, LowsThatDoNotQualifyAreAllTheSame) {
  const auto evaluator = make_evaluator(Deck::make("standard_52"), Ranking::make("eight_or_better"));
  expect_counts(evaluator, true);
  expect_counts(evaluator, false);  // as the only half every hand counts
}

// Values by the rules are too many for a table.
TEST(HandCdf, CountsWithoutATable) {
  for (const char* ranking : {"high", "eight_or_better"}) {
    const auto evaluator = make_direct_evaluator(Deck::make("standard_52"), Ranking::make(ranking));
    ASSERT_GT(evaluator->values(), 1U << 20);
    expect_counts(evaluator, ranking == std::string("eight_or_better"));
  }
}

}  // namespace
}  // namespace dealer::poker::hand_cdf_test
