#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/run_dealer.h"

namespace dealer {
namespace {

using test::contains;
using test::ProgramResult;
using test::run_dealer;
using test::run_here;

TEST(Match, ReportsTheContractsFields) {
  const ProgramResult result = run_dealer("match rule random --game ofc --hands 20 --seed 3 --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["game"], "ofc");
  EXPECT_EQ(json["agents"], nlohmann::json({"rule", "random"}));
  EXPECT_EQ(json["hands"], 20);
  EXPECT_EQ(json["unit"], "points/hand");
  ASSERT_EQ(json["mean"].size(), 2U);
  ASSERT_EQ(json["ci95"].size(), 2U);
  EXPECT_DOUBLE_EQ(json["mean"][0], -json["mean"][1].get<double>());
  EXPECT_GT(json["mean"][0], 0);
  for (const auto& stats : json["stats"])
    for (const char* name : {"foul_rate", "fantasyland_rate", "royalties"}) EXPECT_TRUE(stats.contains(name)) << stats;
  EXPECT_GT(json["seconds"], 0);
}

TEST(Match, APolicyAgainstItselfIsExactlyEven) {
  const auto json =
      nlohmann::json::parse(run_here({"match", "random", "random", "--hands", "50", "--seed", "1", "--json"}).out);
  EXPECT_EQ(json["mean"], nlohmann::json({0.0, 0.0}));
}

TEST(Match, SameSeedSameResultWhateverTheThreads) {
  const auto play = [](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"match", "rule", "random", "--hands", "20", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    auto json = nlohmann::json::parse(run_here(arguments).out);
    json.erase("seconds");
    return json;
  };
  const auto one = play({"--seed", "5", "--threads", "1"});
  EXPECT_EQ(one, play({"--seed", "5", "--threads", "3"}));
  EXPECT_NE(one["mean"], play({"--seed", "6", "--threads", "1"})["mean"]);
  EXPECT_NE(one, play({"--seed", "5", "--threads", "1", "--no-duplicate"}));
}

TEST(Match, ShowsATable) {
  const ProgramResult result = run_here({"match", "rule", "random", "--hands", "5"});
  EXPECT_EQ(result.status, 0) << result.err;
  for (const char* part : {"rule", "random", "95%", "foul_rate", "royalties"})
    EXPECT_TRUE(contains(result.out, part)) << result.out;
}

TEST(Match, ThreeAgentsPlayForThree) {
  const auto json =
      nlohmann::json::parse(run_here({"match", "random", "random", "rule", "--hands", "5", "--json"}).out);
  EXPECT_EQ(json["game"], "ofc[players=3]");
  EXPECT_EQ(json["mean"].size(), 3U);
  EXPECT_EQ(run_here({"match", "random", "random", "rule", "--game", "ofc[players=2]"}).status, 2);
  EXPECT_EQ(run_here({"match", "random", "random", "random", "random"}).err,
            "dealer: 4 agents given; 'ofc' cannot be played by so many\n");
}

TEST(Match, AnUnknownAgentNamesTheNearest) {
  const ProgramResult result = run_here({"match", "rule", "randm"});
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(contains(result.err, "'randm'")) << result.err;
  EXPECT_TRUE(contains(result.err, "did you mean 'random'?")) << result.err;
}

}  // namespace
}  // namespace dealer
