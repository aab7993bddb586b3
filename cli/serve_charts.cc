// Charts of agents and counts of decks for the page of `dealer serve`.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "agents/evaluator.h"
#include "arena/preflop_chart.h"
#include "arena/studies/fantasyland/opening_chart.h"
#include "cli/hands_text.h"
#include "cli/policy_chart.h"
#include "cli/serve_handlers.h"
#include "env/cards/card.h"
#include "env/cards/deck.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/hands/census.h"

namespace dealer::cli {
namespace {

namespace openings = studies::fantasyland;
using Json = nlohmann::ordered_json;

WebAnswer preflop(web::WebSpecs& specs, const WebRequest& request) {
  const GamePtr game = specs.game(request.query("game").value_or("holdem"));
  if (!has_preflop_chart(*game))
    throw UsageError(fmt::format("'{}' has no such chart; expected hold'em with 52 cards", game->spec()));
  const SlowWork work;
  const std::string name = request.query("agent").value_or("default");
  return web::json_answer(
      preflop_chart_json(*game, name, *specs.agents(name, game), request.query("after").value_or("")));
}

Json rows_json(const openings::OpeningCards& cards, int code) {
  constexpr std::array<const char*, 3> kRows = {"front", "middle", "back"};
  Json rows = {{"front", Json::array()}, {"middle", Json::array()}, {"back", Json::array()}};
  for (const Card card : cards) {
    rows[kRows[static_cast<std::size_t>(code % 3)]].push_back(to_string(card));
    code /= 3;
  }
  return rows;
}

// What the agent makes of five cards as the first to act in OFC for two.
WebAnswer opening(web::WebSpecs& specs, const WebRequest& request) {
  const GamePtr game = specs.game("ofc");
  const std::string name = request.query("agent").value_or("default");
  const AgentFactoryPtr agents = specs.agents(name, game);
  if (!agents->attributes().afterstates)
    throw UsageError(fmt::format("agent '{}' values no openings; expected a trained one, as default", name));
  CardSet set = 0;
  for (const Card card : parse_cards(text_of(request, "cards"))) set |= bit(card);
  if (size(set) != openings::kOpeningCards) throw UsageError("cards: expected five different cards, as AsKsQhJd2c");
  const openings::OpeningCards cards = openings::canonical(set);
  openings::OpeningRater rater(*game, agents->make_evaluator());
  const openings::OpeningAdvice advice = rater.advice(cards);
  return web::json_answer({{"agent", name},
                           {"cards", openings::to_string(cards)},
                           {"best", rows_json(cards, advice.best)},
                           {"value", advice.value},
                           {"second", rows_json(cards, advice.second)},
                           {"second_value", advice.second_value},
                           {"foul", advice.foul},
                           {"fantasyland", advice.fantasyland}});
}

WebAnswer census(const WebRequest& request) {
  const std::string name = text_of(request, "deck");
  const std::vector<std::string> known = deck_names();
  if (std::ranges::find(known, name) == known.end()) throw UsageError(fmt::format("there is no deck '{}'", name));
  const SlowWork work;
  const DeckPtr deck = Deck::make(name);
  const RankingPtr ranking = Ranking::make(deck->default_ranking());
  const EvaluatorPtr evaluator = make_evaluator(deck, ranking);
  return web::json_answer(census_json(take_census(*evaluator, ranking->hand_cards()), deck->name(), ranking->name()));
}

}  // namespace

void add_chart_handlers(web::WebSpecs& specs, web::WebServer::Handlers& handlers) {
  handlers.emplace_back("/api/charts/preflop", [&specs](const WebRequest& request) { return preflop(specs, request); });
  handlers.emplace_back("/api/charts/openings",
                        [&specs](const WebRequest& request) { return opening(specs, request); });
  handlers.emplace_back("/api/hands", census);
  handlers.emplace_back("/api/decks", [](const WebRequest&) { return web::json_answer(deck_names()); });
}

}  // namespace dealer::cli
