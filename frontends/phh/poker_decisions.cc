#include "frontends/phh/poker_decisions.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "env/core/typed_env.h"
#include "env/games/poker/script.h"
#include "frontends/phh/poker_cards.h"
#include "frontends/phh/script_reader.h"

namespace dealer::phh {
namespace {

using Kind = HandAction::Kind;

// The action equivalent to a bet, or the amount.
Decision bet_to(const poker::State& state, Amount total) {
  for (LegalMask bets = state.legal_mask() >> poker::kFirstBet << poker::kFirstBet; bets != 0; bets &= bets - 1) {
    const Action bet = std::countr_zero(bets);
    if (!state.drawing() && state.choice(bet).amount.low == total) return bet;
  }
  return Decision::bet_to(static_cast<dealer::Amount>(total));
}

Decision discard(const poker::State& state, const std::vector<std::string>& cards) {
  const std::span<const CardId> hand = state.cards(state.current_player());
  unsigned mask = 0;
  for (const std::string& text : cards) {
    const auto card = try_card(*state.rules().deck, text);
    const auto found = card ? std::find(hand.begin(), hand.end(), *card) : hand.end();
    if (found != hand.end()) mask |= 1U << (found - hand.begin());
  }
  return state.rules().first_discard() + static_cast<Action>(mask);
}

}  // namespace

void add_decisions(const poker::Game& game, const poker::State& first, std::span<const HandAction> decisions,
                   HandDecisions& to) {
  to.table = game.new_env({.hold_hands = true});
  static_cast<TypedEnv<poker::State>&>(*to.table).set_state(first);
  const auto env = to.table->clone();
  const poker::State& state = static_cast<const TypedEnv<poker::State>&>(*env).state();
  for (const HandAction& action : decisions) {
    if (state.hand_over()) break;
    const Decision decision = action.kind == Kind::kFold      ? Decision(poker::kFold)
                              : action.kind == Kind::kBetTo   ? bet_to(state, action.amount)
                              : action.kind == Kind::kDiscard ? discard(state, action.cards)
                                                              : Decision(poker::kCall);
    to.decisions.push_back(decision);
    to.lines.push_back(action.line);
    env->step(decision);
  }
}

HandDecisions poker_decisions(const poker::Game& game, const HandHistory& hand) {
  std::vector<const HandAction*> plays;
  for (const HandAction& action : hand.actions)
    if (action.kind != Kind::kNote) plays.push_back(&action);
  ScriptReader reader(game.rules(), hand);
  HandDecisions result;
  result.unknown.assign(static_cast<std::size_t>(game.players()), false);
  for (const HandAction* action : plays)
    if (action->kind == Kind::kDealHole &&
        std::find(action->cards.begin(), action->cards.end(), "??") != action->cards.end())
      result.unknown[static_cast<std::size_t>(reader.seats()[static_cast<std::size_t>(action->player)])] = true;
  const std::optional<poker::State> dealt =
      poker::first_decision(poker::play_script(game.rules(), reader.script(plays)));
  if (!dealt) return result;
  std::vector<HandAction> decisions;
  for (const HandAction* action : plays)
    if (action->is_decision()) decisions.push_back(*action);
  add_decisions(game, *dealt, decisions, result);
  return result;
}

}  // namespace dealer::phh
