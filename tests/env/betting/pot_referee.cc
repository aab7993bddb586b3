#include "tests/env/betting/pot_referee.h"

#include <algorithm>
#include <vector>

namespace dealer::betting {
namespace {

using Seats = std::vector<int>;

// Seats in the order of the deal, from the dealer's left, with the best value.
Seats winners_of(const Seats& seats, const std::array<std::uint32_t, kMaxSeats>& value) {
  Seats winners;
  for (const int seat : seats) {
    bool beaten = false;
    for (const int other : seats)
      beaten |= value[static_cast<std::size_t>(other)] > value[static_cast<std::size_t>(seat)];
    if (!beaten) winners.push_back(seat);
  }
  return winners;
}

// One chip at a time round the table while there is a whole round of them.
void deal_out(int chips, const Seats& winners, OddChips odd_chips, RefereePayouts& payouts) {
  while (chips >= static_cast<int>(winners.size())) {
    for (const int seat : winners) payouts.chips[static_cast<std::size_t>(seat)] += 1;
    chips -= static_cast<int>(winners.size());
  }
  if (odd_chips == OddChips::kDiscard)
    payouts.odd_chips += chips;
  else
    payouts.chips[static_cast<std::size_t>(winners.front())] += chips;
}

}  // namespace

RefereePayouts referee_payouts(const std::array<Chips, kMaxSeats>& paid, SeatSet live, const Values& values, int dealer,
                               int seats, OddChips odd_chips) {
  struct Heap {
    Seats eligible;
    int chips = 0;
  };
  std::vector<Heap> heaps;
  const Chips highest = *std::max_element(paid.begin(), paid.end());
  for (Chips layer = 1; layer <= highest; ++layer) {
    int chips = 0;
    Seats eligible;
    for (int i = 1; i <= seats; ++i) {
      const int seat = (dealer + i) % seats;
      if (paid[static_cast<std::size_t>(seat)] < layer) continue;
      ++chips;
      if ((live >> seat & 1) != 0) eligible.push_back(seat);
    }
    if (eligible.empty() || (!heaps.empty() && heaps.back().eligible == eligible))
      heaps.back().chips += chips;
    else
      heaps.push_back({eligible, chips});
  }
  RefereePayouts payouts;
  for (const Heap& heap : heaps) {
    Seats low;
    for (const int seat : heap.eligible)
      if ((values.qualified >> seat & 1) != 0) low.push_back(seat);
    int low_half = 0;
    if (!low.empty())
      while (2 * (low_half + 1) <= heap.chips) ++low_half;
    deal_out(heap.chips - low_half, winners_of(heap.eligible, values.high), odd_chips, payouts);
    if (!low.empty()) deal_out(low_half, winners_of(low, values.low), odd_chips, payouts);
  }
  return payouts;
}

}  // namespace dealer::betting
