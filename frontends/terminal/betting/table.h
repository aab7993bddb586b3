#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/core/event.h"
#include "env/core/game.h"

namespace dealer::terminal {

// A seat of a betting game as one viewer sees it.
struct BettingSeat {
  bool in = false;  // dealt into this hand
  bool folded = false;
  bool mucked = false;
  bool shown = false;
  Amount stack = 0;  // after payments, returns and winnings
  Amount bet = 0;    // in this round
  Amount paid = 0;   // in this hand
  Amount won = 0;
  std::vector<CardId> down, up;                // visible cards, from high to low; up cards in the order they came
  int hidden = 0;                              // number of cards that are not visible
  std::vector<int> drawn;                      // how many in each draw
  std::vector<CardId> discarded;               // visible ones
  Event::Kind last = Event::Kind::kHandBegun;  // the seat's last event in this round, kActed or kPosted; else this
  std::string what;                            // fold, check, ...
  Amount total = 0;                            // with that event
  std::string hand;                            // name of the hand shown
  bool live() const { return in && !folded; }
  bool all_in() const { return live() && stack == 0; }
};

// A pot and the seats eligible for it.
struct TablePot {
  Amount chips = 0;
  unsigned seats = 0;  // one bit per eligible seat
};

// A hand of any betting game at some moment, computed from the events that one viewer has seen so far.
class BettingTable {
 public:
  BettingTable() = default;
  // The latest hand among the events.
  explicit BettingTable(std::span<const Event> events);
  void see(const Event& event);
  // Begins a street; no effect if it has begun.
  void go_to(int street);

  // Index in the match, from 0; -1: unknown.
  int hand() const { return hand_; }
  int street() const { return street_; }
  Seat dealer() const { return dealer_; }  // -1: there is none
  bool over() const { return over_; }
  const std::vector<BettingSeat>& seats() const { return seats_; }
  const BettingSeat& seat(Seat seat) const { return seats_[static_cast<std::size_t>(seat)]; }
  const std::vector<CardId>& board() const { return board_; }
  // Cards taken out of the deck for this match.
  const std::vector<CardId>& taken_out() const { return taken_out_; }
  // All chips paid, until they are won.
  Amount pot() const;
  // The same by original pot and side pots, as they stand now: bets of the current round are included.
  std::vector<TablePot> pots() const;
  // The kWon events, in order.
  const std::vector<Event>& won() const { return won_; }

 private:
  BettingSeat& of(const Event& event) { return seats_[static_cast<std::size_t>(event.seat)]; }
  void begin(const Event& event);
  void pay(const Event& event);
  void deal(const Event& event);
  void take_away(const Event& event);

  int hand_ = 0, street_ = 0;
  Seat dealer_ = -1;
  bool over_ = false;
  std::vector<BettingSeat> seats_;
  std::vector<CardId> board_, taken_out_;
  std::vector<Event> won_;
};

}  // namespace dealer::terminal
