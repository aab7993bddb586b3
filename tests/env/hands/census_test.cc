#include "env/hands/census.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "env/core/error.h"
#include "env/hands/hand_classes.h"
#include "tests/env/hands/evaluator_checks.h"
#include "tests/env/harness/game_harness.h"
#include "tests/support/error_message.h"
#include "tests/support/tiers.h"

namespace dealer::census_test {
namespace {

using test::custom;
using test::make;
using Counts = std::map<std::string, double>;

Counts counts(const Census& census) {
  Counts result;
  double sum = 0;
  for (const CensusRow& row : census.rows) sum += result[row.code] = row.count;
  EXPECT_EQ(sum, static_cast<double>(census.total));
  return result;
}

Counts counts(const std::string& deck, int cards, const std::string& ranking = {}) {
  return counts(take_census(*make(deck, ranking), cards));
}

// Every hand of the cards, one by one.
std::map<int, std::uint64_t> plainly(const Evaluator& evaluator, const std::vector<CardId>& cards, int size) {
  std::map<int, std::uint64_t> found;
  std::vector<CardId> hand(static_cast<std::size_t>(size));
  test::for_all_hands(static_cast<int>(cards.size()), size, [&](std::span<const CardId> places) {
    for (std::size_t first = 0; first < places.size(); first += hand.size()) {
      for (std::size_t i = 0; i < hand.size(); ++i) hand[i] = cards[places[first + i]];
      ++found[evaluator.category(evaluator.evaluate(hand))];
    }
  });
  return found;
}

constexpr const char* kHigh = "order: [NON, P1, P2, K3, ST, FL, FH, K4, SF]\n";

void expect_plain_counts(const Evaluator& evaluator) {
  const Deck& deck = evaluator.deck();
  for (const int size : {5, 7}) {
    SCOPED_TRACE(deck.name() + " " + std::to_string(size));
    const Census census = take_census(evaluator, size);
    std::map<int, std::uint64_t> sums;
    std::uint64_t compositions = 1;
    if (deck.washizu() == WashizuMix::kReplaceRandom) {
      const std::size_t ranks = deck.ranks().size();
      compositions = std::uint64_t{1} << (2 * ranks);
      std::vector<std::uint8_t> out(ranks);
      for (std::uint64_t i = 0; i < compositions; ++i) {
        for (std::size_t rank = 0; rank < ranks; ++rank) out[rank] = static_cast<std::uint8_t>((i >> (2 * rank)) & 3);
        for (const auto& [category, n] : plainly(evaluator, deck.in_play(out), size)) sums[category] += n;
      }
    } else {
      sums = plainly(evaluator, deck.in_play({}), size);
    }
    for (std::size_t c = 0; c < census.rows.size(); ++c)
      EXPECT_EQ(census.rows[c].weight * compositions, sums[static_cast<int>(c)] * census.scale) << census.rows[c].code;
  }
}

TEST(Census, CountsKnownHands) {
  test::check_cases("census.counts", [](const std::string& text) {
    std::istringstream words(text);
    std::string deck, ranking, observed;
    int cards = 0;
    words >> deck >> cards >> ranking;
    const Census census = take_census(*make(deck, ranking == "its_own" ? "" : ranking), cards);
    counts(census);
    for (const CensusRow& row : census.rows)
      observed += fmt::format("{}{} {}", observed.empty() ? "" : " ", row.code, row.count);
    return observed;
  });
  EXPECT_EQ(counts("standard_52[jokers=1]", 5).at("K4"), 3133);
  const Counts low = counts("standard_52", 5, "ace_to_five");
  EXPECT_EQ(low.at("NON"), 1287 * 1024);
  EXPECT_EQ(low.at("K4"), 624);
  // Five to seven cards of eight or lower with five different ranks among them, the others from the twenty higher ones.
  const double five = 56 * 1024, six = 28 * 4096 + 56 * 5 * 6 * 256;
  const double seven = 8 * 16384 + 28 * 6 * 6 * 1024 + 56 * (5 * 4 * 256 + 10 * 36 * 64);
  EXPECT_EQ(counts("standard_52", 5, "eight_or_better").at("NON"), five);
  EXPECT_EQ(counts("standard_52", 7, "eight_or_better").at("NON"), five * 190 + six * 20 + seven);
}

TEST(Census, EveryShippedDeckAddsUp) {
  for (const std::string& name : deck_names())
    for (const int cards : test::all_tests() ? std::vector{5, 7} : std::vector{5}) counts(name, cards);
}

TEST(CensusThorough, EqualsPlainEnumeration) {
  const std::string four =
      "  s: {symbol: s, color: black}\n  h: {symbol: h, color: red}\n  d: {symbol: d, color: red}\n"
      "  c: {symbol: c, color: black}\n";
  const auto deck = [&](const char* ranks, const char* more) {
    return std::string("ranks: ") + ranks + "\nsuits:\n" + four + more;
  };
  for (const char* more : {"", "jokers: 2\n"}) expect_plain_counts(*custom(deck("6 7 8 9 T A", more), kHigh));
  expect_plain_counts(*custom(deck("8 9 T J A", "washizu: add\njokers: 1\n"), kHigh));
  expect_plain_counts(*custom(deck("6 7 8 9 T", "washizu: replace_suit\nwashizu_replaces: h\njokers: 1\n"), kHigh));
  expect_plain_counts(*custom(deck("T J Q A", "washizu: replace_random\njokers: 1\n"), kHigh));
  // Colours and suits that conditions name.
  expect_plain_counts(
      *custom(deck("6 7 8 9 T A", ""),
              "ties: category\norder: [NON, P1x, P1c, CFL, ST, A, B, C]\ncategories:\n  A: {of_suit: {h: 3..4}, suits: "
              "2}\n  B: {by_suit: 3+2, by_color: 5}\n  C: {of_suit: {s: 1, c: 4}}\n"));
  // Trumps by their runs, by their number, and by their ranks; extra suits.
  for (const char* ranking :
       {"ties: category\naces: low\norder: [NON, P1, HF, MW, R3, EFL, ESF]\nwithin:\n  HF: {trumps: [3, 2, 4, 1]}\n"
        "categories:\n  R3: {trump_run: 3, by_rank: 2}\n",
        "ties: ranks\naces: low\norder: [NON, P1, HF, EFL, FL]\n",
        "goal: low\naces: low\norder: [ESF, R2, EFL, P1, NON]\ncategories:\n  R2: {trump_run: 2}\n"})
    expect_plain_counts(*custom(deck("A 2 3 4 5", "  t: {kind: trumps, cards: 8}\n"), ranking));
  expect_plain_counts(*custom(
      deck("A 2 3 4",
           "  b: {kind: extra, color: black, cards: Js Qs Ks}\n  r: {kind: extra, color: red, cards: Jh Qh Kh Jd}\n"),
      "ties: category\norder: [NON, P1, MX, CFL, D3, D4, EFL]\n"));
}

TEST(Census, ClassesHoldHandsThatPlayAlike) {
  const EvaluatorPtr tarot = make("court_tarot_53");
  const RankingRules rules(tarot->deck(), tarot->ranking());
  for (const auto same : {HandClasses::Same::kCategory, HandClasses::Same::kPlay}) {
    const HandClasses classes(rules, same);
    for (int cards = 1; cards <= 7; ++cards) {
      std::uint64_t sum = 0, met = 0;
      classes.for_each(cards, [&](std::span<const CardId> hands, std::span<const std::uint64_t> weights) {
        ASSERT_EQ(hands.size(), weights.size() * static_cast<std::size_t>(cards));
        met += weights.size();
        for (const std::uint64_t weight : weights) {
          ASSERT_GT(weight, 0U);
          sum += weight;
        }
      });
      EXPECT_EQ(sum, choose(53, cards));
      EXPECT_EQ(classes.total(cards), sum);
      // Suits are exchangeable, so that few hands represent many.
      EXPECT_LT(cards * met, sum) << cards << " cards";
    }
  }
}

TEST(Census, TellsRarityRatioAndVerdict) {
  const Census census = take_census(*make("standard_52"), 5);
  EXPECT_NEAR(*census.rows[0].ratio, 2598960.0 / 1302540, 1e-12);
  EXPECT_NEAR(*census.rows[2].ratio, 8.89, 0.005);
  EXPECT_NEAR(*census.rows[4].ratio, 5.38, 0.005);
  EXPECT_NEAR(*census.rows[2].rarity, std::log10(2598960.0 / 123552), 1e-12);
  std::string verdicts;
  for (const CensusRow& row : census.rows) verdicts += row.verdict + ",";
  EXPECT_EQ(verdicts, ",,X,,X,,,,,");
  for (const auto& [ratio, above, expected] : {std::tuple(0.999, 1.0, "XXX"),
                                               {1.0, 1.0, "XX"},
                                               {1.05, 1.0, "X"},
                                               {1.1, 1.0, ""},
                                               {3.0, 1.0, ""},
                                               {3.01, 2.99, "X"},
                                               {3.01, 3.0, ""}})
    EXPECT_EQ(verdict(ratio, above), expected) << ratio;
  EXPECT_EQ(verdict_meaning("XX"), "ratio below 1.05: hardly rarer than the category above it");
  EXPECT_EQ(verdict_meaning(""), "");
}

TEST(Census, MeansOverCompositionsAreExact) {
  const Census census = take_census(*make("washizu_replace_random[jokers=0]"), 5);
  EXPECT_EQ(census.total, 2598960U);
  EXPECT_EQ(census.scale, 1024U);
  // Each card is of the Washizu suit with probability 1/4: ranks alone do not depend on it.
  EXPECT_EQ(census.rows[1].count, 1098240);
  EXPECT_EQ(census.rows[7].count, 624);
  // A Washizu flush of five ranks is always possible; an ordinary one of a suit needs five cards that stayed.
  EXPECT_EQ(census.rows[5].weight + census.rows[8].weight, 1287U * (1024 + 4 * 243));
}

TEST(Census, CategoriesThatNeverWinAreReported) {
  struct Row {
    const char *deck, *ranking, *where, *code, *why;
  };
  const std::string never = "every hand that holds it counts as ";
  for (const Row& row : {
           Row{"standard_52", "order:\n  - NON\n  - K4\n  - P1\n", "3: order.1", "K4", "P1"},
           {"standard_52", "order: [NON, SF, ST, FL]\n", "1: order.1", "SF", "FL"},
           {"court_extra_52", "order: [NON, EFL, D3, D5]\n", "1: order.1", "EFL", "D5"},
           {"standard_52",
            "order: [NON, TWO, P1, K3]\ncategories:\n  TWO: {by_rank: 2+1+1, highest: A..A, by_suit: 2}\n",
            "3: categories.TWO", "TWO", "P1 or K3"},
           // With a joker five of a kind can win; categories that only jokers make are listed with their readings.
           {"standard_52[jokers=1]", "order: [NON, P1, K5]\n", "", "", ""},
           {"standard_52[jokers=1]", "order: [NON, K5, K4]\n", "1: order.1", "K5", "K4"},
           // In lowball the weakest category that holds counts.
           {"standard_52", "goal: low\norder: [P1, K3, NON]\n", "2: order.1", "K3", "P1"},
           {"standard_52", "order: [NON, K5]\n", "1: order.1", "K5", nullptr},
       }) {
    const DeckPtr shipped = Deck::make(row.deck);
    Config config = Config::parse(row.ranking, "r.yaml");
    const EvaluatorPtr evaluator = make_evaluator(shipped, std::make_shared<const Ranking>(Ranking::read("r", config)));
    const Census census = take_census(*evaluator, 5);
    std::string observed, expected;
    for (const Unreachable& found : find_unreachable(*evaluator, census)) {
      EXPECT_FALSE(census.rows[static_cast<std::size_t>(found.category)].rarity);
      EXPECT_FALSE(census.rows[static_cast<std::size_t>(found.category)].ratio);
      observed += found.message;
    }
    if (*row.where != 0)
      expected = fmt::format("r.yaml:{}: the category '{}' can never win: {}", row.where, row.code,
                             row.why != nullptr ? never + row.why : "no hand of five cards of 'standard_52' holds it");
    EXPECT_EQ(observed, expected);
  }
  for (const std::string& name : deck_names()) {
    const EvaluatorPtr shipped = make(name);
    EXPECT_TRUE(find_unreachable(*shipped, take_census(*shipped, 5)).empty()) << name;
  }
}

TEST(CensusThorough, LargeDecksAreCounted) {
  const std::string four = "suits:\n  a: {symbol: a}\n  b: {symbol: b}\n  c: {symbol: c}\n  d: {symbol: d}\n";
  const EvaluatorPtr trumps =
      custom("ranks: A 2 3 4 5 6 7 8 9 T J Q K\n" + four + "  t: {kind: trumps, cards: 76}\n",
             "ties: category\naces: low\norder: [NON, P1, HF, MW, P2, K3, EFL, ST, FL, FH, K4, SF, ESF]\n");
  const Census census = take_census(*trumps, 5);
  EXPECT_EQ(census.total, 264566400U);
  EXPECT_EQ(counts(census).at("ESF"), 72);
  EXPECT_EQ(counts(census).at("EFL"), 18474840 - 72);
  const EvaluatorPtr suits = custom(
      "ranks: 2 3 4 5 6 7 8 9 T J Q K A\n" + four + "  e: {symbol: e}\n  f: {symbol: f}\n  g: {symbol: g}\n", kHigh);
  // In one suit 10 sets of five ranks, 71 of six and 217 of seven hold a straight (so 41584 of 52 cards).
  EXPECT_EQ(counts("standard_52", 7).at("SF"), 4 * (10 * 741 + 71 * 39 + 217));
  EXPECT_EQ(counts(take_census(*suits, 7)).at("SF"), 7 * (10 * 3003 + 71 * 78 + 217));
}

TEST(Census, HandsAreOfFiveOrSeven) {
  EXPECT_EQ(test::error_message<UsageError>([] { take_census(*make("standard_52"), 6); }),
            "hands of 6 cards cannot be counted; expected 5 or 7");
}

}  // namespace
}  // namespace dealer::census_test
