// Agents in the seats that do not learn: a failing one ends the training and is named.
#include "train/policy/opponent.h"

#include <stdexcept>

#include "agents/agent_error.h"
#include "tests/support/fake_agents.h"
#include "tests/support/testing.h"

namespace dealer::opponent_test {
namespace {

using test::error_message;

// Requests five copies of the first position of Leduc poker; returns the last one's probabilities.
std::vector<float> decide(const std::function<Decision(const Observation&)>& act) {
  const GamePtr game = make_game("leduc");
  const auto opponent = make_opponent(*test::fake_batches("flushed", {.act = act}, 2), *game);
  const auto env = game->new_env();
  env->reset(3);
  const Observation seen = test::seen_at(*env);
  std::vector<float> probability(at(game->num_actions()));
  const std::vector<Opponent::Question> questions(
      5, {seen.player, seen.legal_mask, seen.data, seen.data, 7, probability.data()});
  opponent->decide(questions);
  return probability;
}

TEST(Opponent, PlaysWhatAnAgentDecides) {
  const std::vector<float> probability = decide([](const Observation& seen) { return seen.legal_actions().back(); });
  EXPECT_EQ(probability.back(), 1);
  EXPECT_EQ(probability.front(), 0);
}

TEST(Opponent, ThatFailsEndsTheTraining) {
  EXPECT_EQ(error_message<AgentError>([] {
              decide([](const Observation&) -> Decision { throw AgentError(FailureKind::kLate, "no answer"); });
            }),
            "agent 'flushed': no answer");
  // The third answer, in a second flush.
  int answers = 0;
  EXPECT_EQ(error_message<AgentError>([&] {
              decide([&](const Observation& seen) -> Decision {
                if (++answers == 3) throw AgentError(FailureKind::kDisconnected, "it ended with status 1");
                return seen.legal_actions().back();
              });
            }),
            "agent 'flushed': it ended with status 1");
  EXPECT_EQ(error_message<std::runtime_error>(
                [] { decide([](const Observation&) -> Decision { throw std::runtime_error("no idea"); }); }),
            "no idea");
}

TEST(Opponent, ThatDecidesIllegallyEndsTheTraining) {
  for (const Decision& illegal : {Decision(Action{63}), Decision(Action{-7}), Decision(), Decision::bet_to(5)}) {
    const std::string error = error_message<AgentError>([&] { decide([&](const Observation&) { return illegal; }); });
    EXPECT_TRUE(error.starts_with("agent 'flushed': ")) << error;
    EXPECT_TRUE(test::has(error, " is not legal"));
  }
}

// It is missing, so it is unknown whether it observes events.
TEST(Opponent, ThatIsNotThereIsNamed) {
  const GamePtr game = make_game("leduc");
  EXPECT_EQ(error_message<AgentError>([&] { make_opponent(*make_agents("exec:/nowhere/bot", game), *game); }),
            "agent 'exec:/nowhere/bot': cannot start '/nowhere/bot': No such file or directory");
}

}  // namespace
}  // namespace dealer::opponent_test
