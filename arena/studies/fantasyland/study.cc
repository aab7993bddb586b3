#include "arena/studies/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "agents/agent_registry.h"
#include "agents/evaluator.h"
#include "agents/ofc/value_model.h"
#include "arena/studies/fantasyland/chain.h"
#include "arena/studies/fantasyland/choices.h"
#include "arena/studies/fantasyland/play.h"
#include "arena/studies/fantasyland/report.h"
#include "arena/studies/fantasyland/rivals.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/games/ofc/game.h"

namespace dealer::studies::fantasyland {
namespace {

constexpr const char* kRivals = "rivals.txt";
constexpr const char* kOpeningsFile = "openings.txt";

class FantasylandStudy final : public Study {
 public:
  struct Setup {
    std::string agent;
    std::vector<double> values;  // empty: no round robin
    std::int64_t rival_deals = 0;
    bool openings = false;
  };

  FantasylandStudy(GamePtr game, const dealer::ofc::GameRules& rules, Setup setup)
      : game_(std::move(game)),
        rules_(rules),
        setup_(std::move(setup)),
        fronts_(rules.scoring.bonus),
        play_(fronts_),
        chain_(rules.scoring.bonus),
        choices_(fronts_) {}

  void add(std::int64_t deal, std::span<const Event> events) override {
    const Hand hand = read_hand(events, rules_.scoring);
    play_.add(deal, hand);
    chain_.add(deal, hand);
    choices_.add(deal, hand);
  }

  bool work(const StudyContext& place) override {
    std::vector<Rival> rivals;
    if (!setup_.values.empty()) rivals.push_back({{}, place.agent});
    for (const double value : setup_.values)
      rivals.push_back({value, make_agents(with_counted_value(setup_.agent, value), game_)});
    if (!rivals.empty() && !play_rivals(place, rivals, setup_.rival_deals, rules_.scoring, place.folder / kRivals))
      return false;
    counted_ = place.agent->option("fantasyland");
    chain_.set_counts([&](int cards) { return place.agent->option(fmt::format("fantasyland_{}", cards)); });
    if (setup_.openings) {
      const std::vector<Opening> openings = all_openings();
      if (!rate_openings(place, openings, place.folder / kOpeningsFile)) return false;
      advice_ = read_openings(place.folder / kOpeningsFile, openings);
      chart_ = count_chart(openings, advice_, fronts_, place.agent->option("caution").value());
    }
    round_robin_ = count_rivals(place.folder / kRivals, rivals, setup_.rival_deals);
    return true;
  }

  StudyResults results(const Subject& subject) const override {
    const Figure& played = play_.figures();
    const Figure figures = object({{"counts", counted_ ? value(*counted_) : Figure()},
                                   {"chain", chain_.figures()},
                                   {"play", played["play"]},
                                   {"fronts", played["fronts"]},
                                   {"tries", played["tries"]},
                                   {"chase", chase()},
                                   {"rivals", round_robin_["rivals"]},
                                   {"choices", choices_.figures()},
                                   {"openings", chart_},
                                   {".rival_hands", round_robin_[".hands"]}});
    return {figures.to_json(), conclusions_of(figures), report_of(subject, figures, advice_)};
  }

 private:
  // The best assumed value of Fantasyland in the round robin; without an interval.
  Figure chase() const {
    const Figure* const best = best_of(round_robin_["rivals"]);
    std::optional<double> counts = counted_;
    if (best != nullptr && !(*best)["counts"].is_null()) counts = best->number("counts");
    if (best == nullptr || !counts) return {Estimate(), Unit::kNumber};
    return {Estimate{*counts, std::numeric_limits<double>::infinity(), best->estimate("score").count}, Unit::kNumber};
  }

  GamePtr game_;  // keeps the rules alive
  const dealer::ofc::GameRules& rules_;
  Setup setup_;
  Fronts fronts_;
  PlayCounter play_;
  ChainCounter chain_;
  ChoiceCounter choices_;
  std::optional<double> counted_;
  Figure round_robin_;
  std::vector<OpeningAdvice> advice_;  // for all openings, if evaluated
  Figure chart_;
};

FantasylandStudy::Setup read_setup(Config& config, const GamePtr& game, const dealer::ofc::GameRules& rules) {
  FantasylandStudy::Setup setup;
  setup.agent = config.get_string("agent", "rule");
  const double most = dealer::ofc::kMaxFantasylandValue;
  setup.values = config.get_doubles("values", {}, -most, most);
  setup.rival_deals = config.get_int("rival_deals", 20'000, 2, 10'000'000);
  setup.openings = config.get_bool("openings", false);
  if (setup.openings && !make_agents(setup.agent, game)->attributes().afterstates)
    throw ConfigError(
        fmt::format("{}: '{}' gives no values of placements; expected a trained agent without search, or "
                    "openings: false",
                    config.where("openings"), setup.agent));
  for (auto value = setup.values.begin(); value != setup.values.end(); ++value)
    if (std::find(setup.values.begin(), value, *value) != value)
      throw ConfigError(fmt::format("{}: {} is given twice", config.where("values"), *value));
  if (setup.values.empty()) return setup;
  if (rules.scoring.bonus.progressive())
    throw ConfigError(
        fmt::format("{}: '{}' has Fantasyland hands of several sizes, so no value holds for all of them; expected "
                    "values: []",
                    config.where("values"), game->spec()));
  try {
    make_agents(with_counted_value(setup.agent, setup.values.front()), game);
  } catch (const ConfigError& error) {
    throw ConfigError(
        fmt::format("{}: '{}' has no option for the value of Fantasyland ({}); expected an agent with that "
                    "option, or no values: []",
                    config.where("values"), setup.agent, error.what()));
  }
  return setup;
}

std::unique_ptr<Study> make_study(Config& config, const GamePtr& game) {
  const dealer::ofc::Game* ofc = dealer::ofc::as_ofc(*game);
  const auto refuse = [&](std::string_view what) {
    throw ConfigError(fmt::format("{}: '{}' {}", config.where("game"), game->spec(), what));
  };
  if (ofc == nullptr) refuse("is not Open-Face Chinese poker, the subject of this study");
  if (ofc->rules().players != 2) refuse("is not for two players, as this study needs");
  if (ofc->rules().episode != dealer::ofc::Episode::kChain) refuse("does not play chains; expected episode=chain");
  return std::make_unique<FantasylandStudy>(game, ofc->rules(), read_setup(config, game, ofc->rules()));
}

constexpr Headline kHeadlines[] = {
    {"", "/chain/value", "value", "worth of entering Fantasyland", "points"},
    {"", "/play/normal/entry", "entry", "normal hands that enter", "", Unit::kPercent},
    {"", "/play/normal/foul", "foul", "normal hands that foul", "", Unit::kPercent},
    {"", "/play/stays", "stays", "players in Fantasyland who stay", "", Unit::kPercent},
    {"", "/play/royalties_there", "royalties_there", "royalties of a hand in Fantasyland", "points"},
    {"", "/play/hands", "hands", "hands of a deal", ""},
    {"", "/chase", "chase", "what the best of the round robin counts Fantasyland", "points"},
};

}  // namespace

// The value of Fantasyland in heads-up Pineapple Open-Face Chinese poker, and how much risk to take for it
// (docs/studies-fantasyland.md). Besides its games it plays a round robin of the agent with different values of
// Fantasyland, and evaluates all openings.
const StudyKind kKind = {
    .what = "Open-Face Chinese: what Fantasyland is worth, how hard to chase it, and the best openings",
    .game = "ofc",
    .make = make_study,
    .headlines = kHeadlines};

}  // namespace dealer::studies::fantasyland
