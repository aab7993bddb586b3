#include "env/hands/ranking.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "env/core/error.h"
#include "env/core/files.h"
#include "env/hands/census.h"
#include "env/hands/hand_comparison.h"
#include "tests/env/harness/game_harness.h"
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

// The reason why the ranking does not fit the deck.
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

TEST(Ranking, EveryShippedRankingLoads) {
  for (const std::string& name : ranking_names()) {
    const RankingPtr ranking = Ranking::make(name);
    EXPECT_EQ(ranking->name(), name);
    EXPECT_GE(ranking->categories().size(), 3U) << name;
  }
  EXPECT_EQ(ranking_names().size(), 17U);
}

TEST(Ranking, BuildingBlocksSayWhatTheySay) {
  struct Row {
    const char* conditions;
    int hands;  // number of hands of five that count as MY, if it is in the order
    const char* deck = "standard_52";
  };
  for (const auto& [conditions, hands, deck] : {
           Row{"by_rank: 3+2", 3744},
           {"by_rank: 2", 2598960 - 1317888},
           {"run: 5", 10240},
           {"by_suit: 5", 4 * 1287},
           {"by_suit: 4", 4 * (1287 + 715 * 39)},
           {"by_color: 5", 2 * 65780},
           {"suits: 4", 4 * 78 * 2197},
           {"suits: 1..2", 5148 + 6 * 2 * (715 * 13 + 286 * 78)},
           {"of_suit: {spades: 5}", 1287},
           {"of_suit: {spades: 0, hearts: 0}", 65780},
           {"pair_color: one, by_rank: 4", 624},
           {"highest: 2..7, by_rank: 2", 42504 - 6 * 1024},
           {"trumps: 5", 26334, "tarot_78"},
           {"trump_run: 5", 18, "tarot_78"},
           {"trump_run: 5, trumps: 5", 18, "tarot_78"},
           {"pips: 0..1", 26334 + 56 * 7315, "tarot_78"},
           {"by_extra: 5", 792, "court_extra_52"},
           {"unranked: 4..5", 792 + 495 * 40, "court_extra_52"},
           {"extras: 1, pip_suits: 4", 12 * 10000, "court_color_52"},
       })
    EXPECT_EQ(take_census(*make_evaluator(Deck::make(deck), ranking(own(conditions))), 5).rows[1].count, hands)
        << conditions;
}

TEST(Ranking, KnowsItsPlacesAndQualifier) {
  const RankingPtr eight = Ranking::make("eight_or_better");
  EXPECT_TRUE(eight->low());
  EXPECT_EQ(eight->qualifier(), *eight->find("NON"));
  EXPECT_FALSE(eight->find("FL"));
  const RankingPtr fives = Ranking::make("high[five_of_a_kind=true]");
  EXPECT_EQ(fives->categories().back().code, "K5");
}

// For every deck of a ranking: the conditions of a category can be met, and its example counts as exactly that
// category.
TEST(Ranking, ExamplesCountAsTheirCategories) {
  std::vector<std::pair<std::string, std::string>> played = {{"standard_52[jokers=1]", "high[five_of_a_kind=true]"}};
  for (const std::string& name : deck_names()) played.emplace_back(name, Deck::make(name)->default_ranking());
  std::set<std::string> seen;
  for (const auto& [name, order] : played) seen.insert(order);
  for (const std::string& name : ranking_names())
    if (!seen.contains(name)) played.emplace_back("standard_52", name);
  std::size_t categories = 0;
  for (const auto& [name, order] : played) {
    const EvaluatorPtr evaluator = make_evaluator(Deck::make(name), Ranking::make(order));
    const Ranking& ranking = evaluator->ranking();
    for (std::size_t i = 0; i < ranking.categories().size(); ++i, ++categories) {
      SCOPED_TRACE(name + ", " + order + ", " + ranking.categories()[i].code);
      EXPECT_NE(definition_of(*evaluator, static_cast<int>(i)), "");
      const std::vector<CardId> hand = evaluator->deck().parse(example_of(*evaluator, static_cast<int>(i)));
      ASSERT_EQ(hand.size(), static_cast<std::size_t>(ranking.hand_cards()));
      EXPECT_EQ(evaluator->category(evaluator->evaluate(hand), ranking.hand_cards()), static_cast<int>(i));
    }
  }
  EXPECT_GT(categories, 200U);
}

TEST(Ranking, TextsForPeopleChangeNoHand) {
  const std::string order = "order: [NON, MY, P1]\ncategories:\n  MY: {cards: 5, run: 3}\n";
  const RankingPtr plain = ranking(order);
  const RankingPtr observed =
      ranking(order +
              "definitions: {MY: three in a row}\nexamples: {MY: [9s 8h 7d 2c 2s, Ks Jh 9d 8c 7s], "
              "P1: Qs Qh 7d 6c 5s}\n");
  EXPECT_EQ(observed->fingerprint(), plain->fingerprint());
  const EvaluatorPtr evaluator = make_evaluator(Deck::make("standard_52"), observed);
  EXPECT_EQ(definition_of(*evaluator, 1), "three in a row");
  EXPECT_EQ(example_of(*evaluator, 1), "Ks Jh 9d 8c 7s") << "the first holds a pair";
  EXPECT_EQ(example_of(*evaluator, 2), "Qs Qh 7d 6c 5s");
  EXPECT_EQ(definition_of(*evaluator, 2), "two cards of one rank") << "a deck of pips alone calls them cards";
  const EvaluatorPtr other = make_evaluator(Deck::make("court_color_52"), observed);
  EXPECT_EQ(example_of(*other, 2), "") << "Q is not a pip of this deck";
  EXPECT_EQ(definition_of(*other, 2), "two pips of one rank");
  EXPECT_NE(refusal(order + "examples: {MX: 9s}\n").find("there is no category 'MX' in the order"), std::string::npos);
}

// A ranking in the notation of test cases: "{run: 3}" are the conditions of a custom category.
std::string yaml_of(std::string_view text) {
  if (!text.starts_with('{')) return std::string(text) + (text.ends_with('\n') ? "" : "\n");
  return own(text.substr(1, text.rfind('}') - 1));
}

TEST(Ranking, RefusesBadFilesInOneLineThatNamesThePlace) {
  test::check_cases("rankings.refused", [](const std::string& text) { return refusal(yaml_of(text)); });
}

TEST(Ranking, RefusesDecksThatLackWhatItNames) {
  test::check_cases("rankings.misfit", [](const std::string& text) {
    const std::size_t blank = text.find(' ');
    return misfit(yaml_of(std::string_view(text).substr(blank + 1)), text.substr(0, blank));
  });
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
    // A ranking follows the deck it is for.
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
