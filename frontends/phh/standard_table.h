#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frontends/phh/standard_hand.h"

namespace dealer::phh {

// What the standard leaves to the house.
struct HouseRules {
  bool full_short_blind = true;  // a blind or bring-in that was posted short is called as if it were whole
};

// One step of a hand as it happened, for those who show it.
struct StandardEvent {
  enum class Kind : std::uint8_t { kPosted, kDealt, kBoard, kActed, kDiscarded, kReturned, kShown, kMucked };
  Kind kind = Kind::kPosted;
  int player = -1;
  int street = 0;
  std::string_view what;           // ante, blind, straddle, bring_in; fold, check, call, bet, raise, complete
  std::vector<std::string> cards;  // "??": unknown
  Amount amount = 0;               // paid or returned now
  Amount total = 0;                // kActed: bet in this round then
  bool all_in = false;
};

// A hand of a standard variant in progress: whose turn it is, what may be done, who has which cards and chips. Amounts
// of any size, any number of players that the deck has cards for, any number of raises.
//
// What is not allowed throws ParseError that says why, and the table is as it was.
class StandardTable {
 public:
  // No card: nobody has told which it is.
  static constexpr CardId kUnknown = 0xff;

  struct Player {
    Amount stack = 0;
    Amount bet = 0;       // in this round
    Amount paid = 0;      // collected in the pots before; without the ante where that goes to everybody
    Amount returned = 0;  // of bets that nobody had matched
    std::vector<CardId> cards;
    std::vector<bool> open;  // by card
    int wanted = 0;          // cards to be dealt to it now
    bool discards = false;   // it is still to discard
    bool folded = false, mucked = false;
    bool acted = false;     // since the last full bet or raise
    bool asked = false;     // still to be asked in this round
    std::size_t shown = 0;  // cards shown, and 1 when it has mucked
    int kept_hidden = -1;   // the last street at which it said that it shows nothing yet
  };

  StandardTable(const StandardHand& hand, HouseRules house);

  // Throws ParseError.
  void play(const HandAction& action);

  const StandardHand& hand() const { return *hand_; }
  const std::vector<Player>& players() const { return players_; }
  const std::vector<CardId>& board() const { return board_; }
  const std::vector<StandardEvent>& events() const { return events_; }
  // All that the rules ask for has been done but the showing of hands.
  bool over() const { return stage_ == Stage::kOver; }
  bool uncontested() const { return live() == 1; }
  int live() const;
  // Who has to bet or to discard; -1: nobody, or whoever opens a round of stud in which open cards are unknown.
  int to_act() const;
  // What is waited for, in words: "p2 is to act", "a card is missing".
  std::string waiting_for() const;
  // Antes that are in the main pot, whatever their payers have paid besides.
  Amount antes() const { return antes_; }
  // Totals that the player to act may bet to; nothing when none.
  struct Range {
    Amount low = 0, high = 0;
  };
  Range range() const;
  Amount level() const { return level_; }
  // A blind or bring-in could not be paid in full, so that house rules decide what others have to call.
  bool posted_short() const { return posted_short_; }

 private:
  enum class Stage { kCards, kBets, kOver };

  const StandardVariant& variant() const { return *hand_->variant; }
  const DealtStreet& street() const { return variant().streets[static_cast<std::size_t>(street_)]; }
  Player& at_turn() { return players_[static_cast<std::size_t>(actor_)]; }
  [[noreturn]] void fail_turn(int player) const;
  StandardEvent& tell(StandardEvent::Kind kind, int player);

  void post_forced();
  void pay(int player, Amount amount);
  void begin_street(int street);
  void cards_dealt();
  void begin_bets();
  void ask(int from);
  void end_bets();
  void return_excess(bool antes);
  int opener() const;
  bool opener_unknown() const;
  int able() const;
  bool may_show() const;
  Amount pot() const;
  Amount bet_size() const { return street().big ? hand_->big_bet : hand_->small_bet; }
  Amount full_bet() const;
  std::string why_no_bet() const;
  Amount most_callable() const;

  void deal_hole(const HandAction& action);
  void deal_board(const HandAction& action);
  void discard(const HandAction& action);
  void bet(const HandAction& action);
  void show(const HandAction& action);
  CardId read_card(const std::string& text) const;
  void take_card(CardId card);
  void expect_free(CardId card) const;
  std::vector<std::string> texts(const std::vector<CardId>& cards) const;

  const StandardHand* hand_;
  HouseRules house_;
  const Deck* deck_;
  Stage stage_ = Stage::kCards;
  std::vector<Player> players_;
  std::vector<CardId> board_;
  std::vector<bool> used_, gone_;  // by card: dealt; discarded or folded since
  std::vector<StandardEvent> events_;
  int street_ = 0, board_wanted_ = 0, dealt_ = 0;
  int actor_ = -1;
  int may_check_ = -1;  // the only one who could bet on: not asked, but others ask it
  bool bring_in_due_ = false, completing_ = false, opener_open_ = false, posted_short_ = false;
  Amount level_ = 0, raise_ = 0, antes_ = 0;
};

}  // namespace dealer::phh
