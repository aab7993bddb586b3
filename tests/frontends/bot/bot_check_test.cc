// Bots that answer late or not at all, in the check of bots. Other faults: tests/cli/bot_test.cc.
#include "frontends/bot/bot_check.h"

#include <future>

#include "env/core/registry.h"
#include "tests/agents/remote/bots.h"
#include "tests/support/testing.h"

namespace dealer::test::bot_check_test {
namespace {

std::string failures(const BotCheck& check) {
  std::string text;
  for (const BotFailure& failure : check.failures) text += failure.kind + ": " + failure.message + '\n';
  return text;
}

// A bot that answers every third request plays to the end; silence on three requests in a row ends the
// check.
TEST(BotCheck, ThreeRequestsWithoutAnAnswerAreAHang) {
  const Bots bots;
  const GamePtr game = make_game("kuhn");
  const auto check = [&](const std::string& behaviour) {
    return std::async(std::launch::async, [&, behaviour] {
      return check_bot(bots.command(behaviour), game, {.deals = 4, .move_time = 0.3, .stop = {}});
    });
  };
  auto every_third = check("every3"), every_fourth = check("every4");
  const BotCheck third = every_third.get(), fourth = every_fourth.get();
  const std::string late = "late: deal 0, request 1: no answer in 0.3 seconds\n";
  EXPECT_EQ(failures(third), late);
  EXPECT_GE(third.decisions, 1);
  EXPECT_TRUE(failures(fourth).starts_with(late + "hangs: deal ")) << failures(fourth);
  EXPECT_TRUE(has(failures(fourth), ": three requests one after the other have no answer"));
  EXPECT_EQ(fourth.decisions, 0);
}

}  // namespace
}  // namespace dealer::test::bot_check_test
