#include "env/hands/hand_comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "env/core/error.h"
#include "tests/env/hands/evaluator_checks.h"
#include "tests/support/error_message.h"

namespace dealer::hand_comparison_test {
namespace {

using test::make;

HandComparison compare(const EvaluatorPtr& evaluator, std::string_view a, std::string_view b) {
  return compare_hands(*evaluator, evaluator->deck().parse(a), evaluator->deck().parse(b));
}

TEST(HandComparison, SaysWhatDecides) {
  struct Case {
    const char* a;
    const char* b;
    int result;
    const char* why;
  };
  const Case standard[] = {
      {"As Ah Kd 7c 2s", "Qs Qh 3d 3c 2d", -1, "The second hand wins: two pair beats one pair."},
      {"As Ah Kd 7c 2s", "Ks Kh Qd 7d 3s", 1,
       "The first hand wins: one pair each, and the pair of aces beats the pair of kings."},
      {"As Ah Kd 7c 2s", "Ad Ac Kh 7d 3s", -1,
       "The second hand wins: one pair each, and the kicker decides: the three beats the two."},
      {"As Ah Kd Kc 2s", "Ad Ac 3h 3d Qs", 1,
       "The first hand wins: two pair each, and the pair of kings beats the pair of threes."},
      {"6s 6h 6d 2c 2s", "5s 5h 5d Ac As", 1,
       "The first hand wins: full house each, and three sixes beat three fives."},
      {"As 2h 3d 4c 5s", "2s 3h 4d 5c 6s", -1,
       "The second hand wins: straight each, and one to the six beats one to the five."},
      {"As Js 9s 4s 2s", "Ah Jh 8h 7h 6h", 1,
       "The first hand wins: flush each, and the next card decides: the nine beats the eight."},
      {"As Jh 9s 4s 2s", "Kh Jd 8h 7h 6h", 1,
       "The first hand wins: high card each, and the highest card decides: the ace beats the king."},
      {"As Ah Kd 7c 2s", "Ad Ac Kh 7d 2c", 0, "A tie: one pair each, and the same ranks."},
      {"As Ad", "Ks Kd", 1, "The first hand wins: one pair each, and the pair of aces beats the pair of kings."},
      {"As Ah 9c 9d 2s 3c 4c", "Ks Kh Kd 7d 5c 4d 2c", -1, "The second hand wins: three of a kind beats two pair."},
  };
  const EvaluatorPtr high = make("standard_52");
  for (const Case& c : standard) {
    const HandComparison result = compare(high, c.a, c.b);
    EXPECT_EQ(result.result, c.result) << c.a;
    EXPECT_EQ(result.why, c.why);
  }
}

TEST(HandComparison, KnowsCourtPoker) {
  const EvaluatorPtr tarot = make("court_tarot_54");
  EXPECT_EQ(compare(tarot, "As 2s 3s t1 t5", "Ah 2h 4h 5h t4").why,
            "The second hand wins: half flush each, and one with 1 trump beats one with 2 trumps.");
  EXPECT_EQ(compare(tarot, "As Ah 2h 3c t1", "Ts Th 9h 8c t13").why,
            "A tie: one pair each, and hands of one category tie.");
  EXPECT_EQ(compare(tarot, "As 2s 3s 4s t1", "2h 3h 5h 6h t4").why,
            "A tie: half flush each, and hands of one category tie when they have as many of each kind of cards.");
  const EvaluatorPtr ranks = make("court_tarot_54", "court_tarot_54[ties=ranks]");
  EXPECT_EQ(compare(ranks, "As Ah 2h 3c t1", "Ad Ac 2d 3s t13").why,
            "The second hand wins: one pair each, and the trump 13 beats the trump 1.");
  EXPECT_EQ(compare(ranks, "As Ah 2h 3c t1", "Ad Ac 2d t2 t13").why,
            "The first hand wins: one pair each, and the kicker decides: the three beats the two.");
}

TEST(HandComparison, LowerWinsInLowball) {
  const EvaluatorPtr low = make("standard_52", "ace_to_five");
  EXPECT_EQ(compare(low, "7s 6h 4d 3c 2s", "8s 6d 4h 3d Ac").why,
            "The first hand wins: no pair each, and the highest card decides: the seven beats the eight.");
  EXPECT_EQ(compare(low, "As Ah 4d 3c 2s", "Ks Qd Jh Td 9c").why, "The second hand wins: no pair beats one pair.");
  const EvaluatorPtr deuce = make("standard_52", "deuce_to_seven");
  EXPECT_EQ(compare(deuce, "7s 5h 4d 3c 2s", "As 5h 4d 3c 2s").why,
            "The first hand wins: no pair each, and the highest card decides: the seven beats the ace.");
  EXPECT_EQ(compare(deuce, "6s 5h 4d 3c 2s", "As 5h 4d 3c 2s").why, "The second hand wins: no pair beats straight.");
  EXPECT_EQ(compare(deuce, "6s 5h 4d 3c 2s", "7s 6h 5d 4c 3s").why,
            "The first hand wins: straight each, and one to the six beats one to the seven.");
  EXPECT_EQ(compare(deuce, "As 5s 4s 3s 2s", "6s 5s 4s 3s 2s").why, "The first hand wins: flush beats straight flush.");
}

TEST(HandComparison, NamesHands) {
  const auto name = [](const EvaluatorPtr& e, std::string_view cards) { return hand_name(*e, e->deck().parse(cards)); };
  const EvaluatorPtr high = make("standard_52");
  EXPECT_EQ(name(high, "As Jh 9s 4s 2s"), "ace high");
  EXPECT_EQ(name(high, "6s 6h 9s 4s 2s"), "one pair, sixes");
  EXPECT_EQ(name(high, "Ks Kh 8s 8d 2s"), "two pair, kings and eights");
  EXPECT_EQ(name(high, "9s 9h 9d 4s 2s"), "three of a kind, nines");
  EXPECT_EQ(name(high, "5s 4h 3s 2s Ah"), "straight, five high");
  EXPECT_EQ(name(high, "Ts 4s 3s 2s 7s"), "flush, ten high");
  EXPECT_EQ(name(high, "Js Jh 7s Jd 7h"), "full house, jacks over sevens");
  EXPECT_EQ(name(high, "Js Jh Jc Jd 7h"), "four of a kind, jacks");
  EXPECT_EQ(name(high, "As Ks Qs Js Ts"), "straight flush, ace high");
  // The best five of seven.
  EXPECT_EQ(name(high, "2c 3d As 7h Ks Qs Kd"), "one pair, kings");
  EXPECT_EQ(name(high, "7s 7d 8c 9d Th Jc 2d"), "straight, jack high");
  const EvaluatorPtr low = make("standard_52", "ace_to_five");
  EXPECT_EQ(name(low, "8s 6h 4s 3s As"), "8-6-4-3-A");
  EXPECT_EQ(name(low, "Kd Ks 8s 6h 4s 3s As"), "8-6-4-3-A");
  EXPECT_EQ(name(low, "Ks Kh 4s 3s As"), "one pair, kings");
  const EvaluatorPtr deuce = make("standard_52", "deuce_to_seven");
  EXPECT_EQ(name(deuce, "7s 5h 4s 3s 2s"), "7-5-4-3-2");
  EXPECT_EQ(name(deuce, "As 5h 4s 3s 2s"), "A-5-4-3-2");
  EXPECT_EQ(name(deuce, "6s 5h 4s 3s 2s"), "straight, six high");
  EXPECT_EQ(name(deuce, "7s 5s 4s 3s 2s"), "flush, seven high");
  EXPECT_EQ(name(make("standard_52", "eight_or_better"), "8s 6h 4s 3s As"), "8-6-4-3-A");
  EXPECT_EQ(name(make("standard_52[jokers=1]"), "X1 Kh 4s 3s 7s"), "one pair, kings");
  EXPECT_EQ(name(make("court_tarot_54"), "As 2s 3s 4s t1"), "half flush");
  const EvaluatorPtr ranks = make("court_tarot_54", "court_tarot_54[ties=ranks]");
  EXPECT_EQ(name(ranks, "As 2s 3s 4s t1"), "half flush, four high");
  EXPECT_EQ(name(ranks, "t1 t3 t4 t5 t9"), "extra flush");
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
