#include <gtest/gtest.h>

#include "agents/poker/rule_agent.h"
#include "env/core/registry.h"
#include "env/games/poker/game.h"

namespace dealer::poker::opening_book_test {
namespace {

// Against one opponent half of all hands have more than half the pot, against two about half more than a third, and
// more than half the pot only pairs and high aces.
TEST(OpeningBook, HandsAreRankedByTheNumberOfOpponents) {
  const GamePtr game = make_game("holdem[limit=no_limit,players=3]");
  const OpeningBook book(as_poker(*game)->rules(), nullptr);
  EXPECT_NEAR(book.better(0.5, 1), 0.5, 0.08);
  EXPECT_NEAR(book.better(1.0 / 3, 2), 0.48, 0.08);
  EXPECT_LT(book.better(0.5, 2), 0.1);
  EXPECT_GT(book.better(0.5, 2), 0);
  for (const int opponents : {1, 2}) {
    EXPECT_EQ(book.better(0, opponents), 1);
    EXPECT_EQ(book.better(1, opponents), 0);
    for (double share = 0.05; share < 1; share += 0.05)
      EXPECT_LE(book.better(share, opponents), book.better(share - 0.05, opponents)) << share;
  }
}

}  // namespace
}  // namespace dealer::poker::opening_book_test
