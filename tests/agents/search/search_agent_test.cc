// Agents that search, by their spec.
#include "agents/search/search_agent.h"

#include <gtest/gtest.h>

#include "agents/agent_registry.h"
#include "env/core/error.h"
#include "env/games/seven_hand/game.h"
#include "tests/support/error_message.h"

namespace dealer::search_agent_test {
namespace {

using test::error_message;

std::string refusal(const std::string& spec, const char* game = "seven_hand") {
  return error_message<UsageError>([&] { make_agents(spec, make_game(game)); });
}

// An episode, or the beginning of one; what is not legal throws.
void play(const GamePtr& game, const std::string& spec, std::uint64_t seed, int decisions) {
  SCOPED_TRACE(game->spec() + " " + spec);
  const AgentFactoryPtr agents = make_agents(spec, game);
  std::vector<std::unique_ptr<Agent>> seats;
  for (Seat seat = 0; seat < game->players(); ++seat) {
    seats.push_back(agents->make());
    seats.back()->reset(seat, derive(seed, static_cast<std::uint64_t>(seat)));
  }
  const auto env = game->new_env();
  env->reset(seed);
  for (int i = 0; i < decisions && !env->terminated(); ++i) {
    const Seat seat = env->current_player();
    env->step(seats[static_cast<std::size_t>(seat)]->act(env->observe(seat)));
  }
}

TEST(SearchAgent, PlaysEveryGame) {
  for (const std::string& name : game_names())
    for (const char* spec : {"search[simulations=20]", "search[simulations=20,algorithm=ismcts]"})
      for (std::uint64_t seed = 0; seed < 2; ++seed) play(make_game(name), spec, seed, 100);
  play(make_game("holdem[limit=no_limit,players=3]"), "search[simulations=20]", 1, 100);
}

TEST(SearchAgent, SearchesWithAnAgent) {
  play(make_game("leduc"), "default[simulations=20]", 1, 100);
  play(make_game("mini_draw"), "default[simulations=20]", 1, 100);
  play(make_game("holdem"), "default[simulations=20]", 1, 100);
  play(make_game("holdem"), "default[simulations=20,playouts=mixed]", 1, 100);
  play(make_game("holdem"), "default[simulations=20,depth=1,temperature=0.5]", 1, 100);
}

// An equilibrium of Kuhn poker plays out; folding a king or calling with a jack cannot look better.
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
  EXPECT_EQ(refusal("search"), "agent 'search' has no budget; expected simulations=N or milliseconds=N, N at least 1");
  EXPECT_EQ(refusal("search[simulations=0]"),
            "agent 'search[simulations=0]': override 'simulations=0': simulations: 0 is not allowed; expected an "
            "integer from 1 to 100000000");
  EXPECT_EQ(refusal("search[milliseconds=0]"),
            "agent 'search[milliseconds=0]': override 'milliseconds=0': milliseconds: 0 is not allowed; expected an "
            "integer from 1 to 86400000");
  EXPECT_EQ(refusal("search[simulations=5,milliseconds=5]"),
            "agent 'search[simulations=5,milliseconds=5]': simulations and milliseconds exclude each other; expected "
            "one of them");
  EXPECT_EQ(refusal("search[simulations=5,tread=2]"),
            "agent 'search[simulations=5,tread=2]': override 'tread=2': unknown key 'tread'; did you mean 'threads'? "
            "allowed: simulations, milliseconds, threads, algorithm, candidates, weighted, proposals, depth, "
            "playouts, selection, nodes, exploration, policy_runs");
  EXPECT_EQ(refusal("search[simulations=5,algorithm=minimax]"),
            "agent 'search[simulations=5,algorithm=minimax]': override 'algorithm=minimax': algorithm: minimax is not "
            "allowed; expected one of halving, ismcts");
  EXPECT_EQ(refusal("search[simulations=5,selection=uct]"),
            "agent 'search[simulations=5,selection=uct]': selection goes with algorithm=ismcts");
  EXPECT_EQ(refusal("search[simulations=5,algorithm=ismcts,candidates=3]"),
            "agent 'search[simulations=5,algorithm=ismcts,candidates=3]': candidates goes with algorithm=halving");
  EXPECT_NE(refusal("search[simulations=5,weighted=true]", "leduc").find("leave weighted=true out"), std::string::npos);
}

TEST(SearchAgent, RefusesWhatCannotBeSearchedWith) {
  for (const auto& [key, option] : std::vector<std::pair<std::string, std::string>>{{"algorithm=ismcts", ""},
                                                                                    {"weighted", "=false"},
                                                                                    {"playouts", "=agent"},
                                                                                    {"proposals", "=2"},
                                                                                    {"caution", "=1"}}) {
    const std::string spec = "default[simulations=5," + key + option + "]";
    EXPECT_EQ(refusal(spec, "ofc"), "agent '" + spec + "': " + key +
                                        " means nothing here: OFC is searched by playing placements on; expected "
                                        "simulations or milliseconds, threads, candidates, depth, policy_runs");
  }
  EXPECT_EQ(refusal("default[simulations=5,algorithm=ismcts]", "leduc"),
            "agent 'default[simulations=5,algorithm=ismcts]': algorithm=ismcts searches without another agent, as in "
            "search[simulations=1000,algorithm=ismcts]");
  EXPECT_EQ(refusal("default[simulations=5,depth=1]", "leduc"),
            "agent 'default[simulations=5,depth=1]': depth goes with a network, which says what a position is worth; "
            "this agent does not");
  EXPECT_EQ(refusal("default[simulations=5,playouts=mixed,depth=0]", "holdem"),
            "agent 'default[simulations=5,playouts=mixed,depth=0]': playouts=mixed goes with a depth of 1 or more");
  EXPECT_EQ(refusal("search[simulations=5,playouts=agent]"),
            "agent 'search[simulations=5,playouts=agent]': playouts goes with another agent, as in "
            "default[simulations=1000]");
  EXPECT_NE(refusal("default[simulations=5,stile=1]", "leduc").find("unknown key 'stile'"), std::string::npos);
  EXPECT_NE(refusal("default[threads=2]", "leduc").find("has no budget"), std::string::npos);
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

// The first line of a hint is what it does; a whole turn comes of one search.
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
  // Somebody lays another card in its place: what follows must be legal still.
  env->step(env->legal_actions()[2]);
  while (env->current_player() == me) env->step(agent->act(env->observe(me)));
  SUCCEED();
}

TEST(SearchAgent, TellsItsPolicyByRunsOnly) {
  const GamePtr game = make_game("leduc");
  const auto env = game->new_env();
  env->reset(2);
  const Seat me = env->current_player();
  const auto silent = make_agents("search[simulations=6]", game)->make();
  silent->reset(me, 1);
  EXPECT_FALSE(silent->policy(env->observe(me)));
  const auto agent = make_agents("search[simulations=6,policy_runs=50]", game)->make();
  agent->reset(me, 1);
  const auto policy = agent->policy(env->observe(me));
  ASSERT_TRUE(policy);
  ASSERT_EQ(policy->size(), env->legal_actions().size());
  double sum = 0, least = 1;
  for (const double p : *policy) {
    sum += p;
    least = std::min(least, p);
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_GT(least, 0) << "so few simulations decide now this way, now that";
}

TEST(SearchAgent, KnowsWhatAPositionIsWorth) {
  const GamePtr game = make_game("kuhn");
  const auto env = game->new_env();
  const auto agent = make_agents("search[simulations=200]", game)->make();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    env->reset(seed);
    env->step(env->parse_action("bet"));
    agent->reset(1, seed);
    const std::string table = env->to_string(1);
    const auto value = agent->value(env->observe(1));
    ASSERT_TRUE(value);
    if (table.find("Ks") != std::string::npos) {
      EXPECT_EQ(*value, 2);
    }
    if (table.find("Js") != std::string::npos) {
      EXPECT_EQ(*value, -1);
    }
  }
}

}  // namespace
}  // namespace dealer::search_agent_test
