// The trained player at many tables at once decides as one at each of them.
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "agents/agent.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/error_message.h"

namespace dealer::ofc::value_batch_test {
namespace {

using test::error_message;

// Tables that are asked together, all seats of them played by one batch a seat.
class Tables {
 public:
  Tables(const std::string& agent, const GamePtr& game, int tables)
      : game_(game), factory_(make_agents(agent, game)), envs_(static_cast<std::size_t>(tables)) {
    for (int seat = 0; seat < game->players(); ++seat) batches_.push_back(factory_->make_batch(tables));
    questions_.resize(envs_.size());
    episode_.resize(envs_.size());
  }

  // Plays episodes 0 to count - 1, calls check(observation, decision, episode) with every decision; returns all
  // results.
  template <class Check>
  std::vector<std::vector<double>> play(int count, Check check) {
    std::vector<std::vector<double>> results(static_cast<std::size_t>(count));
    int next = 0, done = 0;
    for (std::size_t t = 0; t < envs_.size(); ++t) deal(t, next++, count);
    while (done < count) {
      for (std::size_t t = 0; t < envs_.size(); ++t) ask(t);
      for (auto& batch : batches_) batch->flush();
      for (std::size_t t = 0; t < envs_.size(); ++t) {
        if (!envs_[t]) continue;
        check(questions_[t].seen, questions_[t].decision, episode_[t]);
        if (testing::Test::HasFatalFailure()) return results;
        if (!envs_[t]->step(questions_[t].decision).terminated) continue;
        results[static_cast<std::size_t>(episode_[t])] = envs_[t]->returns();
        ++done;
        deal(t, next++, count);
      }
    }
    return results;
  }

 private:
  struct Question {
    Observation seen;
    Decision decision;
  };

  void deal(std::size_t t, int episode, int count) {
    envs_[t] = episode < count ? game_->new_env() : nullptr;
    if (!envs_[t]) return;
    envs_[t]->reset(static_cast<std::uint64_t>(episode));
    episode_[t] = episode;
    for (int seat = 0; seat < game_->players(); ++seat)
      batches_[static_cast<std::size_t>(seat)]->reset(static_cast<int>(t), seat, seed(episode, seat));
  }
  void ask(std::size_t t) {
    if (!envs_[t]) return;
    const Seat seat = envs_[t]->current_player();
    questions_[t] = {envs_[t]->observe(seat), {}};
    batches_[static_cast<std::size_t>(seat)]->add(static_cast<int>(t), questions_[t].seen, questions_[t].decision);
  }

 public:
  static std::uint64_t seed(int episode, int seat) {
    return derive(static_cast<std::uint64_t>(episode), static_cast<std::uint64_t>(seat));
  }

 private:
  GamePtr game_;
  AgentFactoryPtr factory_;
  std::vector<std::unique_ptr<AgentBatch>> batches_;  // by seat
  std::vector<std::unique_ptr<Env>> envs_;
  std::vector<Question> questions_;
  std::vector<int> episode_;
};

void expect_same_decisions(const std::string& agent, const std::string& spec, int tables, int episodes) {
  SCOPED_TRACE(agent + " at " + spec);
  const GamePtr game = make_game(spec);
  const AgentFactoryPtr factory = make_agents(agent, game);
  // Single agents that are asked the same questions, each for one seat of one episode.
  std::map<std::pair<int, int>, std::unique_ptr<Agent>> singles;
  int decisions = 0;
  Tables together(agent, game, tables);
  together.play(episodes, [&](const Observation& seen, const Decision& decision, int episode) {
    auto& single = singles[{episode, seen.player}];
    if (!single) {
      single = factory->make();
      single->reset(seen.player, Tables::seed(episode, seen.player));
    }
    ASSERT_EQ(single->act(seen), decision) << "episode " << episode;
    ++decisions;
  });
  EXPECT_GT(decisions, 20 * episodes);
}

TEST(ValueBatch, DecidesAsOneAtATime) {
  expect_same_decisions("default", "ofc", 64, test::repetitions(300));
  expect_same_decisions("default", "ofc[players=3]", 16, test::repetitions(150));
  expect_same_decisions("default[caution=4]", "ofc[episode=match,match.start_points=100,match.hands=8]", 5,
                        test::repetitions(20));
  expect_same_decisions("default[simulations=9,candidates=3]", "ofc", 4, 4);
  expect_same_decisions("default[simulations=9,candidates=3,depth=1]", "ofc[players=3]", 4, 4);
}

TEST(ValueBatch, GainsNothingWherePlacementsArePlayedOut) {
  const GamePtr game = make_game("ofc");
  EXPECT_GT(make_agents("default", game)->tables_at_once(), 16);
  EXPECT_GT(make_agents("default[caution=2]", game)->tables_at_once(), 16);
  EXPECT_EQ(make_agents("default[simulations=3]", game)->tables_at_once(), 1);
}

TEST(ValueBatch, TheNumberOfTablesChangesNothing) {
  const GamePtr game = make_game("ofc");
  const auto results = [&](int tables) {
    return Tables("default", game, tables).play(60, [](const Observation&, const Decision&, int) {});
  };
  const auto one = results(1);
  EXPECT_EQ(results(7), one);
  EXPECT_EQ(results(64), one);
}

TEST(ValueBatch, AFaultyQuestionConcernsItsTableAlone) {
  const GamePtr game = make_game("ofc");
  const AgentFactoryPtr factory = make_agents("default", game);
  const auto batch = factory->make_batch(3);
  const auto env = game->new_env();
  env->reset(1);
  const Observation seen = env->observe(env->current_player()), idle = env->observe(1 - env->current_player());
  for (int table = 0; table < 3; ++table) batch->reset(table, seen.player, 1);
  Decision first, second, third;
  batch->add(0, seen, first);
  EXPECT_NE(error_message<UsageError>([&] { batch->add(1, idle, second); }).find("not to act"), std::string::npos);
  EXPECT_NE(error_message<UsageError>([&] {
              batch->add(1, Observation{0, {1, 2}, 1}, second);
            }).find("numbers"),
            std::string::npos);
  EXPECT_NE(error_message<UsageError>([&] { batch->add(3, seen, second); }).find("tables are 0 to 2"),
            std::string::npos);
  EXPECT_THROW(batch->add(-1, seen, second), UsageError);
  batch->add(2, seen, third);
  batch->flush();
  const auto single = factory->make();
  single->reset(seen.player, 1);
  EXPECT_EQ(first, single->act(seen));
  EXPECT_EQ(third, first);
  EXPECT_EQ(second, Decision());
}

TEST(ValueBatch, GoesOnFromWhateverWasPlayed) {
  const GamePtr game = make_game("ofc");
  const AgentFactoryPtr factory = make_agents("default", game);
  const auto batch = factory->make_batch(1);
  const auto env = game->new_env();
  RandomStream rng(3);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    env->reset(seed);
    batch->reset(0, 0, seed);
    while (env->current_player() != kTerminal) {
      const Observation seen = env->observe(env->current_player());
      Decision decision;
      batch->add(0, seen, decision);
      batch->flush();
      ASSERT_NE(env->legal_mask() >> decision.action & 1, 0U);
      env->step(rng.below(3) != 0 ? decision : Decision(test::random_action(env->legal_mask(), rng)));
    }
  }
}

}  // namespace
}  // namespace dealer::ofc::value_batch_test
