#pragma once

#include <string>
#include <vector>

#include "agents/acpc/match_state.h"
#include "env/games/poker/game.h"

namespace dealer::acpc {

// Hold'em between our table and the protocol of the ACPC. A position there is a seat here, the last being the dealer's.
class Holdem {
 public:
  // Throws UsageError when the game is not one that servers of the ACPC play: limit or no-limit hold'em with two
  // blinds, fresh stacks every hand and an ordinary deck.
  explicit Holdem(GamePtr game);

  const GamePtr& game() const { return game_; }
  const poker::GameRules& rules() const { return poker_->rules(); }
  // Whether it is hold'em at all.
  static bool is_holdem(const Game& game);
  const Deck& deck() const { return *rules().deck; }
  int players() const { return rules().players; }
  bool no_limit() const { return rules().bets.limit == betting::Limit::kNoLimit; }

  // The game as the dealer program of the ACPC reads it: a .game file.
  std::string definition() const;
  // The position that is to act, -1 when the hand is over: by the moves told alone, whatever the rules of the game
  // make of them. Throws ParseError when that many moves cannot be made.
  int to_act(const MatchState& told) const;
  // Throws UsageError when the rules allow what bots of the ACPC cannot read: a fold with nothing to call, more raises
  // in limit than definition() says.
  void check_for_bots() const;
  // The position told, with other cards that could be where none are told. Throws ParseError when it cannot come about
  // under the rules of the game.
  poker::State replay(const MatchState& told) const;
  // What every position has won or lost in a hand that is over, by the moves and cards told alone, whatever the rules
  // of the game make of them: who has not shown has lost.
  std::vector<Amount> net(const MatchState& told) const;
  // A decision of the player to act, as that player writes it. Servers take no fold with nothing to call and, where the
  // rules of the game cap no raises, but three raises of a bet: these are calls.
  Move move_of(const Decision& decision, const poker::State& state) const;

 private:
  // Bets and raises that a server lets be made in a round, the big blind not counted.
  int most_raises(int round) const;

  GamePtr game_;
  const poker::Game* poker_;
};

}  // namespace dealer::acpc
