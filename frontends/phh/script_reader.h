#pragma once

#include <span>
#include <string>
#include <vector>

#include "env/core/at.h"
#include "env/games/poker/script.h"
#include "frontends/phh/hand_history.h"
#include "frontends/phh/problem.h"

namespace dealer::phh {

// Turns the actions of a history into a script: the cards dealt before an action determine its round or draw.
// Everything here throws Problem.
class ScriptReader {
 public:
  ScriptReader(const poker::GameRules& rules, const HandHistory& hand);

  // Indexed by player.
  const std::vector<Seat>& seats() const { return seats_; }
  // Line numbers of the first actions of the hand, without notes.
  poker::Script script(std::span<const HandAction* const> actions);

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void read_seats();
  void read_chips();
  void read_mix();
  void find_unknown();
  CardId read_card(const std::string& text);
  // A card may be dealt again only after it was discarded or folded.
  void expect_not_dealt(CardId card, const poker::Script& script) const;
  void deal_hole(poker::Script& script);
  int size_of(int street) const { return rules_.street[at(street)].down + rules_.street[at(street)].up; }
  void deal_board(poker::Script& script);
  void discard(poker::Script& script);
  void bet(poker::Script& script);

  const poker::GameRules& rules_;
  const HandHistory& hand_;
  const Deck& deck_;
  poker::Script start_;
  std::vector<Seat> seats_;
  std::vector<bool> may_hide_;
  std::vector<CardId> spare_, unused_;
  std::vector<std::vector<CardId>> hands_;  // current hand, by player
  const HandAction* action_ = nullptr;
  std::vector<int> received_, draws_;
  int street_ = 0, board_ = 0;
};

}  // namespace dealer::phh
