#include "env/hands/census.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "env/core/error.h"
#include "env/hands/hand_classes.h"
#include "tests/env/hands/evaluator_checks.h"
#include "tests/support/error_message.h"
#include "tests/support/tiers.h"

namespace dealer::census_test {
namespace {

using test::custom;
using test::make;
using Counts = std::map<std::string, double>;

// "NON 1302540 P1 1098240".
Counts of(const std::string& text) {
  Counts counts;
  std::istringstream words(text);
  double count = 0;
  for (std::string code; words >> code >> count;) counts[code] = count;
  return counts;
}

Counts counts(const Census& census) {
  Counts result;
  double sum = 0;
  for (const CensusRow& row : census.rows) {
    result[row.code] = row.count;
    sum += row.count;
  }
  EXPECT_EQ(sum, static_cast<double>(census.total));
  return result;
}

Counts counts(const std::string& deck, int cards, const std::string& ranking = {}) {
  return counts(take_census(*make(deck, ranking), cards));
}

// Every hand of the cards one by one.
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

TEST(Census, CountsStandardHands) {
  EXPECT_EQ(counts("standard_52", 5),
            of("NON 1302540 P1 1098240 P2 123552 K3 54912 ST 10200 FL 5108 FH 3744 K4 624 SF 40"));
  EXPECT_EQ(counts("standard_52_ace_low", 5),
            of("NON 1303560 P1 1098240 P2 123552 K3 54912 ST 9180 FL 5112 FH 3744 K4 624 SF 36"));
  EXPECT_EQ(counts("standard_52", 7),
            of("NON 23294460 P1 58627800 P2 31433400 K3 6461620 ST 6180020 FL 4047644 FH 3473184 K4 224848 SF 41584"));
}

TEST(Census, CountsLowHands) {
  EXPECT_EQ(counts("standard_52", 5, "ace_to_five").at("NON"), 1287 * 1024);
  EXPECT_EQ(counts("standard_52", 5, "eight_or_better").at("NON"), 56 * 1024);
  EXPECT_EQ(counts("standard_52", 5, "ace_to_five").at("K4"), 624);
  // A-2-3-4-5 is neither a straight nor, in one suit, a straight flush.
  EXPECT_EQ(counts("standard_52", 5, "deuce_to_seven"), (Counts{{"SF", 36},
                                                                {"K4", 624},
                                                                {"FH", 3744},
                                                                {"FL", 5112},
                                                                {"ST", 9 * 1024 - 36},
                                                                {"K3", 54912},
                                                                {"P2", 123552},
                                                                {"P1", 1098240},
                                                                {"NON", 1303560}}));
  // Five to seven cards of eight or lower with five different ranks among them, the others from the twenty higher ones.
  const double five = 56 * 1024, six = 28 * 4096 + 56 * 5 * 6 * 256;
  const double seven = 8 * 16384 + 28 * 6 * 6 * 1024 + 56 * (5 * 4 * 256 + 10 * 36 * 64);
  EXPECT_EQ(counts("standard_52", 7, "eight_or_better").at("NON"), five * 190 + six * 20 + seven);
}

TEST(Census, CountsWithAJoker) {
  // The classical counts of a deck of 53 whose joker is wild, five of a kind not counting by itself.
  EXPECT_EQ(counts("standard_52[jokers=1]", 5, "high[five_of_a_kind=true]"),
            of("K5 13 SF 204 K4 3120 FH 6552 FL 7804 ST 20532 K3 137280 P2 123552 P1 1268088 NON 1302540"));
  EXPECT_EQ(counts("standard_52[jokers=1]", 5).at("K4"), 3133);
}

TEST(Census, CountsCourtPoker) {
  EXPECT_EQ(counts("court_tarot_54", 5), of("NON 1773000 P1 964320 HF 161000 MW 131040 P2 74520 K3 46840 ST 6120 FH "
                                            "2160 EFL 1992 FL 984 K4 500 SF 24 ESF 10"));
  EXPECT_EQ(counts("court_extra_52", 5), of("NON 1332360 P1 828000 D3 171600 MW 112320 P2 71280 K3 42960 D4 19800 SeF "
                                            "10080 ST 6120 FH 2160 FL 984 D5 792 K4 480 SF 24"));
  EXPECT_EQ(counts("court_color_52", 5),
            of("NON 1392120 P1x 559200 P1c 243480 CFL 114960 MX 112320 P2 71280 K3 42960 D3 40800 SeF 10080 ST 6120 FH "
               "2160 D4 1200 FL 984 EFL 780 K4 480 SF 24 D5 12"));
}

TEST(Census, EveryShippedDeckAddsUp) {
  for (const std::string& name : deck_names())
    for (const int cards : test::all_tests() ? std::vector{5, 7} : std::vector{5}) counts(name, cards);
}

TEST(CensusThorough, EqualsPlainEnumeration) {
  constexpr std::string_view kHigh = "order: [NON, P1, P2, K3, ST, FL, FH, K4, SF]\n";
  constexpr std::string_view kFour =
      "  s: {symbol: s, color: black}\n  h: {symbol: h, color: red}\n  d: {symbol: d, color: red}\n"
      "  c: {symbol: c, color: black}\n";
  const std::string short_deck = "ranks: 6 7 8 9 T A\nsuits:\n" + std::string(kFour);
  expect_plain_counts(*custom(short_deck, kHigh));
  expect_plain_counts(*custom(short_deck + "jokers: 2\n", kHigh));
  expect_plain_counts(*custom("ranks: 8 9 T J A\nsuits:\n" + std::string(kFour) + "washizu: add\njokers: 1\n", kHigh));
  expect_plain_counts(*custom(
      "ranks: 6 7 8 9 T\nsuits:\n" + std::string(kFour) + "washizu: replace_suit\nwashizu_replaces: h\njokers: 1\n",
      kHigh));
  expect_plain_counts(
      *custom("ranks: T J Q A\nsuits:\n" + std::string(kFour) + "washizu: replace_random\njokers: 1\n", kHigh));
  // Colours and suits that are told apart by name.
  expect_plain_counts(
      *custom(short_deck,
              "ties: category\norder: [NON, P1x, P1c, CFL, ST, A, B, C]\ncategories:\n  A: {of_suit: {h: 3..4}, suits: "
              "2}\n  B: {by_suit: 3+2, by_color: 5}\n  C: {of_suit: {s: 1, c: 4}}\n"));
  // Trumps by their runs, by their number, and by their ranks; extra suits.
  const std::string tarot = "ranks: A 2 3 4 5\nsuits:\n" + std::string(kFour) + "  t: {kind: trumps, cards: 8}\n";
  expect_plain_counts(*custom(tarot,
                              "ties: category\naces: low\norder: [NON, P1, HF, MW, R3, EFL, ESF]\nwithin:\n  HF: "
                              "{trumps: [3, 2, 4, 1]}\ncategories:\n  R3: {trump_run: 3, by_rank: 2}\n"));
  expect_plain_counts(*custom(tarot, "ties: ranks\naces: low\norder: [NON, P1, HF, EFL, FL]\n"));
  expect_plain_counts(
      *custom(tarot, "goal: low\naces: low\norder: [ESF, R2, EFL, P1, NON]\ncategories:\n  R2: {trump_run: 2}\n"));
  expect_plain_counts(*custom(
      "ranks: A 2 3 4\nsuits:\n" + std::string(kFour) +
          "  b: {kind: extra, color: black, cards: Js Qs Ks}\n  r: {kind: extra, color: red, cards: Jh Qh Kh Jd}\n",
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
      // Suits can be exchanged, so that few hands stand for many.
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
  EXPECT_EQ(verdict(0.999, 1), "XXX");
  EXPECT_EQ(verdict(1, 1), "XX");
  EXPECT_EQ(verdict(1.05, 1), "X");
  EXPECT_EQ(verdict(1.1, 1), "");
  EXPECT_EQ(verdict(3, 1), "");
  EXPECT_EQ(verdict(3.01, 2.99), "X");
  EXPECT_EQ(verdict_meaning("XX"), "ratio below 1.05: hardly rarer than the category above it");
  EXPECT_EQ(verdict_meaning(""), "");
  EXPECT_EQ(verdict(3.01, 3), "");
}

TEST(Census, MeansOverCompositionsAreExact) {
  const Census census = take_census(*make("washizu_replace_random[jokers=0]"), 5);
  EXPECT_EQ(census.total, 2598960U);
  EXPECT_EQ(census.scale, 1024U);
  // One card in four is of the Washizu suit by lot: ranks alone do not notice.
  EXPECT_EQ(census.rows[1].count, 1098240);
  EXPECT_EQ(census.rows[7].count, 624);
  // A Washizu flush of five ranks always can be; an ordinary one of a suit needs five that stayed.
  EXPECT_EQ(census.rows[5].weight + census.rows[8].weight, 1287U * (1024 + 4 * 243));
}

TEST(Census, CategoriesThatNeverWinAreReported) {
  const auto report = [](std::string_view deck, std::string_view ranking) {
    const DeckPtr shipped = Deck::make(deck);
    Config config = Config::parse(ranking, "r.yaml");
    const EvaluatorPtr evaluator = make_evaluator(shipped, std::make_shared<const Ranking>(Ranking::read("r", config)));
    const Census census = take_census(*evaluator, 5);
    std::string lines;
    for (const Unreachable& found : find_unreachable(*evaluator, census)) {
      EXPECT_FALSE(census.rows[static_cast<std::size_t>(found.category)].rarity);
      EXPECT_FALSE(census.rows[static_cast<std::size_t>(found.category)].ratio);
      lines += found.message + "\n";
    }
    return lines;
  };
  EXPECT_EQ(report("standard_52", "order:\n  - NON\n  - K4\n  - P2\n  - P1\n"),
            "r.yaml:3: order.1: the category 'K4' can never win: every hand that holds it counts as P1\n"
            "r.yaml:4: order.2: the category 'P2' can never win: every hand that holds it counts as P1\n");
  EXPECT_EQ(report("standard_52", "order: [NON, SF, ST, FL]\n"),
            "r.yaml:1: order.1: the category 'SF' can never win: every hand that holds it counts as FL\n");
  EXPECT_EQ(report("court_extra_52", "order: [NON, EFL, D3, D5]\n"),
            "r.yaml:1: order.1: the category 'EFL' can never win: every hand that holds it counts as D5\n");
  EXPECT_EQ(
      report("standard_52",
             "order: [NON, TWO, P1, K3]\ncategories:\n  TWO: {by_rank: 2+1+1, highest: A..A, by_suit: 2}\n"),
      "r.yaml:3: categories.TWO: the category 'TWO' can never win: every hand that holds it counts as P1 or K3\n");
  EXPECT_EQ(report("standard_52", "order: [NON, K5]\n"),
            "r.yaml:1: order.1: the category 'K5' can never win: no hand of five cards of 'standard_52' holds it\n");
  // With a joker it can; and of what only jokers make, the readings are told.
  EXPECT_EQ(report("standard_52[jokers=1]", "order: [NON, P1, K5]\n"), "");
  EXPECT_EQ(report("standard_52[jokers=1]", "order: [NON, K5, K4]\n"),
            "r.yaml:1: order.1: the category 'K5' can never win: every hand that holds it counts as K4\n");
  // In lowball the weakest category that holds counts.
  EXPECT_EQ(report("standard_52", "goal: low\norder: [P1, K3, NON]\n"),
            "r.yaml:2: order.1: the category 'K3' can never win: every hand that holds it counts as P1\n");
  for (const std::string& name : deck_names()) {
    const EvaluatorPtr shipped = make(name);
    EXPECT_TRUE(find_unreachable(*shipped, take_census(*shipped, 5)).empty()) << name;
  }
}

TEST(CensusThorough, LargeDecksAreCounted) {
  const EvaluatorPtr trumps = custom(
      "ranks: A 2 3 4 5 6 7 8 9 T J Q K\nsuits:\n  a: {symbol: a}\n  b: {symbol: b}\n  c: {symbol: c}\n  d: {symbol: "
      "d}\n"
      "  t: {kind: trumps, cards: 76}\n",
      "ties: category\naces: low\norder: [NON, P1, HF, MW, P2, K3, EFL, ST, FL, FH, K4, SF, ESF]\n");
  const Census census = take_census(*trumps, 5);
  EXPECT_EQ(census.total, 264566400U);
  EXPECT_EQ(counts(census).at("ESF"), 72);
  EXPECT_EQ(counts(census).at("EFL"), 18474840 - 72);
  const EvaluatorPtr suits = custom(
      "ranks: 2 3 4 5 6 7 8 9 T J Q K A\nsuits:\n  a: {symbol: a}\n  b: {symbol: b}\n  c: {symbol: c}\n  d: {symbol: "
      "d}\n"
      "  e: {symbol: e}\n  f: {symbol: f}\n  g: {symbol: g}\n",
      "order: [NON, P1, P2, K3, ST, FL, FH, K4, SF]\n");
  // Of one suit 10 sets of five ranks, 71 of six and 217 of seven hold a straight (so 41584 of 52 cards).
  EXPECT_EQ(counts("standard_52", 7).at("SF"), 4 * (10 * 741 + 71 * 39 + 217));
  EXPECT_EQ(counts(take_census(*suits, 7)).at("SF"), 7 * (10 * 3003 + 71 * 78 + 217));
}

TEST(Census, HandsAreOfFiveOrSeven) {
  EXPECT_EQ(test::error_message<UsageError>([] { take_census(*make("standard_52"), 6); }),
            "hands of 6 cards cannot be counted; expected 5 or 7");
}

}  // namespace
}  // namespace dealer::census_test
