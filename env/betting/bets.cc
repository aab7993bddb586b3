#include "env/betting/bets.h"

#include <algorithm>

namespace dealer::betting {

void Bets::pay(int seat, Chips chips) {
  stack_[at(seat)] -= chips;
  paid_[at(seat)] += chips;
  pot_ += chips;
  if (stack_[at(seat)] == 0) able_ = static_cast<SeatSet>(able_ & ~betting::bit(seat));
}

void Bets::post(int seat, Chips chips) {
  chips = std::min(chips, stack_[at(seat)]);
  pay(seat, chips);
  bet_[at(seat)] += chips;
  level_ = std::max(level_, bet_[at(seat)]);
}

void Bets::start(const BetRules& rules, const Chips* chips, SeatSet in, int dealer) {
  *this = {};
  live_ = in;
  for (int seat = 0; seat < rules.seats; ++seat) {
    if ((in >> seat & 1) == 0) continue;
    stack_[at(seat)] = chips[seat];
    if (chips[seat] > 0) able_ = static_cast<SeatSet>(able_ | betting::bit(seat));
  }
  if (rules.ante > 0)
    for (int seat = 0; seat < rules.seats; ++seat)
      if (is_live(seat)) pay(seat, std::min(rules.ante, stack_[at(seat)]));
  if (rules.big_blind == 0) return;
  last_blind_ = static_cast<std::int8_t>(big_blind_seat(live_, dealer));
  post(small_blind_seat(live_, dealer), rules.small_blind);
  post(last_blind_, rules.big_blind);
  if (rules.full_short_blind) level_ = rules.big_blind;
}

int Bets::big_blind_seat(SeatSet in, int dealer) { return next_in(in, small_blind_seat(in, dealer) + 1); }

void Bets::open_round(const BetRules& rules, int round, int first) {
  round_ = static_cast<std::int8_t>(round);
  step_ = rules.size[static_cast<std::size_t>(round)];
  opened_ = 0;
  if (round > 0 || rules.big_blind == 0) {
    bet_ = {};
    // A call of Washizu poker is a bet of one chip at least.
    level_ = rules.limit == Limit::kFree ? 1 : 0;
  } else {
    first = last_blind_ + 1;
    // Blinds count as a bet unless the antes have left nothing to post.
    opened_ = level_ > 0 ? 1 : 0;
    if (level_ > 0 && rules.limit != Limit::kStructured) step_ = std::max(step_, rules.big_blind);
  }
  forced_ = completing_ = round == 0 && rules.bring_in > 0 ? 1 : 0;
  raises_in_round_ = 0;
  raises_ = {};
  checked_ = 0;
  aggressor_ = first_actor_ = -1;
  asked_ = may_raise_ = able_;
  ask(rules, first);
}

Chips Bets::highest_other(int seat) const {
  Chips highest = 0;
  for (unsigned others = live_ & ~betting::bit(seat); others != 0; others &= others - 1)
    highest = std::max(highest, bet_[at(std::countr_zero(others))]);
  return highest;
}

// Finds the next seat to act, clockwise from a seat, or ends the round.
void Bets::ask(const BetRules& rules, int from) {
  bool alone = false;
  if ((able_ & (able_ - 1)) == 0) {
    // The only player still able to bet is asked only to call.
    const int seat = std::countr_zero(static_cast<unsigned>(able_));
    if (able_ == 0 || bet_[at(seat)] >= highest_other(seat)) asked_ = 0;
    alone = true;
  }
  if (asked_ == 0 || (live_ & (live_ - 1)) == 0) {
    end_round();
    return;
  }
  to_act_ = static_cast<std::int8_t>(next_in(asked_, from));
  set_range(rules, alone);
}

// The total of a full bet or raise now.
Chips Bets::full_bet(const BetRules& rules) const {
  const Chips size = rules.size[at(round_)];
  return completing_ != 0 && level_ < size ? size : level_ + step_;
}

bool Bets::somebody_could_call_more() const {
  for (unsigned others = able_ & ~betting::bit(to_act_); others != 0; others &= others - 1) {
    const auto other = at(std::countr_zero(others));
    if (stack_[other] + bet_[other] > level_) return true;
  }
  return false;
}

void Bets::set_range(const BetRules& rules, bool alone) {
  const auto me = at(to_act_);
  const Chips all = bet_[me] + stack_[me];
  Chips call_to = alone ? std::min(level_, highest_other(to_act_)) : level_;
  if (forced_ != 0) call_to = rules.bring_in;
  call_to_ = std::min(call_to, all);
  low_ = high_ = 0;
  if (alone || all <= call_to_ || (may_raise_ >> to_act_ & 1) == 0) return;
  if (raising() && (raises_[me] >= rules.raises_per_player || raises_in_round_ >= rules.raises_per_round)) return;
  if (!rules.check_raise && (checked_ >> to_act_ & 1) != 0) return;
  if (!somebody_could_call_more()) return;
  low_ = std::min(full_bet(rules), all);
  high_ = all;
  if (rules.limit == Limit::kStructured) high_ = low_;
  if (rules.limit == Limit::kPotLimit) high_ = std::clamp(level_ + pot_ + (level_ - bet_[me]), low_, all);
}

void Bets::leave_turn() {
  if (first_actor_ < 0) first_actor_ = to_act_;
  const auto others = static_cast<SeatSet>(~betting::bit(to_act_));
  asked_ &= others;
  may_raise_ &= others;
}

void Bets::fold(const BetRules& rules) {
  leave_turn();
  const auto others = static_cast<SeatSet>(~betting::bit(to_act_));
  live_ &= others;
  able_ &= others;
  ask(rules, to_act_ + 1);
}

void Bets::call(const BetRules& rules) {
  leave_turn();
  const Chips chips = to_call();
  if (chips == 0) checked_ = static_cast<SeatSet>(checked_ | betting::bit(to_act_));
  post(to_act_, chips);
  // In Washizu betting the first call of a round is a bet.
  if (rules.limit == Limit::kFree && chips > 0 && aggressor_ < 0) aggressor_ = to_act_;
  forced_ = 0;
  ask(rules, to_act_ + 1);
}

void Bets::bet_to(const BetRules& rules, Chips total) {
  leave_turn();
  const auto me = at(to_act_);
  const bool full = total >= full_bet(rules);
  const bool raise = raising();
  const Chips added = total - level_;
  post(to_act_, total - bet_[me]);
  aggressor_ = to_act_;
  forced_ = 0;
  asked_ = static_cast<SeatSet>(able_ & ~betting::bit(to_act_));
  if (full) {
    may_raise_ = asked_;
    if (rules.limit == Limit::kNoLimit || rules.limit == Limit::kPotLimit)
      step_ = std::max(step_, raise ? added : total);
    if (raise) {
      ++raises_in_round_;
      raises_[me] = static_cast<std::uint8_t>(std::min(raises_[me] + 1, 255));
    }
    opened_ = 1;
    completing_ = 0;
  } else if (rules.short_raises_add_up) {
    for (unsigned seats = asked_; seats != 0; seats &= seats - 1) {
      const int seat = std::countr_zero(seats);
      if (level_ - bet_[at(seat)] >= step_) may_raise_ = static_cast<SeatSet>(may_raise_ | betting::bit(seat));
    }
  }
  ask(rules, to_act_ + 1);
}

Chips Bets::highest_paid_but(int seat) const {
  Chips highest = 0;
  for (std::size_t other = 0; other < paid_.size(); ++other)
    if (other != at(seat)) highest = std::max(highest, paid_[other]);
  return highest;
}

// With two players left and one of them gone all-in, unmatched chips are returned at once.
void Bets::end_round() {
  to_act_ = -1;
  call_to_ = low_ = high_ = 0;
  if (live_count() != 2 || all_in() == 0) return;
  const int a = std::countr_zero(static_cast<unsigned>(live_));
  const int b = std::countr_zero(static_cast<unsigned>(live_ & (live_ - 1)));
  const int more = paid_[at(a)] > paid_[at(b)] ? a : b, less = more == a ? b : a;
  if ((able_ >> less & 1) != 0) return;
  // Chips matched by players who have folded stay in the pots.
  const Chips excess = paid_[at(more)] - highest_paid_but(more);
  if (excess <= 0) return;
  stack_[at(more)] += excess;
  paid_[at(more)] -= excess;
  pot_ -= excess;
  bet_[at(more)] -= std::min(excess, bet_[at(more)]);
  able_ = static_cast<SeatSet>(able_ | betting::bit(more));
}

}  // namespace dealer::betting
