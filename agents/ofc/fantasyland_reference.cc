#include <string>
#include <tuple>
#include <vector>

#include "agents/ofc/fantasyland.h"
#include "env/core/error.h"

namespace dealer::ofc {
namespace {

struct Hand {
  CardSet cards;
  std::uint32_t places;  // of the cards among all that were dealt
  HandRank rank;
  int royalty;
};

std::uint32_t places_of(CardSet cards, CardSet dealt) {
  std::uint32_t places = 0;
  for_each(cards, [&](Card card) { places |= std::uint32_t{1} << size(dealt & (bit(card) - 1)); });
  return places;
}

// Appends all possible hands of the row from the remaining cards.
void add_hands(Row row, CardSet left, CardSet chosen, CardSet dealt, const Royalties& royalties,
               std::vector<Hand>& hands) {
  if (size(chosen) == kRowSize[row]) {
    const HandRank rank = dealer::evaluate(chosen);
    hands.push_back({chosen, places_of(chosen, dealt), rank, row_royalty(row, rank, royalties)});
    return;
  }
  for_each(left,
           [&](Card card) { add_hands(row, left & (bit(card) - 1), chosen | bit(card), dealt, royalties, hands); });
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
  std::vector<Hand> middles, backs;
  add_hands(kMiddle, cards, 0, cards, royalties, middles);
  add_hands(kBack, cards, 0, cards, royalties, backs);
  const std::uint32_t all = places_of(cards, cards);
  std::vector<std::vector<Hand>> fronts_from(std::size_t{all} + 1);  // by the remaining places, computed on first use
  Best best;
  for (const Hand& back : backs) {
    for (const Hand& middle : middles) {
      if (middle.rank > back.rank || (middle.places & back.places) != 0) continue;
      std::vector<Hand>& fronts = fronts_from[all & ~back.places & ~middle.places];
      if (fronts.empty()) add_hands(kFront, cards & ~back.cards & ~middle.cards, 0, cards, royalties, fronts);
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
