#include "agents/poker/common_deals.h"

#include <numeric>

#include "env/cards/shuffle.h"

namespace dealer::poker {
namespace {

constexpr std::uint64_t kFixedDealsSeed = 0xdea15;

}  // namespace

// Latin hypercube sampling (McKay, Beckman and Conover, 1979).
CommonDeals::CommonDeals(std::size_t deals) : numbers_(deals * kNumbers) {
  RandomStream rng(kFixedDealsSeed, deals);
  std::vector<std::uint8_t> part(deals);
  const auto width = static_cast<std::uint32_t>((1U << 16) / deals);
  for (std::size_t number = 0; number < kNumbers; ++number) {
    std::iota(part.begin(), part.end(), std::uint8_t{0});
    shuffle_first(std::span(part), deals, rng);
    for (std::size_t row = 0; row < deals; ++row)
      numbers_[row * kNumbers + number] = static_cast<std::uint16_t>(part[row] * width + rng.below(width));
  }
}

const CommonDeals& CommonDeals::of(std::size_t deals) {
  static const CommonDeals kFew(32), kSome(64), kMany(128);
  return deals >= 128 ? kMany : deals >= 64 ? kSome : kFew;
}

}  // namespace dealer::poker
