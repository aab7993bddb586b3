#include "agents/ofc/placements.h"

#include <fmt/format.h>

#include "env/core/error.h"

namespace dealer::ofc {
namespace {

struct Enumeration {
  std::span<Placement, kMaxPlacements> out;
  std::size_t count = 0;

  void visit(const Board& board, CardSet discards, CardSet hand, int discards_left) {
    if (hand == 0) {
      out[count++] = {board, discards};
      return;
    }
    const CardSet card = hand & -hand;
    const CardSet rest = hand ^ card;
    if (size(hand) > discards_left) {
      for (const Row row : {kFront, kMiddle, kBack}) {
        if (board.room(row) == 0) continue;
        Board next = board;
        next.row[row] |= card;
        visit(next, discards, rest, discards_left);
      }
    }
    if (discards_left > 0) visit(board, discards | card, rest, discards_left - 1);
  }
};

}  // namespace

int enumerate_placements(const Board& board, CardSet hand, int discards, std::span<Placement, kMaxPlacements> out) {
  const int cards = size(hand);
  const int room = board.room(kFront) + board.room(kMiddle) + board.room(kBack);
  if (discards < 0 || discards > cards || cards + discards > 5)
    throw UsageError(
        fmt::format("{} cards with {} discards are not a turn; expected at most 5 together", cards, discards));
  if (cards - discards > room)
    throw UsageError(fmt::format("{} cards to place; the board has room for {}", cards - discards, room));
  Enumeration all{out};
  all.visit(board, 0, hand, discards);
  return static_cast<int>(all.count);
}

}  // namespace dealer::ofc
