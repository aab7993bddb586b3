#include <cstring>

#include "env/core/registry.h"
#include "env/core/version.h"
#include "tests/frontends/c/c_support.h"

// What the C interface tells of games is what the C++ interface does.
namespace dealer::c_games_test {
namespace {

using test::CGame;
using test::info_of;
using test::list_of;
using test::open_game;
using test::text_of;

TEST(CLibrary, TellsItsVersion) {
  EXPECT_EQ(std::string(dc_version()), version());
  EXPECT_EQ(version().substr(0, std::strlen(DC_VERSION)), DC_VERSION);
  EXPECT_EQ(std::string(DC_VERSION), std::to_string(DC_VERSION_MAJOR) + '.' + std::to_string(DC_VERSION_MINOR) + '.' +
                                         std::to_string(DC_VERSION_PATCH));
  EXPECT_EQ(dc_abi_version(), DC_ABI_VERSION);
}

TEST(CGames, AreThoseThereAre) { EXPECT_EQ(list_of(dc_game_names), game_names()); }

class EveryCGame : public testing::TestWithParam<std::string> {};

TEST_P(EveryCGame, TellsOfItself) {
  const GamePtr game = make_game(GetParam());
  const CGame same = open_game(GetParam());
  const dc_game_info info = info_of(same);
  EXPECT_EQ(info.name, game->name());
  EXPECT_EQ(info.spec, game->spec());
  EXPECT_EQ(info.family, game->id().family);
  EXPECT_EQ(info.rules, game->id().rules);
  EXPECT_EQ(info.unit, game->unit());
  EXPECT_EQ(info.big_blind, game->big_blind());
  EXPECT_EQ(info.players, game->players());
  EXPECT_EQ(std::pair(info.min_players, info.max_players), game->player_range());
  EXPECT_EQ(info.num_actions, game->num_actions());
  EXPECT_EQ(info.observation_size, game->observation_spec().size());
  EXPECT_EQ(info.zero_sum != 0, game->zero_sum());
}

TEST_P(EveryCGame, TellsWhatItsObservationsMean) {
  const GamePtr game = make_game(GetParam());
  const CGame same = open_game(GetParam());
  const std::vector<ObservationPart>& parts = game->observation_spec().parts();
  ASSERT_EQ(info_of(same).num_observation_parts, static_cast<int>(parts.size()));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    dc_observation_part part = {};
    EXPECT_DC_OK(dc_game_get_observation_part(same.get(), static_cast<int>(i), &part));
    EXPECT_EQ(part.name, parts[i].name);
    EXPECT_EQ(part.meaning, parts[i].meaning);
    EXPECT_EQ(std::vector<int>(part.shape, part.shape + part.rank), parts[i].shape);
    EXPECT_EQ(part.offset, parts[i].offset);
    EXPECT_EQ(part.size, parts[i].size());
    EXPECT_EQ(part.low, parts[i].low);
    EXPECT_EQ(part.high, parts[i].high);
  }
  dc_observation_part beyond = {};
  EXPECT_EQ(dc_game_get_observation_part(same.get(), static_cast<int>(parts.size()), &beyond), DC_USAGE);
  EXPECT_EQ(dc_game_get_observation_part(same.get(), -1, &beyond), DC_USAGE);
}

TEST_P(EveryCGame, NamesItsCardsAndStatistics) {
  const GamePtr game = make_game(GetParam());
  const CGame same = open_game(GetParam());
  const dc_game_info info = info_of(same);
  ASSERT_EQ(info.num_statistics, static_cast<int>(game->statistic_names().size()));
  const char* name = nullptr;
  for (int i = 0; i < info.num_statistics; ++i) {
    EXPECT_DC_OK(dc_game_get_statistic_name(same.get(), i, &name));
    EXPECT_EQ(name, game->statistic_names()[static_cast<std::size_t>(i)]);
  }
  EXPECT_EQ(dc_game_get_statistic_name(same.get(), info.num_statistics, &name), DC_USAGE);
  ASSERT_GT(info.num_cards, 2);
  for (int card = 0; card < info.num_cards; ++card) {
    const auto id = static_cast<CardId>(card);
    EXPECT_EQ(text_of([&](char** text) { return dc_game_card_text(same.get(), id, text); }), game->card_to_string(id));
  }
  char* text = nullptr;
  EXPECT_EQ(dc_game_card_text(same.get(), static_cast<CardId>(info.num_cards), &text), DC_USAGE);
  EXPECT_EQ(text, nullptr);
}

INSTANTIATE_TEST_SUITE_P(Games, EveryCGame, testing::ValuesIn(game_names()), [](const auto& one) { return one.param; });

TEST(CGames, HaveTheCardsOfTheirDecks) {
  EXPECT_EQ(info_of(open_game("holdem")).num_cards, 52);
  EXPECT_EQ(info_of(open_game("draw[deck=standard_52[jokers=2]]")).num_cards, 54);
  EXPECT_EQ(info_of(open_game("kuhn")).num_cards, 3);
  EXPECT_EQ(info_of(open_game("leduc")).num_cards, 6);
  EXPECT_EQ(info_of(open_game("ofc")).num_cards, 52);
  EXPECT_EQ(info_of(open_game("seven_hand")).num_cards, 52);
}

TEST(CGames, AreOpenedWithOptions) {
  const dc_game_info info = info_of(open_game("ofc[players=3]"));
  EXPECT_EQ(info.players, 3);
  EXPECT_STREQ(info.spec, "ofc[players=3]");
}

TEST(CGames, ThatAreNoneSayWhy) {
  const auto refused = [](const char* spec) {
    dc_game* game = nullptr;
    const dc_status status = dc_game_open(spec, &game);
    EXPECT_EQ(game, nullptr);
    return status;
  };
  EXPECT_EQ(refused("hodlem"), DC_USAGE);
  EXPECT_NE(std::string(dc_last_error()).find("'holdem'"), std::string::npos) << dc_last_error();
  EXPECT_EQ(refused("ofc[palyers=3]"), DC_CONFIG);
  EXPECT_NE(std::string(dc_last_error()).find("palyers"), std::string::npos) << dc_last_error();
  EXPECT_EQ(refused("ofc[players=3"), DC_PARSE);
}

TEST(CGames, OutliveTheirHandles) {
  CGame game = open_game("leduc");
  const test::CEnv env = test::open_env(game);
  const test::CAgents agents = test::open_agents(game, "random");
  game.reset();
  EXPECT_DC_OK(dc_env_reset(env.get(), 3));
  EXPECT_EQ(test::position_of(env).current_player, 0);
  EXPECT_NE(test::open_agent(agents), nullptr);
}

}  // namespace
}  // namespace dealer::c_games_test
