#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "env/betting/bet_rules.h"
#include "env/core/at.h"

namespace dealer::betting {

// The chips of one hand and the seat to bet: antes, blinds, bring-in, betting rounds, refunds. Knows no cards;
// pots.h settles the pots. A flat value without padding. The rules are passed in, because a state stores them only
// once.
//
// Use: start(); then for every round open_round(), and while to_act() >= 0 one of fold(), call(), bet_to(). A round
// also ends, or does not begin, when nobody can act: to_act() is -1.
class Bets {
 public:
  // Sets up a hand: `in` is the set of seats dealt in, `chips[seat]` are their stacks. Posts antes and blinds; a seat
  // with too few chips posts what it has.
  void start(const BetRules& rules, const Chips* chips, SeatSet in, int dealer);

  // The seat of the big blind in a game that has one. Heads-up the dealer has the small blind.
  static int big_blind_seat(SeatSet in, int dealer);

  // Begins a round (0 is the first). `first` acts first, or the next seat to its left that can bet. In round 0 of a
  // game with blinds the seat left of the big blind acts first, whatever `first` is.
  void open_round(const BetRules& rules, int round, int first);

  // The seat to act; -1 when the round is over.
  int to_act() const { return to_act_; }

  // For the seat to act: chips that a call costs now, or the bring-in while that is still to be posted.
  Chips to_call() const { return call_to_ - bet_[at(to_act_)]; }
  bool may_fold(const BetRules& rules) const { return forced_ == 0 && (rules.open_fold || to_call() > 0); }
  // Totals that the seat to act may bet or raise to in this round: any whole number from low to high (structured: low
  // alone, high being equal). low is 0 when no bet is legal.
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

  // Preconditions: a seat is to act, and the action is within the ranges given above.
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
  int round() const { return round_; }
  // The last seat to bet or raise in this round, else the first to act in it; -1 when no seat acted.
  int shows_first() const { return aggressor_ >= 0 ? aggressor_ : first_actor_; }
  // True if the bring-in is to be posted or completed now.
  bool bring_in_due() const { return forced_ != 0; }
  // True if the next bet completes the bring-in.
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
  // True if a bet now is a raise: over a full bet or one that was short, but not over the bring-in.
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
