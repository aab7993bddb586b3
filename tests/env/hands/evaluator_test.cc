#include "env/hands/evaluator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <thread>
#include <vector>

#include "env/core/error.h"
#include "env/hands/direct_evaluator.h"
#include "env/hands/hand_rank.h"
#include "env/hands/table_batch.h"
#include "env/hands/table_evaluator.h"
#include "tests/env/hands/evaluator_checks.h"
#include "tests/support/tiers.h"

namespace dealer::evaluator_test {
namespace {

using test::codes;
using test::expect_best_of_six_and_seven;
using test::for_all_hands;
using test::for_random_hands;
using test::high;
using test::make;
using test::SameOrder;
using test::SlowHands;
using test::SlowRanking;

struct Case {
  const char* deck;
  const char* ranking;
  SlowRanking slow;
};

SlowRanking high_ace_low() { return {codes("NON P1 P2 K3 ST FL FH K4 SF"), false, false, true, {}, 0}; }
SlowRanking court(std::string_view order, std::vector<int> half_flushes = {}) {
  return {codes(order), false, false, false, std::move(half_flushes), 0};
}
SlowRanking ranks_too(SlowRanking ranking) {
  ranking.by_ranks = true;
  return ranking;
}

constexpr const char* kTarot54 = "NON P1 HF MW P2 K3 ST FH EFL FL K4 SF ESF";
constexpr const char* kTarot78 = "NON P1 HF MW P2 K3 EFL ST FL FH K4 SF ESF";
constexpr const char* kNeo = "NON P1 HF MW P2 K3 EFL ST FH FL K4 SF ESF";
constexpr const char* kExtra = "NON P1 D3 MW P2 K3 D4 SeF ST FH FL D5 K4 SF";
constexpr const char* kColor = "NON P1x P1c CFL MX P2 K3 D3 SeF ST FH D4 FL EFL K4 SF D5";

std::vector<Case> cases() {
  const std::vector<int> tarot{3, 2, 4, 1}, neo{3, 4, 2, 1};
  SlowRanking eight{codes("H9 P1 NON"), true, false, true, {}, 9};
  SlowRanking deuce{codes("SF K4 FH FL ST K3 P2 P1 NON"), true, true, true, {}, 0};
  deuce.wheel = false;
  return {
      {"standard_52", "high", high()},
      {"standard_52_ace_low", "high_ace_low", high_ace_low()},
      {"short_36", "short_deck", {codes("NON P1 P2 K3 ST FH FL K4 SF"), false, true, true, {}, 0}},
      {"standard_52", "ace_to_five", {codes("K4 FH K3 P2 P1 NON"), true, false, true, {}, 0}},
      {"standard_52", "eight_or_better", eight},
      {"standard_52", "deuce_to_seven", deuce},
      {"court_tarot_54", "court_tarot_54", court(kTarot54, tarot)},
      {"court_tarot_53", "court_tarot_53", court(kTarot54, tarot)},
      {"court_tarot_52", "court_tarot_52", court("NON P1 HF MW P2 K3 ST FH FL EFL K4 SF ESF", tarot)},
      {"court_tarot_54", "court_tarot_54[ties=ranks]", ranks_too(court(kTarot54, tarot))},
      {"court_extra_52", "court_extra_52", court(kExtra)},
      {"court_extra_52", "court_extra_52[ties=ranks]", ranks_too(court(kExtra))},
      {"court_color_52", "court_color_52", court(kColor)},
      {"court_color_52", "court_color_52[ties=ranks]", ranks_too(court(kColor))},
      {"court_color_52_prototype_1", "court_color_52_prototype_1",
       court("NON P1 MW P2 K3 D3 SeF ST FH D4 FL EFL K4 SF D5")},
      {"court_color_52_prototype_2", "court_color_52_prototype_2",
       court("NON P1 MW CFL P2 K3 D3 SeF ST FH D4 FL EFL K4 SF D5")},
      {"court_color_52_prototype_3", "court_color_52_prototype_3",
       court("NON P1x P1c MW CFL P2 K3 D3 SeF ST FH D4 FL EFL K4 SF D5")},
      {"neo_tarot_54", "neo_tarot_54", court(kNeo, neo)},
      {"tarot_78", "tarot_78", court(kTarot78, neo)},
      {"tarot_78", "tarot_78[ties=ranks]", ranks_too(court(kTarot78, neo))},
      {"washizu_add[jokers=0]", "high", high()},
      {"washizu_add[jokers=0]",
       "high[five_of_a_kind=true]",
       {codes("NON P1 P2 K3 ST FL FH K4 SF K5"), false, true, true, {}, 0}},
      {"washizu_replace_suit[jokers=0]", "high", high()},
  };
}

class EvaluatorCases : public testing::TestWithParam<std::size_t> {
 protected:
  Case case_ = cases()[GetParam()];
  EvaluatorPtr evaluator_ = make(case_.deck, case_.ranking);
  std::string name_ = std::string(case_.deck) + " " + case_.ranking;
  SlowHands slow_{evaluator_->deck(), case_.slow};
};

// Every hand of decks of up to 54 cards; of larger ones ten million at random. Categories are those of the values.
TEST_P(EvaluatorCases, FiveCardsAreOrderedAsByHand) {
  const int size = evaluator_->deck().size();
  const auto categories = evaluator_->ranking().categories();
  SameOrder order;
  std::vector<HandValue> values;
  const auto check = [&](std::span<const CardId> hands) {
    values.resize(hands.size() / 5);
    evaluator_->evaluate5(hands, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint64_t key = slow_.key(hands.subspan(5 * i, 5));
      order.add(values[i], key);
      const auto category = static_cast<std::size_t>(evaluator_->category(values[i]));
      if (i % 64 == 0) {
        ASSERT_EQ(categories[category].code, case_.slow.order[static_cast<std::size_t>(SlowHands::place(key))]);
      }
    }
  };
  const bool all = size <= 54 && test::repetitions(2) == 2;
  if (all)
    for_all_hands(size, 5, check);
  else
    for_random_hands(size, 5, static_cast<std::size_t>(test::repetitions(size <= 54 ? 100000 : 10000000)), check);
  order.expect(name_);
  if (all) {
    EXPECT_EQ(order.values(), evaluator_->values());
  }
}

TEST_P(EvaluatorCases, FewerCardsAreOrderedAsByHand) {
  for (const std::size_t size : {1, 2, 3, 4}) {
    SameOrder order;
    const auto check = [&](std::span<const CardId> hands) {
      for (std::size_t i = 0; i < hands.size(); i += size)
        order.add(evaluator_->evaluate(hands.subspan(i, size)), slow_.key(hands.subspan(i, size)));
    };
    const int deck = evaluator_->deck().size();
    size < 4 ? for_all_hands(deck, static_cast<int>(size), check) : for_random_hands(deck, 4, 20000, check);
    order.expect(name_);
  }
}

TEST_P(EvaluatorCases, BestFiveOfSixAndSeven) { expect_best_of_six_and_seven(*evaluator_, name_); }

INSTANTIATE_TEST_SUITE_P(All, EvaluatorCases, testing::Range(std::size_t{0}, cases().size()));

// The vector code and the portable code read the same tables and must agree.
TEST(Evaluator, KernelsAgree) {
  for (const char* name : {"standard_52[jokers=2]", "court_color_52", "tarot_78", "washizu_add"}) {
    const DeckPtr deck = Deck::make(name);
    const EvaluatorPtr evaluator = make(name);
    for (const std::size_t size : {5U, 7U}) {
      for_random_hands(deck->size(), size, 20000, [&](std::span<const CardId> hands) {
        // Any number of hands, whole vectors or not.
        for (const std::size_t count : {hands.size() / size, std::size_t{1}, std::size_t{63}, std::size_t{65}}) {
          std::vector<HandValue> values(count);
          if (size == 5)
            evaluator->evaluate5(hands.first(count * size), values);
          else
            evaluator->evaluate7(hands.first(count * size), values);
          for (std::size_t i = 0; i < count; ++i)
            ASSERT_EQ(values[i], evaluator->evaluate(hands.subspan(i * size, size))) << name;
        }
      });
    }
  }
}

// The rules applied hand by hand give the order of the tables.
TEST(Evaluator, WithoutTablesTheOrderIsTheSame) {
  for (const auto& [deck_name, ranking_name] : std::initializer_list<std::pair<const char*, const char*>>{
           {"standard_52[jokers=2]", "high[five_of_a_kind=true]"},
           {"standard_52[jokers=1]", "ace_to_five"},
           {"court_color_52", "court_color_52"},
           {"washizu_replace_suit", "high"},
           {"court_tarot_54", "court_tarot_54"}}) {
    const DeckPtr deck = Deck::make(deck_name);
    const RankingPtr ranking = Ranking::make(ranking_name);
    const EvaluatorPtr tables = make_evaluator(deck, ranking), direct = make_direct_evaluator(deck, ranking);
    for (const std::size_t size : {3U, 5U, 7U}) {
      SameOrder order;
      for_random_hands(deck->size(), size, test::repetitions(5000), [&](std::span<const CardId> hands) {
        for (std::size_t i = 0; i < hands.size(); i += size) {
          const auto hand = hands.subspan(i, size);
          order.add(tables->evaluate(hand), direct->evaluate(hand));
          ASSERT_EQ(tables->category(tables->evaluate(hand), static_cast<int>(size)),
                    direct->category(direct->evaluate(hand), static_cast<int>(size)));
        }
      });
      order.expect(std::string(deck_name) + " " + ranking_name);
    }
  }
}

TEST(Evaluator, EightOrBetterQualifies) {
  const EvaluatorPtr evaluator = make("standard_52", "eight_or_better");
  for (const auto& [cards, qualifies] : {std::pair("As 2h 3d 4c 5s", true),
                                         {"8s 7h 6d 5c 4s Ks Kh", true},
                                         {"9s 4h 3d 2c As", false},
                                         {"8s 7h 6d 5c 5s", false}})
    EXPECT_EQ(evaluator->qualifies(evaluator->evaluate(evaluator->deck().parse(cards))), qualifies) << cards;
}

TEST(Evaluator, SizesAndDecksMustFit) {
  const EvaluatorPtr evaluator = make("standard_52", "high");
  std::vector<CardId> cards(10);
  std::vector<HandValue> values(3);
  EXPECT_THROW(evaluator->evaluate5(cards, values), UsageError);
  EXPECT_THROW(evaluator->evaluate7(cards, values), UsageError);
  EXPECT_THROW(make("standard_52", "court_tarot_54"), ConfigError);
  EXPECT_THROW(make("court_tarot_54", "court_extra_52"), ConfigError);
}

TEST(Evaluator, CompiledAtFirstUseIsTheSame) {
  for (const char* name : {"standard_52", "court_tarot_54", "standard_52[jokers=1]"}) {
    const DeckPtr deck = Deck::make(name);
    const RankingPtr ranking = Ranking::make(deck->default_ranking());
    const EvaluatorPtr real = make_evaluator(deck, ranking), late = make_evaluator_at_first_use(deck, ranking);
    EXPECT_EQ(&late->deck(), deck.get());
    EXPECT_EQ(&late->ranking(), ranking.get());
    EXPECT_EQ(late->values(), real->values());
    for (const std::size_t size : {3U, 5U, 7U})
      for_random_hands(deck->size(), size, 200, [&](std::span<const CardId> hands) {
        std::vector<HandValue> a(hands.size() / size), b(a.size());
        real->evaluate_hands(size, hands, a);
        late->evaluate_hands(size, hands, b);
        ASSERT_EQ(a, b) << name;
        ASSERT_EQ(late->evaluate(hands.first(size)), a[0]) << name;
        for (const HandValue value : a)
          ASSERT_EQ(late->category(value, static_cast<int>(size)), real->category(value, static_cast<int>(size)));
      });
  }
}

TEST(Evaluator, CardsAloneAsInItsTables) {
  for (const char* name : {"standard_52", "court_tarot_54", "tarot_78", "standard_52[jokers=1]"}) {
    const DeckPtr deck = Deck::make(name);
    for (const std::string& ranking : {deck->default_ranking(), std::string("ace_to_five")}) {
      if (deck->is_court() && ranking == "ace_to_five") continue;
      const EvaluatorPtr evaluator = make_evaluator(deck, Ranking::make(ranking));
      const std::vector<HandValue> values = card_values(*evaluator);
      ASSERT_EQ(values.size(), static_cast<std::size_t>(deck->size()));
      for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_EQ(values[i], evaluator->evaluate(std::array<CardId, 1>{static_cast<CardId>(i)})) << name << ' ' << i;
    }
  }
}

// The first caller compiles, the others wait: for the thread sanitizer.
TEST(Evaluator, CompiledAtFirstUseByManyThreads) {
  const DeckPtr deck = Deck::make("court_extra_52");
  const EvaluatorPtr late = make_evaluator_at_first_use(deck, Ranking::make(deck->default_ranking()));
  std::array<HandValue, 4> values{};
  std::vector<std::thread> threads;
  for (HandValue& value : values)
    threads.emplace_back([&] { value = late->evaluate(std::array<CardId, 5>{0, 1, 2, 3, 4}); });
  for (std::thread& thread : threads) thread.join();
  for (const HandValue value : values) EXPECT_EQ(value, values[0]);
}

}  // namespace
}  // namespace dealer::evaluator_test
