#pragma once

#include <array>
#include <cstdint>

#include "env/core/config.h"

namespace dealer::small {

inline constexpr int kSeats = 2;
inline constexpr int kMaxHand = 3;
inline constexpr int kMaxRounds = 2;
inline constexpr int kMaxRaises = 4;
inline constexpr int kMaxChips = 1000;  // of an ante or a bet

enum class Variant : std::uint8_t { kKuhn, kLeduc, kDraw };

// One rule set of the reference games, as the user gives it.
struct Options {
  Variant variant = Variant::kKuhn;
  int ranks = 3;
  int suits = 1;
  int hand = 1;                        // cards dealt to each player
  int rounds = 1;                      // of betting
  int raises = 1;                      // bets and raises of one round, both players together
  int ante = 1;                        // chips of each player
  std::array<int, kMaxRounds> bet{1};  // chips of a bet or raise, by round

  int cards() const { return ranks * suits; }
  // Chips one player can put in, all bets and raises made.
  int most_chips() const {
    int chips = ante;
    for (std::size_t round = 0; round < static_cast<std::size_t>(rounds); ++round) chips += raises * bet[round];
    return chips;
  }
};

// Read the keys of configs/games/kuhn.yaml, leduc.yaml and mini_draw.yaml and check them. Throw ConfigError.
Options read_kuhn(Config& config);
Options read_leduc(Config& config);
Options read_draw(Config& config);

}  // namespace dealer::small
