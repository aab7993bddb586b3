#include "agents/agent_registry.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "agents/nn/checkpoints.h"
#include "env/core/error.h"
#include "tests/support/error_message.h"
#include "tests/support/temp_folder.h"

namespace dealer::agent_registry_test {
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
  EXPECT_EQ(agent_names(*game_),
            (std::vector<std::string>{"random", "rule", "zoo:", "default", "search", "exec:", "tcp:", "ws:"}));
}

TEST_F(AgentRegistry, KnowsBotsOfTheAcpcWhereTheyPlay) {
  EXPECT_EQ(agent_names(*make_game("holdem")), (std::vector<std::string>{"random", "rule", "zoo:", "default", "search",
                                                                         "exec:", "tcp:", "ws:", "acpc:", "mixture:"}));
  EXPECT_EQ(refusal<UsageError>("acpc:18791"),
            "agent 'acpc:18791' does not play 'ofc'; agents: random, rule, zoo:, default, search, exec:, tcp:, ws:");
}

TEST_F(AgentRegistry, RefusesUnknownNamesWithTheNearest) {
  EXPECT_EQ(refusal<UsageError>("rnadom"),
            "there is no agent 'rnadom' for 'ofc'; did you mean 'random'?; agents: random, rule, zoo:, default, "
            "search, exec:, "
            "tcp:, ws:, or the path of "
            "a run folder or .safetensors file");
  EXPECT_EQ(
      refusal<UsageError>("zzzzzzz"),
      "there is no agent 'zzzzzzz' for 'ofc'; agents: random, rule, zoo:, default, search, exec:, tcp:, ws:, or the "
      "path of a run "
      "folder or .safetensors file");
  EXPECT_NE(refusal<ParseError>("rule[").find("'rule['"), std::string::npos);
  EXPECT_NE(refusal<ParseError>("").find("the name is missing"), std::string::npos);
}

TEST_F(AgentRegistry, RefusesUnknownOptionsNamingTheAllowedOnes) {
  EXPECT_EQ(refusal<ConfigError>("random[seed=3]"),
            "agent 'random[seed=3]': override 'seed=3': unknown key 'seed'; allowed: none");
  EXPECT_EQ(
      refusal<ConfigError>("rule[stile=bold]"),
      "agent 'rule[stile=bold]': override 'stile=bold': unknown key 'stile'; did you mean 'style'? allowed: style");
  EXPECT_EQ(
      refusal<ConfigError>("rule:wild"),
      "agent 'rule:wild': override 'style=wild': style: wild is not allowed; expected one of fair, expert, careful, "
      "bold");
}

TEST_F(AgentRegistry, SaysWhereItLookedForFiles) {
  EXPECT_EQ(refusal<FileError>("runs/nowhere"),
            "no agent at 'runs/nowhere': expected a run folder, a .safetensors file or the .yaml file of a mixture");
  EXPECT_EQ(
      refusal<FileError>("nowhere.safetensors"),
      "no agent at 'nowhere.safetensors': expected a run folder, a .safetensors file or the .yaml file of a mixture");
  const test::TempFolder run;
  EXPECT_EQ(
      refusal<FileError>(run.path().string()),
      "'" + run.path().string() + "' has no checkpoint: expected files as " + checkpoint_path(run.path(), 0).string());
}

TEST(AgentFile, IsTheNewestCheckpointOfARun) {
  const test::TempFolder run;
  std::filesystem::create_directory(run / "checkpoints");
  for (const std::int64_t step : {9, 1200, 300}) test::write_bytes(checkpoint_path(run.path(), step), "x");
  test::write_bytes(run / "checkpoints/step-000000009999.safetensors.tmp", "x");
  EXPECT_EQ(agent_file(run.path()), checkpoint_path(run.path(), 1200));
  EXPECT_EQ(agent_file(checkpoint_path(run.path(), 300)), checkpoint_path(run.path(), 300));
}

// The table must know every game there is, or its players would be random without a word.
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
    const Action action = agent->act(env->observe(env->current_player())).action;
    EXPECT_EQ((env->legal_mask() >> action) & 1, 1U) << name;
  }
}

}  // namespace
}  // namespace dealer::agent_registry_test
