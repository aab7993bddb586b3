#include "agents/poker/draw_book.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "env/core/registry.h"
#include "env/games/poker/game.h"

namespace dealer::poker {
namespace {

std::shared_ptr<const Game> poker_game(std::string_view spec) {
  return std::dynamic_pointer_cast<const Game>(make_game(spec));
}

// The cards that the book would discard of a hand, sorted.
std::string discarded(const GameRules& rules, const DrawBook& book, std::string_view cards) {
  std::vector<CardId> hand = rules.deck->parse(cards), unseen, out;
  std::sort(hand.begin(), hand.end());
  for (int id = 0; id < rules.deck->size(); ++id)
    if (std::find(hand.begin(), hand.end(), id) == hand.end()) unseen.push_back(static_cast<CardId>(id));
  RandomStream rng(1);
  const auto best = book.best_discard(hand, unseen, ~std::uint32_t{0}, 1, 1000, rng);
  for (std::size_t i = 0; i < hand.size(); ++i)
    if ((best.mask >> i & 1) != 0) out.push_back(hand[i]);
  return rules.deck->to_string(out);
}

TEST(DrawBook, DiscardsAsPeopleDo) {
  const auto game = poker_game("draw");
  const DrawBook book(game->rules());
  const auto discards = [&](std::string_view cards) { return discarded(game->rules(), book, cards); };
  EXPECT_EQ(discards("2c 2d 5s 5c As"), "As");
  EXPECT_EQ(discards("2c 2d 2s 8c 9d"), "8c 9d");
  EXPECT_EQ(discards("Ks Kd 3c 5h 9d"), "3c 5h 9d");
  EXPECT_EQ(discards("9s Ts Js Qs 2h"), "2h");
  EXPECT_EQ(discards("3h 4d 5c 6s 7h"), "");
  EXPECT_EQ(discards("2s 2h 2d 3c 3h"), "");
}

TEST(DrawBook, LowballDiscardsPairsAndHighCards) {
  const auto game = poker_game("lowball");
  const DrawBook book(game->rules());
  const auto discards = [&](std::string_view cards) { return discarded(game->rules(), book, cards); };
  EXPECT_EQ(discards("2c 3d 5s 7c As"), "");
  EXPECT_EQ(discards("2c 3d 5s Kc As"), "Kc");
  EXPECT_EQ(discards("2c 3d 4s 4c As"), "4s");
}

TEST(DrawBook, HighLowKeepsAGoodLow) {
  const auto game = poker_game("draw[low=eight_or_better]");
  const DrawBook book(game->rules());
  EXPECT_EQ(discarded(game->rules(), book, "As 2h 3d 4c 7s"), "");
  EXPECT_EQ(discarded(game->rules(), book, "2s 3h 4d 5c 9s"), "9s");
}

TEST(DrawBook, WhoDrawsFewerHasMore) {
  const auto game = poker_game("draw");
  const GameRules& rules = game->rules();
  const DrawBook book(rules);
  const std::vector<CardId> kings = rules.deck->parse("Ks Kd 3c 5h 9d");
  EXPECT_LT(book.beats(kings, 0), 0.1);
  EXPECT_LT(book.beats(kings, 1), book.beats(kings, 3));
  // Two pair beat about three quarters of all final hands, quads nearly all.
  EXPECT_NEAR(book.beats(rules.deck->parse("5s 5d 3c 3h 9d")), 0.79, 0.03);
  EXPECT_GT(book.beats(rules.deck->parse("5s 5d 5c 5h 9d")), 0.99);
}

}  // namespace
}  // namespace dealer::poker
