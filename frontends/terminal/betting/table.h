#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/core/event.h"
#include "env/core/game.h"

namespace dealer::terminal {

// A seat of a betting game as somebody sees it.
struct BettingSeat {
  bool in = false;  // dealt into this hand
  bool folded = false;
  bool mucked = false;
  bool shown = false;
  Amount stack = 0;  // after what was paid, returned and won
  Amount bet = 0;    // in this round
  Amount paid = 0;   // in this hand
  Amount won = 0;
  std::vector<CardId> down, up;                // those that are seen, from high to low; up cards in the order they came
  int hidden = 0;                              // cards that are not
  std::vector<int> drawn;                      // how many in each draw
  std::vector<CardId> discarded;               // those that were seen
  Event::Kind last = Event::Kind::kHandBegun;  // what the seat did last in this round, kActed or kPosted, else this
  std::string what;                            // fold, check, ...
  Amount total = 0;                            // with it
  std::string hand;                            // the name of the hand that was shown
  bool live() const { return in && !folded; }
  bool all_in() const { return live() && stack == 0; }
};

// What lies in the middle for which seats.
struct TablePot {
  Amount chips = 0;
  unsigned seats = 0;  // a bit a seat: who can win it
};

// A hand of any betting game at some moment, worked out from its events so far as somebody saw them.
class BettingTable {
 public:
  BettingTable() = default;
  // Of the hand that began last among them.
  explicit BettingTable(std::span<const Event> events);
  void see(const Event& event);
  // A street begins; nothing when it has begun.
  void go_to(int street);

  // Of the match, from 0; -1: that is not known.
  int hand() const { return hand_; }
  int street() const { return street_; }
  Seat dealer() const { return dealer_; }  // -1: there is none
  bool over() const { return over_; }
  const std::vector<BettingSeat>& seats() const { return seats_; }
  const BettingSeat& seat(Seat seat) const { return seats_[static_cast<std::size_t>(seat)]; }
  const std::vector<CardId>& board() const { return board_; }
  // Of the deck, for this match.
  const std::vector<CardId>& taken_out() const { return taken_out_; }
  // All that was paid, until somebody wins it.
  Amount pot() const;
  // The same in the original pot and the side pots, as they lie now: bets of a round that goes on are in them.
  std::vector<TablePot> pots() const;
  // Who won what, in order.
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
