#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "env/core/at.h"
#include "env/games/ofc/rules.h"

namespace dealer::test {

// The value of a complete board.
struct Verdict {
  std::map<std::string, std::vector<int>> hand;  // strength() by row
  std::map<std::string, int> royalty;            // by row; none of a foul
  bool foul = false, enters = false, stays = false;
  int royalties() const { return royalty.at("front") + royalty.at("middle") + royalty.at("back"); }
};

// A slow referee of Pineapple OFC, written from the rules alone: text, lists and maps, none of the program's tables.
// Given the deals and the places of the cards, it determines the seat to act, the legal places, each seat's view and
// the results. Cards are text, places are "front", "middle", "back", "discard".
class Referee {
 public:
  using Cards = std::vector<std::string>;
  using Rows = std::map<std::string, Cards>;

  // fantasyland: the cards of each seat's Fantasyland hand, 0 for a normal one.
  Referee(const ofc::GameRules& options, int dealer, const std::vector<int>& fantasyland);

  // The seat to act, or -1 at the end of the episode.
  int to_act() const { return over_ ? -1 : turns_.front().seat; }
  // Deals the player's cards, at the first action of a turn.
  bool needs_cards() const { return hand_.empty(); }
  void deal(Cards cards);
  // Legal places of the lowest card in hand.
  std::vector<std::string> allowed() const;
  // Puts the lowest card there; then plays forced moves.
  void move(const std::string& place);

  // The observer's view of the owner's rows.
  Rows seen(int owner, int observer) const;
  const Cards& discards(int seat) const { return players_[at(seat)].discards; }
  const Cards& hand() const { return hand_; }
  // Numbers of these still to be placed and to be discarded.
  int places_left() const { return static_cast<int>(hand_.size()) - discards_left(); }
  int discards_left() const { return hand_.empty() ? 0 : turns_.front().discards; }
  int dealer() const { return dealer_; }
  int street() const { return over_ ? 4 : turns_.front().street; }
  int hands() const { return hands_; }
  int fantasyland(int seat) const { return players_[at(seat)].fantasyland; }
  bool out(int seat) const { return players_[at(seat)].out; }
  // Points won in this episode so far.
  int won(int seat) const { return players_[at(seat)].won; }
  // The last finished hand, by seat.
  struct Result {
    Verdict verdict;
    bool played = false;
    int fantasyland = 0;  // cards of the hand, if it was a Fantasyland hand
    int next = 0;         // of the hand that follows
    int won = 0;
    int scoops = 0;  // opponents scooped less opponents who scooped this seat
  };
  std::vector<Result> last;
  // Statistics over all hands refereed.
  int fouls = 0, entries = 0, stays = 0, normal_boards = 0, fantasyland_boards = 0;

 private:
  struct Player {
    Rows rows, shown;
    Cards discards;
    int fantasyland = 0;
    bool out = false;
    int won = 0;
  };
  struct Turn {
    int seat, street, cards, discards;
  };
  bool has_set(int seat) const;
  int cards_after(const Verdict& verdict, bool in_fantasyland) const;
  void begin_hand();
  void put(const std::string& place);
  void end_hand();
  void pay(std::vector<int> net);

  ofc::GameRules options_;
  int count_, dealer_, hands_ = 0;
  bool over_ = false;
  std::vector<Player> players_;
  std::vector<Turn> turns_;  // of this hand, still to come
  Cards hand_;
  std::set<std::string> dealt_;  // in this hand
};

// Strength of a row as a list to be compared from the left: kind of hand, then ranks, most frequent first.
std::vector<int> strength(const Referee::Cards& cards);
Verdict judge(const Referee::Rows& rows);
// Points that a wins from b.
int compare(const Verdict& a, const Verdict& b);

}  // namespace dealer::test
