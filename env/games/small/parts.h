#pragma once

#include <array>
#include <cstdint>

#include "env/core/config.h"
#include "env/core/game_state.h"

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

// A betting action. Fold is legal only when there is a bet to call.
enum Move : Action { kFold = 0, kCall = 1, kRaise = 2, kKeep = 3, kDiscard = 4 };
inline constexpr int kMoves = 5;
inline constexpr int kBettingMoves = 3;

// Offsets of the parts of an observation; -1: the game has no such part. The cards come first, the parts that depend
// only on the history of betting and drawing come last.
struct Parts {
  int hand = -1, board = -1, discarded = -1, drawn = -1, next = -1, shown = -1;
  int betting = -1, draws = -1, paid = -1, turn = -1, seat = -1;
  int history = 0;  // offset of the parts that do not depend on the cards
  int size = 0;
  int cards = 0;
  int moves = 0;  // most moves of a betting round

  explicit Parts(const Options& options) : cards(options.cards()), moves(options.raises + 2) {
    const auto add = [this](int& part, int count) {
      part = size;
      size += count;
    };
    add(hand, cards);
    if (options.variant == Variant::kLeduc) add(board, cards);
    if (options.variant == Variant::kDraw) {
      add(discarded, cards);
      add(drawn, cards);
      add(next, cards);
    }
    add(shown, cards);
    history = size;
    add(betting, options.rounds * moves * kBettingMoves);
    if (options.variant == Variant::kDraw) add(draws, kSeats * (options.hand + 1));
    add(paid, kSeats);
    add(turn, kSeats);
    add(seat, kSeats);
  }
};

}  // namespace dealer::small
