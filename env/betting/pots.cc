#include "env/betting/pots.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace dealer::betting {
namespace {

template <class F>
void for_seats(SeatSet set, F f) {
  for (unsigned rest = set; rest != 0; rest &= rest - 1) f(static_cast<std::size_t>(std::countr_zero(rest)));
}

SeatSet best(const std::array<std::uint32_t, kMaxSeats>& value, SeatSet among) {
  std::uint32_t highest = 0;
  SeatSet winners = 0;
  for_seats(among, [&](std::size_t seat) {
    if (winners == 0 || value[seat] > highest) {
      highest = value[seat];
      winners = 0;
    }
    if (value[seat] == highest) winners = static_cast<SeatSet>(winners | bit(static_cast<int>(seat)));
  });
  return winners;
}

}  // namespace

void share(Chips chips, SeatSet winners, int dealer, int seats, OddChips odd_chips, Payouts& payouts) {
  const Chips count = std::popcount(winners);
  const Chips each = count == 1 ? chips : chips / count;
  for_seats(winners, [&](std::size_t seat) { payouts.chips[seat] += each; });
  const Chips odd = chips - each * count;
  if (odd == 0) return;
  if (odd_chips == OddChips::kDiscard) {
    payouts.odd_chips += odd;
    return;
  }
  int first = dealer;
  do first = first + 1 == seats ? 0 : first + 1;
  while ((winners >> first & 1) == 0);
  payouts.chips[static_cast<std::size_t>(first)] += odd;
}

Pots make_pots(const std::array<Chips, kMaxSeats>& paid, SeatSet live) {
  Pots pots;
  Chips below = 0;
  for (SeatSet eligible = live; eligible != 0;) {
    Chips level = std::numeric_limits<Chips>::max();
    for_seats(eligible, [&](std::size_t seat) { level = std::min(level, paid[seat]); });
    SeatSet above = 0;
    for_seats(eligible, [&](std::size_t seat) {
      if (paid[seat] > level) above = static_cast<SeatSet>(above | bit(static_cast<int>(seat)));
    });
    const Chips up_to = above == 0 ? std::numeric_limits<Chips>::max() : level;
    Chips chips = 0;
    for (const Chips p : paid) chips += std::min(p, up_to) - std::min(p, below);
    if (chips > 0 || (above == 0 && pots.count == 0))
      pots.pot[static_cast<std::size_t>(pots.count++)] = {chips, eligible, 0, 0};
    below = level;
    eligible = above;
  }
  return pots;
}

Payouts settle(Pots& pots, const Values& values, int dealer, int seats, OddChips odd_chips) {
  Payouts payouts;
  for (int i = 0; i < pots.count; ++i) {
    Pot& pot = pots.pot[static_cast<std::size_t>(i)];
    pot.high = best(values.high, pot.eligible);
    pot.low = best(values.low, static_cast<SeatSet>(pot.eligible & values.qualified));
    if (pot.low == 0) {
      share(pot.chips, pot.high, dealer, seats, odd_chips, payouts);
    } else {
      const Chips low = pot.chips / 2;
      share(pot.chips - low, pot.high, dealer, seats, odd_chips, payouts);
      share(low, pot.low, dealer, seats, odd_chips, payouts);
    }
  }
  return payouts;
}

}  // namespace dealer::betting
