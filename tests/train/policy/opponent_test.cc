// Agents in the seats that do not learn: one that fails ends the training and is named.
#include "train/policy/opponent.h"

#include <exception>
#include <stdexcept>

#include "agents/agent_error.h"
#include "agents/agent_registry.h"
#include "tests/support/testing.h"

namespace dealer::opponent_test {
namespace {

using test::error_message;

// Answers when it is flushed, as bots do: a failure of one table is kept for whoever asks.
class Flushed final : public AgentBatch {
 public:
  explicit Flushed(std::function<Decision(const Observation&)> act) : act_(std::move(act)) {}
  void reset(int, Seat, std::uint64_t) override {}
  void add(int table, const Observation& observation, Decision& decision) override {
    asked_.push_back({table, &observation, &decision});
  }
  void flush() override {
    failures_.clear();
    for (const auto& [table, observation, decision] : std::exchange(asked_, {})) {
      try {
        *decision = act_(*observation);
      } catch (...) {
        failures_.emplace_back(table, std::current_exception());
      }
    }
  }
  std::exception_ptr failure(int table) override {
    for (const auto& [failed, error] : failures_)
      if (failed == table) return error;
    return nullptr;
  }

 private:
  struct Asked {
    int table;
    const Observation* observation;
    Decision* decision;
  };
  std::function<Decision(const Observation&)> act_;
  std::vector<Asked> asked_;
  std::vector<std::pair<int, std::exception_ptr>> failures_;
};

class FlushedFactory final : public AgentFactory {
 public:
  explicit FlushedFactory(std::function<Decision(const Observation&)> act) : act_(std::move(act)) {}
  std::unique_ptr<Agent> make() const override { return nullptr; }
  std::unique_ptr<AgentBatch> make_batch(int) const override { return std::make_unique<Flushed>(act_); }
  int tables_at_once() const override { return 2; }
  const std::string& spec() const override { return spec_; }

 private:
  std::function<Decision(const Observation&)> act_;
  std::string spec_ = "flushed";
};

// Asks about five copies of the first position of Leduc poker; the probabilities of the last.
std::vector<float> decide(const std::function<Decision(const Observation&)>& act) {
  const GamePtr game = make_game("leduc");
  const auto opponent = make_opponent(FlushedFactory(act), *game);
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
  // The third answer, of a second flush.
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

// It is not there, so nobody knows whether it hears events.
TEST(Opponent, ThatIsNotThereIsNamed) {
  const GamePtr game = make_game("leduc");
  EXPECT_EQ(error_message<AgentError>([&] { make_opponent(*make_agents("exec:/nowhere/bot", game), *game); }),
            "agent 'exec:/nowhere/bot': cannot start '/nowhere/bot': No such file or directory");
}

}  // namespace
}  // namespace dealer::opponent_test
