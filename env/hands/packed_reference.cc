#include <array>

#include "env/hands/hand_rank.h"

namespace dealer {
namespace {

// Writes category and nibbles from the left.
class Packer {
 public:
  explicit Packer(HandCategory category) : packed_(static_cast<std::uint32_t>(category) << 20) {}

  Packer& add(int rank) {
    shift_ -= 4;
    packed_ |= static_cast<std::uint32_t>(rank + 1) << shift_;
    return *this;
  }
  // The highest ranks of the mask, at most `most`.
  Packer& add_highest(std::uint32_t ranks, int most) {
    for (int rank = kRanks - 1; rank >= 0 && most > 0; --rank) {
      if ((ranks >> rank & 1U) == 0) continue;
      add(rank);
      --most;
    }
    return *this;
  }
  std::uint32_t packed() const { return packed_; }

 private:
  std::uint32_t packed_;
  int shift_ = 20;
};

// The top rank of the best straight, or -1.
int straight_top(std::uint32_t ranks) {
  for (int top = kRanks - 1; top >= 4; --top) {
    if ((ranks >> (top - 4) & 0x1FU) == 0x1FU) return top;
  }
  constexpr std::uint32_t kWheel = 0x100F;
  return (ranks & kWheel) == kWheel ? 3 : -1;
}

int highest(std::uint32_t ranks) { return std::bit_width(ranks) - 1; }

}  // namespace

std::uint32_t packed_reference(CardSet hand) {
  std::array<std::size_t, kRanks> counts{};
  std::array<std::uint32_t, 5> at_least{};  // [k]: the ranks held k times or more
  std::array<int, kSuits> suit_sizes{};
  std::array<std::uint32_t, kSuits> suits{};
  for_each(hand, [&](Card card) {
    const auto rank = static_cast<std::size_t>(rank_of(card)), suit = static_cast<std::size_t>(suit_of(card));
    at_least[++counts[rank]] |= 1U << rank;
    ++suit_sizes[suit];
    suits[suit] |= 1U << rank;
  });

  for (std::size_t suit = 0; suit < kSuits; ++suit) {
    if (suit_sizes[suit] < 5) continue;
    const int top = straight_top(suits[suit]);
    if (top == kRanks - 1) return Packer(HandCategory::kRoyalFlush).add(top).packed();
    if (top >= 0) return Packer(HandCategory::kStraightFlush).add(top).packed();
    return Packer(HandCategory::kFlush).add_highest(suits[suit], 5).packed();
  }
  if (at_least[4] != 0) {
    const int quads = highest(at_least[4]);
    return Packer(HandCategory::kQuads).add(quads).add_highest(at_least[1] & ~(1U << quads), 1).packed();
  }
  const int trips = highest(at_least[3]);
  if (trips >= 0) {
    const std::uint32_t pairs = at_least[2] & ~(1U << trips);
    if (pairs != 0) return Packer(HandCategory::kFullHouse).add(trips).add(highest(pairs)).packed();
  }
  if (const int top = straight_top(at_least[1]); top >= 0) return Packer(HandCategory::kStraight).add(top).packed();
  if (trips >= 0) return Packer(HandCategory::kTrips).add(trips).add_highest(at_least[1] & ~(1U << trips), 2).packed();
  if (at_least[2] != 0) {
    const int high = highest(at_least[2]);
    const std::uint32_t rest = at_least[2] & ~(1U << high);
    if (rest == 0) return Packer(HandCategory::kPair).add(high).add_highest(at_least[1] & ~(1U << high), 3).packed();
    const int low = highest(rest);
    const std::uint32_t kickers = at_least[1] & ~(1U << high) & ~(1U << low);
    return Packer(HandCategory::kTwoPair).add(high).add(low).add_highest(kickers, 1).packed();
  }
  return Packer(HandCategory::kHighCard).add_highest(at_least[1], 5).packed();
}

}  // namespace dealer
