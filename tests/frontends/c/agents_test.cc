#include <atomic>
#include <bit>
#include <nlohmann/json.hpp>

#include "agents/agent.h"
#include "arena/match.h"
#include "env/core/registry.h"
#include "tests/frontends/c/c99_calls.h"
#include "tests/frontends/c/c_support.h"
#include "tests/support/fake_agents.h"

// Agents decide the same through the C interface as without it, and agents implemented by C functions play matches.
namespace dealer::test::agents_test {
namespace {

class EveryCAgent : public testing::TestWithParam<std::string> {};

// "rule" at every seat, with events where it observes them; its policy and value are queried, too.
TEST_P(EveryCAgent, DecidesAsTheOtherDoes) {
  const GamePtr game = make_game(GetParam());
  const CGame same_game = open_game(GetParam());
  const AgentFactoryPtr factory = make_agents("rule", game);
  const CAgents same_factory = open_agents(same_game, "rule");
  std::vector<std::unique_ptr<Agent>> agents;
  std::vector<CAgent> same_agents;
  std::vector<dc_cursor> cursors(static_cast<std::size_t>(game->players()));
  for (Seat seat = 0; seat < game->players(); ++seat) {
    const auto seed = static_cast<std::uint64_t>(seat) + 10;
    agents.push_back(factory->make());
    agents.back()->reset(seat, seed);
    same_agents.push_back(open_agent(same_factory));
    EXPECT_DC_OK(dc_agent_reset(same_agents.back().get(), seat, seed));
    std::int32_t observes = -1;
    EXPECT_DC_OK(dc_agent_hears(same_agents.back().get(), &observes));
    EXPECT_EQ(observes != 0, agents.back()->observes());
  }
  const auto env = game->new_env({.max_steps = 60});
  env->reset(6);
  const CEnv same = open_env(same_game, 0, 60);
  EXPECT_DC_OK(dc_env_reset(same.get(), 6));
  std::vector<float> data(static_cast<std::size_t>(game->observation_spec().size()));
  int decisions = 0;
  for (Seat seat = env->current_player(); seat != kTerminal; seat = env->current_player(), ++decisions) {
    const auto at = static_cast<std::size_t>(seat);
    const Observation seen = env->observe(seat);
    dc_observation observation = {};
    EXPECT_DC_OK(dc_env_observe(same.get(), seat, data.data(), data.size(), &observation));
    if (agents[at]->observes()) {
      agents[at]->on_events(env->events(seat, {cursors[at].episode, cursors[at].hand, cursors[at].next}));
      EXPECT_DC_OK(dc_agent_hear(same_agents[at].get(), same.get(), &cursors[at]));
    }
    std::vector<double> probabilities(static_cast<std::size_t>(game->num_actions()), -1);
    std::int32_t known = -1;
    EXPECT_DC_OK(
        dc_agent_policy(same_agents[at].get(), &observation, probabilities.data(), probabilities.size(), &known));
    const auto policy = agents[at]->policy(seen);
    ASSERT_EQ(known != 0, policy.has_value());
    if (policy) {
      std::vector<double> expected(probabilities.size());
      for (std::size_t i = 0; i < policy->size(); ++i)
        expected[static_cast<std::size_t>(seen.legal_actions()[i])] = (*policy)[i];
      EXPECT_EQ(probabilities, expected);
    }
    double value = 0;
    EXPECT_DC_OK(dc_agent_value(same_agents[at].get(), &observation, &value, &known));
    const auto expected_value = agents[at]->value(seen);
    ASSERT_EQ(known != 0, expected_value.has_value());
    if (expected_value) {
      EXPECT_EQ(value, *expected_value);
    }
    const Decision decision = agents[at]->act(seen);
    dc_decision chosen = {};
    EXPECT_DC_OK(dc_agent_act(same_agents[at].get(), &observation, &chosen));
    ASSERT_EQ(chosen.action, decision.action);
    ASSERT_EQ(chosen.amount, decision.amount);
    env->step(decision);
    EXPECT_DC_OK(dc_env_step(same.get(), chosen, nullptr));
  }
  EXPECT_GT(decisions, 1);
}

INSTANTIATE_TEST_SUITE_P(Games, EveryCAgent, testing::ValuesIn(game_names()),
                         [](const auto& one) { return one.param; });

Json played(const CGame& game, const std::vector<const dc_agents*>& agents, const dc_match_options* options) {
  const std::string text =
      text_of([&](char** json) { return dc_play_match(game.get(), agents.data(), agents.size(), options, json); });
  Json result = Json::parse(text, nullptr, false);
  EXPECT_TRUE(result.is_object()) << text;
  return result;
}

dc_match_options options_of(std::int64_t deals) {
  dc_match_options options;
  EXPECT_DC_OK(dc_match_options_init(&options));
  options.deals = deals;
  return options;
}

Json without_seconds(Json result) {
  result.erase("seconds");
  return Json::parse(result.dump());
}

TEST(CMatch, PlaysAsTheOtherDoes) {
  const GamePtr game = make_game("leduc");
  const CGame same = open_game("leduc");
  const CAgents rule = open_agents(same, "rule"), random = open_agents(same, "random");
  dc_match_options options = options_of(40);
  options.seed = 5;
  options.first_deal = 3;
  options.duplicate = 0;
  options.threads = 2;
  options.num_envs = 4;
  MatchOptions expected;
  expected.game = game;
  expected.agents = {make_agents("rule", game), make_agents("random", game)};
  expected.deals = 40;
  expected.seed = 5;
  expected.first_deal = 3;
  expected.duplicate = false;
  EXPECT_EQ(without_seconds(played(same, {rule.get(), random.get()}, &options)),
            without_seconds(to_json(play_match(expected))));
}

TEST(CMatch, HasDefaults) {
  const dc_match_options options = options_of(7);
  const MatchOptions expected;
  EXPECT_EQ(std::tuple(options.seed, options.duplicate != 0, options.threads),
            std::tuple(expected.seed, expected.duplicate, expected.threads));
  EXPECT_EQ(options.progress, nullptr);
  const CGame game = open_game("kuhn");
  const CAgents agents = open_agents(game, "random");
  EXPECT_EQ(played(game, {agents.get(), agents.get()}, nullptr)["deals"], expected.deals);
}

TEST(CMatch, TellsProgressAndIsStopped) {
  struct Watch {
    std::atomic<std::int64_t> done = 0;
  } watch;
  dc_match_options options = options_of(100'000'000);
  options.context = &watch;
  options.progress = [](void* context, std::int64_t done) { static_cast<Watch*>(context)->done = done; };
  options.stop = [](void* context) { return static_cast<Watch*>(context)->done > 100 ? 1 : 0; };
  const CGame game = open_game("kuhn");
  const CAgents agents = open_agents(game, "random");
  const Json result = played(game, {agents.get(), agents.get()}, &options);
  EXPECT_EQ(result["interrupted"], true);
  EXPECT_GT(watch.done, 100);
}

TEST(CMatch, RefusesWhatDoesNotFit) {
  const CGame game = open_game("kuhn"), other = open_game("leduc");
  const CAgents agents = open_agents(game, "random"), of_other = open_agents(other, "random");
  char* json = nullptr;
  const dc_agents* both[] = {agents.get(), of_other.get()};
  EXPECT_EQ(dc_play_match(game.get(), both, 2, nullptr, &json), DC_USAGE);
  EXPECT_STREQ(dc_last_error(), "agents[1] of 'leduc' given; expected one of 'kuhn'");
  both[1] = nullptr;
  EXPECT_EQ(dc_play_match(game.get(), both, 2, nullptr, &json), DC_USAGE);
  EXPECT_STREQ(dc_last_error(), "agents[1] is NULL");
  both[1] = agents.get();
  EXPECT_EQ(dc_play_match(game.get(), both, 1, nullptr, &json), DC_USAGE);
  const dc_match_options none = options_of(0);
  EXPECT_EQ(dc_play_match(game.get(), both, 2, &none, &json), DC_USAGE);
  EXPECT_EQ(json, nullptr);
}

TEST(CFunctionAgent, PlaysAsOneOfCppDoes) {
  for (const char* spec : {"leduc", "ofc", "holdem[limit=no_limit]"}) {
    std::int64_t asked = 0;
    const auto result = Json::parse(text_of([&](char** json) { return c99_match(spec, 20, &asked, json); }));
    MatchOptions expected;
    expected.game = make_game(spec);
    expected.agents = {fake_agents("lowest"), make_agents("random", expected.game)};
    expected.deals = 20;
    EXPECT_EQ(without_seconds(result), without_seconds(to_json(play_match(expected)))) << spec;
    EXPECT_GT(asked, 20) << spec;
  }
}

// The calls to an agent made of functions.
struct Diary {
  int opened = 0, closed = 0, resets = 0, acts = 0;
  std::vector<std::string> kinds;  // of events observed
  int act_fails_with = 0;
  int good_acts = 0;                         // number before it fails
  dc_decision decision = {DC_NO_ACTION, 0};  // amount 0: the lowest action
};

dc_agent_functions functions_of(Diary& diary) {
  dc_agent_functions functions = {};
  functions.context = &diary;
  functions.open = [](void* context) {
    ++static_cast<Diary*>(context)->opened;
    return context;
  };
  functions.close = [](void* agent) { ++static_cast<Diary*>(agent)->closed; };
  functions.reset = [](void* agent, std::int32_t, std::uint64_t) {
    ++static_cast<Diary*>(agent)->resets;
    return 0;
  };
  functions.act = [](void* agent, const dc_observation* seen, dc_decision* decision) {
    auto& own = *static_cast<Diary*>(agent);
    ++own.acts;
    if (own.acts <= own.good_acts) {
      *decision = {std::countr_zero(seen->legal_mask), 0};
      return 0;
    }
    *decision = own.decision;
    if (own.decision.action == DC_NO_ACTION && own.decision.amount == 0)
      decision->action = std::countr_zero(seen->legal_mask);
    return own.act_fails_with;
  };
  functions.hear = [](void* agent, const char* events) {
    for (const auto& event : Json::parse(events)) static_cast<Diary*>(agent)->kinds.push_back(event["event"]);
    return 0;
  };
  return functions;
}

CAgents agents_of(const CGame& game, const dc_agent_functions& functions) {
  return opened<CAgents>(
      [&](dc_agents** agents) { return dc_agents_from_functions(game.get(), "mine", &functions, agents); });
}

TEST(CFunctionAgent, LivesAndObserves) {
  Diary diary;
  const CGame game = open_game("kuhn");
  {
    const CAgents mine = agents_of(game, functions_of(diary)), random = open_agents(game, "random");
    const dc_match_options options = options_of(5);
    const Json result = played(game, {mine.get(), random.get()}, &options);
    EXPECT_EQ(result["agents"][0], "mine");
  }
  EXPECT_GT(diary.opened, 0);
  EXPECT_EQ(diary.closed, diary.opened);
  EXPECT_EQ(diary.resets, 10);  // 5 deals, 2 seatings
  EXPECT_GE(diary.acts, 10);
  EXPECT_EQ(std::count(diary.kinds.begin(), diary.kinds.end(), "hand_begun"), 10);
  EXPECT_EQ(std::count(diary.kinds.begin(), diary.kinds.end(), "hand_ended"), 10);
}

TEST(CFunctionAgent, LosesTheHandsInWhichItFails) {
  Diary diary;
  diary.act_fails_with = 42;
  diary.good_acts = 1;
  const CGame game = open_game("kuhn");
  const CAgents mine = agents_of(game, functions_of(diary)), random = open_agents(game, "random");
  dc_match_options options = options_of(5);
  Json result = played(game, {mine.get(), random.get()}, &options);
  EXPECT_GE(result["failures"][0]["error"], 9);
  expect_parts(result["failures"][0]["first"]["error"].get<std::string>(), {"agent 'mine': act() returned 42"});
  diary.act_fails_with = 0;
  diary.decision = {17, 0};
  diary.acts = 0;
  result = played(game, {mine.get(), random.get()}, &options);
  EXPECT_GE(result["failures"][0]["illegal"], 9);
  const dc_agents* both[] = {mine.get(), random.get()};
  char* json = nullptr;
  // It never makes a valid decision now, so there is no result.
  EXPECT_EQ(dc_play_match(game.get(), both, 2, &options, &json), DC_FAILURE);
  EXPECT_EQ(json, nullptr);
  EXPECT_TRUE(std::string(dc_last_error()).starts_with("agent 'mine' made no playable decision; ")) << dc_last_error();
  options.strict = 1;
  EXPECT_EQ(dc_play_match(game.get(), both, 2, &options, &json), DC_FAILURE);
  EXPECT_EQ(json, nullptr);
}

TEST(CFunctionAgent, ThatCannotBeOpenedIsNone) {
  Diary diary;
  const CGame game = open_game("kuhn");
  dc_agent_functions functions = functions_of(diary);
  functions.open = [](void*) -> void* { return nullptr; };
  const CAgents mine = agents_of(game, functions);
  dc_agent* agent = nullptr;
  EXPECT_EQ(dc_agent_open(mine.get(), &agent), DC_FAILURE);
  EXPECT_STREQ(dc_last_error(), "agent 'mine': open() returned NULL");
  functions.act = nullptr;
  dc_agents* agents = nullptr;
  EXPECT_EQ(dc_agents_from_functions(game.get(), "mine", &functions, &agents), DC_USAGE);
  EXPECT_EQ(agent, nullptr);
  EXPECT_EQ(agents, nullptr);
  EXPECT_EQ(diary.closed, 0);
}

class CAgentInKuhn : public testing::Test {
 protected:
  void SetUp() override {
    EXPECT_DC_OK(dc_env_reset(env_.get(), 1));
    EXPECT_DC_OK(dc_env_observe(env_.get(), 0, data_.data(), data_.size(), &seen_));
  }
  void expect_refused(dc_agent* agent, const dc_observation& seen, const std::string& message,
                      dc_status status = DC_USAGE) {
    dc_decision decision = {-9, -9};
    EXPECT_EQ(dc_agent_act(agent, &seen, &decision), status);
    EXPECT_EQ(std::string(dc_last_error()).substr(0, message.size()), message);
    EXPECT_EQ(decision.action, -9);
  }
  const CGame game_ = open_game("kuhn");
  const CEnv env_ = open_env(game_);
  const CAgents random_ = open_agents(game_, "random");
  std::vector<float> data_ = std::vector<float>(static_cast<std::size_t>(info_of(game_).observation_size));
  dc_observation seen_ = {};
};

TEST_F(CAgentInKuhn, RefusesWhatItCannotAnswer) {
  const CAgent agent = open_agent(random_);
  expect_refused(agent.get(), seen_, "the agent has no seat yet");
  EXPECT_EQ(dc_agent_reset(agent.get(), 2, 0), DC_USAGE);
  EXPECT_DC_OK(dc_agent_reset(agent.get(), 0, 0));
  const auto refused = [&](auto dc_observation::*field, auto value, const char* message) {
    dc_observation other = seen_;
    other.*field = value;
    expect_refused(agent.get(), other, message);
  };
  refused(&dc_observation::size, seen_.size - 1, "observation->data has room for");
  refused(&dc_observation::player, 1, "observation of seat 1 given to the agent at seat 0");
  refused(&dc_observation::legal_mask, 0U, "there is nothing to choose");
  refused(&dc_observation::legal_mask, std::uint64_t{1} << 40, "observation->legal_mask has actions beyond");
  refused(&dc_observation::amounts, dc_amounts{1, 10, 0}, "observation->amounts");
  double probabilities[1];
  std::int32_t known = -1;
  EXPECT_EQ(dc_agent_policy(agent.get(), &seen_, probabilities, 1, &known), DC_USAGE);
  EXPECT_EQ(known, -1);
}

TEST_F(CAgentInKuhn, AnIllegalDecisionIsAFailure) {
  Diary diary;
  diary.decision = {DC_NO_ACTION, 12};
  const CAgents mine = agents_of(game_, functions_of(diary));
  const CAgent agent = open_agent(mine);
  EXPECT_DC_OK(dc_agent_reset(agent.get(), 0, 0));
  expect_refused(agent.get(), seen_, "the agent's decision is not legal: ", DC_FAILURE);
}

TEST_F(CAgentInKuhn, ObservesTheTableOfItsGameOnly) {
  const CGame leduc = open_game("leduc");
  const CEnv other = open_env(leduc);
  const CAgent agent = open_agent(random_);
  dc_cursor cursor = {0, 0, 0};
  EXPECT_EQ(dc_agent_hear(agent.get(), env_.get(), &cursor), DC_USAGE) << "no seat yet";
  EXPECT_DC_OK(dc_agent_reset(agent.get(), 0, 0));
  EXPECT_EQ(dc_agent_hear(agent.get(), other.get(), &cursor), DC_USAGE);
  EXPECT_EQ(cursor.episode, 0U);
  EXPECT_DC_OK(dc_agent_hear(agent.get(), env_.get(), &cursor));
  EXPECT_GT(cursor.next, 0);
}

TEST(CAgentSpecs, ThatAreNoneSayWhy) {
  const CGame game = open_game("kuhn");
  dc_agents* agents = nullptr;
  EXPECT_EQ(dc_agents_open(game.get(), "radnom", &agents), DC_USAGE);
  EXPECT_NE(std::string(dc_last_error()).find("'random'"), std::string::npos) << dc_last_error();
  EXPECT_EQ(dc_agents_open(game.get(), "no/such/run", &agents), DC_FILE) << dc_last_error();
  EXPECT_EQ(agents, nullptr);
}

}  // namespace
}  // namespace dealer::test::agents_test
