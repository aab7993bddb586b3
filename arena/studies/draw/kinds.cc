#include "arena/studies/draw/kinds.h"

#include "arena/studies/draw/side_kinds.h"

namespace dealer::studies::draw {
namespace {

const SideKinds& of(Side side) { return side == Side::kHigh ? high_kinds() : low_kinds(); }

}  // namespace

unsigned ranks_of(std::span<const CardId> cards, Side side) {
  unsigned ranks = 0;
  for (const CardId card : cards) {
    const int rank = rank_of(static_cast<Card>(card));
    ranks |= 1U << (side == Side::kHigh ? rank : (rank + 1) % kRanks);
  }
  return ranks;
}

std::span<const Words> kinds(Side side) { return of(side).kinds; }
int kind_of(Side side, const Five& hand) { return of(side).kind_of(hand); }

std::span<const Words> openers(Side side) { return of(side).openers; }
int opener_of(Side side, const Five& hand) { return of(side).opener_of(hand); }

std::span<const Words> kept(Side side) { return of(side).kept; }
int kept_of(Side side, std::span<const CardId> cards) { return of(side).kept_of(cards); }

std::span<const Words> pat_classes(Side side) { return of(side).pat_classes; }
PatClass pat_class(Side side, const Five& hand) { return of(side).pat_class(hand); }

}  // namespace dealer::studies::draw
