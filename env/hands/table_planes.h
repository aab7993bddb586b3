#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace dealer {

struct EvaluatorTables;

// The two sums that determine a hand's value (ranking_tables.h), cut into bytes for vector code.
//
// The kind index is a sum of steps; a step is written in base 32, a digit a plane, so that the digits of seven cards
// add up within a byte. For the suits every card adds a byte (two bytes where one is not enough), each sum modulo 256,
// with numbers found by trial such that hands that must be distinguished have different sums.
struct TablePlanes {
  static constexpr int kMaxStepPlanes = 5;
  static constexpr int kBase = 32;
  struct alignas(64) Bytes128 {
    std::array<std::uint8_t, 128> of{};
  };
  struct alignas(64) Bytes64 {
    std::array<std::uint8_t, 64> of{};
  };
  struct alignas(64) Bytes256 {
    std::array<std::uint8_t, 256> of{};
  };

  Bytes128 kind_of_card;
  std::array<std::array<Bytes64, 7>, kMaxStepPlanes> step{};  // [plane][place][kind]
  std::array<Bytes128, 2> suit_of_card{};
  // Result by suit sum: five cards, the column; seven, the value of the suits alone with kLookByte.
  Bytes256 by_sum{};                     // one plane
  std::vector<std::uint32_t> by_sums{};  // two planes: [high sum * 256 + low sum]
  int step_planes = 0;
  int suit_planes = 0;  // 0: suits do not matter; 1 or 2
  bool usable = false;

  static constexpr std::uint8_t kLookByte = 0x80;
};

// For hands of 5 or 7 cards. Not usable if the tables are missing or no numbers for the suits were found.
TablePlanes make_planes(const EvaluatorTables& tables, int cards);

}  // namespace dealer
