// Cards that become others: the position stays one of the game, and everything else stays as it is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "env/cards/shuffle.h"
#include "env/core/registry.h"
#include "env/games/poker/game.h"

namespace dealer::poker::exchange_cards_test {
namespace {

class ExchangeCards : public testing::TestWithParam<const char*> {};

TEST_P(ExchangeCards, MovesThemWhereverTheyLie) {
  const auto game = std::dynamic_pointer_cast<const Game>(make_game(GetParam()));
  const GameRules& rules = game->rules();
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    State before;
    before.reset_and_hold(rules, seed);
    RandomStream rng(seed);
    for (auto calls = rng.below(4); calls > 0 && !before.drawing(); --calls) before.apply_and_hold(1);
    // Cards that lie open say who begins, and stay.
    std::vector<CardId> from;
    for (int card = 0; card < rules.deck->cards_in_play(); ++card)
      from.push_back(rules.new_deck[static_cast<std::size_t>(card)]);
    for (Seat seat = 0; seat < rules.players; ++seat)
      for (std::size_t i = 0; i < before.cards(seat).size(); ++i)
        if (before.is_up(i)) std::erase(from, before.cards(seat)[i]);
    std::vector<CardId> to = from;
    shuffle_first(std::span(to), to.size(), rng);
    std::array<CardId, kMaxDeckCards> by{}, back{};
    std::iota(by.begin(), by.end(), CardId{0});
    std::iota(back.begin(), back.end(), CardId{0});
    for (std::size_t i = 0; i < from.size(); ++i) {
      by[from[i]] = to[i];
      back[to[i]] = from[i];
    }
    State after = before;
    after.exchange_cards(by);
    EXPECT_TRUE(after.valid());
    for (Seat seat = 0; seat < rules.players; ++seat) {
      std::vector<CardId> expected;
      for (const CardId card : before.cards(seat)) expected.push_back(by[card]);
      if (rules.draws > 0) std::sort(expected.begin(), expected.end());
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), after.cards(seat).begin(), after.cards(seat).end()));
    }
    std::vector<CardId> board;
    for (const CardId card : before.board()) board.push_back(by[card]);
    EXPECT_TRUE(std::equal(board.begin(), board.end(), after.board().begin(), after.board().end()));
    // What is dealt from now on has changed alike, and nobody has acted otherwise.
    State again = after;
    again.exchange_cards(back);
    EXPECT_EQ(std::memcmp(&again, &before, sizeof(State)), 0);
    const auto play_on = [&](State& state) {
      while (!state.hand_over() && !state.drawing()) state.apply_and_hold(1);
    };
    play_on(before);
    play_on(after);
    EXPECT_TRUE(after.valid());
    for (std::size_t i = 0; i < before.board().size(); ++i) EXPECT_EQ(after.board()[i], by[before.board()[i]]);
    if (rules.procedure == Procedure::kStud) {
      EXPECT_EQ(after.cards(0)[6], by[before.cards(0)[6]]);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Games, ExchangeCards,
                         testing::Values("draw", "holdem", "holdem[limit=no_limit]", "stud", "triple_draw",
                                         "court_color"));

}  // namespace
}  // namespace dealer::poker::exchange_cards_test
