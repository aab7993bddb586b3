#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "env/games/poker/game.h"
#include "frontends/phh/hand_history.h"

namespace dealer::phh {

// The decisions of a hand, and a table on which they can be made again, with the cards that came then.
struct HandDecisions {
  std::unique_ptr<Env> table;  // before the first; null where that cannot be had: the stock was shuffled again
  std::vector<Decision> decisions;
  std::vector<int> lines;     // of the file, one a decision; -1: nobody's of the file, it only leads on
  std::vector<bool> unknown;  // by seat: its cards are not all told
};

// What somebody does: kFold, kCall (and kBringIn), kBetTo or kDiscard.
struct HandStep {
  HandAction::Kind kind = HandAction::Kind::kFold;
  Amount amount = 0;
  std::vector<std::string> cards;
  int line = 0;
};

// Makes decisions of steps that are legal one after the other from `first` on, as far as the hand goes.
HandDecisions decisions_from(const poker::Game& game, const poker::State& first, std::span<const HandStep> steps);

// Of a hand that replay_poker() finds nothing wrong with.
HandDecisions poker_decisions(const poker::Game& game, const HandHistory& hand);

}  // namespace dealer::phh
