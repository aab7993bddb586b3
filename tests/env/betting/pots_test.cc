// Pots and what they pay, by hand and against a referee that counts chip by chip (docs/rules/betting.md).
#include "env/betting/pots.h"

#include <gtest/gtest.h>

#include <numeric>

#include "env/betting/bets.h"
#include "env/core/random.h"
#include "tests/env/betting/pot_referee.h"
#include "tests/env/harness/random_play.h"

namespace dealer::betting::pots_test {
namespace {

using Paid = std::array<Chips, kMaxSeats>;

Values high_only(std::initializer_list<std::uint32_t> values) {
  Values result;
  std::copy(values.begin(), values.end(), result.high.begin());
  return result;
}

TEST(Pots, OnePotWhenAllPaidAlike) {
  const Pots pots = make_pots({50, 50, 20, 50}, 0b1011);
  ASSERT_EQ(pots.count, 1);
  EXPECT_EQ(pots.pot[0].chips, 170);
  EXPECT_EQ(pots.pot[0].eligible, 0b1011);
}

TEST(Pots, ASidePotAboveEveryAllInPlayer) {
  const Pots pots = make_pots({10, 40, 100, 100}, 0b1111);
  ASSERT_EQ(pots.count, 3);
  EXPECT_EQ(pots.pot[0].chips, 40);
  EXPECT_EQ(pots.pot[0].eligible, 0b1111);
  EXPECT_EQ(pots.pot[1].chips, 90);
  EXPECT_EQ(pots.pot[1].eligible, 0b1110);
  EXPECT_EQ(pots.pot[2].chips, 120);
  EXPECT_EQ(pots.pot[2].eligible, 0b1100);
}

TEST(Pots, ChipsOfFoldedPlayersStayWhereTheyWerePaid) {
  // Seat 2 folded after 70: 40 of it lie in the original pot, 30 in the side pot.
  const Pots pots = make_pots({40, 100, 70, 100}, 0b1011);
  ASSERT_EQ(pots.count, 2);
  EXPECT_EQ(pots.pot[0].chips, 160);
  EXPECT_EQ(pots.pot[1].chips, 150);
  EXPECT_EQ(pots.pot[1].eligible, 0b1010);
}

TEST(Pots, AnAllInPlayerWinsOnlyWhatWasContributedTo) {
  Pots pots = make_pots({10, 40, 100, 100}, 0b1111);
  const Payouts payouts = settle(pots, high_only({9, 8, 1, 2}), 3, 4, OddChips::kLeftOfDealer);
  EXPECT_EQ(payouts.chips, (Paid{40, 90, 0, 120}));
  EXPECT_EQ(pots.pot[2].high, 0b1000);
}

TEST(Pots, TheOddChipsGoToTheFirstWinnerLeftOfTheDealer) {
  for (int dealer = 0; dealer < 3; ++dealer) {
    Pots pots = make_pots({10, 10, 10, 5}, 0b0111);
    const Payouts payouts = settle(pots, high_only({4, 4, 4}), dealer, 4, OddChips::kLeftOfDealer);
    Paid expected{11, 11, 11};
    // From seat 2 the seat that folded is passed over.
    expected[static_cast<std::size_t>((dealer + 1) % 3)] += 2;
    EXPECT_EQ(payouts.chips, expected) << dealer;
  }
}

TEST(Pots, OddChipsCanBeDiscarded) {
  Pots pots = make_pots({10, 10, 10, 5}, 0b0111);
  const Payouts payouts = settle(pots, high_only({4, 4, 4}), 0, 4, OddChips::kDiscard);
  EXPECT_EQ(payouts.chips, (Paid{11, 11, 11}));
  EXPECT_EQ(payouts.odd_chips, 2);
}

TEST(Pots, HighAndLowShareAndTheOddChipGoesToHigh) {
  Values values = high_only({5, 3, 1, 0});
  values.low = {0, 7, 7, 0};
  values.qualified = 0b0110;
  Pots pots = make_pots({10, 10, 10, 1}, 0b0111);  // 31: 16 high, 15 low, shared 8 and 7
  const Payouts payouts = settle(pots, values, 0, 4, OddChips::kLeftOfDealer);
  EXPECT_EQ(payouts.chips, (Paid{16, 8, 7}));
}

TEST(Pots, WithoutALowHandHighTakesAll) {
  Values values = high_only({5, 3, 1});
  values.low = {9, 9, 9};
  Pots pots = make_pots({10, 10, 10}, 0b111);
  EXPECT_EQ(settle(pots, values, 0, 3, OddChips::kLeftOfDealer).chips, (Paid{30}));
  EXPECT_EQ(pots.pot[0].low, 0);
}

TEST(Pots, WhoWinsBothHalvesHasTheWholePot) {
  Values values = high_only({5, 3});
  values.low = {6, 2};
  values.qualified = 0b11;
  Pots pots = make_pots({15, 15}, 0b11);
  EXPECT_EQ(settle(pots, values, 0, 2, OddChips::kDiscard).chips, (Paid{30}));
}

Values random_values(RandomStream& rng, int seats, SeatSet live) {
  Values values;
  const bool low = rng.below(3) == 0;
  const std::uint32_t different = 1 + rng.below(5);  // few values: ties
  for (int seat = 0; seat < seats; ++seat) {
    const auto s = static_cast<std::size_t>(seat);
    values.high[s] = rng.below(different);
    values.low[s] = rng.below(different);
    if (low && (live >> seat & 1) != 0 && rng.below(2) == 0)
      values.qualified = static_cast<SeatSet>(values.qualified | bit(seat));
  }
  return values;
}

TEST(Pots, RandomSituationsPayAsCountedChipByChip) {
  RandomStream rng(1);
  for (int i = 0; i < test::repetitions(1'000'000); ++i) {
    const int seats = 2 + static_cast<int>(rng.below(9));
    Paid paid{};
    SeatSet live = 0;
    const std::uint32_t highest = 1 + rng.below(40);
    for (int seat = 0; seat < seats; ++seat) {
      paid[static_cast<std::size_t>(seat)] = static_cast<Chips>(1 + rng.below(highest));
      if (rng.below(4) != 0) live = static_cast<SeatSet>(live | bit(seat));
    }
    if (live == 0) live = 1;
    const Values values = random_values(rng, seats, live);
    const int dealer = static_cast<int>(rng.below(static_cast<std::uint32_t>(seats)));
    const OddChips odd = rng.below(2) == 0 ? OddChips::kDiscard : OddChips::kLeftOfDealer;
    Pots pots = make_pots(paid, live);
    const Payouts payouts = settle(pots, values, dealer, seats, odd);
    const RefereePayouts referee = referee_payouts(paid, live, values, dealer, seats, odd);
    ASSERT_EQ(payouts.chips, referee.chips) << i;
    ASSERT_EQ(payouts.odd_chips, referee.odd_chips) << i;
    ASSERT_EQ(std::accumulate(paid.begin(), paid.end(), 0),
              std::accumulate(payouts.chips.begin(), payouts.chips.end(), payouts.odd_chips));
  }
}

}  // namespace
}  // namespace dealer::betting::pots_test
