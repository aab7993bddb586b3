#pragma once

#include <memory>
#include <string>

#include "env/core/game.h"

namespace dealer::terminal {

// Chances in a position, for those who ask for a hint: what part of the pot the hand is worth, what each discard
// brings. Made once for a game, since draw games are dealt out for it first.
class ChancesText {
 public:
  explicit ChancesText(const Game& game);
  ~ChancesText();
  ChancesText(const ChancesText&) = delete;
  ChancesText& operator=(const ChancesText&) = delete;

  // Of the player to act, by what it sees; lines, or nothing in games without chances to tell (Open-Face Chinese). The
  // same position gives the same text.
  std::string text(const Env& env) const;

 private:
  class Teller;
  class Poker;
  class Small;
  std::unique_ptr<const Teller> teller_;
};

}  // namespace dealer::terminal
