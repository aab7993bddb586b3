#include "arena/preflop_chart.h"

#include "env/games/poker/game.h"
#include "tests/arena/testing.h"

namespace dealer::test::preflop_chart_test {
namespace {

std::unique_ptr<Env> table_of(const GamePtr& game, std::initializer_list<const char*> played = {}) {
  auto table = game->new_env({.hold_hands = true, .keep_events = true});
  table->reset(3);
  for (const char* words : played) table->step(table->parse_decision(words));
  return table;
}

// Folds offsuit cards, calls with suited ones but raises with pairs, and every other time with the ace of spades.
std::vector<double> by_cards(const poker::Game& game, const Observation& seen) {
  const poker::View view = poker::State::decode(game.rules(), seen.data);
  const Card a = static_cast<Card>(view.own().cards[0].card), b = static_cast<Card>(view.own().cards[1].card);
  const Card ace = make_card(12, 0);
  if (a == ace || b == ace) return {0.5, 0, 0.5};
  if (rank_of(a) == rank_of(b)) return {0, 0, 1};
  return suit_of(a) == suit_of(b) ? std::vector<double>{0, 1, 0} : std::vector<double>{1, 0, 0};
}

TEST(PreflopChart, PutsEveryPairOfCardsIntoItsPlace) {
  const GamePtr game = make_game("holdem[players=3]");
  const poker::Game& rules = *poker::as_poker(*game);
  for (const auto& played : {std::initializer_list<const char*>{}, {"raise to 20", "call 15"}}) {
    const auto table = table_of(game, played);
    FakeAgent agent({.policy = [&](const Observation& seen) { return by_cards(rules, seen); }});
    const PreflopChart chart = preflop_chart(*table, agent);
    int combinations = 0;
    for (std::size_t row = 0; row < PreflopChart::kRanks; ++row) {
      for (std::size_t column = 0; column < PreflopChart::kRanks; ++column) {
        const PreflopChart::Cell& cell = chart.cells[row][column];
        EXPECT_EQ(cell.combinations, row == column ? 6 : row < column ? 4 : 12) << cell.hand;
        combinations += cell.combinations;
        if (row == 0 || column == 0) continue;
        EXPECT_EQ(cell.raise, row == column ? 1 : 0) << cell.hand;
        EXPECT_EQ(cell.call, row < column ? 1 : 0) << cell.hand;
        EXPECT_EQ(cell.fold, row > column ? 1 : 0) << cell.hand;
      }
    }
    EXPECT_EQ(combinations, 1326);
    EXPECT_EQ(chart.cells[0][1].hand, "AKs");
    EXPECT_EQ(chart.cells[12][1].hand, "K2o");
    EXPECT_EQ(chart.cells[1][1].hand, "KK");
    // A quarter of the suited aces and of the offsuit ones, half of the pairs hold the ace of spades.
    EXPECT_NEAR(chart.cells[0][5].call, 0.75, 1e-12);
    EXPECT_NEAR(chart.cells[0][5].raise, 0.125, 1e-12);
    EXPECT_NEAR(chart.cells[5][0].fold, 0.875, 1e-12);
    EXPECT_NEAR(chart.cells[0][0].raise, 0.75, 1e-12);
    EXPECT_NEAR(chart.all.fold + chart.all.call + chart.all.raise, 1, 1e-12);
    EXPECT_NEAR(chart.all.call, (66 * 4 + 12 * 3) / 1326.0, 1e-12);
    EXPECT_FALSE(chart.sampled || chart.free);
    ASSERT_EQ(chart.all.choices.size(), 3U);
    EXPECT_EQ(chart.all.choices[0].first, "fold");
  }
}

TEST(PreflopChart, DrawsDecisionsOfAgentsWithoutAPolicy) {
  const GamePtr game = make_game("holdem[limit=no_limit]");
  std::uint64_t seed = 0;
  FakeAgent agent({.act = [&](const Observation&) { return seed % 4 == 0 ? Decision::bet_to(333) : Decision(1); },
                   .reset = [&](Seat, std::uint64_t given) { seed = given; }});
  const PreflopChart chart = preflop_chart(*table_of(game, {"call 50"}), agent);
  EXPECT_TRUE(chart.sampled && chart.free);
  EXPECT_NEAR(chart.all.raise, 0.25, 1e-12);
  EXPECT_NEAR(chart.all.call, 0.75, 1e-12);
  EXPECT_EQ(chart.cells[4][4].choices[0], std::pair(std::string("raise to 333"), 0.25));
}

TEST(PreflopChart, IsOfHoldemBeforeTheFlopAlone) {
  for (const auto& [spec, has] : {std::pair("holdem", true),
                                  {"holdem[limit=no_limit,players=9]", true},
                                  {"holdem[deck=court_color_52]", false},
                                  {"holdem[jokers=1]", false},
                                  {"stud", false},
                                  {"leduc", false}})
    EXPECT_EQ(has_preflop_chart(*make_game(spec)), has) << spec;
  const GamePtr game = make_game("holdem");
  FakeAgent agent({}), observing({.on_events = [](std::span<const Event>) {}});
  const auto refusal = [&](const Env& table, Agent& asked) {
    return error_message<UsageError>([&] { preflop_chart(table, asked); });
  };
  EXPECT_EQ(refusal(*table_of(game, {"call 5", "check"}), agent), "the betting before the flop is over");
  EXPECT_EQ(refusal(*table_of(game, {"fold"}), agent), "the betting before the flop is over");
  EXPECT_NE(refusal(*table_of(game), observing).find("observes events"), std::string::npos);
}

}  // namespace
}  // namespace dealer::test::preflop_chart_test
