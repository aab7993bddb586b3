#include "agents/ofc/last_turn_values.h"

#include <array>

#include "env/games/ofc/state.h"

namespace dealer::ofc {
namespace {

// An opponent's completed board, ordered by the opponent's own value; ties are
// broken by the cost to the observer.
struct Reply {
  double theirs = 0, own = 0;
  bool operator<(const Reply& other) const { return theirs != other.theirs ? theirs < other.theirs : own > other.own; }
};

double points(const BoardValue& own, bool own_deals, const BoardValue& other, bool other_deals, const EndOfHand& end) {
  return end.stake(own, other, false, own_deals) - end.share(other, false, other_deals);
}

}  // namespace

bool can_be_exact(const View& view) {
  int open = 0;
  for (std::size_t r = 1; r < at(view.players); ++r) {
    if (view.out[r] || view.board[r].complete()) continue;
    if (view.fantasyland[r] || size(view.board[r].cards()) != kPlacedCards[kStreets - 2]) return false;
    ++open;
  }
  return open <= 1;
}

LastTurnValue last_turn_value(const View& view, const Board& board, const EndOfHand& end) {
  std::array<BoardValue, kMaxSeats> value;
  value[0] = evaluate(board, *end.scoring);
  const auto deals = [&](std::size_t seat) { return at(view.dealer) == seat; };
  double points_of_complete = 0;
  std::size_t open = 0;
  const auto players = at(view.players);
  for (std::size_t r = 1; r < players; ++r) {
    if (view.out[r]) continue;
    if (!view.board[r].complete()) {
      open = r;
      continue;
    }
    value[r] = evaluate(view.board[r], *end.scoring);
    points_of_complete += points(value[0], deals(0), value[r], deals(r), end);
  }
  if (open == 0) return {points_of_complete, 1};
  const LastCards<Reply> replies(view.board[open], kFullDeck & ~view.seen(), [&](const auto& reply, Card, Card) {
    const BoardValue theirs = evaluate(reply, *end.scoring);
    Reply result;
    for (std::size_t r = 0; r < players; ++r)
      if (r != open && !view.out[r]) result.theirs += end.stake(theirs, value[r], false, deals(open));
    result.own = points(value[0], deals(0), theirs, deals(open), end);
    return result;
  });
  double sum = 0;
  replies.for_each_deal([&](const Reply& reply) { sum += reply.own; });
  return {points_of_complete + sum / static_cast<double>(replies.deals()), static_cast<std::int64_t>(replies.deals())};
}

}  // namespace dealer::ofc
