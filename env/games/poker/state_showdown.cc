// The end of a hand: showing, and paying the pots.
#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "env/games/poker/flow.h"
#include "env/games/poker/state.h"

namespace dealer::poker {
namespace {

template <class F>
void for_seats(unsigned set, F f) {
  for (; set != 0; set &= set - 1) f(std::countr_zero(set));
}

}  // namespace

// Writes the cards that a seat's hand is made from; returns their number.
std::size_t State::final_cards(Seat seat, CardId* out) const {
  CardId* end = std::copy(cards(seat).begin(), cards(seat).end(), out);
  end = std::copy(board().begin(), board().end(), end);
  return static_cast<std::size_t>(end - out);
}

betting::Values State::values() const {
  betting::Values values;
  std::array<CardId, kHandCards> cards{};
  for_seats(bets_.live(), [&](Seat seat) {
    const std::span<const CardId> hand(cards.data(), final_cards(seat, cards.data()));
    values.high[at(seat)] = rules_->high->compiled().evaluate(hand);
    if (!rules_->low) return;
    values.low[at(seat)] = rules_->low->compiled().evaluate(hand);
    if (rules_->low->compiled().qualifies(values.low[at(seat)], static_cast<int>(hand.size())))
      values.qualified = static_cast<SeatSet>(values.qualified | betting::bit(seat));
  });
  return values;
}

// Pays the pots to their winners.
void State::pay_out() {
  payout_ = {};
  if (bets_.live_count() == 1) {
    payout_[at(std::countr_zero(static_cast<unsigned>(bets_.live())))] = bets_.pot();
  } else {
    betting::Pots pots = betting::make_pots(bets_.paid(), bets_.live());
    payout_ = betting::settle(pots, values(), dealer_, rules_->players, rules_->bets.odd_chips).chips;
  }
}

void State::finish_hand() {
  pay_out();
  for (Seat seat = 0; seat < rules_->players; ++seat) reward_[at(seat)] += net(seat);
  ++hands_finished_;
  hand_over_ = rewarded_ = 1;
  turn_ = kTerminal;
  legal_ = 0;
}

Chips State::odd_chips() const {
  return hand_over_ == 0 ? 0 : bets_.pot() - std::accumulate(payout_.begin(), payout_.end(), Chips{0});
}

// Odd chips: the difference from the chips at the start.
Chips State::discard_pile() const {
  if (rules_->is_tournament()) return odd_chips();
  Chips pile = rules_->players * rules_->stack + odd_chips();
  for (Seat seat = 0; seat < rules_->players; ++seat) pile -= chips(seat);
  return pile;
}

double State::return_of(Seat seat) const {
  const Chips before = rules_->is_tournament() ? 0 : chips(seat) - rules_->stack;
  return static_cast<double>(before + (hand_over_ != 0 ? net(seat) : 0));
}

Seat State::shows_first() const {
  const Seat first = bets_.shows_first() >= 0 ? bets_.shows_first() : left_of_dealer();
  return bets_.is_live(first) ? first : next_live(first);
}

// Seats that show, among those still in: all of them when a player is all-in or there is a low half; otherwise the last
// to bet or raise in the final round, then, clockwise, every seat that wins or ties a pot against the shown hands.
SeatSet State::shown(const betting::Values& values, const betting::Pots& pots) const {
  const SeatSet live = bets_.live();
  if (rules_->show_all || rules_->low || bets_.all_in() != 0) return live;
  SeatSet shown = 0;
  std::array<HandValue, kMaxSeats> best{};
  Seat seat = shows_first();
  for (int i = bets_.live_count(); i > 0; --i, seat = next_live(seat)) {
    bool wins = shown == 0;
    for (int pot = 0; pot < pots.count; ++pot)
      if ((pots.pot[at(pot)].eligible >> seat & 1) != 0) wins |= values.high[at(seat)] >= best[at(pot)];
    if (!wins) continue;
    shown = static_cast<SeatSet>(shown | betting::bit(seat));
    for (int pot = 0; pot < pots.count; ++pot)
      if ((pots.pot[at(pot)].eligible >> seat & 1) != 0) best[at(pot)] = std::max(best[at(pot)], values.high[at(seat)]);
  }
  return shown;
}

std::array<HandValue, kMaxSeats> State::muck_limits(SeatSet showed) const {
  const betting::Values value = values();
  const betting::Pots pots = betting::make_pots(bets_.paid(), bets_.live());
  std::array<HandValue, kMaxSeats> limits{}, best{};
  Seat seat = shows_first();
  for (int i = bets_.live_count(); i > 0; --i, seat = next_live(seat)) {
    const bool shows = (showed >> seat & 1) != 0;
    limits[at(seat)] = std::numeric_limits<HandValue>::max();
    for (int pot = 0; pot < pots.count; ++pot) {
      if ((pots.pot[at(pot)].eligible >> seat & 1) == 0) continue;
      if (shows) best[at(pot)] = std::max(best[at(pot)], value.high[at(seat)]);
      limits[at(seat)] = std::min(limits[at(seat)], best[at(pot)]);
    }
  }
  return limits;
}

SeatSet State::shown() const {
  if (at_showdown() == 0) return 0;
  const betting::Values value = values();
  return shown(value, betting::make_pots(bets_.paid(), bets_.live()));
}

HandRecord State::last_hand() const {
  HandRecord record;
  record.payout = payout_;
  record.odd_chips = odd_chips();
  record.in = in_;
  record.all_in = bets_.all_in();
  record.dealer = dealer();
  record.board_count = board_count_;
  for (Seat seat = 0; seat < rules_->players; ++seat) {
    record.net[at(seat)] = net(seat);
    record.drawn[at(seat)] = static_cast<std::uint8_t>(drawn(seat));
  }
  if (bets_.live_count() == 1) {
    record.pots = 1;
    record.pot_chips[0] = bets_.pot();
    record.pot_high[0] = bets_.live();
    return record;
  }
  const betting::Values value = values();
  betting::Pots pots = betting::make_pots(bets_.paid(), bets_.live());
  betting::settle(pots, value, dealer_, rules_->players, rules_->bets.odd_chips);
  record.pots = pots.count;
  for (std::size_t i = 0; i < at(pots.count); ++i) {
    record.pot_chips[i] = pots.pot[i].chips;
    record.pot_high[i] = pots.pot[i].high;
    record.pot_low[i] = pots.pot[i].low;
  }
  record.showdown = bets_.live();
  record.shown = shown(value, pots);
  return record;
}

Statistics State::statistics(Seat seat) const {
  const SeatSet over = hand_over_ != 0 ? in_ : SeatSet{0};
  const auto has = [&](SeatSet set) { return (set & over & betting::bit(seat)) != 0 ? 1.0 : 0.0; };
  const double played = has(in_), showdown = has(at_showdown());
  const double won = payout_[at(seat)] > 0 ? played : 0.0;
  Statistics figures = {{"vpip", has(vpip_), played},   {"pfr", has(pfr_), played},
                        {"showdown", showdown, played}, {"won_showdown", showdown * won, showdown},
                        {"won", won, played},           {"all_in", has(bets_.all_in()), played}};
  if (rules_->draws > 0) figures.push_back({"cards_drawn", played * drawn(seat), played});
  if (rules_->episode == Episode::kMatch) {
    const bool ended = hand_over_ != 0 && match_over() && !rules_->is_tournament();
    figures.push_back({"match_won", ended ? match_share(seat) : 0, ended ? 1.0 : 0.0});
  }
  return figures;
}

// Number of cards, over all draws of the hand.
int State::drawn(Seat seat) const {
  int cards = 0;
  for (int draw = 0; draw < rules_->draws; ++draw) cards += std::max(discard_count(draw, seat), 0);
  return cards;
}

// The share of the win of a finished match: the most chips win, tied leaders share equally.
double State::match_share(Seat seat) const {
  const auto chips = [&](Seat s) { return bets_.stack(s) + payout_[at(s)]; };
  Chips most = 0;
  int leaders = 0;
  for (Seat s = 0; s < rules_->players; ++s) {
    if (chips(s) > most) leaders = 0;
    most = std::max(most, chips(s));
    leaders += chips(s) == most ? 1 : 0;
  }
  return chips(seat) == most ? 1.0 / leaders : 0.0;
}

}  // namespace dealer::poker
