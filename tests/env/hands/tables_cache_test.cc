#include "env/hands/tables_cache.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "env/core/files.h"
#include "env/core/random.h"

namespace dealer {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kNever = std::chrono::hours(1), kAlways{-1};

EvaluatorTables compiled(const RankingRules& rules) { return make_tables(rules, kNever); }

EvaluatorTables empty(const RankingRules& rules) {
  return {CardKinds(rules, rules.trump_ranks_matter()), SuitSums(rules.deck(), kHandCards + 1, rules.suits_matter())};
}

class TablesCache : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    setenv("DEALER_CACHE", folder_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("DEALER_CACHE");
    fs::remove_all(folder_);
  }

  DeckPtr deck_ = Deck::make("standard_52[jokers=1]");
  RankingPtr ranking_ = Ranking::make("high");
  RankingRules rules_{*deck_, *ranking_};
  fs::path folder_;
};

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
  // Even under the other's name it is not believed.
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

TEST_F(TablesCache, WhatIsWorthKeepingIsKeptAndUsed) {
  make_tables(rules_, kNever);
  EXPECT_FALSE(fs::exists(tables_file(rules_)));
  const EvaluatorTables first = make_tables(rules_, kAlways);
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
}  // namespace dealer
