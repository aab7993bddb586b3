// The beginning of an episode: from a seed, from given Fantasyland hands, or as a hand of a tournament.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "env/core/env_text.h"
#include "env/core/error.h"
#include "env/games/ofc/state.h"

namespace dealer::ofc {
namespace {

// The stream of a seed from which the first dealer is drawn; hand h is dealt from stream h.
constexpr std::uint64_t kDealerStream = ~std::uint64_t{0};
constexpr int kMostHandsBefore = 1'000'000;

void check_start(const GameRules& rules, const TableStart& start) {
  check_table_start(start, rules.players, rules.tournament_points, "points", "match.tournament_points");
  if (start.dealer >= rules.players || start.hands < 0 || start.hands > kMostHandsBefore)
    throw UsageError(
        fmt::format("a hand of a tournament begins with dealer {} after {} hands; expected seats 0 to {}, "
                    "and 0 to {} hands",
                    start.dealer, start.hands, rules.players - 1, kMostHandsBefore));
  const auto& numbers = rules.scoring.bonus.fantasyland_cards;
  const bool dealt = std::all_of(start.privileges.begin(), start.privileges.end(), [&](std::uint8_t cards) {
    return cards == 0 || std::find(numbers.begin(), numbers.end(), cards) != numbers.end();
  });
  if (!dealt || (!start.privileges.empty() && start.privileges.size() != at(rules.players)))
    throw UsageError(
        fmt::format("a hand of a tournament begins with Fantasyland cards {}; expected a number for each "
                    "of {} seats, 0 or one of {}",
                    fmt::join(start.privileges, ", "), rules.players, fmt::join(numbers, ", ")));
}

}  // namespace

void State::reset(const Rules& rules, std::uint64_t seed) {
  RandomStream rng(seed, kDealerStream);
  deal(rules, seed, {}, static_cast<int>(rng.below(static_cast<std::uint32_t>(rules.players))));
}

void State::deal(const Rules& rules, std::uint64_t seed, const FantasylandCards& fantasyland, int dealer) {
  clear(rules, seed, fantasyland, dealer);
  deal_hand();
}

void State::start_from(const Rules& rules, std::uint64_t seed, const TableStart& start) {
  check_start(rules, start);
  RandomStream rng(seed, kDealerStream);
  const auto drawn = static_cast<int>(rng.below(static_cast<std::uint32_t>(rules.players)));
  FantasylandCards fantasyland{};
  std::copy(start.privileges.begin(), start.privileges.end(), fantasyland.begin());
  clear(rules, seed, fantasyland, start.dealer < 0 ? drawn : start.dealer);
  std::copy(start.chips.begin(), start.chips.end(), points_.begin());
  hands_finished_ = start.hands;
  deal_hand();
}

TableStart State::carry_over() const {
  State next = *this;
  next.move_button();
  TableStart start;
  start.dealer = next.dealer_;
  start.hands = hands_finished_;
  start.match_seed = seed_;
  for (Seat seat = 0; seat < rules_->players; ++seat) {
    start.chips.push_back(points_[at(seat)]);
    start.privileges.push_back(next.fantasyland_[at(seat)]);
  }
  return start;
}

void State::clear(const Rules& rules, std::uint64_t seed, const FantasylandCards& fantasyland, int dealer) {
  rules_ = &rules;
  seed_ = seed;
  last_ = {};
  return_ = {};
  reward_ = {};
  points_ = {};
  hands_finished_ = 0;
  fantasyland_ = fantasyland;
  out_ = {};
  dealer_ = static_cast<std::int8_t>(dealer);
  if (rules.episode == Episode::kMatch)
    std::fill_n(points_.begin(), rules.players, static_cast<std::int32_t>(rules.start_points));
}

}  // namespace dealer::ofc
