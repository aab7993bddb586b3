#include "frontends/terminal/betting/positions.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "frontends/terminal/betting/text.h"
#include "frontends/terminal/screen_text.h"
#include "tests/frontends/terminal/sitting.h"

namespace dealer::terminal::positions_test {
namespace {

std::string names(const std::string& game, const BettingTable& table) {
  return fmt::format("{}", fmt::join(positions(table, *make_game(game)), " "));
}

// From the seat left of the dealer on.
TEST(Positions, AreThoseOfTablesOfAnySize) {
  const std::vector<std::string> expected = {"BB BTN",
                                             "SB BB BTN",
                                             "SB BB UTG BTN",
                                             "SB BB UTG CO BTN",
                                             "SB BB UTG HJ CO BTN",
                                             "SB BB UTG LJ HJ CO BTN",
                                             "SB BB UTG UTG+1 LJ HJ CO BTN",
                                             "SB BB UTG UTG+1 UTG+2 LJ HJ CO BTN",
                                             "SB BB UTG UTG+1 UTG+2 UTG+3 LJ HJ CO BTN"};
  for (int players = 2; players <= 10; ++players) {
    const std::vector<std::int64_t> stacks(static_cast<std::size_t>(players), 1000);
    EXPECT_EQ(names(fmt::format("holdem[players={}]", players), table_with(stacks, players - 1)),
              expected[static_cast<std::size_t>(players - 2)]);
  }
}

TEST(Positions, WhoIsOutHasNone) {
  EXPECT_EQ(names("holdem[players=5]", table_with({0, 500, 0, 500, 700}, 3)), " BB  BTN SB");
  EXPECT_EQ(names("holdem[players=5]", table_with({0, 500, 0, 500, 0}, 1)), " BTN  BB ");
}

// The small and the big blind are posted from these seats.
TEST(Positions, AgreeWithTheBlindsOfTheGame) {
  for (int players = 2; players <= 10; ++players) {
    const auto env = table_at(fmt::format("holdem[players={}]", players), 4);
    const std::vector<Event> events = env->events(kSpectator);
    const std::vector<std::string> places = positions(BettingTable(events), env->game());
    for (const Event& event : events) {
      if (event.kind != Event::Kind::kPosted) continue;
      const std::string& place = places[static_cast<std::size_t>(event.seat)];
      EXPECT_EQ(place, event.what == "big_blind" ? "BB" : players == 2 ? "BTN" : "SB");
    }
  }
}

TEST(Positions, NeedBlindsAndADealer) {
  EXPECT_EQ(names("draw", table_with({100, 100}, 0)), "");
  EXPECT_EQ(names("leduc", table_with({100, 100}, 0)), "");
  EXPECT_EQ(names("holdem", table_with({100, 100}, -1)), "");
}

TEST(Positions, ShowsStacksInBigBlindsWhereThereIsRoom) {
  const auto text = [](int width, const char* game, const std::vector<std::int64_t>& stacks) {
    Style style;
    style.width = width;
    return table_text(table_with(stacks, 1), *make_game(game), {{"ann", "bob"}, 0}, style);
  };
  for (const int width : {0, 60, 80})
    expect_parts(text(width, "holdem[limit=no_limit]", {9967, 12345678}),
                 {"\n            chips        bb  bet  cards\n", "\nBTN bob  12345678  123456.8\n"});
  const std::string narrow = text(59, "holdem[limit=no_limit]", {9967, 350});
  expect_none(narrow, {"bb", "99.7"});
  expect_parts(text(80, "holdem[limit=no_limit]", {9967, 350}), {"9967  99.7\n", "350   3.5\n"});
  expect_none(text(80, "draw", {900, 900}), {"bb", "BTN"});
}

}  // namespace
}  // namespace dealer::terminal::positions_test
