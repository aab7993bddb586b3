// Random hands of betting under random rules: chips are conserved at every step, players pay at most their stacks,
// every hand ends, and the final stacks equal those of a referee that counts chip by chip, refunds included.
#include <gtest/gtest.h>

#include "env/betting/bets.h"
#include "env/betting/pots.h"
#include "env/core/at.h"
#include "env/core/random.h"
#include "tests/env/betting/pot_referee.h"
#include "tests/env/harness/random_play.h"

namespace dealer::betting::bets_random_test {
namespace {

std::uint32_t up_to(RandomStream& rng, int n) { return rng.below(static_cast<std::uint32_t>(n) + 1); }

BetRules random_rules(RandomStream& rng) {
  BetRules rules;
  rules.seats = 2 + static_cast<int>(rng.below(9));
  rules.limit = static_cast<Limit>(rng.below(4));
  const Chips size = rules.limit == Limit::kFree ? 1 : 1 + static_cast<Chips>(rng.below(12));
  rules.size = {size, size, size, size, size};
  if (rules.limit == Limit::kStructured) rules.size = {size, size, 2 * size, 2 * size, 2 * size};
  rules.ante = static_cast<Chips>(up_to(rng, 10));
  if (rules.limit != Limit::kFree && rng.below(2) == 0) {
    rules.big_blind = size;
    rules.small_blind = size / 2;
  } else if (rules.limit != Limit::kFree && size > 1 && rng.below(2) == 0) {
    rules.bring_in = 1 + static_cast<Chips>(rng.below(static_cast<std::uint32_t>(size - 1)));
  }
  rules.raises_per_player = rules.limit == Limit::kFree || rng.below(4) == 0 ? kNoCap : static_cast<int>(rng.below(4));
  rules.raises_per_round = rules.limit == Limit::kFree || rng.below(2) == 0 ? kNoCap : static_cast<int>(rng.below(6));
  rules.check_raise = rng.below(2) == 0;
  rules.open_fold = rng.below(2) == 0;
  rules.full_short_blind = rng.below(2) == 0;
  rules.short_raises_add_up = rng.below(2) == 0;
  rules.offers = {kOfferMin};
  return rules;
}

class RandomHand {
 public:
  RandomHand(const BetRules& rules, RandomStream& rng) : rules_(rules), rng_(rng) {
    const int highest = 1 + static_cast<int>(rng.below(150));
    SeatSet in = 0;
    for (int seat = 0; seat < rules.seats; ++seat)
      if (seat < 2 || rng.below(5) != 0) {
        chips_[at(seat)] = 1 + static_cast<Chips>(rng.below(static_cast<std::uint32_t>(highest)));
        in = static_cast<SeatSet>(in | bit(seat));
      }
    dealer_ = static_cast<int>(rng.below(2));
    bets_.start(rules, chips_.data(), in, dealer_);
  }

  void play() {
    for (int round = 0; round < kMaxRounds && bets_.live_count() > 1; ++round) {
      bets_.open_round(rules_, round, first_able());
      check();
      for (int actions = 0; bets_.to_act() >= 0; ++actions) {
        ASSERT_LT(actions, 3000) << "a round without end";
        act();
        check();
        if (testing::Test::HasFailure()) return;
      }
      if (bets_.live_count() > 1) check_matched();
    }
  }

  // Final chips of random hands, against the referee's, whose input is the payments without refunds.
  void settle_and_compare() {
    Values values;
    for (auto& value : values.high) value = rng_.below(4);
    for (auto& value : values.low) value = rng_.below(4);
    values.qualified = rng_.below(2) == 0 ? SeatSet{0} : static_cast<SeatSet>(rng_.below(1024) & bets_.live());
    const OddChips odd = rng_.below(2) == 0 ? OddChips::kDiscard : OddChips::kLeftOfDealer;
    Pots pots = make_pots(bets_.paid(), bets_.live());
    const Payouts payouts = settle(pots, values, dealer_, rules_.seats, odd);
    const RefereePayouts referee = referee_payouts(bets_.paid(), bets_.live(), values, dealer_, rules_.seats, odd);
    Chips sum = payouts.odd_chips;
    for (int seat = 0; seat < rules_.seats; ++seat) {
      ASSERT_EQ(payouts.chips[at(seat)], referee.chips[at(seat)]);
      sum += payouts.chips[at(seat)];
    }
    ASSERT_EQ(sum, bets_.pot());
    ASSERT_EQ(payouts.odd_chips, referee.odd_chips);
  }

 private:
  int first_able() const {
    for (int i = 1; i <= rules_.seats; ++i)
      if ((bets_.able() >> ((dealer_ + i) % rules_.seats) & 1) != 0) return (dealer_ + i) % rules_.seats;
    return 0;
  }

  void act() {
    const int seat = bets_.to_act();
    ASSERT_TRUE((bets_.able() >> seat & 1) != 0);
    const Chips before = bets_.stack(seat);
    const Bets::Range range = bets_.range();
    ASSERT_GE(bets_.to_call(), 0);
    ASSERT_LE(bets_.to_call(), before);
    if (range.low > 0) {
      ASSERT_LE(range.low, range.high);
      ASSERT_GT(range.low, bets_.level());
      ASSERT_GT(range.low, bets_.bet(seat) + bets_.to_call());
      ASSERT_LE(range.high, bets_.bet(seat) + before);
      const Chips full = rules_.size[at(bets_.round())];
      if (range.high - bets_.level() < full && bets_.level() >= full) {
        ASSERT_EQ(range.high, bets_.bet(seat) + before) << "short, but not all in";
      }
    }
    const std::uint32_t choice = rng_.below(8);
    if (choice == 0 && bets_.may_fold(rules_)) {
      bets_.fold(rules_);
    } else if (choice < 4 && range.low > 0) {
      const Chips total =
          choice == 1 ? range.high : range.low + static_cast<Chips>(up_to(rng_, range.high - range.low));
      const Chips put_in = total - bets_.bet(seat);
      bets_.bet_to(rules_, total);
      ASSERT_LE(put_in, before);
    } else {
      bets_.call(rules_);
    }
  }

  void check() const {
    Chips start = 0, now = bets_.pot(), paid = 0;
    for (int seat = 0; seat < rules_.seats; ++seat) {
      ASSERT_GE(bets_.stack(seat), 0);
      ASSERT_GE(bets_.paid(seat), bets_.bet(seat));
      ASSERT_EQ(bets_.stack(seat) + bets_.paid(seat), chips_[at(seat)]);
      start += chips_[at(seat)];
      now += bets_.stack(seat);
      paid += bets_.paid(seat);
    }
    ASSERT_EQ(start, now);
    ASSERT_EQ(paid, bets_.pot());
  }

  // All live players with chips have paid the same, and the others no more. The final payouts check the refunds against
  // the referee's.
  void check_matched() const {
    Chips level = -1;
    for (int seat = 0; seat < rules_.seats; ++seat) {
      if ((bets_.able() >> seat & 1) == 0 || bets_.able() == bit(seat)) continue;
      ASSERT_TRUE(level < 0 || bets_.bet(seat) == level);
      level = bets_.bet(seat);
    }
    for (int seat = 0; seat < rules_.seats; ++seat)
      ASSERT_TRUE((bets_.all_in() >> seat & 1) == 0 || level < 0 || bets_.bet(seat) <= level);
  }

  const BetRules& rules_;
  RandomStream& rng_;
  std::array<Chips, kMaxSeats> chips_{};
  int dealer_ = 0;
  Bets bets_;
};

TEST(Bets, RandomHandsConserveChipsAndPayAsCounted) {
  RandomStream rng(7);
  for (int i = 0; i < test::repetitions(400'000); ++i) {
    const BetRules rules = random_rules(rng);
    SCOPED_TRACE(i);
    RandomHand hand(rules, rng);
    hand.play();
    hand.settle_and_compare();
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace dealer::betting::bets_random_test
