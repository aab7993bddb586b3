#include "tests/cli/run_dealer.h"

namespace dealer::bench_test {
namespace {

using test::contains;
using test::ProgramResult;
using test::run_here;

nlohmann::json figures(const test::Words& names) {
  return test::json_of(test::joined({"bench", "--seconds", "0.02"}, names));
}

TEST(Bench, ReportsTheContractsFields) {
  const ProgramResult result =
      run_here({"bench", "--seconds", "0.02", "--json", "evaluate5", "fantasyland14", "env.ofc[players=3]"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "evaluate5"));
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
}

TEST(Bench, ShowsALineForEachFigure) {
  const ProgramResult result = run_here({"bench", "evaluate7", "--seconds", "0.02"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with("evaluate7 ")) << result.out;
  EXPECT_TRUE(contains(result.out, "hands/s")) << result.out;
}

TEST(Bench, AnUnknownNameBringsTheNearest) {
  test::expect_refused({"bench"}, {{{"evaluat5"}, "there is no benchmark 'evaluat5'; did you mean 'evaluate5'?"},
                                   {{"env.ofx"}, "did you mean 'env.ofc'?"},
                                   {{"env.ofc[players=9]"}, "players"},
                                   {{"agents.rule."}, "there is no benchmark 'agents.rule.'"},
                                   {{"agents.rule.drew"}, "did you mean 'agents.rule.draw'?"},
                                   {{"solve.holdem", "--seconds", "0.02"}, "holdem"}});
}

TEST(Bench, MeasuresSolving) {
  const auto json = figures({"solve.leduc", "solve.kuhn[cards=4]"});
  EXPECT_EQ(json[0]["unit"], "iter/s");
  // A thousand iterations in a second at most.
  EXPECT_GT(json[0]["value"], 1000);
  EXPECT_GT(json[1]["value"], json[0]["value"]);
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
  const auto drawn = figures({"sample.leduc", "sample.draw[players=3]", "sample.ofc"});
  ASSERT_EQ(drawn.size(), 3U);
  for (const auto& figure : drawn) {
    EXPECT_EQ(figure["unit"], "draws/s");
    EXPECT_GT(figure["value"], 1000);
    EXPECT_GT(figure["make_us"], 0);
  }
}

}  // namespace
}  // namespace dealer::bench_test
