// dealer analyse on other players' hands: analysed at the nearest table of our games, by the agent trained for it.
#include "tests/cli/run_dealer.h"

namespace dealer::test::analyse_imported_test {
namespace {

class AnalyseImported : public CommandInFolder {};

constexpr const char* kOnline = R"([1]
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [0.50, 1]
min_bet = 1
starting_stacks = [62.50, 231.10]
actions = ['d dh p1 ????', 'd dh p2 AsKs', 'p2 cbr 2.50', 'p1 cc', 'd db 2s7d9h', 'p1 cc', 'p2 cbr 3', 'p1 f']
winnings = [0, 4.75]
players = ['Ann', 'Bob']

[2]
variant = 'PO'
antes = [0, 0]
blinds_or_straddles = [0.50, 1]
min_bet = 1
starting_stacks = [100, 100]
actions = ['d dh p1 ????????', 'd dh p2 ????????', 'p2 f']
)";

TEST_F(AnalyseImported, AsksTheAgentOfTheNearestTable) {
  write("online.phhs", kOnline);
  const Json json = json_of({"analyse", at("online.phhs"), "--simulations", "8", "--threads", "1", "--quiet"});
  expect_members(json, {{"games", {"holdem[limit=no_limit]"}}, {"hands", 1}, {"left_out", 1}, {"judged", 2}});
  EXPECT_EQ(json["brought_near"], (Json{{{"what", "stacks"}, {"hands", 1}}}));
  ASSERT_EQ(json["decisions"].size(), 5U);
  EXPECT_EQ(json["decisions"][0]["player"], "Bob");
  EXPECT_EQ(json["decisions"][0]["chosen"], "raise to 250");
  EXPECT_EQ(json["decisions"][0]["line"], 7);
  EXPECT_EQ(json["decisions"][1]["why"], "the cards that this player held are not known");
  expect_parts(output_of({"analyse", at("online.phhs"), "--simulations", "8", "--threads", "1", "--quiet"}),
               {"analysed at the most similar table of a game here, in its chips; adapted: stacks in 1 hand\n"});
}

TEST_F(AnalyseImported, RefusesAFileThatNoGameIsNear) {
  write("omaha.phhs", std::string(kOnline).substr(std::string(kOnline).find("[2]")));
  expect_refused({}, {{{"analyse", at("omaha.phhs")}, "no game here resembles its hands", 1}});
}

}  // namespace
}  // namespace dealer::test::analyse_imported_test
