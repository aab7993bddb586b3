#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/run_dealer.h"

namespace dealer::bench_test {
namespace {

using test::contains;
using test::ProgramResult;
using test::run_dealer;
using test::run_here;

TEST(Bench, ReportsTheContractsFields) {
  const ProgramResult result = run_dealer("bench evaluate5 fantasyland14 'env.ofc[players=3]' --seconds 0.02 --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  ASSERT_EQ(json.size(), 3U);
  EXPECT_EQ(json[0]["name"], "evaluate5");
  EXPECT_EQ(json[0]["unit"], "hands/s");
  EXPECT_EQ(json[1]["name"], "fantasyland14");
  EXPECT_EQ(json[2]["name"], "env.ofc[players=3]");
  for (const auto& figure : json) EXPECT_GT(figure["value"], 0);
  for (const std::size_t compared : {0U, 1U}) {
    EXPECT_GT(json[compared]["peer"], 0);
    // More hands a second are better, and fewer milliseconds a hand.
    const double value = json[compared]["value"], peer = json[compared]["peer"];
    const double better = json[compared]["unit"] == "hands/s" ? value / peer : peer / value;
    EXPECT_NEAR(json[compared]["ratio"].get<double>(), better, 1e-9 * better);
  }
  EXPECT_TRUE(contains(result.err, "evaluate5"));
}

TEST(Bench, ShowsALineForEachFigure) {
  const ProgramResult result = run_here({"bench", "evaluate7", "--seconds", "0.02"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with("evaluate7 ")) << result.out;
  EXPECT_TRUE(contains(result.out, "hands/s")) << result.out;
}

TEST(Bench, AnUnknownNameBringsTheNearest) {
  const ProgramResult result = run_here({"bench", "evaluat5"});
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(contains(result.err, "there is no benchmark 'evaluat5'; did you mean 'evaluate5'?")) << result.err;
  EXPECT_TRUE(contains(run_here({"bench", "env.ofx"}).err, "did you mean 'env.ofc'?"));
  EXPECT_EQ(run_here({"bench", "env.ofc[players=9]"}).status, 2);
  EXPECT_TRUE(contains(run_here({"bench", "agents.rule."}).err, "there is no benchmark 'agents.rule.'"));
  EXPECT_TRUE(contains(run_here({"bench", "agents.rule.drew"}).err, "did you mean 'agents.rule.draw'?"));
}

TEST(Bench, MeasuresSolving) {
  const ProgramResult result = run_here({"bench", "solve.leduc", "solve.kuhn[cards=4]", "--seconds", "0.02", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json[0]["unit"], "iter/s");
  // A thousand iterations in a second at most.
  EXPECT_GT(json[0]["value"], 1000);
  EXPECT_GT(json[1]["value"], json[0]["value"]);
  EXPECT_EQ(run_here({"bench", "solve.holdem", "--seconds", "0.02"}).status, 2);
}

TEST(Bench, MeasuresTheHandWrittenPlayerInAnyGame) {
  const ProgramResult result =
      run_here({"bench", "agents.rule.draw", "agents.rule.leduc", "agents.rule.ofc[players=3]", "--seconds", "0.02"});
  EXPECT_EQ(result.status, 0) << result.err;
  for (const char* game : {"agents.rule.draw ", "agents.rule.leduc ", "agents.rule.ofc[players=3] "})
    EXPECT_TRUE(contains(result.out, game)) << result.out;
  EXPECT_TRUE(contains(result.out, "hands/s")) << result.out;
}

TEST(Bench, MeasuresDrawnStatesInAnyGame) {
  const ProgramResult result =
      run_here({"bench", "sample.leduc", "sample.draw[players=3]", "sample.ofc", "--seconds", "0.02", "--json"});
  EXPECT_EQ(result.status, 0) << result.err;
  const auto figures = nlohmann::json::parse(result.out);
  ASSERT_EQ(figures.size(), 3U);
  for (const auto& figure : figures) {
    EXPECT_EQ(figure["unit"], "draws/s");
    EXPECT_GT(figure["value"], 1000);
    EXPECT_GT(figure["make_us"], 0);
  }
}

}  // namespace
}  // namespace dealer::bench_test
