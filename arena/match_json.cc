#include <cmath>
#include <nlohmann/json.hpp>

#include "arena/match.h"

namespace dealer {

nlohmann::json to_json(const MatchResult& result) {
  const auto number = [](double value) {
    return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
  };
  nlohmann::json json = {{"game", result.game},
                         {"deals", result.deals},
                         {"hands", result.deals},
                         {"unit", result.unit},
                         {"hands_played", result.hands_played},
                         {"episodes", result.episodes},
                         {"seed", result.seed},
                         {"duplicate", result.duplicate},
                         {"interrupted", result.interrupted},
                         {"ended_early", result.ended_early},
                         {"seconds", result.seconds}};
  if (result.sprt) {
    json["llr"] = result.llr;
    json["decision"] = name_of(result.decision);
  }
  for (const Difference& difference : result.differences)
    json["differences"].push_back({{"a", difference.a},
                                   {"b", difference.b},
                                   {"mean", difference.points.ratio()},
                                   {"ci95", number(difference.points.half_width95())},
                                   {"variance", number(difference.points.variance())}});
  if (result.control_variates > 0) {
    nlohmann::json& of = json["control_variates"] = {{"samples", result.control_variates}, {"values", result.values}};
    if (result.other_hands > 0) {
      of["other_hands"] = result.other_hands;
      of["card_scale"] = result.card_scale;
    }
    for (const AgentResult& agent : result.agents) {
      of["mean_as_dealt"].push_back(result.hands_played == 0 ? nlohmann::json(nullptr)
                                                             : nlohmann::json(agent.as_dealt.ratio()));
      of["ci95_as_dealt"].push_back(number(agent.as_dealt.half_width95()));
      of["variance_as_dealt"].push_back(number(agent.as_dealt.variance()));
      of["variance"].push_back(number(agent.points.variance()));
    }
  }
  const double per_100 = 100 / result.big_blind;
  for (const AgentResult& agent : result.agents) {
    json["bb_per_100"].push_back(number(agent.mean() * per_100));
    json["bb_per_100_ci95"].push_back(number(agent.ci95() * per_100));
    json["agents"].push_back(agent.spec);
    json["mean"].push_back(result.hands_played == 0 ? nlohmann::json(nullptr) : nlohmann::json(agent.mean()));
    json["ci95"].push_back(number(agent.ci95()));
    nlohmann::json stats = nlohmann::json::object();
    for (const auto& [name, numerator, denominator] : agent.rates)
      stats[name] = denominator == 0 ? nlohmann::json(nullptr) : nlohmann::json(numerator / denominator);
    json["stats"].push_back(stats);
    json["failures"].push_back(to_json(agent.failures));
    json["remarks"].push_back(agent.remarks);
  }
  return json;
}

}  // namespace dealer
