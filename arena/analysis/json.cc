#include <cmath>
#include <nlohmann/json.hpp>

#include "arena/analysis/analyse.h"

namespace dealer::analysis {
namespace {

using nlohmann::ordered_json;

constexpr double kHalfWidths = 1.96;

ordered_json number_or_null(const std::optional<double>& number) {
  return number && std::isfinite(*number) ? ordered_json(*number) : ordered_json(nullptr);
}

ordered_json choice_json(const JudgedChoice& choice) {
  return {{"choice", choice.text},
          {"probability", number_or_null(choice.probability)},
          {"value", number_or_null(choice.value)},
          {"ci95", choice.value ? ordered_json(kHalfWidths * choice.error) : ordered_json(nullptr)}};
}

ordered_json decision_json(const JudgedDecision& decision) {
  const Judgement& judgement = decision.judgement;
  const bool judged = judgement.verdict != Verdict::kUnjudged;
  ordered_json json{{"hand", decision.hand},
                    {"number", decision.number},
                    {"line", decision.line},
                    {"game", decision.game},
                    {"seat", decision.seat},
                    {"player", decision.player},
                    {"street", decision.street},
                    {"turn", decision.in_hand},
                    {"chosen", decision.chosen},
                    {"best", nullptr},
                    {"loss", nullptr},
                    {"ci95", nullptr},
                    {"verdict", name_of(judgement.verdict)}};
  json["unit"] = decision.unit;
  if (!judged) {
    json["why"] = judgement.why;
    return json;
  }
  const auto text = [&](std::size_t choice) {
    return choice == judgement.chosen ? decision.chosen : judgement.choices[choice].text;
  };
  json["best"] = text(judgement.best);
  json["loss"] = *judgement.loss;
  json["ci95"] = kHalfWidths * judgement.error;
  json["difference"] = *judgement.difference;
  json["mark"] = mark_of(decision);
  json["method"] = judgement.method;
  json["agent_choice"] = text(judgement.agent);
  json["probability"] = number_or_null(judgement.choices[judgement.chosen].probability);
  json["probability_best"] = number_or_null(judgement.choices[judgement.best].probability);
  json["value"] = number_or_null(judgement.choices[judgement.chosen].value);
  json["value_best"] = number_or_null(judgement.choices[judgement.best].value);
  json["cost"] = number_or_null(judgement.cost);
  json["cost_ci95"] = judgement.cost ? ordered_json(kHalfWidths * judgement.cost_error) : ordered_json(nullptr);
  auto choices = ordered_json::array();
  for (std::size_t i = 0; i < judgement.choices.size(); ++i) {
    choices.push_back(choice_json(judgement.choices[i]));
    choices.back()["choice"] = text(i);
  }
  json["choices"] = std::move(choices);
  return json;
}

ordered_json player_json(const PlayerFigures& player) {
  return {{"player", player.player},
          {"hands", player.hands},
          {"hands_judged", player.hands_judged},
          {"decisions", player.decisions},
          {"judged", player.judged},
          {"mistakes", player.mistakes},
          {"unclear", player.unclear},
          {"loss_per_decision", studies::to_json(player.loss_per_decision)},
          {"loss_per_hand", studies::to_json(player.loss_per_hand)},
          {"cost_per_decision", studies::to_json(player.cost_per_decision)},
          {"cost_per_hand", studies::to_json(player.cost_per_hand)}};
}

}  // namespace

ordered_json to_json(const Analysis& analysis, std::optional<std::size_t> worst) {
  ordered_json json{{"agent", analysis.agent},
                    {"games", analysis.games},
                    {"unit", analysis.unit},
                    {"methods", analysis.methods},
                    {"seed", analysis.seed},
                    {"hands", analysis.hands},
                    {"hands_in_log", analysis.hands_in_log},
                    {"interrupted", analysis.interrupted},
                    {"left_out", analysis.left_out},
                    {"forced", analysis.forced},
                    {"decided", analysis.decided},
                    {"judged", analysis.judged}};
  json["unjudged"] = ordered_json::array();
  for (const auto& [why, decisions] : analysis.unjudged)
    json["unjudged"].push_back({{"why", why}, {"decisions", decisions}});
  auto players = ordered_json::array(), decisions = ordered_json::array(), largest = ordered_json::array();
  for (const PlayerFigures& player : analysis.players) players.push_back(player_json(player));
  const std::size_t listed = std::min(worst.value_or(10), analysis.worst.size());
  for (std::size_t i = 0; i < listed; ++i) largest.push_back(analysis.worst[i]);
  if (worst) {
    for (std::size_t i = 0; i < listed; ++i) {
      decisions.push_back(decision_json(analysis.decisions[analysis.worst[i]]));
      largest[i] = i;
    }
  } else {
    for (const JudgedDecision& decision : analysis.decisions) decisions.push_back(decision_json(decision));
  }
  json["players"] = std::move(players);
  json["worst"] = std::move(largest);
  json["decisions"] = std::move(decisions);
  return json;
}

}  // namespace dealer::analysis
