#include "agents/poker/input_features.h"

#include "agents/poker/draw_equity_tables.h"

namespace dealer::poker {

std::string cards_key(const GameRules& rules) {
  std::string key = rules.deck->fingerprint() + '\n' + rules.high->ranking().fingerprint();
  if (rules.low) key += '\n' + rules.low->ranking().fingerprint();
  return key;
}

EncoderPtr make_input_features(const GamePtr& game) {
  auto poker = std::dynamic_pointer_cast<const Game>(game);
  switch (poker->rules().procedure) {
    case Procedure::kStud:
      return make_stud_features(std::move(poker));
    case Procedure::kHoldem:
      return make_holdem_features(std::move(poker));
    case Procedure::kDraw:
      break;
  }
  if (DrawEquities::bytes(poker->rules()) > DrawEquities::kMostBytes) return nullptr;
  return make_draw_features(std::move(poker));
}

std::vector<LegalMask> action_kinds(const dealer::Game& game) {
  const int offers = as_poker(game)->rules().offers();
  if (offers < 2) return {};
  return {((LegalMask{1} << offers) - 1) << kFirstBet};
}

}  // namespace dealer::poker
