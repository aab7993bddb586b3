// Our agents at an external table: a host with its own engine, in another language.
#include "tests/cli/run_dealer.h"
#include "tests/support/tiers.h"

namespace dealer::test::bot_host_test {
namespace {

// Plays deals at our table, where bots get our observations, then the same deals at the other one.
void expect_same_decisions(const std::string& game, int deals, int hands) {
  const std::string script = "python3 " + source_dir() + "/tests/cli/bot_host.py ";
  const std::string bot = program() + " bot --agent default --game " + game;
  const auto recorded = [&](const std::string& file) {
    return quoted("exec:" + script + "record " + file + " \"" + bot + "\"") + ' ';
  };
  const ProgramResult result =
      run_script("DEALER match " + recorded("a") + recorded("b") + "--game " + game + " --threads 1 --seed 5 --deals " +
                 std::to_string(deals) + " --json >match 2>err && " + script + "replay " + game + " a b " +
                 quoted(bot) + " >out 2>>err");
  ASSERT_EQ(result.status, 0) << result.err << result.out;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_GE(json["hands"], hands);
  EXPECT_GE(json["decisions"], 2 * hands);
}

TEST(BotHost, AnAgentDecidesTheSameAtAnotherEnginesTable) {
  expect_same_decisions("draw", 10, 20);
  expect_same_decisions("ofc", 4, 8);
}

TEST(BotHostThorough, AThousandHandsOfEither) {
  expect_same_decisions("draw", 500, 1000);
  expect_same_decisions("ofc", 500, 1000);
}

}  // namespace
}  // namespace dealer::test::bot_host_test
