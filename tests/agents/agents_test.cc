#include "agents/agent.h"
#include "agents/agent_registry.h"
#include "agents/empirical_cdf.h"
#include "agents/nn/checkpoints.h"
#include "agents/random_agent.h"
#include "tests/support/chi_square.h"
#include "tests/support/fake_agents.h"
#include "tests/support/testing.h"

namespace dealer::agents_test {
namespace {

using test::error_message;

class AgentRegistry : public testing::Test {
 protected:
  template <class Error>
  std::string refusal(const std::string& spec) {
    return error_message<Error>([&] { make_agents(spec, game_); });
  }

  GamePtr game_ = make_game("ofc");
};

TEST_F(AgentRegistry, NamesItsAgentsByTheirSpec) {
  EXPECT_EQ(make_agents("random", game_)->spec(), "random");
  EXPECT_EQ(make_agents(" rule[ style = bold ] ", game_)->spec(), "rule[style=bold]");
  EXPECT_EQ(make_agents("rule:bold", game_)->spec(), "rule:bold");
  const std::string known = "random, rule, zoo:, default, search, exec:, tcp:, ws:";
  EXPECT_EQ(fmt::format("{}", fmt::join(agent_names(*game_), ", ")), known);
  // ACPC bots, in the games that they support.
  EXPECT_EQ(fmt::format("{}", fmt::join(agent_names(*make_game("holdem")), ", ")), known + ", acpc:, mixture:");
  EXPECT_EQ(refusal<UsageError>("acpc:18791"), "agent 'acpc:18791' does not play 'ofc'; agents: " + known);
  const std::string agents = "agents: " + known + ", or the path of a run folder or .safetensors file";
  EXPECT_EQ(refusal<UsageError>("rnadom"), "there is no agent 'rnadom' for 'ofc'; did you mean 'random'?; " + agents);
  for (const char* command : {"python3 bot.py", "bot.py", "run.sh"})
    EXPECT_EQ(refusal<UsageError>(command),
              fmt::format("there is no agent '{0}' for 'ofc'; did you mean 'exec:{0}'?; {1}", command, agents));
  EXPECT_EQ(refusal<UsageError>("zzzzzzz"), "there is no agent 'zzzzzzz' for 'ofc'; " + agents);
  EXPECT_TRUE(test::has(refusal<ParseError>("rule["), "'rule['"));
  EXPECT_TRUE(test::has(refusal<ParseError>(""), "the name is missing"));
}

TEST_F(AgentRegistry, RefusesUnknownOptionsAndFilesThatAreNotThere) {
  EXPECT_TRUE(test::has(refusal<ConfigError>("random[seed=3]"),
                        "agent 'random[seed=3]': override 'seed=3': unknown key 'seed'; allowed: simulations, "));
  EXPECT_TRUE(
      test::has(refusal<ConfigError>("rule[stile=bold]"), "unknown key 'stile'; did you mean 'style'? allowed: style"));
  // The options of search apply to every agent.
  EXPECT_TRUE(test::has(refusal<ConfigError>("rule[simulation=5]"),
                        "unknown key 'simulation'; did you mean 'simulations'? allowed: style, simulations, "));
  EXPECT_TRUE(test::has(refusal<ConfigError>("rule:wild"), "expected one of fair, expert, careful, bold"));
  for (const std::string file : {"runs/nowhere", "nowhere.safetensors"})
    EXPECT_EQ(refusal<FileError>(file), "no agent at '" + file +
                                            "': expected a run folder, a .safetensors file or the .yaml file of a "
                                            "mixture");
  const test::TempFolder run;
  const std::string folder = run.path().string(), first = checkpoint_path(run.path(), 0).string();
  EXPECT_EQ(refusal<FileError>(folder), "'" + folder + "' has no checkpoint: expected files such as " + first);
}

TEST(AgentFile, IsTheNewestCheckpointOfARun) {
  const test::TempFolder run;
  std::filesystem::create_directory(run / "checkpoints");
  for (const std::int64_t step : {9, 1200, 300}) test::write_bytes(checkpoint_path(run.path(), step), "x");
  test::write_bytes(run / "checkpoints/step-000000009999.safetensors.tmp", "x");
  EXPECT_EQ(agent_file(run.path()), checkpoint_path(run.path(), 1200));
  EXPECT_EQ(agent_file(checkpoint_path(run.path(), 300)), checkpoint_path(run.path(), 300));
}

// The table must know every game, or its players would silently be random.
TEST(AgentFamilies, AreThoseOfTheGames) {
  for (const std::string& name : game_names()) {
    const GamePtr game = make_game(name);
    EXPECT_EQ(agent_families().count(game->id().family), 1U) << name;
    const auto plays = [&](const auto& entry) { return entry.second.plays(*game); };
    EXPECT_EQ(std::count_if(agent_families().begin(), agent_families().end(), plays), 1) << name;
    const auto agent = make_agents("random", game)->make();
    const auto env = game->new_env();
    env->reset(1);
    agent->reset(env->current_player(), 1);
    const Action action = agent->act(test::seen_at(*env)).action;
    EXPECT_EQ((env->legal_mask() >> action) & 1, 1U) << name;
  }
}

TEST(RandomAgent, TakesEveryLegalActionEquallyOften) {
  for (const std::uint64_t mask : {std::uint64_t{0b1}, std::uint64_t{0b110}, std::uint64_t{0b1001'0010'0101},
                                   std::uint64_t{0xffff'ffff} << 7, std::uint64_t{1} << 63 | 1, ~std::uint64_t{0}}) {
    const Observation observation{0, {}, mask};
    const std::vector<Action> legal = observation.legal_actions();
    RandomAgent agent;
    agent.reset(0, 17);
    const double each = 1.0 / static_cast<double>(legal.size());
    std::map<Action, double> exact;
    for (const Action action : legal) exact[action] = each;
    std::map<Action, int> times;
    const int draws = 1000 * static_cast<int>(legal.size());
    for (int i = 0; i < draws; ++i) ++times[agent.act(observation).action];
    EXPECT_LT(test::deviations(exact, times, draws), 4.5) << mask;
    EXPECT_EQ(agent.policy(observation), std::vector<double>(legal.size(), each)) << mask;
  }
}

TEST(RandomAgent, DrawsAnewWithEverySeed) {
  const Observation observation{0, {}, ~std::uint64_t{0}};
  const auto actions = [&](std::uint64_t seed) {
    RandomAgent agent;
    agent.reset(0, seed);
    std::vector<Action> drawn(20);
    for (Action& action : drawn) action = agent.act(observation).action;
    return drawn;
  };
  EXPECT_EQ(actions(1), actions(1));
  EXPECT_NE(actions(1), actions(2));
}

TEST(RandomAgent, RefusesToActOutOfTurn) {
  RandomAgent agent;
  EXPECT_THROW(agent.act(Observation{0, {}, 0}), UsageError);
}

TEST(LikeliestDecision, IsThatOfThePolicyAndTheLowestOfEqualOnes) {
  const Observation seen{0, {}, 0b101010};  // actions 1, 3 and 5
  const auto observed = [&](std::optional<std::vector<double>> policy) {
    // Plays the least probable action.
    test::FakeAgent::Functions functions = {.act = [](const Observation&) { return Decision(Action{5}); }};
    if (policy) functions.policy = [&](const Observation&) { return *policy; };
    test::FakeAgent agent(functions);
    return likeliest_decision(agent, seen);
  };
  EXPECT_EQ(observed({{0.2, 0.7, 0.1}}), Decision(Action{3}));
  EXPECT_EQ(observed({{0.4, 0.4, 0.2}}), Decision(Action{1}));
  EXPECT_EQ(observed({{0.2, 0.4, 0.4}}), Decision(Action{3}));
  EXPECT_EQ(observed({{0, 0, 1}}), Decision(Action{5}));
  EXPECT_EQ(observed(std::nullopt), Decision(Action{5})) << "it tells none";
  EXPECT_EQ(observed({{0.5, 0.5}}), Decision(Action{5})) << "of another position";
}

TEST(EmpiricalCdf, CountsTiesHalf) {
  const EmpiricalCdf<int> cdf({5, 1, 3, 3});
  EXPECT_EQ(cdf.size(), 4U);
  EXPECT_EQ(cdf.sorted(), (std::vector<int>{1, 3, 3, 5}));
  for (const auto& [value, twice, above] :
       {std::tuple(0, 0U, 4U), {1, 1U, 3U}, {2, 2U, 3U}, {3, 4U, 1U}, {6, 8U, 0U}}) {
    EXPECT_EQ(cdf.twice_below(value), twice) << value;
    EXPECT_EQ(cdf.above(value), above) << value;
    EXPECT_EQ(cdf.below(value), twice / 8.0) << value;
    EXPECT_EQ(cdf.below<float>(value), static_cast<float>(twice) / 8.0F) << value;
  }
  EXPECT_EQ(EmpiricalCdf<int>().below(7), 0.5);
}

}  // namespace
}  // namespace dealer::agents_test
