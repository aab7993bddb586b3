#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace dealer::betting {

// Whole chips. All the chips at a table are fewer than kMaxChips, so that a float holds any amount exactly.
using Chips = std::int32_t;
inline constexpr Chips kMaxChips = Chips{1} << 24;
inline constexpr int kMaxSeats = 10;
inline constexpr int kMaxRounds = 5;
// A set of seats, one bit per seat.
using SeatSet = std::uint16_t;
constexpr SeatSet bit(int seat) { return static_cast<SeatSet>(1U << seat); }

// The limit on bet sizes (docs/rules/betting.md). kFree is Washizu poker's own: any raise by a chip or more.
enum class Limit : std::uint8_t { kNoLimit, kPotLimit, kStructured, kFree };
enum class OddChips : std::uint8_t { kLeftOfDealer, kDiscard };

inline constexpr int kShareBits = 20;
// An amount offered as an action: a fraction of the pot after the call, in 2^-20 and rounded to whole chips, plus
// `more` chips above the call, as far as that is legal. With neither, the smallest legal bet.
struct Offer {
  std::int64_t share = 0;
  Chips more = 0;
};
inline constexpr Offer kOfferMin{};
inline constexpr Offer kOfferAllIn{0, kMaxChips};
inline constexpr int kMaxOffers = 28;

inline constexpr int kNoCap = 1 << 20;

// The betting part of a rule set. Immutable.
struct BetRules {
  int seats = 2;
  Limit limit = Limit::kStructured;
  // One entry per betting round: in structured betting the size of every bet and raise, else the smallest opening bet.
  std::array<Chips, kMaxRounds> size{10, 10, 20, 20, 20};
  Chips ante = 0;
  Chips small_blind = 0, big_blind = 0;  // 0: none
  Chips bring_in = 0;                    // 0: none
  int raises_per_player = 2, raises_per_round = kNoCap;
  bool check_raise = true;
  bool open_fold = true;             // folding is allowed with nothing to call
  bool full_short_blind = false;     // a big blind posted short is called as if it were whole
  bool short_raises_add_up = false;  // short all-ins that together make a full raise reopen the betting
  OddChips odd_chips = OddChips::kLeftOfDealer;
  std::vector<Offer> offers{kOfferMin};  // ascending; structured: the fixed size alone
};

}  // namespace dealer::betting
