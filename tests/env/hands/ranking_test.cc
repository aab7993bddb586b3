#include "env/hands/ranking.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "env/core/error.h"
#include "env/core/files.h"
#include "env/hands/census.h"
#include "tests/support/error_message.h"
#include "tests/support/paths.h"
#include "tests/support/tiers.h"

namespace dealer::ranking_test {
namespace {

using test::error_message;

RankingPtr ranking(std::string_view yaml) {
  Config config = Config::parse(yaml, "r.yaml");
  auto ranking = std::make_shared<const Ranking>(Ranking::read("r", config));
  config.finish();
  return ranking;
}

DeckPtr deck(std::string_view yaml) {
  Config config = Config::parse(yaml, "d.yaml");
  auto deck = std::make_shared<const Deck>(Deck::read("d", config));
  config.finish();
  return deck;
}

std::string refusal(std::string_view yaml) {
  return error_message<ConfigError>([&] { ranking(yaml); });
}

// Why the ranking does not go with the deck.
std::string misfit(std::string_view yaml, std::string_view deck_name) {
  const auto message = [&](auto make) {
    return error_message<ConfigError>([&] { make(Deck::make(deck_name), ranking(yaml)); });
  };
  EXPECT_EQ(message(make_evaluator_at_first_use), message(make_evaluator)) << "without compiling";
  return message(make_evaluator);
}

std::string own(std::string_view conditions) {
  return "order: [NON, MY]\ncategories:\n  MY: {" + std::string(conditions) + "}\n";
}

// Hands of five that count as MY, which holds when that is so.
double count_of(std::string_view conditions, std::string_view deck_name = "standard_52") {
  return take_census(*make_evaluator(Deck::make(deck_name), ranking(own(conditions))), 5).rows[1].count;
}

TEST(Ranking, EveryShippedRankingLoads) {
  for (const std::string& name : ranking_names()) {
    const RankingPtr ranking = Ranking::make(name);
    EXPECT_EQ(ranking->name(), name);
    EXPECT_GE(ranking->categories().size(), 3U) << name;
  }
  EXPECT_EQ(ranking_names().size(), 16U);
}

TEST(Ranking, BuildingBlocksSayWhatTheySay) {
  EXPECT_EQ(count_of("by_rank: 3+2"), 3744);
  EXPECT_EQ(count_of("by_rank: 2"), 2598960 - 1317888);
  EXPECT_EQ(count_of("run: 5"), 10240);
  EXPECT_EQ(count_of("by_suit: 5"), 4 * 1287);
  EXPECT_EQ(count_of("by_suit: 4"), 4 * (1287 + 715 * 39));
  EXPECT_EQ(count_of("by_color: 5"), 2 * 65780);
  EXPECT_EQ(count_of("suits: 4"), 4 * 78 * 2197);
  EXPECT_EQ(count_of("suits: 1..2"), 5148 + 6 * 2 * (715 * 13 + 286 * 78));
  EXPECT_EQ(count_of("of_suit: {spades: 5}"), 1287);
  EXPECT_EQ(count_of("of_suit: {spades: 0, hearts: 0}"), 65780);
  EXPECT_EQ(count_of("pair_color: one, by_rank: 4"), 624);
  EXPECT_EQ(count_of("highest: 2..7, by_rank: 2"), 42504 - 6 * 1024);
  EXPECT_EQ(count_of("trumps: 5", "tarot_78"), 26334);
  EXPECT_EQ(count_of("trump_run: 5", "tarot_78"), 18);
  EXPECT_EQ(count_of("trump_run: 5, trumps: 5", "tarot_78"), 18);
  EXPECT_EQ(count_of("pips: 0..1", "tarot_78"), 26334 + 56 * 7315);
  EXPECT_EQ(count_of("by_extra: 5", "court_extra_52"), 792);
  EXPECT_EQ(count_of("unranked: 4..5", "court_extra_52"), 792 + 495 * 40);
  EXPECT_EQ(count_of("extras: 1, pip_suits: 4", "court_color_52"), 12 * 10000);
}

TEST(Ranking, KnowsItsPlacesAndQualifier) {
  const RankingPtr eight = Ranking::make("eight_or_better");
  EXPECT_TRUE(eight->low());
  EXPECT_EQ(eight->qualifier(), *eight->find("NON"));
  EXPECT_FALSE(eight->find("FL"));
  const RankingPtr fives = Ranking::make("high[five_of_a_kind=true]");
  EXPECT_EQ(fives->categories().back().code, "K5");
}

TEST(Ranking, RefusesBadFilesInOneLineThatNamesThePlace) {
  struct Case {
    std::string yaml, message;
  };
  const std::vector<Case> cases = {
      {"", "r.yaml: order: a ranking needs the key 'order': codes of categories, weak to strong"},
      {"order: NON P1\n", "r.yaml:1: order: NON P1 is not allowed; expected a list of words"},
      {"order: [NON, P1, P1]\n", "r.yaml:1: order.2: two categories of the code 'P1'"},
      {"order:\n  - NON\n  - P1\n  - PX\n",
       "r.yaml:4: order.2: there is no category 'PX'; did you mean 'P1'?; expected one of: NON, P1, P1x, P1c, P2, K3, "
       "ST, "
       "FL, FH, K4, K5, SF, EFL, ESF, HF, SeF, MW, MX, D3, D4, D5, CFL"},
      {"order: [P1, P2]\n",
       "r.yaml:1: order.0: the ranking has no fallback category; expected NON, which holds for every hand, as the "
       "first of "
       "the order"},
      {"goal: low\norder: [NON, P1]\n",
       "r.yaml:2: order.0: 'NON' holds for every hand; it must be the last of the order"},
      {"goal: middle\norder: [NON]\n", "r.yaml:1: goal: middle is not allowed; expected one of high, low"},
      {"ties: rank\norder: [NON]\n",
       "r.yaml:1: ties: rank is not allowed; expected one of category, ranks; did you mean 'ranks'?"},
      {"order: [NON]\nfive_of_a_kind: maybe\n",
       "r.yaml:2: five_of_a_kind: maybe is not allowed; expected true or false"},
      {"order: [NON]\nqualifier: P2\n", "r.yaml:2: qualifier: there is no category 'P2' in the order"},
      {"order: [NON, P1]\nwithin:\n  P2: {pips: [1]}\n", "r.yaml:3: within.P2: there is no category 'P2' in the order"},
      {"order: [NON, P1]\nwithin:\n  P1: {pips: [1, 1]}\n", "r.yaml:3: within.P1: 1 pips are given twice"},
      {"order: [NON, P1]\nwithin:\n  P1: {pips: [1], trumps: [2]}\n",
       "r.yaml:3: within.P1: expected one of pips, trumps, unranked, not several"},
      {"order: [NON]\ncategories:\n  MY: {run: 3}\n", "r.yaml:3: categories.MY: the category 'MY' is not in the order"},
      {"order: [NON, P1]\ncategories:\n  P1: {run: 3}\n",
       "r.yaml:3: categories.P1: two categories of the code 'P1': it is one of the built-in ones; choose another"},
      {"order: [NON, MY]\ncategories:\n  MY: {run: 3}\ncategories:\n  MY: {run: 4}\n",
       "r.yaml:4: key 'categories' is given twice"},
      {own("name: x"),
       "r.yaml:3: categories.MY: a category needs a condition; see docs/decks.md for what it may look at"},
      {own("by_rank: 2+2+2"),
       "r.yaml:3: categories.MY.by_rank: '2+2+2' is not allowed; expected sizes of groups, at most 5 cards in all: "
       "3+2"},
      {own("by_suit: 3+"),
       "r.yaml:3: categories.MY.by_suit: '3+' is not allowed; expected sizes of groups, at most 5 cards in all: 3+2"},
      {own("run: 6"), "r.yaml:3: categories.MY.run: 6 is not allowed; expected an integer from 0 to 5"},
      {own("suits: 3..1"),
       "r.yaml:3: categories.MY.suits: '3..1' is not allowed; expected a number from 0 to 5 or a range of them: 1..4"},
      {own("of_suit: {spades: 6}"),
       "r.yaml:3: categories.MY.of_suit.spades: '6' is not allowed; expected a number from 0 to 5 or a range of them: "
       "1..4"},
      {own("highest: 9-K"), "r.yaml:3: categories.MY.highest: '9-K' is not allowed; expected ranks: 9..K"},
      {own("pair_color: two"), "r.yaml:3: categories.MY.pair_color: two is not allowed; expected one of one, mixed"},
      {own("by_rnk: 2"),
       "r.yaml:3: unknown key 'categories.MY.by_rnk'; did you mean 'by_rank'? allowed: name, by_rank, run, trump_run, "
       "pair_color, highest, by_suit, by_extra, by_color, suits, pip_suits, of_suit, cards, pips, trumps, unranked, "
       "extras"},
      {"order: [NON]\norders: 1\n",
       "r.yaml:2: unknown key 'orders'; did you mean 'order'? allowed: order, goal, aces, ties, categories, "
       "five_of_a_kind, within, qualifier"},
      {"order: [NON\n", "r.yaml:2: end of sequence flow not found"},
  };
  for (const Case& c : cases) EXPECT_EQ(refusal(c.yaml), c.message) << c.yaml;
}

TEST(Ranking, RefusesDecksThatLackWhatItNames) {
  EXPECT_EQ(
      misfit(own("of_suit: {swords: 3}"), "standard_52"),
      "r.yaml:3: categories.MY: the category 'MY' names the suit 'swords'; the deck 'standard_52' has: spades, hearts, "
      "diamonds, clubs");
  EXPECT_EQ(misfit(own("highest: 9..Z"), "standard_52"),
            "r.yaml:3: categories.MY: the category 'MY' names the rank 'Z'; the deck 'standard_52' has: 23456789TJQKA");
  EXPECT_EQ(misfit("order: [NON, ESF]\n", "standard_52"),
            "r.yaml:1: order.1: the category 'ESF' needs trumps; the deck 'standard_52' has none");
  EXPECT_EQ(
      misfit("order: [NON, EFL]\n", "standard_52"),
      "r.yaml:1: order.1: the category 'EFL' needs trumps or a suit without ranks; the deck 'standard_52' has none");
  EXPECT_EQ(misfit("order: [NON, D3]\n", "tarot_78"),
            "r.yaml:1: order.1: the category 'D3' needs a suit without ranks; the deck 'tarot_78' has none");
}

// Blocks of YAML in the documentation, in order.
std::vector<std::string> yaml_blocks(const std::string& text) {
  std::vector<std::string> blocks;
  constexpr std::string_view kOpen = "```yaml\n", kClose = "```";
  for (std::size_t at = 0; (at = text.find(kOpen, at)) != std::string::npos;) {
    at += kOpen.size();
    const std::size_t end = text.find(kClose, at);
    blocks.push_back(text.substr(at, end - at));
    at = end;
  }
  return blocks;
}

TEST(Ranking, ExamplesOfTheDocumentationWork) {
  DeckPtr latest;
  int decks = 0, rankings = 0;
  const std::string page = read_file(test::source_dir() + "/docs/decks.md");
  const std::size_t wrong_ones = page.find("### When a file is wrong");
  ASSERT_NE(wrong_ones, std::string::npos);
  for (const std::string& yaml : yaml_blocks(page.substr(0, wrong_ones))) {
    SCOPED_TRACE(yaml);
    if (yaml.find("\nsuits:") != std::string::npos) {
      latest = deck(yaml);
      ++decks;
      continue;
    }
    // A ranking stands under the deck it is for.
    ASSERT_TRUE(latest);
    const EvaluatorPtr evaluator = make_evaluator(latest, ranking(yaml));
    // A census of 78 cards takes seconds.
    if (test::all_tests()) {
      EXPECT_TRUE(find_unreachable(*evaluator, take_census(*evaluator, 5)).empty());
    }
    ++rankings;
  }
  EXPECT_GE(decks, 2);
  EXPECT_GE(rankings, 2);
}

}  // namespace
}  // namespace dealer::ranking_test
