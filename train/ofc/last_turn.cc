#include "train/ofc/last_turn.h"

#include <algorithm>
#include <limits>

#include "agents/ofc/model_play.h"
#include "agents/ofc/placements.h"

namespace dealer::ofc {

void mean_stakes(const LastTurn& turn, const EndOfHand& end, const RowValues& rows, int draws, RandomStream& rng,
                 std::span<double> out) {
  std::array<Card, kCards> deck;
  std::uint32_t cards = 0;
  for_each(turn.cards, [&](Card card) { deck[cards++] = card; });
  std::fill(out.begin(), out.end(), 0.0);
  PlacementBuffer placements;
  for (int draw = 0; draw < draws; ++draw) {
    CardSet hand = 0;
    for (std::uint32_t i = 0; i < 3; ++i) {
      std::swap(deck[i], deck[i + rng.below(cards - i)]);
      hand |= bit(deck[i]);
    }
    const int count = enumerate_placements(turn.board, hand, 1, placements);
    double most = -std::numeric_limits<double>::infinity();
    BoardValue best;
    for (int i = 0; i < count; ++i) {
      const BoardValue own = evaluate(placements[static_cast<std::size_t>(i)].board, *end.scoring);
      double value = 0;
      if (turn.in_the_dark)
        value = value_against_unseen_board(own, false, turn.deals, end, rows);
      else
        for (const BoardValue& other : turn.others) value += end.stake(own, other, false, turn.deals);
      if (value <= most) continue;
      most = value;
      best = own;
    }
    for (std::size_t o = 0; o < turn.others.size(); ++o)
      out[o] += end.stake(best, turn.others[o], false, turn.deals) / draws;
  }
}

}  // namespace dealer::ofc
