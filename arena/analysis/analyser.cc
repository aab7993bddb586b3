#include "arena/analysis/analyser.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "agents/agent_error.h"
#include "agents/agent_registry.h"
#include "agents/evaluator.h"
#include "agents/search/search.h"
#include "agents/tabular/game_tree.h"
#include "arena/analysis/playout_analyser.h"
#include "arena/analysis/value_analysers.h"
#include "env/core/error.h"

namespace dealer::analysis {
namespace {

// Trees so large are walked in a few seconds.
constexpr std::int32_t kMaxNodes = 10'000'000;
constexpr double kSure = 1.96;

bool searches(const Spec& spec) {
  return std::any_of(spec.options.begin(), spec.options.end(),
                     [](const auto& option) { return is_search_option(option.first); });
}

bool has_budget(const Spec& spec) {
  return std::any_of(spec.options.begin(), spec.options.end(), [](const auto& option) {
    return option.first == "simulations" || option.first == "milliseconds";
  });
}

// Values of a tree search are not to be compared: each choice has met other samples, the better one more of them.
void refuse_tree_search(const Spec& spec) {
  for (const auto& [key, value] : spec.options)
    if (key == "algorithm" && value == "ismcts")
      throw UsageError(
          fmt::format("agent '{}' cannot judge: tree search does not try two choices on the same samples; expected "
                      "algorithm=halving, or none said",
                      to_string(spec)));
}

[[noreturn]] void refuse_agent(const AnalyserOptions& options, const Game& game) {
  throw UsageError(
      fmt::format("agent '{}' does not say what choices are worth in '{}'; expected a trained one, as "
                  "default, or search, as search[simulations=1000]",
                  options.agent, game.spec()));
}

// The agent, with search on top where values come from search.
AgentFactoryPtr agents_of(const GamePtr& game, const AnalyserOptions& options) {
  Spec spec = parse_spec(options.agent);
  refuse_tree_search(spec);
  const bool budget = options.simulations > 0 || options.milliseconds > 0;
  if (has_budget(spec)) {
    if (budget)
      throw UsageError(
          fmt::format("agent '{}' has a budget of its own; leave that or --simulations and --time out", options.agent));
    return make_agents(options.agent, game);
  }
  if (spec.name != "search" && !searches(spec)) {
    AgentFactoryPtr agents = make_agents(options.agent, game);
    expect_there(*agents);
    if (agents->attributes().action_values ? !budget : has_playout_analyser(*game)) {
      if (options.milliseconds > 0)
        throw UsageError(
            fmt::format("--time goes with search, and agent '{}' is judged by playouts of '{}'; "
                        "expected --simulations",
                        options.agent, game->spec()));
      return agents;
    }
  }
  if (options.milliseconds > 0)
    spec.options.emplace_back("milliseconds", std::to_string(options.milliseconds));
  else
    spec.options.emplace_back("simulations", std::to_string(options.simulations > 0 ? options.simulations : kSearched));
  // What is wrong with options that were given is said in their own words.
  if (spec.name == "search" || searches(parse_spec(options.agent))) return make_agents(to_string(spec), game);
  try {
    return make_agents(to_string(spec), game);
  } catch (const ConfigError&) {
    refuse_agent(options, *game);
  }
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSame:
      return "same";
    case Verdict::kAlso:
      return "also";
    case Verdict::kUnclear:
      return "unclear";
    case Verdict::kMistake:
      return "mistake";
    case Verdict::kUnjudged:
      break;
  }
  return "unjudged";
}

void settle(Judgement& judgement, double doubt) {
  if (!judgement.difference) {
    if (judgement.why.empty()) judgement.why = "the choice was not valued";
    return;
  }
  judgement.loss = *judgement.difference > 1e-9 ? *judgement.difference : 0;
  if (*judgement.loss == 0) judgement.best = judgement.chosen;
  const double chance = judgement.choices[judgement.chosen].probability.value_or(0);
  judgement.verdict = judgement.best == judgement.chosen                            ? Verdict::kSame
                      : chance >= kOwnChoice                                        ? Verdict::kAlso
                      : *judgement.loss <= std::max(doubt, kSure * judgement.error) ? Verdict::kUnclear
                                                                                    : Verdict::kMistake;
}

Analysers make_analysers(const GamePtr& game, const AnalyserOptions& options) {
  const AgentFactoryPtr agents = agents_of(game, options);
  const std::string& spec = agents->spec();
  if (agents->attributes().action_values) {
    if (options.sampled)
      throw UsageError(fmt::format("--sampled goes with playouts, and agent '{}' values the choices of '{}' itself",
                                   spec, game->spec()));
    const bool by_search = parse_spec(spec).name == "search" || searches(parse_spec(spec));
    return {spec, by_search ? "search" : "network", [agents, game] { return make_value_analyser(*agents, *game); }};
  }
  if (!has_playout_analyser(*game)) refuse_agent(options, *game);
  if (!options.sampled && options.simulations == 0 && tabular::has_tree(*game, kMaxNodes)) {
    auto values = make_tree_values(game, *agents);
    return {spec, "exact", [values = std::move(values)] { return make_tree_analyser(values); }};
  }
  const std::int64_t simulations = options.simulations > 0 ? options.simulations : kPlayouts;
  // What is wrong with the agent is said now.
  make_playout_analyser(game, *agents, 1);
  return {spec, "playouts", [game, agents, simulations] { return make_playout_analyser(game, *agents, simulations); }};
}

}  // namespace dealer::analysis
