#include "agents/poker/mixture.h"

#include "agents/agent_registry.h"
#include "agents/evaluator.h"
#include "env/core/data_dir.h"
#include "env/games/poker/game.h"
#include "tests/support/play.h"
#include "tests/support/testing.h"

namespace dealer::poker::mixture_test {
namespace {

// One member plays the whole hand, regardless of draws, streets and bets, and every member occurs.
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
        const Observation seen = test::seen_at(*env);
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
  EXPECT_GT(test::expect_same_decisions(mixture, *game, 3, 60), 200);
  const auto env = game->new_env();
  std::array<int, 3> asked{};
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    for (env->reset(seed); !env->terminated();) {
      const Observation seen = test::seen_at(*env);
      const std::size_t who = drawn_member(State::decode(rules, seen.data), members.size());
      ++asked[who];
      const auto alone = members[who]->make();
      alone->reset(seen.player, seed);
      agent->reset(seen.player, seed);
      const Decision expected = alone->act(seen), decision = agent->act(seen);
      EXPECT_EQ(decision.action, expected.action);
      // Not all members have a policy.
      EXPECT_EQ(agent->policy(seen), std::nullopt);
      // Only the network has values.
      EXPECT_EQ(agent->value(seen), network->value(seen));
      EXPECT_EQ(agent->explain(seen), alone->explain(seen));

      env->step(decision);
    }
  }
  for (const int count : asked) EXPECT_GT(count, 30);
}

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
    for (env->reset(seed); !env->terminated(); env->step(kCall)) seen.push_back(test::seen_at(*env));
  const auto actions = at(game->num_actions());
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
    test::expect_policy(std::span(probability).subspan(row * actions, actions), seen[row], own, 1e-5);
  }
  EXPECT_GT(asked[0], 40);
  EXPECT_GT(asked[1], 40);
  // So a search can use its values.
  EXPECT_EQ(make_agents("default[simulations=2,depth=1]", game)->spec(), "default[simulations=2,depth=1]");
  EXPECT_FALSE(make_evaluator(*make_agents(buckets_file, game), *game)->attributes().value);
}

TEST(Mixture, RefusesWhatIsNone) {
  const GamePtr game = make_game("holdem");
  const auto refusal = [&](const char* spec) {
    return test::error_message<UsageError>([&] { make_agents(spec, game); });
  };
  EXPECT_TRUE(test::has(refusal("mixture:rule"), "one agent is not a mixture"));
  EXPECT_TRUE(test::has(refusal("mixture:rule+nobody"), "there is no agent 'nobody'"));
  EXPECT_TRUE(test::has(refusal("mixture:rule+"), "the name is missing"));
  EXPECT_TRUE(test::refuses<ConfigError>("x", [&] { make_agents("mixture:rule+random[x=1]", game); }));
  EXPECT_TRUE(test::refuses<UsageError>("does not play 'leduc'",
                                        [&] { make_agents("mixture:rule+random", make_game("leduc")); }));
}

}  // namespace
}  // namespace dealer::poker::mixture_test
