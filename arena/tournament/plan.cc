#include "arena/tournament/plan.h"

#include <algorithm>

#include "env/core/random.h"

namespace dealer::tournament {
namespace {

// FNV-1a (Fowler, Noll, Vo).
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3ULL;
  }
  return hash;
}

}  // namespace

std::string_view name_of(Format format) { return format == Format::kRoundRobin ? "round_robin" : "gauntlet"; }

std::vector<std::pair<int, int>> pairs_of(Format format, int agents) {
  std::vector<std::pair<int, int>> pairs;
  const int firsts = format == Format::kGauntlet ? std::min(agents, 1) : agents;
  for (int a = 0; a < firsts; ++a)
    for (int b = a + 1; b < agents; ++b) pairs.emplace_back(a, b);
  return pairs;
}

std::vector<std::vector<int>> pair_seatings(int players) {
  std::vector<std::vector<int>> seatings;
  const auto seats = static_cast<std::size_t>(players);
  for (const int alone : {0, 1}) {
    for (std::size_t seat = 0; seat < seats; ++seat) {
      std::vector<int> seating(seats, 1 - alone);
      seating[seat] = alone;
      // At a table for two the second agent alone is the first alone in the other seat.
      if (std::find(seatings.begin(), seatings.end(), seating) == seatings.end()) seatings.push_back(seating);
    }
  }
  return seatings;
}

std::uint64_t pair_seed(std::uint64_t seed, std::string_view a, std::string_view b) {
  if (b < a) std::swap(a, b);
  return derive(derive(seed, hash_of(a)), hash_of(b));
}

std::int64_t end_of_piece(std::int64_t deals) {
  constexpr std::int64_t kFirst = 64, kDoubled = 512, kMost = 16'384;
  std::int64_t end = kFirst;
  while (end <= deals)
    end += end < kDoubled ? end : std::min(std::max(end / 4 / kFirst, std::int64_t{1}) * kFirst, kMost);
  return end;
}

}  // namespace dealer::tournament
