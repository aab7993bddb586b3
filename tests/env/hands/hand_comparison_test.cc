#include "env/hands/hand_comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "env/core/error.h"
#include "tests/env/hands/evaluator_checks.h"
#include "tests/env/harness/game_harness.h"
#include "tests/support/error_message.h"

namespace dealer::hand_comparison_test {
namespace {

using test::make;

HandComparison compare(const EvaluatorPtr& evaluator, std::string_view a, std::string_view b) {
  return compare_hands(*evaluator, evaluator->deck().parse(a), evaluator->deck().parse(b));
}

TEST(HandComparison, SaysWhatDecidesAndNamesHands) {
  test::check_cases("hands.compared", [](const std::string& text) {
    const std::size_t comma = text.find(", "), colon = text.find(": "), bar = text.find(" | ");
    const std::string ranking = text.substr(comma + 2, colon - comma - 2), hands = text.substr(colon + 2);
    const EvaluatorPtr evaluator = make(text.substr(0, comma), ranking == "its_own" ? "" : ranking);
    if (bar == std::string::npos) return hand_name(*evaluator, evaluator->deck().parse(hands));
    const HandComparison result = compare(evaluator, text.substr(colon + 2, bar - colon - 2), text.substr(bar + 3));
    EXPECT_EQ(result.result, result.why[0] == 'A' ? 0 : result.why.starts_with("The first") ? 1 : -1);
    return result.why;
  });
}

TEST(HandComparison, SaysHowJokersAreRead) {
  const EvaluatorPtr joker = make("standard_52[jokers=2]");
  const HandComparison fours = compare(joker, "As Ah Ad Ac X1", "2s 2h X1 X2 Kd");
  EXPECT_EQ(fours.result, 1);
  ASSERT_EQ(fours.a.read_as.size(), 1U);
  EXPECT_EQ(fours.a.read_as[0].second[0], 'K');  // no fifth ace
  EXPECT_EQ(fours.b.read_as.size(), 2U);
  const HandComparison flush = compare(joker, "Ts Js Qs Ks X2", "9h 9d 9c 9s Kh");
  EXPECT_EQ(flush.why, "The first hand wins: straight flush beats four of a kind. In the first hand X2 is read as As.");
  const EvaluatorPtr fives = make("standard_52[jokers=1]", "high[five_of_a_kind=true]");
  const HandComparison five = compare(fives, "As Ah Ad Ac X1", "Ts Js Qs Ks 9s");
  EXPECT_EQ(five.result, 1);
  EXPECT_EQ(five.a.read_as[0].second[0], 'A');
  // The suit that Washizu cards replaced can still be read.
  const EvaluatorPtr replaced = make("washizu_replace_suit");
  EXPECT_EQ(compare(replaced, "Ah Ad Ac Aw X1", "2h 2d 2c 2w 3h").a.read_as[0].second[0], 'K');
  EXPECT_EQ(compare(replaced, "Ah Ad Ac X1 2c", "2h 2d 3c 3w 3h").a.read_as[0].second[0], 'A');
}

TEST(HandComparison, ReadingsAgreeWithTheEvaluator) {
  for (const char* name : {"standard_52[jokers=2]", "washizu_add", "tarot_78", "court_color_52"}) {
    const EvaluatorPtr e = make(name);
    std::vector<CardId> cards(static_cast<std::size_t>(e->deck().size()));
    RandomStream random(7);
    std::vector<HandReading> readings;
    for (int i = 0; i < 60; ++i) {
      for (std::size_t card = 0; card < cards.size(); ++card) cards[card] = static_cast<CardId>(card);
      for (std::size_t card = 0; card < 7; ++card)
        std::swap(cards[card], cards[card + random.below(static_cast<std::uint32_t>(cards.size() - card))]);
      readings.push_back(read_hand(*e, std::span(cards).first(i % 2 == 0 ? 5 : 7)));
      const HandReading& reading = readings.back();
      EXPECT_EQ(reading.category, e->category(reading.value));
      EXPECT_EQ(reading.best.size(), 5U);
      EXPECT_EQ(e->evaluate(reading.best), reading.value);
    }
    for (const HandReading& a : readings)
      for (const HandReading& b : readings) EXPECT_EQ(a.value < b.value, a.key < b.key) << name;
  }
}

TEST(HandComparison, RefusesHandsThatCannotBe) {
  const EvaluatorPtr high = make("standard_52");
  const auto refusal = [](const EvaluatorPtr& e, std::string_view a, std::string_view b) {
    return test::error_message<UsageError>([&] { compare(e, a, b); });
  };
  EXPECT_EQ(refusal(high, "", "As"), "0 cards given; a hand has 1 to 7");
  EXPECT_EQ(refusal(high, "2s 3s 4s 5s 6s 7s 8s 9s", "As"), "8 cards given; a hand has 1 to 7");
  EXPECT_EQ(refusal(high, "2s 3s", "As"),
            "hands of 2 and 1 cards cannot be compared; expected as many cards, or five to seven each");
  EXPECT_EQ(compare(high, "2s 3s 4s 5s 7h", "2s 3s 4s 5s 7h 8h").result, -1);
  EXPECT_EQ(
      refusal(make("washizu_replace_random"), "As Ah Ad Ac 2s", "2s 3s 4s 5s 6s"),
      "the four cards of the rank A are never in play together in 'washizu_replace_random': one of them is taken out");
}

}  // namespace
}  // namespace dealer::hand_comparison_test
