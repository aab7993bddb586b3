// Seating as players are eliminated, their places, and the games of the tables at every level.
#include "arena/knockout/seating.h"

#include "arena/knockout/setup.h"
#include "env/games/ofc/game.h"
#include "env/games/poker/game.h"
#include "tests/arena/testing.h"

namespace dealer::knockout::seating_test {
namespace {

using namespace test;

using Tables = std::vector<std::vector<int>>;
Tables seats(const Seating& seating) {
  Tables all;
  for (const SeatedTable& table : seating.tables()) all.push_back(table.players);
  return all;
}

TEST(Seating, BeginsWithTablesOfNearlyEqualSize) {
  EXPECT_EQ(seats(Seating(7, 3, 1)), (Tables{{0, 3, 6}, {1, 4}, {2, 5}}));
  EXPECT_EQ(seats(Seating(4, 3, 1)), (Tables{{0, 2}, {1, 3}}));
  EXPECT_EQ(seats(Seating(6, 6, 1)), (Tables{{0, 1, 2, 3, 4, 5}}));
}

TEST(Seating, KnowsTheSizesThatOccur) {
  EXPECT_EQ(table_sizes(4, 3), (std::vector<int>{2, 3}));
  EXPECT_EQ(table_sizes(5, 2), (std::vector<int>{2}));
  EXPECT_EQ(table_sizes(8, 6), (std::vector<int>{2, 3, 4, 5, 6}));
  EXPECT_EQ(table_sizes(4, 4), (std::vector<int>{2, 3, 4}));
}

// Whatever the order of eliminations, tables have the specified number and sizes.
TEST(Seating, StaysBalancedToTheEnd) {
  for (const int most : {2, 3, 4, 6, 9})
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      RandomStream rng(seed, 3);
      const int players = 4 + static_cast<int>(rng.below(20));
      const std::vector<int> sizes = table_sizes(players, most);
      Seating seating(players, most, seed);
      std::set<int> left;
      for (int p = 0; p < players; ++p) left.insert(p);
      for (int hand = 1; left.size() > 1; ++hand) {
        // Every table that plays has players left, one of them with the button.
        for (const SeatedTable& table : std::vector<SeatedTable>(seating.tables())) {
          std::vector<int> out = table.players;
          for (std::size_t keep = 1 + rng.below(static_cast<std::uint32_t>(out.size())); keep > 0; --keep)
            out.erase(out.begin() + rng.below(static_cast<std::uint32_t>(out.size())));
          seating.table(table.number).dealer =
              table.players[rng.below(static_cast<std::uint32_t>(table.players.size()))];
          for (const int player : out) {
            seating.remove(player);
            left.erase(player);
          }
        }
        ASSERT_EQ(seating.players(), static_cast<int>(left.size()));
        if (left.size() == 1) break;
        for (const Move& move : seating.rearrange(hand)) ASSERT_TRUE(left.contains(move.player));
        const auto count = static_cast<int>(left.size());
        ASSERT_EQ(static_cast<int>(seating.tables().size()), (count + most - 1) / most);
        std::set<int> seated;
        for (const SeatedTable& table : seating.tables()) {
          const auto size = static_cast<int>(table.players.size());
          ASSERT_GE(size, count / static_cast<int>(seating.tables().size()));
          ASSERT_LE(size, most);
          ASSERT_TRUE(size == 1 || std::find(sizes.begin(), sizes.end(), size) != sizes.end()) << size;
          ASSERT_TRUE(most == 2 || size > 1);
          seated.insert(table.players.begin(), table.players.end());
          ASSERT_TRUE(table.dealer < 0 ||
                      std::find(table.players.begin(), table.players.end(), table.dealer) != table.players.end());
        }
        ASSERT_EQ(seated, left);
      }
    }
}

TEST(Seating, BreaksTheLastTableFromTheButtonOn) {
  Seating seating(7, 3, 9);  // {0, 3, 6}, {1, 4}, {2, 5}
  seating.table(2).dealer = 5;
  seating.remove(3);
  const std::vector<Move> moves = seating.rearrange(4);
  ASSERT_EQ(moves.size(), 2U);
  EXPECT_EQ(moves[0], (Move{5, 2, 0}));
  EXPECT_EQ(moves[1], (Move{2, 2, 1}));
  Tables now = seats(seating);
  for (std::vector<int>& table : now) std::sort(table.begin(), table.end());
  EXPECT_EQ(now, (Tables{{0, 5, 6}, {1, 2, 4}}));
}

TEST(Seating, MovesSomebodyFromTheLargestToTheSmallest) {
  std::set<int> moved;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Seating seating(9, 3, seed);  // {0, 3, 6}, {1, 4, 7}, {2, 5, 8}
    seating.remove(0);
    seating.remove(6);
    const std::vector<Move> moves = seating.rearrange(1);
    ASSERT_EQ(moves.size(), 1U);
    EXPECT_EQ(moves[0].from, 1);
    EXPECT_EQ(moves[0].to, 0);
    moved.insert(moves[0].player);
    EXPECT_EQ(seating.tables()[0].players.size(), 2U);
    EXPECT_EQ(seating.tables()[1].players.size(), 2U);
  }
  EXPECT_EQ(moved, (std::set<int>{1, 4, 7})) << "drawn at random";
}

TEST(Seating, PassesTheButtonOfWhoLeaves) {
  Seating seating(3, 3, 1);
  seating.table(0).dealer = 1;
  seating.remove(1);
  EXPECT_EQ(seating.tables()[0].dealer, 2);
  seating.remove(2);
  EXPECT_EQ(seating.tables()[0].dealer, 0);
}

TEST(Seating, WithTablesOfTwoOneMayWait) {
  Seating seating(5, 2, 1);  // {0, 3}, {1, 4}, {2}
  EXPECT_EQ(seating.tables().back().players, (std::vector<int>{2}));
  seating.remove(3);
  seating.rearrange(1);
  EXPECT_EQ(seating.tables().size(), 2U);
  EXPECT_EQ(seats(seating)[1], (std::vector<int>{1, 4}));
  EXPECT_EQ(seating.tables()[0].players.size(), 2U);
}

TEST(Places, FollowHandsThenChips) {
  const std::vector<Ending> endings = {{5, 30}, {Ending::kStayed, 500}, {7, 10}, {5, 40}, {5, 30}, {0, 200}};
  const std::vector<Finish> places = finish(endings);
  EXPECT_EQ(places, (std::vector<Finish>{{4, 5}, {1, 1}, {2, 2}, {3, 3}, {4, 5}, {6, 6}}));
  EXPECT_EQ(places[0].place(), 4.5);
  for (const int place : {3, 4, 5, 6}) EXPECT_EQ(places[0].share(place), place == 4 || place == 5 ? 0.5 : 0) << place;
}

TEST(Places, OfThoseLeftFollowTheirChips) {
  const std::vector<Ending> endings = {
      {Ending::kStayed, 10}, {Ending::kStayed, 70}, {999, 1000}, {Ending::kStayed, 10}};
  EXPECT_EQ(finish(endings), (std::vector<Finish>{{2, 3}, {1, 1}, {4, 4}, {2, 3}}));
}

const poker::GameRules& poker_rules(const Levels& levels, int size, int level) {
  return poker::as_poker(*levels.game(size, level))->rules();
}

TEST(Levels, OfcCountsByItsOwnMultiplier) {
  const Levels levels(make_game("ofc[match.hands=5,fantasyland.cards=15]"), 7, 3, std::nullopt, 4);
  EXPECT_EQ(levels.sizes(), (std::vector<int>{2, 3}));
  EXPECT_EQ(levels.count(), 1);
  EXPECT_EQ(levels.stack(), 200);
  for (const int size : levels.sizes()) {
    const ofc::GameRules& rules = ofc::as_ofc(*levels.game(size, 0))->rules();
    EXPECT_EQ(rules.players, size);
    EXPECT_EQ(rules.episode, ofc::Episode::kMatch);
    EXPECT_EQ(rules.multiplier_every, 4);
    EXPECT_EQ(rules.tournament_points, 1400);
    EXPECT_EQ(rules.scoring.bonus.fantasyland_cards[0], 15);
  }
  const std::vector<int> first = {1, 1, 1, 1, 2, 2, 2, 2, 3};
  for (std::size_t hand = 0; hand < first.size(); ++hand)
    EXPECT_EQ(levels.multiplier(static_cast<int>(hand)), first[hand]) << hand;
  EXPECT_EQ(Levels(make_game("ofc"), 4, 3, 150, 0).multiplier(1000), 1);
  EXPECT_EQ(Levels(make_game("ofc"), 4, 3, 150, 0).stack(), 150);
  EXPECT_THROW(Levels(make_game("ofc"), 4, 3, 500, 0), ConfigError);
}

TEST(Levels, BetsAndBlindsDouble) {
  const Levels levels(make_game("holdem"), 8, 3, 400, 10);
  EXPECT_EQ(levels.stack(), 400);
  EXPECT_EQ(levels.level_of(9), 0);
  EXPECT_EQ(levels.level_of(10), 1);
  EXPECT_EQ(levels.multiplier(29), 4);
  // 3,200 chips in all: forced bets stop at half of them.
  EXPECT_EQ(levels.count(), 8);
  EXPECT_EQ(levels.level_of(1'000'000), 7);
  for (int level = 0; level < levels.count(); ++level) {
    const poker::GameRules& rules = poker_rules(levels, 3, level);
    EXPECT_EQ(rules.players, 3);
    EXPECT_EQ(rules.stack, 400 << level);
    EXPECT_EQ(rules.min_bet, 10 << level);
    EXPECT_EQ(rules.bets.size[0], 10 << level);
    EXPECT_EQ(rules.bets.size[3], 20 << level);
    EXPECT_EQ(rules.bets.small_blind, 5 << level);
    EXPECT_EQ(rules.bets.big_blind, 10 << level);
    EXPECT_EQ(rules.bets.ante, 0);
    EXPECT_EQ(rules.tournament_chips, 3200 << level);
    // An agent with a network supports every level.
    EXPECT_EQ(levels.game(3, level)->observation_spec().size(),
              make_game("holdem[players=3]")->observation_spec().size());
  }
  EXPECT_EQ(Levels(make_game("holdem"), 8, 3, 400, 0).count(), 1);
}

TEST(Levels, AntesAndBringInsDouble) {
  const Levels levels(make_game("stud[ante=2,bring_in=3,big_bet=30]"), 6, 6, std::nullopt, 5);
  EXPECT_EQ(levels.stack(), 1000);
  const poker::GameRules& rules = poker_rules(levels, 4, 2);
  EXPECT_EQ(rules.bets.ante, 8);
  EXPECT_EQ(rules.bets.bring_in, 12);
  EXPECT_EQ(rules.bets.size[0], 40);
  EXPECT_EQ(rules.bets.size[4], 120);
  EXPECT_EQ(rules.stack, 4000);
}

TEST(Levels, OfWashizuTheAnteDoubles) {
  const Levels levels(make_game("washizu[stack=12]"), 8, 4, std::nullopt, 5);
  EXPECT_EQ(levels.count(), 4) << "1, 2, 4 and 8 of 12 chips";
  for (int level = 0; level < levels.count(); ++level) {
    const poker::GameRules& rules = poker_rules(levels, 2, level);
    EXPECT_EQ(rules.bets.ante, 1 << level);
    EXPECT_EQ(rules.stack, 12);
    EXPECT_EQ(rules.tournament_chips, 96);
    EXPECT_EQ(rules.episode, poker::Episode::kMatch);
  }
}

TEST(Levels, RefusesWhatCannotBePlayed) {
  const auto refused = [](const char* game, int players, int size, std::optional<Amount> stack, const char* why) {
    return refuses<UsageError>(why, [&] { Levels(make_game(game), players, size, stack, 5); });
  };
  EXPECT_TRUE(refused("kuhn", 4, 2, std::nullopt, "'kuhn'"));
  EXPECT_TRUE(refused("ofc", 8, 4, std::nullopt, "expected 2 to 3"));
  EXPECT_TRUE(refused("holdem", 200, 6, 1'000'000, "200 players with 1000000 chips"));
  EXPECT_EQ(usual_table_size(*make_game("ofc")), 3);
  EXPECT_EQ(usual_table_size(*make_game("holdem")), 6);
}

}  // namespace
}  // namespace dealer::knockout::seating_test
