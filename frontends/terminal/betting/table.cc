#include "frontends/terminal/betting/table.h"

#include <algorithm>
#include <functional>

namespace dealer::terminal {

using Kind = Event::Kind;

BettingTable::BettingTable(std::span<const Event> events) {
  for (const Event& event : events) see(event);
}

void BettingTable::see(const Event& event) {
  if (event.kind == Kind::kHandBegun) return begin(event);
  if (event.kind == Kind::kHandEnded) {
    over_ = true;
    for (BettingSeat& seat : seats_) seat.bet = 0;
    return;
  }
  if (event.kind == Kind::kMatchEnded) return;
  go_to(event.street);
  switch (event.kind) {
    case Kind::kPosted:
    case Kind::kActed:
      pay(event);
      break;
    case Kind::kDealt:
      deal(event);
      break;
    case Kind::kDiscarded:
      take_away(event);
      break;
    case Kind::kDrew:
      deal(event);
      break;
    case Kind::kReturned: {
      BettingSeat& seat = of(event);
      seat.stack += event.amount;
      seat.paid -= event.amount;
      seat.bet = std::max(0, seat.bet - event.amount);
      break;
    }
    case Kind::kShown: {
      BettingSeat& seat = of(event);
      seat.shown = true;
      seat.hand = event.what;
      seat.hidden = 0;
      seat.down = event.cards;
      std::erase_if(seat.down,
                    [&](CardId card) { return std::find(seat.up.begin(), seat.up.end(), card) != seat.up.end(); });
      std::sort(seat.down.begin(), seat.down.end(), std::greater<>());
      break;
    }
    case Kind::kMucked:
      of(event).mucked = true;
      break;
    case Kind::kWon:
      of(event).stack += event.amount;
      of(event).won += event.amount;
      won_.push_back(event);
      break;
    default:
      break;
  }
}

void BettingTable::begin(const Event& event) {
  *this = {};
  hand_ = event.hand;
  dealer_ = event.seat;
  taken_out_ = event.cards;
  for (const std::int64_t chips : event.values) {
    BettingSeat& seat = seats_.emplace_back();
    seat.stack = static_cast<Amount>(chips);
    seat.in = chips > 0;
  }
}

void BettingTable::go_to(int street) {
  if (street == street_) return;
  street_ = street;
  for (BettingSeat& seat : seats_) {
    seat.bet = 0;
    if (seat.folded) continue;
    seat.last = Kind::kHandBegun;
    seat.what.clear();
  }
}

void BettingTable::pay(const Event& event) {
  BettingSeat& seat = of(event);
  seat.stack -= event.amount;
  seat.paid += event.amount;
  // An ante does not count as a bet.
  if (event.what != "ante") seat.bet += event.amount;
  if (event.what == "fold") seat.folded = true;
  seat.last = event.kind;
  seat.what = event.what;
  seat.total = event.kind == Kind::kPosted ? event.amount : event.total;
}

void BettingTable::deal(const Event& event) {
  if (event.seat < 0) {
    board_.insert(board_.end(), event.cards.begin(), event.cards.end());
    return;
  }
  BettingSeat& seat = of(event);
  std::vector<CardId>& cards = event.what == "up" ? seat.up : seat.down;
  cards.insert(cards.end(), event.cards.begin(), event.cards.end());
  std::sort(seat.down.begin(), seat.down.end(), std::greater<>());
  seat.hidden += event.count - static_cast<int>(event.cards.size());
}

void BettingTable::take_away(const Event& event) {
  BettingSeat& seat = of(event);
  seat.drawn.push_back(event.count);
  for (const CardId card : event.cards) std::erase(seat.down, card);
  seat.hidden -= event.count - static_cast<int>(event.cards.size());
  seat.discarded.insert(seat.discarded.end(), event.cards.begin(), event.cards.end());
}

Amount BettingTable::pot() const {
  Amount chips = 0;
  for (const BettingSeat& seat : seats_) chips += seat.paid;
  for (const Event& event : won_) chips -= event.amount;
  return over_ ? 0 : chips;
}

std::vector<TablePot> BettingTable::pots() const {
  // A new side pot begins at the level of each player who is all-in for less.
  std::vector<Amount> levels;
  Amount most = 0;
  for (const BettingSeat& seat : seats_) {
    if (seat.all_in()) levels.push_back(seat.paid);
    most = std::max(most, seat.paid);
  }
  levels.push_back(most);
  std::sort(levels.begin(), levels.end());
  std::vector<TablePot> pots;
  Amount before = 0;
  for (const Amount level : levels) {
    TablePot pot;
    for (std::size_t i = 0; i < seats_.size(); ++i) {
      const BettingSeat& seat = seats_[i];
      pot.chips += std::clamp(seat.paid, before, level) - before;
      if (seat.live() && seat.paid > before) pot.seats |= 1U << i;
    }
    before = level;
    if (pot.chips == 0) continue;
    // Chips paid only by folded players belong to the pot below.
    if (!pots.empty() && pot.seats == 0)
      pots.back().chips += pot.chips;
    else
      pots.push_back(pot);
  }
  return pots;
}

}  // namespace dealer::terminal
