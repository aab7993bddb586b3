#include "arena/analysis/report_parts.h"

#include <fmt/format.h>

#include <optional>

#include "arena/report/text.h"
#include "env/core/counted.h"
#include "env/core/student_t.h"

namespace dealer::analysis {

using studies::Cells;
using studies::fixed;
using studies::number;

std::string name_of_player(const std::string& player) { return player.empty() ? "all" : player; }

Cells player_columns(const Analysis& analysis, const char* heading, bool all) {
  Cells columns = {{heading}};
  for (const PlayerFigures& player : analysis.players) columns.push_back({name_of_player(player.player)});
  const auto add = [&](const char* name, const auto& figure) {
    columns[0].emplace_back(name);
    for (std::size_t p = 0; p < analysis.players.size(); ++p) columns[p + 1].push_back(figure(analysis.players[p]));
  };
  for (const PlayerCount& each : kCounts)
    if (all || !each.of_all)
      add(each.name, [&](const PlayerFigures& player) { return std::to_string(player.*each.count); });
  for (const PlayerMean& each : kMeans)
    if (each.name != nullptr) add(each.name, [&](const PlayerFigures& player) { return number(player.*each.mean); });
  return columns;
}

std::string percent(double share) { return fmt::format("{:.0f}%", 100 * share); }

std::string loss_text(const Judgement& judgement) {
  if (!judgement.loss) return "–";
  const double half = kNormal975 * judgement.error;
  if (half == 0) return fixed(*judgement.loss, 3);
  const int digits = studies::digits_of(half);
  return fixed(*judgement.loss, digits) + " ± " + fixed(half, digits);
}

std::string choice_text(const JudgedDecision& decision, std::size_t choice) {
  return choice == decision.judgement.chosen ? decision.chosen : decision.judgement.choices[choice].text;
}

std::string best_text(const JudgedDecision& decision) {
  const Judgement& judgement = decision.judgement;
  if (judgement.verdict == Verdict::kUnjudged) return "–";
  const std::optional<double> probability = judgement.choices[judgement.best].probability;
  return choice_text(decision, judgement.best) + (probability ? fmt::format(" ({})", percent(*probability)) : "");
}

std::string chosen_share(const Judgement& judgement) {
  return percent(judgement.choices[judgement.chosen].probability.value_or(0));
}

std::vector<std::string> not_judged(const Analysis& analysis) {
  std::vector<std::string> lines;
  std::string near;
  for (const auto& [what, hands] : analysis.brought_near)
    near += fmt::format("{}{} in {}", near.empty() ? "" : ", ", what, counted(hands, "hand"));
  if (!near.empty())
    lines.push_back(fmt::format("analysed at the most similar table of a game here, in its chips; adapted: {}", near));
  for (const auto& [why, decisions] : analysis.unjudged)
    lines.push_back(
        fmt::format("{} {} not judged: {}", decisions, decisions == 1 ? "decision was" : "decisions were", why));
  return lines;
}

}  // namespace dealer::analysis
