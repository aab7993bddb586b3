// Kinds of agents: those of other programs, the shipped trained players, and search.
#include "examples/contributing/stubborn_agent.h"
#include "tests/arena/testing.h"

namespace dealer::agent_kinds_test {
namespace {

using namespace test;

bool is_kuhn(const Game& game) { return game.id().family == "kuhn"; }

AgentKind stubborn() {
  return {.make = examples::make_stubborn_agents,
          .plays = is_kuhn,
          .what = "always the same",
          .takes_argument = true,
          .recognises = {}};
}

// Once for this program.
bool registered() {
  static const bool done = [] {
    register_agent_kind("stubborn", stubborn());
    return true;
  }();
  return done;
}

TEST(AgentKinds, PlayByTheirSpec) {
  ASSERT_TRUE(registered());
  // A player that always bets and calls wins every ante from one that always folds, whatever the cards.
  const MatchResult result = play_match(match("kuhn", {"stubborn[rank=63]", "stubborn"}, 100));
  EXPECT_EQ(result.agents[0].spec, "stubborn[rank=63]");
  EXPECT_EQ(result.agents[0].mean(), 1);
  EXPECT_EQ(result.agents[0].ci95(), 0);
  // Statistics belong to the agent in any seat: one folds to the other's bet in every hand.
  EXPECT_EQ(result.agents[0].rate("fold_rate"), 0);
  EXPECT_EQ(result.agents[1].rate("fold_rate"), 1);
  const MatchResult same = play_match(match("kuhn", {"stubborn:last", "stubborn"}, 50));
  EXPECT_EQ(same.agents[0].spec, "stubborn:last");
  EXPECT_EQ(same.agents[0].mean(), 1);
}

// The agent of docs/contributing.md follows its stated policy.
TEST(AgentKinds, PlayByTheirPolicy) {
  ASSERT_TRUE(registered());
  const GamePtr kuhn = make_game("kuhn");
  const MatchResult result = play_match(match("kuhn", {"stubborn:last", "stubborn[noise=0.25]"}, 2000));
  // The opponent folds to a bet with probability 3/4, and after its own check with 9/16; showdowns are even.
  EXPECT_NEAR(result.agents[0].mean(), (0.75 + 0.5625) / 2, result.agents[0].ci95());
  EXPECT_LT(result.agents[0].ci95(), 0.05);
  Observation seen = kuhn->new_env()->observe(0);
  seen.legal_mask = 0b1101;
  EXPECT_EQ(make_agents("stubborn[rank=1,noise=0.5]", kuhn)->make()->policy(seen).value(),
            (std::vector<double>{0.25, 0.5, 0.25}));
}

TEST(AgentKinds, AreListedWhereTheyPlay) {
  ASSERT_TRUE(registered());
  Words names = {"random", "rule", "default", "search", "exec:", "tcp:", "ws:"};
  EXPECT_EQ(agent_names(*make_game("leduc")), names);
  names.push_back("stubborn");
  EXPECT_EQ(agent_names(*make_game("kuhn")), names);
  EXPECT_EQ(agent_kinds().back().first, "stubborn");
}

TEST(AgentKinds, AreRefusedAsTheProjectsOwn) {
  ASSERT_TRUE(registered());
  const auto expect = [](const char* spec, const char* game, const char* why) {
    EXPECT_TRUE(refuses<UsageError>(why, [&] { make_agents(spec, make_game(game)); }));
  };
  expect("stuborn:last", "kuhn",
         "there is no agent 'stuborn:last' for 'kuhn'; did you mean 'stubborn'?; agents: random, rule, default, "
         "search, exec:, tcp:, ws:, stubborn, or the path of a run folder or .safetensors file");
  expect("stubborn", "leduc", "agent 'stubborn' does not play 'leduc'; agents: random, rule, default");
  expect("stubborn[rank=64]", "kuhn", "agent 'stubborn[rank=64]': override 'rank=64': rank: 64 is not allowed;");
  expect("random:last", "kuhn", "there is no agent 'random:last'");
}

TEST(AgentKinds, HaveOneNameEach) {
  ASSERT_TRUE(registered());
  const auto refusal = [](const char* name) {
    return error_message<UsageError>([&] { register_agent_kind(name, stubborn()); });
  };
  for (const char* name : {"random", "default", "path", "stubborn"})
    EXPECT_EQ(refusal(name), "there is a kind of agents '" + std::string(name) + "' already");
  for (const char* name : {"", "a b", "a:b", "a/b", "a[", "\xc3\xa9"})
    EXPECT_EQ(refusal(name),
              "'" + std::string(name) + "' is not a name for a kind of agents; expected letters, digits, '_' and '-'");
  EXPECT_EQ(agent_names(*make_game("kuhn")).size(), 8U);
}

class ShippedAgent : public testing::TestWithParam<std::string> {};

TEST_P(ShippedAgent, BeatsRandomPlay) {
  Words agents(at(make_game(GetParam())->players()), "random");
  agents[0] = "default";
  // Random all-ins win and lose a hundred big blinds at a time.
  const int deals = GetParam().find("no_limit") == std::string::npos ? 150 : 2000;
  const MatchResult result = play_match(match(GetParam(), agents, deals));
  EXPECT_GT(result.agents[0].mean(), result.agents[0].ci95());
  EXPECT_EQ(result.agents[0].failures.failed(), 0);
}

// The same policy in all seats, with the same cards in every seating: gains and losses cancel.
TEST_P(ShippedAgent, WinsNothingFromItself) {
  const GamePtr game = make_game(GetParam());
  const Words agents(at(game->players()), "default");
  const MatchResult result = play_match(match(GetParam(), agents, 20));
  for (const AgentResult& agent : result.agents) EXPECT_EQ(agent.mean(), 0) << agent.spec;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name;
  for (const char c : info.param) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Games, ShippedAgent,
                         testing::Values("ofc", "kuhn", "leduc", "mini_draw", "mini_draw_single", "draw", "lowball",
                                         "stud", "stud_hi_lo", "razz", "triple_draw", "holdem",
                                         "holdem[limit=no_limit]", "court_tarot", "court_tarot[players=2]",
                                         "court_color", "court_color[players=2]", "court_extra",
                                         "court_extra[players=2]", "court_color[procedure=holdem,players=2]",
                                         "court_extra[procedure=stud,players=2]", "seven_hand", "washizu",
                                         "washizu[players=2]", "washizu[players=2,washizu=add]",
                                         "washizu[players=2,washizu=replace_suit]"),
                         test_name);

// Models are limited to two megabytes; those with thousands of sparse features are larger.
TEST(ShippedModels, AreSmall) {
  int models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(data_path("models"))) {
    const std::string name = entry.path().filename();
    if (name.starts_with("ofc") || name == "seven_hand.safetensors") {
      EXPECT_LE(entry.file_size(), std::uintmax_t{11} << 20) << entry.path();
      continue;
    }
    EXPECT_LE(entry.file_size(), std::uintmax_t{2} << 20) << entry.path();
    ++models;
  }
  EXPECT_GE(models, 4);
}

TEST(SearchAgents, AreEvenWithThemselves) {
  for (const char* game : {"seven_hand", "leduc", "draw"})
    for (const char* agent : {"search[simulations=20]", "search[simulations=20,algorithm=ismcts]"}) {
      const MatchResult result = play_match(match(game, {agent, agent}, 4));
      EXPECT_EQ(result.agents[0].mean(), 0) << game << agent;
      EXPECT_EQ(result.agents[0].ci95(), 0) << game << agent;
    }
}

TEST(SearchAgents, PlayTheSameGamesWithAnyThreads) {
  const auto once = played(match("seven_hand", {"search[simulations=20]", "rule"}, 3), 1, 1);
  EXPECT_EQ(played(match("seven_hand", {"search[simulations=20]", "rule"}, 3), 2, 2), once);
  EXPECT_EQ(played(match("seven_hand", {"search[simulations=20,threads=2]", "rule"}, 3), 1, 1).second, once.second);
}

// The heuristic agent is much weaker: a tenth of the usual budget is enough.
TEST(SearchAgentsThorough, BeatTheHandWrittenPlayerAtSevenHandPoker) {
  const MatchResult result = play_match(match("seven_hand", {"search[simulations=400]", "rule"}, 60));
  EXPECT_GT(result.agents[0].mean(), 0);
}

}  // namespace
}  // namespace dealer::agent_kinds_test
