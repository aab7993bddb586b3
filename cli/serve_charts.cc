// Charts of agents and counts of decks, for the page of `dealer serve`.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "arena/preflop_chart.h"
#include "arena/studies/fantasyland/openings.h"
#include "arena/studies/starting_hands.h"
#include "cli/hands_text.h"
#include "cli/opening_charts.h"
#include "cli/policy_chart.h"
#include "cli/serve_handlers.h"
#include "cli/serve_timed_agents.h"
#include "env/cards/card.h"
#include "env/cards/deck.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/hands/census.h"

namespace dealer::cli {
namespace {

namespace openings = studies::fantasyland;

constexpr std::chrono::seconds kMostTime{60};  // time limit of a chart's agent

WebAnswer preflop(web::WebSpecs& specs, const WebRequest& request) {
  const GamePtr game = specs.game(request.query("game").value_or("holdem"));
  if (!has_preflop_chart(*game))
    throw UsageError(fmt::format("'{}' has no such chart; expected hold'em with 52 cards", game->spec()));
  const SlowWork work;
  const std::string name = request.query("agent").value_or("default");
  return web::json_answer(preflop_chart_json(*game, name, *within(kMostTime, specs.agents(name, game)),
                                             request.query("after").value_or("")));
}

WebAnswer starting_hands(web::WebSpecs& specs, const WebRequest& request) {
  const GamePtr game = specs.game(request.query("game").value_or("draw"));
  if (!studies::has_starting_hands(*game))
    throw UsageError(fmt::format("'{}' has no such chart; expected draw poker or stud", game->spec()));
  const SlowWork work;
  const std::string name = request.query("agent").value_or("default");
  return web::json_answer(starting_hands_json(*game, name, *within(kMostTime, specs.agents(name, game)),
                                              request.query("after").value_or(""), kHandsOfClass));
}

// The agent's settings of OFC openings, or of five given cards as the first to act.
WebAnswer opening(web::WebSpecs& specs, const WebRequest& request) {
  const GamePtr game = specs.game("ofc");
  const std::string name = request.query("agent").value_or("default");
  const AgentFactoryPtr agents = within(kMostTime, specs.agents(name, game));
  const bool chart = !request.query("cards");
  std::optional<SlowWork> work;
  if (chart || !agents->attributes().afterstates) work.emplace();
  if (chart) return web::json_answer(openings_json(*game, *agents, {.agent = name}));
  CardSet cards = 0;
  for (const Card card : parse_cards(text_of(request, "cards"))) cards |= bit(card);
  if (size(cards) != openings::kOpeningCards) throw UsageError("cards: expected five different cards, as AsKsQhJd2c");
  return web::json_answer(opening_json(*game, name, *agents, cards));
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
  handlers.emplace_back("/api/charts/starting-hands",
                        [&specs](const WebRequest& request) { return starting_hands(specs, request); });
  handlers.emplace_back("/api/charts/openings",
                        [&specs](const WebRequest& request) { return opening(specs, request); });
  handlers.emplace_back("/api/hands", census);
  handlers.emplace_back("/api/decks", [](const WebRequest&) { return web::json_answer(deck_names()); });
}

}  // namespace dealer::cli
