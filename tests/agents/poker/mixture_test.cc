#include "agents/poker/mixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agents/agent_registry.h"
#include "agents/evaluator.h"
#include "env/core/data_dir.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/games/poker/game.h"
#include "tests/support/error_message.h"

namespace dealer::poker::mixture_test {
namespace {

// One member plays the whole hand, whoever is asked: draws, streets and bets change nothing, and every member comes up.
TEST(Mixture, IsOneAgentForTheWholeHand) {
  for (const char* spec : {"holdem", "holdem[limit=no_limit,players=4]", "draw", "triple_draw", "stud", "razz"}) {
    const GamePtr game = make_game(spec);
    const GameRules& rules = std::dynamic_pointer_cast<const Game>(game)->rules();
    const AgentFactoryPtr random = make_agents("random", game);
    const auto agent = random->make();
    const auto env = game->new_env();
    std::array<int, 3> hands{};
    int decisions = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
      std::map<Seat, std::size_t> member;
      agent->reset(0, seed);
      for (env->reset(seed); !env->terminated(); ++decisions) {
        const Observation seen = env->observe(env->current_player());
        const std::size_t who = drawn_member(State::decode(rules, seen.data), hands.size());
        ASSERT_LT(who, hands.size());
        const auto [known, fresh] = member.emplace(seen.player, who);
        EXPECT_EQ(known->second, who) << spec << ", hand " << seed;
        if (fresh) ++hands[who];
        Decision decision = agent->act(seen);
        if (decision.action == kFold) decision = kCall;
        env->step(decision);
      }
    }
    EXPECT_GT(decisions, 700);
    for (const int count : hands) EXPECT_GT(count, 60) << spec;
  }
}

TEST(Mixture, PlaysAsTheMemberThatIsDrawn) {
  const GamePtr game = make_game("holdem");
  const GameRules& rules = std::dynamic_pointer_cast<const Game>(game)->rules();
  const AgentFactoryPtr mixture = make_agents("mixture:rule+default+random", game);
  const std::vector<AgentFactoryPtr> members = {make_agents("rule", game), make_agents("default", game),
                                                make_agents("random", game)};
  const auto agent = mixture->make(), network = members[1]->make();
  constexpr int kTables = 3;
  const auto batch = mixture->make_batch(kTables);
  const auto env = game->new_env();
  std::array<int, 3> asked{};
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    for (env->reset(seed); !env->terminated();) {
      const Observation seen = env->observe(env->current_player());
      const std::size_t who = drawn_member(State::decode(rules, seen.data), members.size());
      ++asked[who];
      const auto alone = members[who]->make();
      alone->reset(seen.player, seed);
      agent->reset(seen.player, seed);
      const Decision expected = alone->act(seen), decision = agent->act(seen);
      EXPECT_EQ(decision.action, expected.action);
      // Not all of them tell what they do with which probability.
      EXPECT_EQ(agent->policy(seen), std::nullopt);
      // The network alone says what a hand is worth.
      EXPECT_EQ(agent->value(seen), network->value(seen));
      EXPECT_EQ(agent->explain(seen), alone->explain(seen));
      std::array<Decision, kTables> together;
      for (int table = 0; table < kTables; ++table) {
        batch->reset(table, seen.player, seed);
        batch->add(table, seen, together[static_cast<std::size_t>(table)]);
      }
      batch->flush();
      for (int table = 0; table < kTables; ++table) {
        EXPECT_EQ(batch->failure(table), nullptr);
        EXPECT_EQ(together[static_cast<std::size_t>(table)].action, expected.action);
      }
      env->step(decision);
    }
  }
  for (const int count : asked) EXPECT_GT(count, 30);
}

// Of members who all do, each asked for its own hands.
TEST(Mixture, TellsThePoliciesOfItsMembers) {
  const GamePtr game = make_game("holdem[limit=no_limit]");
  const GameRules& rules = std::dynamic_pointer_cast<const Game>(game)->rules();
  const std::string network_file = data_path("models/holdem_no_limit.safetensors").string(),
                    buckets_file = data_path("models/buckets_holdem_no_limit.safetensors").string();
  const AgentFactoryPtr mixture = make_agents("mixture:" + buckets_file + '+' + network_file, game);
  const std::array members = {make_agents(buckets_file, game)->make(), make_agents(network_file, game)->make()};
  const auto agent = mixture->make();
  std::vector<Observation> seen;
  const auto env = game->new_env();
  for (std::uint64_t seed = 0; seed < 25; ++seed)
    for (env->reset(seed); !env->terminated(); env->step(kCall)) seen.push_back(env->observe(env->current_player()));
  const auto actions = static_cast<std::size_t>(game->num_actions());
  std::vector<double> probability(seen.size() * actions), again(probability.size()), value(seen.size());
  const auto evaluator = make_evaluator(*mixture, *game);
  ASSERT_TRUE(evaluator->attributes().value);
  evaluator->evaluate(seen, probability);
  evaluator->evaluate(seen, again, value);
  EXPECT_EQ(probability, again);
  std::array<int, 2> asked{};
  for (std::size_t row = 0; row < seen.size(); ++row) {
    const std::size_t who = drawn_member(State::decode(rules, seen[row].data), members.size());
    ++asked[who];
    const std::vector<double> own = members[who]->policy(seen[row]).value();
    EXPECT_EQ(agent->policy(seen[row]), own);
    EXPECT_NEAR(value[row], members[1]->value(seen[row]).value(), 1e-3);
    std::size_t next = 0;
    for (std::size_t action = 0; action < actions; ++action) {
      const bool legal = (seen[row].legal_mask >> action & 1) != 0;
      EXPECT_NEAR(probability[row * actions + action], legal ? own[next++] : 0, 1e-5);
    }
  }
  EXPECT_GT(asked[0], 40);
  EXPECT_GT(asked[1], 40);
  // So a search can value positions by it.
  EXPECT_EQ(make_agents("default[simulations=2,depth=1]", game)->spec(), "default[simulations=2,depth=1]");
  EXPECT_FALSE(make_evaluator(*make_agents(buckets_file, game), *game)->attributes().value);
}

TEST(Mixture, RefusesWhatIsNone) {
  const GamePtr game = make_game("holdem");
  const auto refusal = [&](const char* spec) {
    return test::error_message<UsageError>([&] { make_agents(spec, game); });
  };
  EXPECT_NE(refusal("mixture:rule").find("one agent is no mixture"), std::string::npos);
  EXPECT_NE(refusal("mixture:rule+nobody").find("there is no agent 'nobody'"), std::string::npos);
  EXPECT_NE(refusal("mixture:rule+").find("the name is missing"), std::string::npos);
  EXPECT_NE(test::error_message<ConfigError>([&] { make_agents("mixture:rule+random[x=1]", game); }).find('x'),
            std::string::npos);
  EXPECT_NE(test::error_message<UsageError>([&] {
              make_agents("mixture:rule+random", make_game("leduc"));
            }).find("does not play 'leduc'"),
            std::string::npos);
}

}  // namespace
}  // namespace dealer::poker::mixture_test
