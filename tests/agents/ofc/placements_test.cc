#include "agents/ofc/placements.h"

#include <gtest/gtest.h>

#include <vector>

#include "env/core/error.h"

namespace dealer::ofc::placements_test {
namespace {

CardSet cards(std::string_view text) { return to_set(parse_cards(text)); }

int count(const Board& board, CardSet hand, int discards) {
  PlacementBuffer buffer;
  return enumerate_placements(board, hand, discards, buffer);
}

Board board(std::string_view front, std::string_view middle, std::string_view back) {
  return {{cards(front), cards(middle), cards(back)}};
}

TEST(Placements, OpeningHas232AndLaterTurns27) {
  EXPECT_EQ(count({}, cards("As Kd 7h 7c 2s"), 0), 232);
  EXPECT_EQ(count(board("Qs", "7h 7c", "As Ad"), cards("2s 3d 4h"), 1), 27);
}

TEST(Placements, RowsTakeNoMoreThanTheyHold) {
  // Front full: two rows left for two cards. Front and middle full: the discard alone is free.
  EXPECT_EQ(count(board("Qs Qd 2c", "7h 7c", "As Ad"), cards("2s 3d 4h"), 1), 3 * 4);
  EXPECT_EQ(count(board("Qs Qd 2c", "7h 7c 8s 8d 9c", "As Ad Kd"), cards("2s 3d 4h"), 1), 3);
  // One place left in two rows each: one card to either.
  EXPECT_EQ(count(board("Qs Qd 2c", "7h 7c 8s 8d", "As Ad Kd Ks"), cards("2s 3d 4h"), 1), 3 * 2);
  // Four cards into a front of one place left: none or one of them there.
  EXPECT_EQ(count(board("Qs Qd", "", ""), cards("2s 3d 4h 5c"), 0), 16 + 4 * 8);
}

TEST(Placements, PartsOfATurnAreTurns) {
  EXPECT_EQ(count(board("Qs", "7h 7c", "As Ad"), cards("3d 4h"), 0), 9);
  EXPECT_EQ(count(board("Qs", "7h 7c", "As Ad"), cards("3d 4h"), 1), 6);
  EXPECT_EQ(count(board("Qs", "7h 7c", "As Ad"), cards("3d"), 1), 1);
  EXPECT_EQ(count(board("Qs", "7h 7c", "As Ad"), 0, 0), 1);
}

TEST(Placements, AreDistinctCompleteAndInTheOrderOfTheActions) {
  const Board before = board("Qs", "7h 7c", "As Ad");
  const CardSet hand = cards("2s 3d 4h");
  PlacementBuffer buffer;
  const auto n = static_cast<std::size_t>(enumerate_placements(before, hand, 1, buffer));
  const auto path = [&](const Placement& p) {
    std::vector<int> places;
    for_each(hand, [&](Card card) {
      int place = 3;
      for (int row = 0; row < kRows; ++row)
        if ((p.board.row[static_cast<std::size_t>(row)] & bit(card)) != 0) place = row;
      places.push_back(place);
    });
    return places;
  };
  for (std::size_t i = 0; i < n; ++i) {
    const Placement& p = buffer[i];
    EXPECT_EQ(p.board.cards() | p.discards, before.cards() | hand);
    EXPECT_EQ(p.board.cards() & p.discards, CardSet{0});
    EXPECT_EQ(size(p.discards), 1);
    for (std::size_t row = 0; row < kRows; ++row) {
      EXPECT_EQ(p.board.row[row] & before.row[row], before.row[row]);
      EXPECT_LE(size(p.board.row[row]), kRowSize[row]);
    }
    if (i > 0) {
      EXPECT_LT(path(buffer[i - 1]), path(p));
    }
  }
}

TEST(Placements, RefuseWhatIsNoTurn) {
  EXPECT_THROW(count({}, cards("2s 3s 4s 5s 6s 7s"), 0), UsageError);
  EXPECT_THROW(count({}, cards("2s 3s 4s 5s 6s"), 1), UsageError);
  EXPECT_THROW(count({}, cards("2s"), 2), UsageError);
  EXPECT_THROW(count({}, cards("2s"), -1), UsageError);
  EXPECT_THROW(count(board("Qs Qd 2c", "7h 7c 8s 8d 9c", "As Ad Kd Ks"), cards("2s 3d 4h"), 1), UsageError);
}

}  // namespace
}  // namespace dealer::ofc::placements_test
