#pragma once

#include <array>
#include <cstddef>
#include <nlohmann/json_fwd.hpp>

#include "agents/ofc/row_values.h"
#include "env/games/ofc/board.h"

namespace dealer::ofc {

// Expected points of the following hands while a player is in Fantasyland, from one player's side against one other:
// nothing is dealt yet, so the state is who is in Fantasyland and who deals.
class ChainValues {
 public:
  double operator()(bool own, bool other, bool own_deals) const { return value_[index(own, other, own_deals)]; }
  double& at(bool own, bool other, bool own_deals) { return value_[index(own, other, own_deals)]; }
  // The value of being in Fantasyland against a normal player, averaged over who deals.
  double fantasyland() const { return (value_[index(true, false, false)] + value_[index(true, false, true)]) / 2; }
  std::array<double, 8>& data() { return value_; }
  const std::array<double, 8>& data() const { return value_; }

 private:
  static std::size_t index(bool own, bool other, bool own_deals) {
    return (own ? 4U : 0U) + (other ? 2U : 0U) + (own_deals ? 1U : 0U);
  }
  std::array<double, 8> value_{};
};

// The exact best setting of a Fantasyland hand (docs/rules/ofc.md).

inline constexpr int kMinFantasylandCards = 13;
inline constexpr int kMaxFantasylandCards = 17;

// The objective: royalties + stay_value if the board stays in Fantasyland + the value of the rows, if given.
// stay_value: finite, in points.
struct FantasylandGoal {
  double stay_value = 0;
  const RowValues* rows = nullptr;
  const Rules* rules = &kStandardRules;
};

struct Setting {
  Board board;
  CardSet discards = 0;
  int royalties = 0;
  bool stays = false;
  double value = 0;
};
nlohmann::ordered_json to_json(const Setting& setting);

// The best setting without foul of 13 to 17 cards; one always exists. Ties go to the strongest
// back, then the strongest middle, then front, and then the lowest cards: the least CardSet of the
// back, the middle, the front. Allocates nothing (about 200 KB of stack); thread-safe. Throws
// UsageError on another number of cards.
Setting solve_fantasyland(CardSet cards, const FantasylandGoal& goal = {});

// solve_fantasyland() by brute force: the reference of benchmarks and tests. About a million settings
// for 14 cards, 170 million for 17.
Setting solve_fantasyland_reference(CardSet cards, const FantasylandGoal& goal = {});

}  // namespace dealer::ofc
