#include "env/core/error.h"
#include "env/core/registry.h"
#include "tests/cli/run_dealer.h"

namespace dealer::cli_games_test {
namespace {

using test::contains;
using test::json_of;
using test::ProgramResult;
using test::run_here;

TEST(Games, ListsEveryGame) {
  const auto games = json_of({"games"});
  ASSERT_EQ(games.size(), game_names().size());
  for (std::size_t i = 0; i < games.size(); ++i) {
    EXPECT_EQ(games[i]["name"], game_names()[i]);
    EXPECT_FALSE(games[i].contains("observation_spec"));
    EXPECT_EQ(games[i]["observation"], make_game(game_names()[i])->observation_spec().size());
  }
  const ProgramResult table = run_here({"games"});
  EXPECT_EQ(table.status, 0);
  for (const std::string& name : game_names()) EXPECT_TRUE(contains(table.out, "\n" + name + " ")) << table.out;
}

// Tried one by one: the range is what the option `players` takes, no more and no less.
TEST(Games, PlayersAreWhatTheRulesTake) {
  for (const std::string& name : game_names()) {
    const GamePtr game = make_game(name);
    const auto [low, high] = game->player_range();
    EXPECT_LE(low, game->players());
    EXPECT_GE(high, game->players());
    for (int players = 1; players <= kMaxPlayers + 1; ++players) {
      const std::string spec = name + "[players=" + std::to_string(players) + ']';
      if (players >= low && players <= high && low < high)
        EXPECT_EQ(make_game(spec)->players(), players) << spec;
      else if (low == high && players == low)
        continue;  // some take their only number, others have no such key
      else
        EXPECT_THROW(make_game(spec), ConfigError) << spec;
    }
  }
}

// Twenty cards are five for each of three players, and five to draw.
TEST(Games, PlayersAreNoMoreThanTheCardsAllow) {
  const test::TempFolder folder;
  const std::string deck = (folder / "small.yaml").string();
  test::write_bytes(deck,
                    "ranks: 2 3 4 5 6\nsuits:\n  spades: {symbol: s}\n  hearts: {symbol: h}\n"
                    "  diamonds: {symbol: d}\n  clubs: {symbol: c}\n");
  EXPECT_EQ(make_game("draw[deck=" + deck + ']')->player_range(), std::pair(2, 3));
  EXPECT_NO_THROW(make_game("draw[deck=" + deck + ",players=3]"));
  EXPECT_THROW(make_game("draw[deck=" + deck + ",players=4]"), ConfigError);
}

TEST(Games, OtherOptionsLeaveThePlayersOpen) {
  const auto games = json_of({"games", "holdem[limit=no_limit]", "holdem[players=4]", "draw[deck=court_tarot_54]"});
  EXPECT_EQ(games[0]["players"], nlohmann::json({2, 10}));
  EXPECT_EQ(games[1]["players"], nlohmann::json({4, 4}));
  EXPECT_EQ(games[2]["players"], nlohmann::json({2, 6}));
}

TEST(Games, OpenFaceIsForTwoOrThree) {
  const auto ofc = json_of({"games", "ofc"})[0];
  EXPECT_EQ(ofc["players"], nlohmann::json({2, 3}));
  EXPECT_EQ(ofc["actions"], 4);
  EXPECT_EQ(ofc["unit"], "points");
  const auto three = json_of({"games", "ofc[players=3]"})[0];
  EXPECT_EQ(three["name"], "ofc[players=3]");
  EXPECT_EQ(three["players"], nlohmann::json({3, 3}));
}

TEST(Games, ANamedGameShowsItsObservationSpec) {
  const auto game = json_of({"games", "ofc"})[0];
  int next = 0;
  for (const auto& part : game["observation_spec"]) {
    EXPECT_EQ(part["offset"], next) << part;
    int size = 1;
    for (const int extent : part["shape"]) size *= extent;
    next += size;
    EXPECT_LE(part["low"], part["high"]);
    EXPECT_FALSE(part["meaning"].get<std::string>().empty());
  }
  EXPECT_EQ(game["observation"], next);
  const ProgramResult table = run_here({"games", "ofc"});
  for (const auto& part : game["observation_spec"])
    EXPECT_TRUE(contains(table.out, part["meaning"].get<std::string>()));
}

TEST(Games, AnUnknownGameNamesTheNearest) {
  test::expect_refused({"games", "oofc"}, {{{}, "there is no game 'oofc'; did you mean 'ofc'?"}});
}

}  // namespace
}  // namespace dealer::cli_games_test
