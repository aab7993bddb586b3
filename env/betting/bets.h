#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "env/betting/bet_rules.h"
#include "env/core/at.h"

namespace dealer::betting {

// The chips of one hand and whose turn it is to bet them: antes, blinds, bring-in, rounds of betting, refunds. Knows
// no cards; what the pots pay is told by pots.h. A flat value without padding. Rules are handed in, because a state
// keeps them once.
//
// Use: start(); then for every round open_round(), and while to_act() >= 0 one of fold(), call(), bet_to(). A round
// also ends, or does not begin, when nobody can act: to_act() is -1.
class Bets {
 public:
  // Clears the table for a hand: `in` are the seats dealt in, `chips[seat]` what they have. Antes and blinds are paid,
  // by seats that have not enough as far as they can.
  void start(const BetRules& rules, const Chips* chips, SeatSet in, int dealer);

  // The seat of the big blind in a game that has one. Heads-up the dealer has the small blind.
  static int big_blind_seat(SeatSet in, int dealer);

  // Begins a round (0 is the first). `first`: whose turn it is, or the next to the left that can bet. In round 0 of
  // a game with blinds the seat left of the big blind is found by the table itself.
  void open_round(const BetRules& rules, int round, int first);

  // The seat to act; -1 when the round is over.
  int to_act() const { return to_act_; }

  // Of the seat to act. Chips that a call costs now; with the bring-in still to be posted, the bring-in.
  Chips to_call() const { return call_to_ - bet_[at(to_act_)]; }
  bool may_fold(const BetRules& rules) const { return forced_ == 0 && (rules.open_fold || to_call() > 0); }
  // Totals of this round that the seat may bet or raise to: any whole number from low to high (structured: low alone,
  // high being equal). Nothing may be bet when low is 0.
  struct Range {
    Chips low = 0, high = 0;
  };
  Range range() const { return {low_, high_}; }
  // The total that an offer bets to; offers outside the range are moved to its ends.
  Chips offered(const Offer& offer) const {
    const std::int64_t pot = pot_ + (level_ - bet_[at(to_act_)]);
    const std::int64_t above = (pot * offer.share + (std::int64_t{1} << (kShareBits - 1))) >> kShareBits;
    return static_cast<Chips>(std::clamp<std::int64_t>(level_ + above + offer.more, low_, high_));
  }

  // Preconditions: it is somebody's turn, and the action is within what the functions above say.
  void fold(const BetRules& rules);
  void call(const BetRules& rules);
  void bet_to(const BetRules& rules, Chips total);

  bool is_live(int seat) const { return (live_ >> seat & 1) != 0; }
  SeatSet live() const { return live_; }
  // Live seats with chips left.
  SeatSet able() const { return able_; }
  // Live seats without chips.
  SeatSet all_in() const { return static_cast<SeatSet>(live_ & ~able_); }
  int live_count() const { return std::popcount(live_); }
  Chips stack(int seat) const { return stack_[at(seat)]; }
  Chips bet(int seat) const { return bet_[at(seat)]; }    // in this round
  Chips paid(int seat) const { return paid_[at(seat)]; }  // in this hand
  const std::array<Chips, kMaxSeats>& paid() const { return paid_; }
  Chips pot() const { return pot_; }
  // The highest total of this round.
  Chips level() const { return level_; }
  int raises(int seat) const { return raises_[at(seat)]; }
  int round() const { return round_; }
  // Whether nobody can bet any more in this hand.
  bool betting_over() const { return (able_ & (able_ - 1)) == 0; }
  // The last to bet or raise in this round, else the first to act in it; -1 when nobody acted.
  int shows_first() const { return aggressor_ >= 0 ? aggressor_ : first_actor_; }
  int aggressor() const { return aggressor_; }
  // Whether the bring-in is to be posted or completed now.
  bool bring_in_due() const { return forced_ != 0; }
  // Whether the next bet completes the bring-in.
  bool completes() const { return completing_ != 0 && level_ > 0; }

  friend bool operator==(const Bets&, const Bets&) = default;

 private:
  // The first seat of the set from `seat` on, clockwise; the set is not empty.
  static int next_in(SeatSet set, int seat) {
    const unsigned from = static_cast<unsigned>(set) >> seat;
    return from != 0 ? seat + std::countr_zero(from) : std::countr_zero(static_cast<unsigned>(set));
  }
  static int small_blind_seat(SeatSet in, int dealer) {
    return next_in(in, std::popcount(in) == 2 ? dealer : dealer + 1);
  }
  void pay(int seat, Chips chips);
  void post(int seat, Chips chips);
  void leave_turn();
  void ask(const BetRules& rules, int from);
  void set_range(const BetRules& rules, bool alone);
  bool somebody_could_call_more() const;
  Chips full_bet(const BetRules& rules) const;
  // Whether a bet now is a raise: over a full bet or one that was short, but not over the bring-in.
  bool raising() const { return opened_ != 0 || (level_ > 0 && completing_ == 0); }
  void end_round();
  Chips highest_paid_but(int seat) const;  // in this hand
  Chips highest_other(int seat) const;

  // Ordered so that there is no padding.
  std::array<Chips, kMaxSeats> stack_{};
  std::array<Chips, kMaxSeats> bet_{};
  std::array<Chips, kMaxSeats> paid_{};
  Chips pot_ = 0;
  Chips level_ = 0;
  Chips step_ = 0;  // the least that a raise adds
  Chips call_to_ = 0, low_ = 0, high_ = 0;
  std::int32_t raises_in_round_ = 0;
  std::array<std::uint8_t, kMaxSeats> raises_{};  // of this round, counted up to 255
  SeatSet live_ = 0;
  SeatSet able_ = 0;
  SeatSet asked_ = 0;      // still to be asked in this round
  SeatSet may_raise_ = 0;  // have not acted since the last full bet or raise
  SeatSet checked_ = 0;    // checked in this round
  std::int8_t to_act_ = -1;
  std::int8_t round_ = -1;
  std::int8_t aggressor_ = -1;
  std::int8_t first_actor_ = -1;
  std::int8_t last_blind_ = -1;  // the seat that posted the big blind
  std::uint8_t forced_ = 0;      // 1: the bring-in is due
  std::uint8_t completing_ = 0;  // 1: round of a bring-in without a full bet yet
  std::uint8_t opened_ = 0;      // 1: there is a bet in this round, so that the next is a raise
};

}  // namespace dealer::betting
