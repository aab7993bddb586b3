#pragma once

#include <memory>
#include <string>

#include "env/core/game.h"

namespace dealer::terminal {

// Probabilities in a position, for hints: the hand's equity in the pot, and the outcome of each discard. Made once for
// a game, since draw games first need their tables computed.
class OddsText {
 public:
  explicit OddsText(const Game& game);
  ~OddsText();
  OddsText(const OddsText&) = delete;
  OddsText& operator=(const OddsText&) = delete;

  // For the player to act, by its observation: lines, or nothing in games without such probabilities (Open-Face
  // Chinese). The same position gives the same text.
  std::string text(const Env& env) const;

 private:
  class GameText;
  class Poker;
  class Small;
  std::unique_ptr<const GameText> text_;
};

}  // namespace dealer::terminal
