#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "env/cards/card.h"
#include "env/core/random.h"

namespace dealer {

// Draws `count` of at most 256 items without replacement into `out`, in random order. `out` may be items.data(); the
// items not drawn then follow behind.
// Fisher-Yates; up to seven draws share one 64-bit word, without bias (Brackett-Rozinsky and Lemire, "Batched ranged
// random integer generation", 2024, section 3).
template <class T>
constexpr void draw_first(std::span<T> items, std::size_t count, T* out, RandomStream& rng) {
  constexpr std::size_t kBatch = 7;
  __extension__ using Wide = unsigned __int128;
  std::array<std::size_t, kBatch> draw{};
  for (std::size_t done = 0; done < count;) {
    const std::size_t batch = std::min(kBatch, count - done);
    std::uint64_t product = 1;
    for (std::size_t i = 0; i < batch; ++i) product *= items.size() - done - i;
    std::uint64_t rest = 0;
    do {
      rest = rng.bits64();
      for (std::size_t i = 0; i < batch; ++i) {
        const Wide wide = Wide{rest} * (items.size() - done - i);
        draw[i] = static_cast<std::size_t>(wide >> 64);
        rest = static_cast<std::uint64_t>(wide);
      }
    } while (rest < product && rest < (0 - product) % product);
    for (std::size_t i = 0; i < batch; ++i, ++done) {
      const T drawn = items[done + draw[i]];
      items[done + draw[i]] = items[done];
      out[done] = drawn;
    }
  }
}

// The same in place: the drawn items end up in front.
template <class T>
constexpr void shuffle_first(std::span<T> items, std::size_t count, RandomStream& rng) {
  draw_first(items, count, items.data(), rng);
}

// Moves `count` random cards from a set, which must hold as many, to the result.
inline CardSet take_random(CardSet& from, int count, RandomStream& rng) {
  CardSet taken = 0;
  for (; count > 0; --count) {
    CardSet rest = from;
    for (auto skip = rng.below(static_cast<std::uint32_t>(size(from))); skip > 0; --skip) rest &= rest - 1;
    taken |= rest & (0 - rest);
    from &= ~taken;
  }
  return taken;
}

}  // namespace dealer
