#include "agents/ofc/fantasyland_reference.h"

#include <string>
#include <tuple>
#include <vector>

#include "env/core/error.h"

namespace dealer::ofc {
namespace {

struct Hand {
  CardSet cards;
  HandRank rank;
  int royalty;
};

void add_hands(Row row, CardSet cards, CardSet chosen, const Royalties& royalties, std::vector<Hand>& hands) {
  if (size(chosen) == kRowSize[row]) {
    const HandRank rank = dealer::evaluate(chosen);
    hands.push_back({chosen, rank, row_royalty(row, rank, royalties)});
    return;
  }
  for_each(cards, [&](Card card) { add_hands(row, cards & (bit(card) - 1), chosen | bit(card), royalties, hands); });
}

double value_of(const Hand& front, const Hand& middle, const Hand& back, const FantasylandGoal& goal) {
  double value = front.royalty + middle.royalty + back.royalty;
  if (stays_in_fantasyland(front.rank, back.rank, goal.rules->bonus)) value += goal.stay_value;
  if (goal.rows == nullptr) return value;
  value += goal.rows->value(kFront, front.rank) + goal.rows->value(kMiddle, middle.rank) +
           goal.rows->value(kBack, back.rank);
  return goal.rows->has_scoop() ? value + goal.rows->scoop(front.rank, middle.rank, back.rank) : value;
}

struct Best {
  Hand front{}, middle{}, back{};
  double value = 0;
  bool found = false;

  void consider(const Hand& new_front, const Hand& new_middle, const Hand& new_back, double new_value) {
    if (found && new_value < value) return;
    const auto ranks = [](const Hand& f, const Hand& m, const Hand& b) { return std::tie(b.rank, m.rank, f.rank); };
    const auto cards = [](const Hand& f, const Hand& m, const Hand& b) { return std::tie(b.cards, m.cards, f.cards); };
    if (found && new_value == value) {
      const auto old_ranks = ranks(front, middle, back), new_ranks = ranks(new_front, new_middle, new_back);
      if (new_ranks < old_ranks) return;
      if (new_ranks == old_ranks && cards(new_front, new_middle, new_back) >= cards(front, middle, back)) return;
    }
    *this = {new_front, new_middle, new_back, new_value, true};
  }
};

}  // namespace

Setting solve_fantasyland_reference(CardSet cards, const FantasylandGoal& goal) {
  if (const int count = size(cards); count < kMinFantasylandCards || count > kMaxFantasylandCards) {
    throw UsageError("a Fantasyland hand has 13 to 17 cards, not " + std::to_string(count));
  }
  const Royalties& royalties = goal.rules->royalties;
  std::vector<Hand> middles, backs, fronts;
  add_hands(kMiddle, cards, 0, royalties, middles);
  add_hands(kBack, cards, 0, royalties, backs);
  Best best;
  for (const Hand& back : backs) {
    for (const Hand& middle : middles) {
      if (middle.rank > back.rank || (middle.cards & back.cards) != 0) continue;
      fronts.clear();
      add_hands(kFront, cards & ~back.cards & ~middle.cards, 0, royalties, fronts);
      for (const Hand& front : fronts) {
        if (front.rank < middle.rank) best.consider(front, middle, back, value_of(front, middle, back, goal));
      }
    }
  }
  Setting setting;
  setting.board.row = {best.front.cards, best.middle.cards, best.back.cards};
  setting.discards = cards & ~setting.board.cards();
  setting.royalties = best.front.royalty + best.middle.royalty + best.back.royalty;
  setting.stays = stays_in_fantasyland(best.front.rank, best.back.rank, goal.rules->bonus);
  setting.value = best.value;
  return setting;
}

}  // namespace dealer::ofc
