#include "train/ofc/last_turn.h"

#include <gtest/gtest.h>

#include "env/core/at.h"
#include "tests/support/cards.h"

namespace dealer::ofc::last_turn_test {
namespace {

// Exactly three cards are left, so every draw is the same: the mean is the best setting's stake, computed by hand.
TEST(LastTurn, IsTheBestSettingOfTheCardsThatCome) {
  // Queens in front need two pair or better in the middle; 5c makes it a full house, Kd keeps the back's flush away.
  const Board board{{test::cards("Qs Qd 2c"), test::cards("5h 5d 8s 8c"), test::cards("Ah Kh 9h 6h")}};
  const Board other = parse_board("Kd Jd 6s / 4h 4c 3h 3c 6c / Js Jh Jc 7s 7d");
  const std::array<BoardValue, 1> others = {evaluate(other)};
  LastTurn turn{board, test::cards("2h 8d Tc"), false, false, others};
  ChainValues chain;
  chain.at(14, 0, false) = 10;
  const EndOfHand end{&kStandardRules, &chain, 0};
  const RowValues rows;
  RandomStream rng(1);
  std::array<double, 1> mean{};
  mean_stakes(turn, end, rows, 5, rng, mean);
  // 8d to the middle would be a full house over a flush: a foul. So Tc to the middle and 2h to the back:
  // queens (7) and a flush (4), Fantasyland (10), front and middle won, back lost to the full house.
  EXPECT_NEAR(mean[0], 7 + 4 + 10 + 1 + 1 - 1, 1e-9);
}

// Against unseen boards the choice must not depend on them: two boards that differ there see the same settings.
TEST(LastTurn, DoesNotPeek) {
  const Board board{{test::cards("Kd 7d"), test::cards("5h 5d 8s 8c"), test::cards("Ah Kh 9h 6h 2h")}};
  const BoardValue weak = evaluate(parse_board("4c 3d 6s / Jh 4h 3h Tc 6c / Js 9c 9d 7s 7c"));
  const BoardValue strong = evaluate(parse_board("Qc Qd Js / 4h 4c 3h 3c 6c / Ts Th Tc 7s 7c"));
  const EndOfHand end{&kStandardRules, nullptr, 0};
  const std::array<BoardValue, 2> both = {weak, strong};
  const RowValues rows = row_values_against(parse_board("4c 3d 6s / Jh 4h 3h Tc 6c / Js 9c 9d 7s 7c"));
  const CardSet cards = kFullDeck & ~board.cards();
  std::array<double, 1> alone{};
  std::array<double, 2> together{};
  for (int i = 0; i < 2; ++i) {
    RandomStream one(7), two(7);
    mean_stakes({board, cards, true, false, std::span(both).subspan(at(i), 1)}, end, rows, 200, one, alone);
    mean_stakes({board, cards, true, false, both}, end, rows, 200, two, together);
    EXPECT_DOUBLE_EQ(alone[0], together[at(i)]);
  }
}

}  // namespace
}  // namespace dealer::ofc::last_turn_test
