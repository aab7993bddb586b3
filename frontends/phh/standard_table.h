#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/phh/hand_history.h"
#include "frontends/phh/problem.h"
#include "frontends/phh/variants.h"

namespace dealer::phh {

// The table of a hand of a standard variant before the first card, validated. By player, from the dealer's left.
struct StandardHand {
  const StandardVariant* variant = nullptr;
  std::vector<Amount> stacks, antes;
  std::vector<Amount> blinds;         // heads-up the first is the big blind, as it is posted
  std::vector<bool> out_of_turn;      // a blind that does not move the first to act
  Amount bring_in = 0;                // 0: none
  Amount small_bet = 0, big_bet = 0;  // no-limit and pot-limit: both the smallest bet
  // A player who could not pay the whole ante wins only that much of the others' antes. Never true if only some players
  // pay an ante, which then could not be won.
  bool trim_antes = false;
  int decimals = 0;
  // Unit of all amounts of the hand: the chip in which pots are split.
  Amount chip = 1;

  int players() const { return static_cast<int>(stacks.size()); }
  bool unknown_stacks() const;
};

// Throws Problem. Precondition: a standard variant.
StandardHand standard_hand(const HandHistory& hand);

// The recorded `winnings` by player, in units of the hand's decimals; nothing if that field is missing or all zeros.
// Throws Problem.
std::optional<std::vector<Amount>> winnings_of(const HandHistory& hand);

// Rules that the standard leaves to the house.
struct HouseRules {
  bool full_short_blind = true;  // a blind or bring-in posted short is called as if it were whole
};

// One event of a hand, for display.
struct StandardEvent {
  enum class Kind : std::uint8_t { kPosted, kDealt, kBoard, kActed, kDiscarded, kReturned, kShown, kMucked };
  Kind kind = Kind::kPosted;
  int player = -1;
  int street = 0;
  std::string_view what;           // ante, blind, straddle, bring_in; fold, check, call, bet, raise, complete
  std::vector<std::string> cards;  // "??": unknown
  Amount amount = 0;               // paid or returned now
  Amount total = 0;                // kActed: the player's total bet in this round afterwards
  bool all_in = false;
};

// A hand of a standard variant in progress: the player to act, the possible actions, the cards and chips of every
// player. Amounts of any size, any number of players that the deck has cards for, any number of raises.
//
// An action that is not allowed throws ParseError with the reason and leaves the table unchanged.
class StandardTable {
 public:
  // A card whose face is not known.
  static constexpr CardId kUnknown = 0xff;

  struct Player {
    Amount stack = 0;
    Amount bet = 0;       // in this round
    Amount paid = 0;      // paid into the pots before; without the ante where that counts for all players
    Amount returned = 0;  // unmatched bets given back
    std::vector<CardId> cards;
    std::vector<bool> open;  // by card
    int wanted = 0;          // cards to be dealt to it now
    bool discards = false;   // it is still to discard
    bool folded = false, mucked = false;
    bool acted = false;     // has acted since the last full bet or raise
    bool asked = false;     // has yet to act in this round
    std::size_t shown = 0;  // cards shown, and 1 when it has mucked
    int kept_hidden = -1;   // the last street on which it declined to show
  };

  StandardTable(const StandardHand& hand, HouseRules house);

  // Throws ParseError.
  void play(const HandAction& action);

  const StandardHand& hand() const { return *hand_; }
  const std::vector<Player>& players() const { return players_; }
  const std::vector<CardId>& board() const { return board_; }
  const std::vector<StandardEvent>& events() const { return events_; }
  // True if the rules require nothing more except the showing of hands.
  bool over() const { return stage_ == Stage::kOver; }
  bool uncontested() const { return live() == 1; }
  int live() const;
  // The player to bet or to discard; -1: none, or unknown as the opener of a stud round with unknown up cards.
  int to_act() const;
  // A description of the next expected action: "p2 is to act", "a card is missing".
  std::string waiting_for() const;
  // Antes in the main pot, regardless of their payers' other chips.
  Amount antes() const { return antes_; }
  // Totals that the player to act may bet to; 0 to 0 if it may not bet.
  struct Range {
    Amount low = 0, high = 0;
  };
  Range range() const;
  Amount level() const { return level_; }
  // True if a blind or bring-in was posted short, so that house rules decide how much others must call.
  bool posted_short() const { return posted_short_; }

 private:
  enum class Stage { kCards, kBets, kOver };

  const StandardVariant& variant() const { return *hand_->variant; }
  const DealtStreet& street() const { return variant().streets[static_cast<std::size_t>(street_)]; }
  Player& at_turn() { return players_[static_cast<std::size_t>(actor_)]; }
  [[noreturn]] void fail_turn(int player) const;
  StandardEvent& add_event(StandardEvent::Kind kind, int player);

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
  void expect_allowed(const HandAction& action) const;
  void take_turn(const HandAction& action);
  void fold();
  std::string_view bet_to(Amount amount);
  std::string_view call();
  void bring_in();
  void show(const HandAction& action);
  CardId read_card(const std::string& text) const;
  // Cards that an action deals; all are still free.
  std::vector<CardId> read_dealt(const std::vector<std::string>& texts) const;
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
  int may_check_ = -1;  // the only player able to bet: not asked, but may be called on by others
  bool bring_in_due_ = false, completing_ = false, opener_open_ = false, posted_short_ = false;
  Amount level_ = 0, raise_ = 0, antes_ = 0;
};

}  // namespace dealer::phh
