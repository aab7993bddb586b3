// The trained players that come with the project.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <string>
#include <vector>

#include "env/core/data_dir.h"
#include "env/core/registry.h"
#include "tests/arena/match_support.h"

namespace dealer::shipped_agents_test {
namespace {

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

// Two megabytes a model at most; the OFC agent is older.
TEST(ShippedModels, AreSmall) {
  int models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(data_path("models"))) {
    if (entry.path().filename() == "ofc.safetensors") continue;
    EXPECT_LE(entry.file_size(), std::uintmax_t{2} << 20) << entry.path();
    ++models;
  }
  EXPECT_GE(models, 4);
}

}  // namespace
}  // namespace dealer::shipped_agents_test
