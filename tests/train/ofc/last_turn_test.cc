#include "train/ofc/last_turn.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace dealer::ofc::last_turn_test {
namespace {

Board board_of(const char* front, const char* middle, const char* back) {
  Board board;
  board.row = {to_set(parse_cards(front)), to_set(parse_cards(middle)), to_set(parse_cards(back))};
  return board;
}

// Exactly three cards are left, so every draw is the same: the mean is the best setting's stake, found by hand.
TEST(LastTurn, IsTheBestSettingOfTheCardsThatCome) {
  // Queens in front need two pair or better in the middle; 5c makes it a full house, Kd keeps the back's flush away.
  const Board board = board_of("Qs Qd 2c", "5h 5d 8s 8c", "Ah Kh 9h 6h");
  const Board other = parse_board("Kd Jd 6s / 4h 4c 3h 3c 6c / Js Jh Jc 7s 7d");
  const std::array<BoardValue, 1> others = {evaluate(other)};
  LastTurn turn{board, to_set(parse_cards("2h 8d Tc")), false, false, others};
  ChainValues chain;
  chain.at(true, false, false) = 10;
  const EndOfHand end{&kStandardRules, &chain, 0};
  const RowValues rows;
  RandomStream rng(1);
  std::array<double, 1> mean{};
  mean_stakes(turn, end, rows, 5, rng, mean);
  // 8d to the middle would be a full house over a flush: a foul. So Tc to the middle and 2h to the back:
  // queens (7) and a flush (4), Fantasyland (10), front and middle won, back lost to the full house.
  EXPECT_NEAR(mean[0], 7 + 4 + 10 + 1 + 1 - 1, 1e-9);
}

// Every three of the cards once, best setting each, against the mean over many draws.
TEST(LastTurn, MeanAgreesWithEnumeration) {
  const Board board = board_of("Kd 7d", "5h 5d 8s 8c", "Ah Kh 9h 6h 2h");
  const Board other = parse_board("Qc Jd 6s / 4h 4c 3h 3c 6c / Js Jh Jc 7s 7c");
  const std::array<BoardValue, 1> others = {evaluate(other)};
  const CardSet cards = kFullDeck & ~board.cards() & ~other.cards() & ~to_set(parse_cards("2c 3d 4s Ts"));
  const EndOfHand end{&kStandardRules, nullptr, 0};
  std::vector<Card> list;
  for_each(cards, [&](Card card) { list.push_back(card); });
  double sum = 0;
  int count = 0;
  for (std::size_t a = 0; a < list.size(); ++a)
    for (std::size_t b = a + 1; b < list.size(); ++b)
      for (std::size_t c = b + 1; c < list.size(); ++c) {
        double best = -100;
        for (const auto& [front, middle] :
             {std::pair(a, b), std::pair(b, a), std::pair(a, c), std::pair(c, a), std::pair(b, c), std::pair(c, b)}) {
          Board full = board;
          full.row[kFront] |= bit(list[front]);
          full.row[kMiddle] |= bit(list[middle]);
          best = std::max(best, end.stake(evaluate(full), others[0], false, false));
        }
        sum += best;
        ++count;
      }
  RandomStream rng(2);
  const RowValues rows;
  std::array<double, 1> mean{};
  mean_stakes({board, cards, false, false, others}, end, rows, 40'000, rng, mean);
  EXPECT_NEAR(mean[0], sum / count, 0.12);
}

// In the dark the choice must not follow the other's board: two boards that differ there see the same settings.
TEST(LastTurn, DoesNotPeek) {
  const Board board = board_of("Kd 7d", "5h 5d 8s 8c", "Ah Kh 9h 6h 2h");
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
    mean_stakes({board, cards, true, false, std::span(both).subspan(static_cast<std::size_t>(i), 1)}, end, rows, 200,
                one, alone);
    mean_stakes({board, cards, true, false, both}, end, rows, 200, two, together);
    EXPECT_DOUBLE_EQ(alone[0], together[static_cast<std::size_t>(i)]);
  }
}

}  // namespace
}  // namespace dealer::ofc::last_turn_test
