// Equity and probabilities for the seat to act, for the page of `dealer serve`.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "agents/evaluator.h"
#include "agents/poker/showdown_equity.h"
#include "cli/serve_analyser.h"
#include "env/core/random.h"
#include "env/core/typed_env.h"
#include "env/games/ofc/game.h"
#include "env/games/poker/game.h"
#include "frontends/web/table_view.h"

namespace dealer::cli {
namespace {

using Json = nlohmann::ordered_json;
using DescribeOdds = std::function<Json(const Env& now)>;

constexpr std::uint64_t kOddsSeed = 0;  // fixed: the same position always gets the same numbers
constexpr int kShareSamples = 2000, kDiscardSamples = 200, kTurnsShown = 6;
constexpr std::size_t kDiscardsShown = 6;

// Equity if all players stay in, and the equity needed to call; for the player who draws, that of every discard.
DescribeOdds poker_odds(const poker::Game& game) {
  return [keep = game.shared_from_this(), &rules = game.rules(),
          odds = std::make_shared<poker::ShowdownOdds>(game.rules())](const Env& now) -> Json {
    RandomStream rng(kOddsSeed);
    const poker::View view = poker::State::decode(rules, now.observe(now.current_player()).data);
    if (!view.drawing)
      return {{"share", odds->equity(view, kShareSamples, rng)}, {"needed", poker::ShowdownOdds::needed(view)}};
    Json discards = Json::array();
    for (const poker::DiscardOdds& discard : odds->discards(view, kDiscardSamples, rng)) {
      if (discards.size() >= kDiscardsShown && !discard.cards.empty()) continue;
      Json cards = Json::array();
      for (const CardId card : discard.cards) cards.push_back(rules.deck->to_string(card));
      discards.push_back({{"cards", std::move(cards)}, {"share", discard.share}});
    }
    return {{"discards", std::move(discards)}};
  };
}

// True at the beginning of a turn outside Fantasyland.
bool turn_begins(const Env& now) {
  const nlohmann::json table = web::table_seen(now, now.current_player());
  const nlohmann::json& player = table["players"][static_cast<std::size_t>(now.current_player())];
  const int cards = table["street"] == 0 ? 5 : 3;
  return !player["fantasyland"].get<bool>() &&
         table["places_left"].get<int>() + table["discards_left"].get<int>() == cards;
}

// The probabilities of a foul and of Fantasyland after the best turns.
DescribeOdds ofc_odds(std::shared_ptr<PositionEvaluator> evaluator) {
  return [evaluator = std::move(evaluator)](const Env& now) -> Json {
    if (!turn_begins(now)) return nullptr;
    Json turns = Json::array();
    for (const AfterstateValue& turn : evaluator->afterstate_values(now.observe(now.current_player()), kTurnsShown))
      turns.push_back(
          {{"turn", turn.actions}, {"value", turn.value}, {"foul", turn.foul}, {"fantasyland", turn.fantasyland}});
    if (turns.empty()) return nullptr;
    Json odds = {{"foul", turns.front()["foul"]}, {"fantasyland", turns.front()["fantasyland"]}};
    odds["turns"] = std::move(turns);
    return odds;
  };
}

}  // namespace

DescribeOdds serve_odds(const GamePtr& game, const AgentFactory& adviser) {
  if (const poker::Game* bets = poker::as_poker(*game)) return poker_odds(*bets);
  if (ofc::as_ofc(*game) != nullptr && adviser.attributes().afterstates)
    if (std::shared_ptr<PositionEvaluator> evaluator = adviser.make_evaluator()) return ofc_odds(std::move(evaluator));
  return {};
}

}  // namespace dealer::cli
