#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "agents/ofc/placements.h"

namespace dealer::ofc {

// Numbers the different keys that come up in a turn, from 0 in the order in which they come; at most one a placement.
class TurnNumbers {
 public:
  void clear() {
    slot_.fill(0);
    count_ = 0;
  }
  struct Number {
    std::size_t value;
    bool fresh;  // the key has not come up before
  };
  Number of(std::uint64_t key) {
    std::size_t slot = key * 0x9e3779b97f4a7c15 >> (64 - kBits);
    for (; slot_[slot] != 0; slot = (slot + 1) % kSlots)
      if (key_[slot_[slot] - 1U] == key) return {slot_[slot] - 1U, false};
    key_[count_] = key;
    slot_[slot] = static_cast<std::uint8_t>(++count_);
    return {count_ - 1, true};
  }

 private:
  static constexpr int kBits = 9;
  static constexpr std::size_t kSlots = std::size_t{1} << kBits;
  static_assert(kMaxPlacements < 255 && kMaxPlacements < kSlots);

  std::size_t count_ = 0;
  std::array<std::uint64_t, kMaxPlacements> key_;
  std::array<std::uint8_t, kSlots> slot_;  // 0: free, else the number + 1
};

}  // namespace dealer::ofc
