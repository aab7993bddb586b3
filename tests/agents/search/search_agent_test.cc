// Search agents, made from their specs.

#include "agents/agent_registry.h"
#include "tests/support/play.h"
#include "tests/support/testing.h"

namespace dealer::search_agent_test {
namespace {

using test::error_message;

// Plays an episode, or its beginning; illegal decisions throw.
void play(const char* name, const std::string& spec, std::uint64_t seed = 1) {
  SCOPED_TRACE(name + (" " + spec));
  const GamePtr game = make_game(name);
  const auto visit = [](const Env&, const Observation&, Decision) {};
  test::play(*game->new_env(), test::make_seats(make_agents(spec, game), *game), seed, visit, 100);
}

TEST(SearchAgent, PlaysEveryGame) {
  for (const std::string& name : game_names())
    for (const char* spec : {"search[simulations=20]", "search[simulations=20,algorithm=ismcts]"})
      for (const std::uint64_t seed : {0U, 1U}) play(name.c_str(), spec, seed);
  play("holdem[limit=no_limit,players=3]", "search[simulations=20]");
  play("leduc", "default[simulations=20]");
  play("mini_draw", "default[simulations=20]");
  for (const char* more : {"", ",playouts=mixed", ",depth=1,temperature=0.5"})
    play("holdem", std::string("default[simulations=20") + more + "]");
}

// With equilibrium playouts of Kuhn poker, folding a king or calling with a jack cannot look better.
TEST(SearchAgent, PlaysOutByItsAgent) {
  const GamePtr game = make_game("kuhn");
  const auto agent = make_agents("default[simulations=2000]", game)->make();
  const auto env = game->new_env();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    env->reset(seed);
    env->step(env->parse_action("check"));
    agent->reset(1, seed);
    const Observation seen = env->observe(1);
    // In equilibrium the first player calls a bet with a king always and never with a jack: with a queen, a bet
    // wins less than a check.
    if (env->to_string(1).find("Qs") == std::string::npos) continue;
    EXPECT_EQ(agent->act(seen), Decision(env->parse_action("check")));
    return;
  }
  FAIL() << "no queen in so many deals";
}

TEST(SearchAgent, RefusesBadOptions) {
  struct Case {
    const char *game, *spec, *why;
  };
  for (const Case& c : {
           Case{"seven_hand", "search", "has no budget; expected simulations=N or milliseconds=N, N at least 1"},
           {"seven_hand", "search[simulations=0]", "simulations: 0 is not allowed; expected an integer from 1 to 1000"},
           {"seven_hand", "search[milliseconds=0]", "0 is not allowed; expected an integer from 1 to 86400000"},
           {"seven_hand", "search[simulations=5,milliseconds=5]", "exclude each other; expected one of them"},
           {"seven_hand", "search[simulations=5,tread=2]",
            "unknown key 'tread'; did you mean 'threads'? allowed: simulations, milliseconds, threads, algorithm, "
            "candidates, weighted, proposals, depth, playouts, selection, nodes, exploration, policy_runs"},
           {"seven_hand", "search[simulations=5,algorithm=minimax]", "is not allowed; expected one of halving, ismcts"},
           {"seven_hand", "search[simulations=5,selection=uct]", "selection needs algorithm=ismcts"},
           {"seven_hand", "search[simulations=5,algorithm=ismcts,candidates=3]", "candidates needs algorithm=halving"},
           {"seven_hand", "search[simulations=5,playouts=agent]",
            "playouts needs another agent, as in default[simulations=1000]"},
           {"leduc", "search[simulations=5,weighted=true]", "omit weighted=true"},
           {"leduc", "default[simulations=5,algorithm=ismcts]",
            "algorithm=ismcts searches without another agent, as in search[simulations=1000,algorithm=ismcts]"},
           {"leduc", "default[simulations=5,depth=1]",
            "depth needs an agent that provides values of positions; this agent does not"},
           {"leduc", "default[simulations=5,stile=1]", "unknown key 'stile'"},
           {"leduc", "default[threads=2]", "has no budget"},
           {"holdem", "default[simulations=5,playouts=mixed,depth=0]", "playouts=mixed needs a depth of 1 or more"},
       }) {
    const std::string message = error_message<UsageError>([&] { make_agents(c.spec, make_game(c.game)); });
    EXPECT_TRUE(message.starts_with(std::string("agent '") + c.spec + "'")) << message;
    EXPECT_TRUE(test::has(message, c.why));
  }
  for (const char* option : {"algorithm=ismcts", "weighted=false", "playouts=agent", "proposals=2", "caution=1"}) {
    const std::string spec = std::string("default[simulations=5,") + option + "]";
    EXPECT_TRUE(
        test::refuses<UsageError>(" means nothing here: OFC is searched by playing placements on; expected "
                                  "simulations or milliseconds, threads, candidates, depth, policy_runs",
                                  [&] { make_agents(spec, make_game("ofc")); }));
  }
}

TEST(SearchAgent, HasNothingToSayWithoutATurn) {
  const GamePtr game = make_game("kuhn");
  const auto env = game->new_env();
  env->reset(1);
  const auto agent = make_agents("search[simulations=5]", game)->make();
  agent->reset(1, 1);
  EXPECT_EQ(error_message<UsageError>([&] { agent->act(env->observe(1 - env->current_player())); }),
            "there is nothing to choose: the observer is not to act");
}

// The first line of a hint is the agent's decision; a whole turn results from one search.
TEST(SearchAgent, PlaysAWholeTurnAsPlanned) {
  const GamePtr game = make_game("seven_hand");
  const auto agent = make_agents("search[simulations=60]", game)->make();
  const auto env = game->new_env();
  int long_turns = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    env->reset(seed);
    const Seat me = env->current_player();
    agent->reset(me, seed);
    const std::string hint = agent->explain(env->observe(me));
    std::string laid;
    int decisions = 0;
    for (; env->current_player() == me; ++decisions) {
      const Decision decision = agent->act(env->observe(me));
      if (const std::string text = env->decision_to_string(decision); text != "stop") laid += " " + text;
      env->step(decision);
    }
    EXPECT_EQ(hint.substr(0, hint.find('\n')).find(" points " + laid + "  ("), hint.find(" points ")) << hint << laid;
    long_turns += decisions > 2 ? 1 : 0;
  }
  EXPECT_GT(long_turns, 0);
}

TEST(SearchAgent, SearchesAgainWhereThingsWentAnotherWay) {
  const GamePtr game = make_game("seven_hand");
  const auto agent = make_agents("search[simulations=60]", game)->make();
  const auto env = game->new_env();
  env->reset(3);
  const Seat me = env->current_player();
  agent->reset(me, 1);
  agent->act(env->observe(me));
  // A different card is laid instead: later decisions must still be legal.
  env->step(env->legal_actions()[2]);
  while (env->current_player() == me) env->step(agent->act(env->observe(me)));
  SUCCEED();
}

// After reset() earlier results and plans are forgotten: the same position is
// searched again with the new seed.
TEST(SearchAgent, ForgetsItsLastSearchAtAReset) {
  const GamePtr game = make_game("seven_hand");
  const AgentFactoryPtr agents = make_agents("search[simulations=10]", game);
  const auto env = game->new_env();
  const auto used = agents->make(), planner = agents->make();
  int found_otherwise = 0, planned_otherwise = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    env->reset(seed);
    const Seat me = env->current_player();
    const Observation first = env->observe(me);
    for (Agent* const agent : {used.get(), planner.get()}) agent->reset(me, 1);
    const std::string before = used->explain(first);
    used->reset(me, 2);
    const auto fresh = agents->make();
    fresh->reset(me, 2);
    const std::string after = used->explain(first);
    EXPECT_EQ(after, fresh->explain(first));
    found_otherwise += after != before ? 1 : 0;
    // In the middle of a turn the rest of it is planned, but not as at its beginning.
    used->reset(me, 1);
    EXPECT_EQ(used->act(first), planner->act(first));
    env->step(used->act(first));
    if (env->current_player() != me) continue;
    const Observation next = env->observe(me);
    used->reset(me, 2);
    const Decision decision = used->act(next);
    EXPECT_EQ(decision, fresh->act(next));
    planned_otherwise += decision != planner->act(next) ? 1 : 0;
  }
  EXPECT_GT(found_otherwise, 10);
  EXPECT_GT(planned_otherwise, 2);
}

TEST(SearchAgent, TellsItsPolicyByRunsOnly) {
  const GamePtr game = make_game("leduc");
  const Observation seen = test::first_decision(*game, 2);
  const auto silent = make_agents("search[simulations=6]", game)->make(),
             agent = make_agents("search[simulations=6,policy_runs=50]", game)->make();
  silent->reset(seen.player, 1);
  EXPECT_FALSE(silent->policy(seen));
  agent->reset(seen.player, 1);
  const std::vector<double> policy = agent->policy(seen).value();
  ASSERT_EQ(policy.size(), seen.legal_actions().size());
  EXPECT_NEAR(std::accumulate(policy.begin(), policy.end(), 0.0), 1, 1e-12);
  EXPECT_GT(*std::min_element(policy.begin(), policy.end()), 0) << "so few simulations decide now this way, now that";
}

TEST(SearchAgent, KnowsWhatAPositionIsWorth) {
  const GamePtr game = make_game("kuhn");
  const auto env = game->new_env();
  const auto agent = make_agents("search[simulations=200]", game)->make();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    env->reset(seed);
    env->step(env->parse_action("bet"));
    agent->reset(1, seed);
    const char card = env->to_string(1)[env->to_string(1).find_first_of("KQJ")];
    const double value = agent->value(env->observe(1)).value();
    EXPECT_TRUE(card == 'Q' || value == (card == 'K' ? 2 : -1)) << card << value;
  }
}

}  // namespace
}  // namespace dealer::search_agent_test
