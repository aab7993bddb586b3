#include "arena/analysis/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "arena/analysis/report_parts.h"
#include "arena/output.h"
#include "env/core/counted.h"
#include "env/core/student_t.h"

namespace dealer::analysis {
namespace {

using Json = nlohmann::ordered_json;
using studies::Cells;

Json interval_json(const std::optional<double>& number, double error) {
  return number ? Json(kNormal975 * error) : Json(nullptr);
}

Json decision_json(const JudgedDecision& decision) {
  const Judgement& judgement = decision.judgement;
  Json json{{"hand", decision.hand},
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
            {"verdict", name_of(judgement.verdict)},
            {"unit", decision.unit}};
  if (judgement.verdict == Verdict::kUnjudged) {
    json["why"] = judgement.why;
    return json;
  }
  const JudgedChoice &chosen = judgement.choices[judgement.chosen], &best = judgement.choices[judgement.best];
  json["best"] = choice_text(decision, judgement.best);
  json["loss"] = *judgement.loss;
  json["ci95"] = kNormal975 * judgement.error;
  json["difference"] = *judgement.difference;
  json["mark"] = mark_of(decision);
  json["method"] = judgement.method;
  json["agent_choice"] = choice_text(decision, judgement.agent);
  json["probability"] = number_or_null(chosen.probability);
  json["probability_best"] = number_or_null(best.probability);
  json["value"] = number_or_null(chosen.value);
  json["value_best"] = number_or_null(best.value);
  json["cost"] = number_or_null(judgement.cost);
  json["cost_ci95"] = interval_json(judgement.cost, judgement.cost_error);
  json["choices"] = Json::array();
  for (std::size_t i = 0; i < judgement.choices.size(); ++i) {
    const JudgedChoice& choice = judgement.choices[i];
    json["choices"].push_back({{"choice", choice_text(decision, i)},
                               {"probability", number_or_null(choice.probability)},
                               {"value", number_or_null(choice.value)},
                               {"ci95", interval_json(choice.value, choice.error)}});
  }
  return json;
}

Json player_json(const PlayerFigures& player) {
  Json json = {{"player", player.player}};
  for (const PlayerCount& each : kCounts) json[each.key] = player.*each.count;
  for (auto mean = std::rbegin(kMeans); mean != std::rend(kMeans); ++mean)
    json[mean->key] = studies::to_json(player.*mean->mean);
  return json;
}

std::vector<std::string> row_of(const JudgedDecision& decision) {
  const Judgement& judgement = decision.judgement;
  std::string loss, better, mark(mark_of(decision));
  if (judgement.verdict == Verdict::kUnjudged) {
    better = "not judged: " + judgement.why;
  } else if (judgement.verdict != Verdict::kSame) {
    loss = loss_text(judgement);
    better = "better: " + best_text(decision);
  }
  if (judgement.verdict == Verdict::kUnclear) mark = "within noise";
  if (judgement.verdict == Verdict::kAlso) mark = fmt::format("done {} of the time", chosen_share(judgement));
  return {decision.hand, fmt::format("seat {}", decision.seat), decision.player, decision.chosen, loss, better, mark};
}

// One line for each, with the cards that its player saw below it.
std::string decisions_text(const std::vector<const JudgedDecision*>& decisions) {
  Cells rows;
  for (const JudgedDecision* decision : decisions) rows.push_back(row_of(*decision));
  std::istringstream table(text_table(rows, [](std::size_t column) { return column == 4; }));
  std::string text;
  for (const JudgedDecision* decision : decisions) {
    std::string line;
    std::getline(table, line);
    text += line + '\n';
    std::istringstream cards(decision->cards);
    while (std::getline(cards, line)) text += "    " + line + '\n';
  }
  return text;
}

}  // namespace

Json to_json(const Analysis& analysis, std::optional<std::size_t> worst) {
  Json json{{"agent", analysis.agent},
            {"games", analysis.games},
            {"unit", analysis.unit},
            {"methods", analysis.methods},
            {"seed", analysis.seed},
            {"hands", analysis.hands},
            {"hands_in_log", analysis.hands_in_log},
            {"interrupted", analysis.interrupted},
            {"left_out", analysis.left_out},
            {"brought_near", Json::array()},
            {"forced", analysis.forced},
            {"decided", analysis.decided},
            {"judged", analysis.judged},
            {"unjudged", Json::array()},
            {"players", Json::array()},
            {"worst", Json::array()},
            {"decisions", Json::array()}};
  for (const auto& [what, hands] : analysis.brought_near)
    json["brought_near"].push_back({{"what", what}, {"hands", hands}});
  for (const auto& [why, decisions] : analysis.unjudged)
    json["unjudged"].push_back({{"why", why}, {"decisions", decisions}});
  for (const PlayerFigures& player : analysis.players) json["players"].push_back(player_json(player));
  const std::size_t listed = std::min(worst.value_or(10), analysis.worst.size());
  for (std::size_t i = 0; i < listed; ++i) {
    json["worst"].push_back(worst ? i : analysis.worst[i]);
    if (worst) json["decisions"].push_back(decision_json(analysis.decisions[analysis.worst[i]]));
  }
  if (!worst)
    for (const JudgedDecision& decision : analysis.decisions) json["decisions"].push_back(decision_json(decision));
  return json;
}

std::string text_of(const Analysis& analysis, const TextOptions& options) {
  if (analysis.hands == 0)
    return fmt::format("no hands were analysed, of {}{}\n", analysis.hands_in_log,
                       analysis.left_out > 0 ? fmt::format(", {} left out", analysis.left_out) : "");
  std::vector<const JudgedDecision*> listed;
  if (options.all) {
    for (const JudgedDecision& decision : analysis.decisions) listed.push_back(&decision);
  } else {
    for (std::size_t i = 0; i < std::min(options.worst, analysis.worst.size()); ++i)
      listed.push_back(&analysis.decisions[analysis.worst[i]]);
  }
  std::string text = listed.empty() ? "" : decisions_text(listed) + '\n';
  Cells rows;
  const Cells columns = player_columns(analysis, "", !analysis.unjudged.empty());
  rows.assign(columns[0].size(), {});
  for (const std::vector<std::string>& column : columns)
    for (std::size_t row = 0; row < column.size(); ++row) rows[row].push_back(column[row]);
  text += text_table(rows, [](std::size_t column) { return column > 0; });
  text += fmt::format("\n{}; {}, {} of them judged by {} ({}); values in {}\n", counted(analysis.hands, "hand"),
                      counted(analysis.decided, "decision"), analysis.judged, analysis.agent,
                      analysis.methods.empty() ? "none" : fmt::format("{}", fmt::join(analysis.methods, ", ")),
                      analysis.unit);
  for (const std::string& line : not_judged(analysis)) text += line + '\n';
  text +=
      "cost: relative to the agent's own play, 0 on average for a player who plays like it; loss: relative to its best "
      "choice\n";
  return text;
}

}  // namespace dealer::analysis
