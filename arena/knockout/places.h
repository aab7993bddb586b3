#pragma once

#include <compare>
#include <span>
#include <vector>

#include "env/core/decision.h"

namespace dealer::knockout {

// How a player has ended: out in a hand, with so many chips at its beginning; or still in after the last one.
struct Ending {
  static constexpr int kStayed = -1;
  int hand = kStayed;
  Amount chips = 0;  // at the beginning of that hand; of who stayed, in the end
};

// Places first .. last, from 1: those who end alike share them.
struct Finish {
  int first = 1, last = 1;

  double place() const { return (first + last) / 2.0; }
  // Of one place.
  double share(int place) const { return place < first || place > last ? 0 : 1.0 / (last - first + 1); }
  friend auto operator<=>(const Finish&, const Finish&) = default;
};

// Places by player. Who stayed is before who went out; of those who stayed, more chips come first; of those who went
// out, the later hand, and in the same hand, at whatever table, more chips at its beginning. Equals share their places.
std::vector<Finish> finish(std::span<const Ending> endings);

}  // namespace dealer::knockout
