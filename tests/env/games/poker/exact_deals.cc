#include "tests/env/games/poker/exact_deals.h"

#include <bit>

#include "env/core/at.h"

namespace dealer::poker {
namespace {

// Calls f with every subset of so many of the cards.
template <class F>
void for_subsets(CardMask cards, int count, F&& f, CardMask chosen = 0) {
  if (count == 0) return f(chosen);
  for (; std::popcount(cards) >= count; cards &= cards - 1)
    for_subsets(cards & (cards - 1), count - 1, f, chosen | (cards & -cards));
}

double choose(int n, int k) {
  double ways = 1;
  for (int i = 0; i < k; ++i) ways = ways * (n - i) / (i + 1);
  return ways;
}

}  // namespace

CardMask hand_of(const Deal& deal, Seat seat) {
  CardMask cards = 0;
  for (const CardMask received : deal.hand[at(seat)]) cards |= received;
  return cards;
}

std::array<double, 32> chances_to_come(const Deal& deal, int count) {
  std::array<double, 32> chance{};
  const int left = std::popcount(deal.stock), on_table = std::popcount(deal.table);
  for (std::size_t card = 0; card < chance.size(); ++card) {
    if ((deal.stock >> card & 1) != 0) chance[card] = left < count ? 1 : static_cast<double>(count) / left;
    if ((deal.table >> card & 1) != 0 && left < count) chance[card] = static_cast<double>(count - left) / on_table;
  }
  return chance;
}

ExactDeals::ExactDeals(CardMask in_play) {
  Deal deal;
  deal.stock = in_play;
  deals_[deal] = 1;
}

// The stock first; when it has run out, the discards on the table are shuffled.
void ExactDeals::receive(const Deal& from, double weight, Seat seat, int when, int count, Seen seen, Deals& to) {
  Deal deal = from;
  CardMask first = 0;
  if (const int left = std::popcount(deal.stock); left < count) {
    first = deal.stock;
    count -= left;
    deal.stock = deal.table;
    deal.table = 0;
  }
  const double each = weight / choose(std::popcount(deal.stock), count);
  for_subsets(deal.stock, count, [&](CardMask chosen) {
    if (((first | chosen) & seen.visible) != seen.cards) return;
    Deal then = deal;
    then.stock &= ~chosen;
    then.hand[at(seat)][at(when)] = first | chosen;
    to[then] += each;
  });
}

void ExactDeals::deal(Seat seat, Seen seen) {
  Deals to;
  for (const auto& [deal, weight] : deals_) receive(deal, weight, seat, 0, kDrawHand, seen, to);
  deals_ = std::move(to);
}

bool ExactDeals::draw(Seat seat, int draw, int count, Seen discarded, Seen received, std::size_t limit) {
  Deals to;
  for (const auto& [from, weight] : deals_) {
    const CardMask held = hand_of(from, seat);
    for_subsets(held, count, [&](CardMask gone) {
      if ((gone & discarded.visible) != discarded.cards || to.size() > limit) return;
      Deal deal = from;
      for (std::size_t when = 0; when < Deal::kTimes; ++when) {
        deal.discarded[at(seat)][at(draw)][when] = deal.hand[at(seat)][when] & gone;
        deal.hand[at(seat)][when] &= ~gone;
      }
      Deals drawn;
      receive(deal, weight / choose(kDrawHand, count), seat, draw + 1, count, received, drawn);
      for (auto& [after, chance] : drawn) {
        Deal done = after;
        done.table |= gone;
        to[done] += chance;
      }
    });
    if (to.size() > limit) return false;
  }
  deals_ = std::move(to);
  return true;
}

void ExactDeals::fold(Seat seat) {
  Deals to;
  for (const auto& [from, weight] : deals_) {
    Deal deal = from;
    deal.table |= hand_of(from, seat);
    to[deal] += weight;
  }
  deals_ = std::move(to);
}

const std::map<Deal, double>& ExactDeals::normalized() {
  double sum = 0;
  for (const auto& [deal, weight] : deals_) sum += weight;
  for (auto& [deal, weight] : deals_) weight /= sum;
  return deals_;
}

}  // namespace dealer::poker
