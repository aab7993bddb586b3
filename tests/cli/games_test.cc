#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "env/core/registry.h"
#include "tests/cli/run_dealer.h"

namespace dealer {
namespace {

using test::contains;
using test::ProgramResult;
using test::run_dealer;
using test::run_here;

TEST(Games, ListsEveryGame) {
  const ProgramResult result = run_dealer("games --json");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const auto games = nlohmann::json::parse(result.out);
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

TEST(Games, OpenFaceIsForTwoOrThree) {
  const auto ofc = nlohmann::json::parse(run_here({"games", "ofc", "--json"}).out)[0];
  EXPECT_EQ(ofc["players"], nlohmann::json({2, 3}));
  EXPECT_EQ(ofc["actions"], 4);
  EXPECT_EQ(ofc["unit"], "points");
  const auto three = nlohmann::json::parse(run_here({"games", "ofc[players=3]", "--json"}).out)[0];
  EXPECT_EQ(three["name"], "ofc[players=3]");
  EXPECT_EQ(three["players"], nlohmann::json({3, 3}));
}

TEST(Games, ANamedGameShowsItsObservationSpec) {
  const auto game = nlohmann::json::parse(run_here({"games", "ofc", "--json"}).out)[0];
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
  const ProgramResult result = run_here({"games", "oofc"});
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(result.err.starts_with("dealer: there is no game 'oofc'; did you mean 'ofc'?")) << result.err;
}

}  // namespace
}  // namespace dealer
