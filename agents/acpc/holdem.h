#pragma once

#include <string>
#include <vector>

#include "agents/acpc/match_state.h"
#include "env/games/poker/game.h"

namespace dealer::acpc {

// Translates hold'em between our table and the ACPC protocol. A position is a seat; the last one is the dealer's.
class Holdem {
 public:
  // Throws UsageError unless ACPC servers play the game: limit or no-limit hold'em with two blinds, fresh stacks every
  // hand and an ordinary deck.
  explicit Holdem(GamePtr game);

  const GamePtr& game() const { return game_; }
  const poker::GameRules& rules() const { return poker_->rules(); }
  // True if the game is hold'em of any kind.
  static bool is_holdem(const Game& game);
  const Deck& deck() const { return *rules().deck; }
  int players() const { return rules().players; }
  bool no_limit() const { return rules().bets.limit == betting::Limit::kNoLimit; }

  // The game definition that the ACPC dealer program reads: a .game file.
  std::string definition() const;
  // The position to act, -1 if the hand is over: derived from the reported moves alone, whatever the game's rules make
  // of them. Throws ParseError if that many moves cannot be made.
  int to_act(const MatchState& match_state) const;
  // Throws UsageError if the rules allow actions that ACPC bots cannot read: a fold with nothing to call, or more
  // raises in limit than definition() says.
  void check_for_bots() const;
  // The reported position as a state, with arbitrary possible cards where none are reported. Throws ParseError if it
  // cannot occur under the rules of the game.
  poker::State replay(const MatchState& match_state) const;
  // The net winnings of every position in a finished hand, from the reported moves and cards alone, whatever the game's
  // rules make of them: a player who has not shown has lost.
  std::vector<Amount> net(const MatchState& match_state) const;
  // The decision of the player to act as a move of the protocol. Servers accept no fold with nothing to call and, where
  // the game caps no raises, at most three raises of a bet: these become calls.
  Move move_of(const Decision& decision, const poker::State& state) const;

 private:
  // The maximum number of bets and raises that a server allows in a round, not counting the big blind.
  int most_raises(int round) const;

  GamePtr game_;
  const poker::Game* poker_;
};

}  // namespace dealer::acpc
