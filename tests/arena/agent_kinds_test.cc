// Kinds of agents: those of somebody's own program, the trained players that come with the project, and search.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <vector>

#include "agents/agent_registry.h"
#include "env/core/data_dir.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "tests/arena/match_support.h"
#include "tests/support/error_message.h"

namespace dealer::agent_kinds_test {
namespace {

using test::error_message;
using test::match;

// Always takes the legal action of one rank: 0 is the lowest.
class Stubborn final : public Agent {
 public:
  explicit Stubborn(int rank) : rank_(rank) {}
  void reset(Seat, std::uint64_t) override {}
  Decision act(const Observation& observation) override {
    const std::vector<Action> legal = observation.legal_actions();
    return legal[std::min(static_cast<std::size_t>(rank_), legal.size() - 1)];
  }

 private:
  int rank_;
};

AgentFactoryPtr make_stubborn(const Spec& spec, const GamePtr&) {
  Config options = agent_options(spec);
  const int rank = options.get_int<int>("rank", agent_argument(spec) == "last" ? 63 : 0, 0, 63);
  options.finish();
  return make_factory(to_string(spec), [rank] { return std::make_unique<Stubborn>(rank); });
}

bool is_kuhn(const Game& game) { return game.id().family == "kuhn"; }

AgentKind stubborn() {
  return {.make = make_stubborn, .plays = is_kuhn, .what = "always the same", .takes_argument = true, .recognises = {}};
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
  // Who always bets and calls wins every ante of one who always gives in, whatever the cards.
  const MatchResult result = play_match(match("kuhn", {"stubborn[rank=63]", "stubborn"}, 50));
  EXPECT_EQ(result.agents[0].spec, "stubborn[rank=63]");
  EXPECT_EQ(result.agents[0].mean(), 1);
  EXPECT_EQ(result.agents[0].ci95(), 0);
  // Statistics are those of the agent, wherever it sits: one folds to the other's bet in every hand.
  EXPECT_EQ(result.agents[0].rate("fold_rate"), 0);
  EXPECT_EQ(result.agents[1].rate("fold_rate"), 1);
  const MatchResult same = play_match(match("kuhn", {"stubborn:last", "stubborn"}, 50));
  EXPECT_EQ(same.agents[0].spec, "stubborn:last");
  EXPECT_EQ(same.agents[0].mean(), 1);
}

TEST(AgentKinds, AreListedWhereTheyPlay) {
  ASSERT_TRUE(registered());
  EXPECT_EQ(agent_names(*make_game("kuhn")),
            (std::vector<std::string>{"random", "rule", "default", "search", "exec:", "tcp:", "ws:", "stubborn"}));
  EXPECT_EQ(agent_names(*make_game("leduc")),
            (std::vector<std::string>{"random", "rule", "default", "search", "exec:", "tcp:", "ws:"}));
  const auto& last = agent_kinds().back();
  EXPECT_EQ(last.first, "stubborn");
  EXPECT_EQ(last.second.what, "always the same");
}

TEST(AgentKinds, AreRefusedAsTheProjectsOwn) {
  ASSERT_TRUE(registered());
  const auto refusal = [](const char* spec, const char* game) {
    return error_message<UsageError>([&] { make_agents(spec, make_game(game)); });
  };
  EXPECT_EQ(refusal("stuborn:last", "kuhn"),
            "there is no agent 'stuborn:last' for 'kuhn'; did you mean 'stubborn'?; agents: random, rule, default, "
            "search, exec:, tcp:, ws:, stubborn, "
            "or the path of a run folder or .safetensors file");
  EXPECT_EQ(refusal("stubborn", "leduc"),
            "agent 'stubborn' does not play 'leduc'; agents: random, rule, default, search, exec:, tcp:, ws:");
  EXPECT_EQ(refusal("stubborn[rank=64]", "kuhn"),
            "agent 'stubborn[rank=64]': override 'rank=64': rank: 64 is not allowed; expected an integer from 0 to 63");
  EXPECT_TRUE(refusal("random:last", "kuhn").starts_with("there is no agent 'random:last'"));
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
              "'" + std::string(name) + "' is no name for a kind of agents; expected letters, digits, '_' and '-'");
  EXPECT_EQ(agent_names(*make_game("kuhn")).size(), 8U);
}

class ShippedAgent : public testing::TestWithParam<std::string> {};

TEST_P(ShippedAgent, BeatsRandomPlay) {
  std::vector<std::string> agents(static_cast<std::size_t>(make_game(GetParam())->players()), "random");
  agents[0] = "default";
  // Random all-ins win and lose a hundred big blinds at a time.
  const int deals = GetParam().find("no_limit") == std::string::npos ? 150 : 2000;
  const MatchResult result = play_match(test::match(GetParam(), agents, deals));
  EXPECT_GT(result.agents[0].mean(), result.agents[0].ci95());
  EXPECT_EQ(result.agents[0].failures.failed(), 0);
}

// The same policy in all seats, the same cards in every seating: what one wins the other loses.
TEST_P(ShippedAgent, WinsNothingFromItself) {
  const GamePtr game = make_game(GetParam());
  const std::vector<std::string> agents(static_cast<std::size_t>(game->players()), "default");
  const MatchResult result = play_match(test::match(GetParam(), agents, 20));
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

// Two megabytes a model at most; those with thousands of sparse features are larger.
TEST(ShippedModels, AreSmall) {
  int models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(data_path("models"))) {
    const std::string name = entry.path().filename();
    if (name == "ofc.safetensors" || name == "seven_hand.safetensors") {
      EXPECT_LE(entry.file_size(), std::uintmax_t{11} << 20) << entry.path();
      continue;
    }
    EXPECT_LE(entry.file_size(), std::uintmax_t{2} << 20) << entry.path();
    ++models;
  }
  EXPECT_GE(models, 4);
}

using test::played;

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

// The hand-written player has no chance against it in the long run: a tenth of the usual budget does.
TEST(SearchAgentsThorough, BeatTheHandWrittenPlayerAtSevenHandPoker) {
  const MatchResult result = play_match(match("seven_hand", {"search[simulations=400]", "rule"}, 60));
  EXPECT_GT(result.agents[0].mean(), 0);
}

}  // namespace

}  // namespace dealer::agent_kinds_test
