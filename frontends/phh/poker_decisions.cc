#include "frontends/phh/poker_decisions.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "env/core/typed_env.h"
#include "env/games/poker/script.h"
#include "frontends/phh/poker_cards.h"
#include "frontends/phh/script_reader.h"

namespace dealer::phh {
namespace {

using Kind = HandAction::Kind;

// The action that stands for a bet, or the amount.
Decision bet_to(const poker::State& state, Amount total) {
  for (LegalMask bets = state.legal_mask() >> poker::kFirstBet << poker::kFirstBet; bets != 0; bets &= bets - 1) {
    const Action bet = std::countr_zero(bets);
    if (!state.drawing() && state.choice(bet).amount.low == total) return bet;
  }
  return Decision::bet_to(static_cast<dealer::Amount>(total));
}

Decision discard(const poker::State& state, const HandAction& action) {
  const std::span<const CardId> hand = state.cards(state.current_player());
  unsigned mask = 0;
  for (const std::string& text : action.cards) {
    const auto card = try_card(*state.rules().deck, text);
    const auto found = card ? std::find(hand.begin(), hand.end(), *card) : hand.end();
    if (found != hand.end()) mask |= 1U << (found - hand.begin());
  }
  return state.rules().first_discard() + static_cast<Action>(mask);
}

bool decides(Kind kind) {
  return kind == Kind::kFold || kind == Kind::kCall || kind == Kind::kBringIn || kind == Kind::kBetTo ||
         kind == Kind::kDiscard;
}

}  // namespace

HandDecisions poker_decisions(const poker::Game& game, const HandHistory& hand) {
  std::vector<const HandAction*> told;
  for (const HandAction& action : hand.actions)
    if (action.kind != Kind::kNote) told.push_back(&action);
  ScriptReader reader(game.rules(), hand);
  HandDecisions result;
  result.unknown.assign(static_cast<std::size_t>(game.players()), false);
  for (const HandAction* action : told)
    if (action->kind == Kind::kDealHole &&
        std::find(action->cards.begin(), action->cards.end(), "??") != action->cards.end())
      result.unknown[static_cast<std::size_t>(reader.seats()[static_cast<std::size_t>(action->player)])] = true;
  const std::optional<poker::State> dealt =
      poker::first_decision(poker::play_script(game.rules(), reader.script(told)));
  if (!dealt) return result;
  auto table = game.new_env({.hold_hands = true});
  static_cast<TypedEnv<poker::State>&>(*table).set_state(*dealt);
  const auto env = table->clone();
  const poker::State& state = static_cast<const TypedEnv<poker::State>&>(*env).state();
  for (const HandAction* action : told) {
    if (!decides(action->kind) || state.hand_over()) continue;
    const Decision decision = action->kind == Kind::kFold      ? Decision(poker::kFold)
                              : action->kind == Kind::kBetTo   ? bet_to(state, action->amount)
                              : action->kind == Kind::kDiscard ? discard(state, *action)
                                                               : Decision(poker::kCall);
    result.decisions.push_back(decision);
    result.lines.push_back(action->line);
    env->step(decision);
  }
  result.table = std::move(table);
  return result;
}

}  // namespace dealer::phh
