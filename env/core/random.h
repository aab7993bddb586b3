#pragma once

#include <array>
#include <cstdint>

namespace dealer {

// Mixes two words into one well-spread word (the finaliser of SplitMix64, Steele et al. 2014, applied twice).
// Used to derive independent seeds: derive(derive(seed, table), episode).
constexpr std::uint64_t mix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}
constexpr std::uint64_t derive(std::uint64_t seed, std::uint64_t index) { return mix64(seed ^ mix64(index)); }

// One block of Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011): 128 random bits
// that are a pure function of key and counter.
constexpr std::array<std::uint32_t, 4> philox(std::uint64_t key, std::uint64_t counter_low,
                                              std::uint64_t counter_high = 0) {
  std::uint32_t k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
  std::uint32_t x0 = static_cast<std::uint32_t>(counter_low), x1 = static_cast<std::uint32_t>(counter_low >> 32);
  std::uint32_t x2 = static_cast<std::uint32_t>(counter_high), x3 = static_cast<std::uint32_t>(counter_high >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53} * x0;
    const std::uint64_t p1 = std::uint64_t{0xCD9E8D57} * x2;
    x0 = static_cast<std::uint32_t>(p1 >> 32) ^ x1 ^ k0;
    x1 = static_cast<std::uint32_t>(p1);
    x2 = static_cast<std::uint32_t>(p0 >> 32) ^ x3 ^ k1;
    x3 = static_cast<std::uint32_t>(p0);
    k0 += 0x9E3779B9U;
    k1 += 0xBB67AE85U;
  }
  return {x0, x1, x2, x3};
}

// A counter-based stream: the numbers depend only on (seed, stream) and the position, never on the machine or on other
// streams. A flat value; satisfies UniformRandomBitGenerator.
class RandomStream {
 public:
  using result_type = std::uint32_t;

  explicit constexpr RandomStream(std::uint64_t seed = 0, std::uint64_t stream = 0) : key_(seed), stream_(stream) {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return 0xffffffffU; }

  constexpr result_type operator()() {
    const auto lane = static_cast<std::size_t>(position_ & 3);
    if (lane == 0) block_ = philox(key_, position_ >> 2, stream_);
    ++position_;
    return block_[lane];
  }

  constexpr std::uint64_t bits64() {
    const std::uint64_t high = (*this)();
    return high << 32 | (*this)();
  }

  // Uniform in [0, n), n > 0, without bias (Lemire 2019).
  constexpr std::uint32_t below(std::uint32_t n) {
    std::uint64_t product = std::uint64_t{(*this)()} * n;
    if (static_cast<std::uint32_t>(product) < n) {
      const std::uint32_t threshold = (0U - n) % n;
      while (static_cast<std::uint32_t>(product) < threshold) product = std::uint64_t{(*this)()} * n;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  // Uniform in [0, 1), 24 bits.
  constexpr float uniform() { return static_cast<float>((*this)() >> 8) * 0x1p-24F; }

 private:
  std::uint64_t key_;
  std::uint64_t stream_;
  std::uint64_t position_ = 0;
  std::array<std::uint32_t, 4> block_{};
};

}  // namespace dealer
