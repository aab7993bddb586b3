#include "env/hands/tables_cache.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>

#include "env/core/files.h"
#include "env/core/random.h"
#include "tests/support/temp_folder.h"

namespace dealer::tables_cache_test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max(), kAlways = 0;

// A folder without saved tables.
EvaluatorTables compiled(const RankingRules& rules) { return make_tables(rules, kNever); }

EvaluatorTables empty(const RankingRules& rules) {
  return {CardKinds(rules, rules.trump_ranks_matter()), SuitSums(rules.deck(), kHandCards + 1, rules.suits_matter())};
}

class TablesCache : public testing::Test {
 protected:
  void SetUp() override { setenv("DEALER_CACHE", folder_.path().c_str(), 1); }
  void TearDown() override { setenv("DEALER_CACHE", of_the_tests_.c_str(), 1); }

  const std::string of_the_tests_ = std::getenv("DEALER_CACHE");
  const test::TempFolder folder_;
  DeckPtr deck_ = Deck::make("standard_52[jokers=1]");
  RankingPtr ranking_ = Ranking::make("high");
  RankingRules rules_{*deck_, *ranking_};
};

// Otherwise faulty compiling code would pass its tests on correct cached tables, and leave faulty ones behind.
TEST_F(TablesCache, OfTheTestsIsTheirOwn) {
  // ./dealer test sets one for all its tests, in the build folder.
  if (const char* const shared = std::getenv("DEALER_TEST_CACHE");
      shared != nullptr) {  // NOLINT(concurrency-mt-unsafe)
    EXPECT_EQ(of_the_tests_, shared);
    return;
  }
  EXPECT_EQ(fs::path(of_the_tests_).parent_path(), fs::temp_directory_path());
  EXPECT_EQ(fs::path(of_the_tests_).filename().string().rfind("dealer_test_", 0), 0U);
}

TEST_F(TablesCache, AnotherProgramsTablesAreReplaced) {
  const EvaluatorTables right = compiled(rules_);
  EvaluatorTables wrong = right;
  wrong.of_size.back().values.assign(wrong.of_size.back().values.size(), 0);
  save_tables(rules_, wrong, "another program");
  const fs::path file = tables_file(rules_);
  const std::string theirs = read_file(file);
  EvaluatorTables loaded = empty(rules_);
  EXPECT_FALSE(load_tables(rules_, loaded));
  EXPECT_TRUE(load_tables(rules_, loaded, "another program"));
  EXPECT_EQ(tables_program().size(), 64U);
  EXPECT_EQ(tables_program().find_first_not_of("0123456789abcdef"), std::string_view::npos) << "a hash";
  EXPECT_EQ(make_tables(rules_, kAlways).five().values, right.five().values);
  EXPECT_NE(read_file(file), theirs);
  EXPECT_TRUE(load_tables(rules_, loaded));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()), 1);
}

TEST_F(TablesCache, WhatWasSavedIsLoaded) {
  const EvaluatorTables tables = compiled(rules_);
  EvaluatorTables loaded = empty(rules_);
  EXPECT_FALSE(load_tables(rules_, loaded));
  save_tables(rules_, tables);
  ASSERT_TRUE(load_tables(rules_, loaded));
  for (std::size_t i = 0; i < tables.of_size.size(); ++i) {
    EXPECT_EQ(loaded.of_size[i].keys, tables.of_size[i].keys);
    EXPECT_EQ(loaded.of_size[i].values, tables.of_size[i].values);
    EXPECT_EQ(loaded.of_size[i].column_of_sum, tables.of_size[i].column_of_sum);
    EXPECT_EQ(loaded.of_size[i].rows.bytes(), tables.of_size[i].rows.bytes());
  }
  ASSERT_TRUE(loaded.best_of.has_value());
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(loaded.best_of->by_ranks[i].bytes(), tables.best_of->by_ranks[i].bytes());
    EXPECT_EQ(loaded.best_of->by_suits[i], tables.best_of->by_suits[i]);
  }
  EXPECT_EQ(loaded.best_of->one_suit, tables.best_of->one_suit);
}

TEST_F(TablesCache, AnotherRankingHasAnotherFile) {
  save_tables(rules_, compiled(rules_));
  const RankingPtr other = Ranking::make("high[five_of_a_kind=true]");
  const RankingRules other_rules(*deck_, *other);
  EvaluatorTables loaded = empty(other_rules);
  EXPECT_NE(tables_file(other_rules), tables_file(rules_));
  EXPECT_FALSE(load_tables(other_rules, loaded));
  // Even under the other's name it is rejected.
  fs::copy_file(tables_file(rules_), tables_file(other_rules));
  EXPECT_FALSE(load_tables(other_rules, loaded));
}

TEST_F(TablesCache, MalformedFilesAreCompiledAnew) {
  save_tables(rules_, compiled(rules_));
  const fs::path file = tables_file(rules_);
  const std::string good = read_file(file);
  EvaluatorTables loaded = empty(rules_);
  RandomStream rng(4);
  for (int n = 0; n < 20; ++n) {
    std::string bad = good;
    if (n % 2 == 0)
      bad.resize(rng.below(static_cast<std::uint32_t>(good.size())));
    else
      bad[rng.below(static_cast<std::uint32_t>(good.size()))] ^= 0x40;
    write_file(file, bad);
    EXPECT_FALSE(load_tables(rules_, loaded)) << n;
  }
  write_file(file, good);
  EXPECT_TRUE(load_tables(rules_, loaded));
}

TEST_F(TablesCache, AFolderThatCannotBeWrittenIsNoError) {
  setenv("DEALER_CACHE", "/dev/null/nowhere", 1);
  save_tables(rules_, compiled(rules_));
  EvaluatorTables loaded = empty(rules_);
  EXPECT_FALSE(load_tables(rules_, loaded));
}

TEST_F(TablesCache, WorkGrowsWithKindsOfCardsAndJokers) {
  const auto work = [](const char* deck_name, const char* ranking_name) {
    const DeckPtr deck = Deck::make(deck_name);
    return compiling_work(RankingRules(*deck, *Ranking::make(ranking_name)));
  };
  EXPECT_EQ(work("standard_52", "high"), 6188U);                        // C(17, 5)
  EXPECT_EQ(work("standard_52[jokers=1]", "high"), 6188U + 1820 * 13);  // and C(16, 4) hands with a joker
  EXPECT_EQ(work("standard_52[jokers=2]", "high"), 29848U + 455 * 91);  // and C(15, 3) with two
  EXPECT_EQ(work("tarot_78", "tarot_78"), 658008U);                     // C(40, 5): 14 ranks, 22 trumps
  EXPECT_LT(work("tarot_78", "tarot_78"), kWorthKeeping);
}

TEST_F(TablesCache, WhatIsWorthKeepingIsKeptAndUsed) {
  const EvaluatorTables first = compiled(rules_);
  const std::size_t work = compiling_work(rules_);
  make_tables(rules_, work + 1);
  EXPECT_FALSE(fs::exists(tables_file(rules_)));
  make_tables(rules_, work);
  ASSERT_TRUE(fs::exists(tables_file(rules_)));
  const EvaluatorTables second = make_tables(rules_, kAlways);
  RandomStream rng(9);
  for (int n = 0; n < 1000; ++n) {
    std::array<CardId, 7> hand{};
    for (std::size_t i = 0; i < hand.size(); ++i) hand[i] = static_cast<CardId>(7 * i + rng.below(7));
    EXPECT_EQ(first.evaluate(hand), second.evaluate(hand));
    EXPECT_EQ(first.evaluate(std::span(hand).first(5)), second.evaluate(std::span(hand).first(5)));
  }
}

}  // namespace
}  // namespace dealer::tables_cache_test
