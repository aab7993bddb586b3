#include "arena/studies/report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "arena/analysis/report.h"

namespace dealer::analysis {
namespace {

using studies::Estimate;
using studies::fixed;
using studies::Unit;

constexpr double kHalfWidth = 1.96;

// Columns as people count them, not bytes.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, bool right = false) {
  const std::string blanks(width > width_of(text) ? width - width_of(text) : 0, ' ');
  return right ? blanks + text : text + blanks;
}

// Rows of cells in columns; the numbers of the columns that stand to the right are given.
std::string columns(const std::vector<std::vector<std::string>>& rows, const std::vector<std::size_t>& right) {
  std::vector<std::size_t> width;
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (width.size() <= c) width.push_back(0);
      width[c] = std::max(width[c], width_of(row[c]));
    }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c)
      line += padded(row[c], width[c], std::find(right.begin(), right.end(), c) != right.end()) + "  ";
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::vector<std::string> row_of(const JudgedDecision& decision) {
  const Judgement& judgement = decision.judgement;
  std::vector<std::string> row = {decision.hand, fmt::format("seat {}", decision.seat), decision.player,
                                  decision.chosen};
  if (judgement.verdict == Verdict::kUnjudged)
    row.insert(row.end(), {"", "not judged: " + judgement.why});
  else if (judgement.verdict == Verdict::kSame)
    row.insert(row.end(), {"", ""});
  else
    row.insert(row.end(), {loss_text(judgement), "better: " + best_text(decision)});
  row.emplace_back(
      judgement.verdict == Verdict::kUnclear ? "within noise"
      : judgement.verdict == Verdict::kAlso
          ? fmt::format("done {:.0f}% of the time", 100 * judgement.choices[judgement.chosen].probability.value_or(0))
          : std::string(mark_of(decision)));
  return row;
}

}  // namespace

std::string loss_text(const Judgement& judgement) {
  if (!judgement.loss) return "–";
  const double half = kHalfWidth * judgement.error;
  if (half == 0) return fixed(*judgement.loss, 3);
  const int digits = studies::digits_of(half);
  return fixed(*judgement.loss, digits) + " ± " + fixed(half, digits);
}

std::string best_text(const JudgedDecision& decision) {
  const Judgement& judgement = decision.judgement;
  if (judgement.verdict == Verdict::kUnjudged) return "–";
  const JudgedChoice& best = judgement.choices[judgement.best];
  std::string text = judgement.best == judgement.chosen ? decision.chosen : best.text;
  if (best.probability) text += fmt::format(" ({:.0f}%)", 100 * *best.probability);
  return text;
}

std::vector<std::string> conclusions(const Analysis& analysis) {
  std::vector<std::string> list;
  for (const PlayerFigures& player : analysis.players) {
    const std::string who = player.player.empty() ? "all" : player.player;
    list.push_back(fmt::format(
        "{}: its choices cost {} {} a hand against the agent's own play, {} against the best ones; {} mistakes in {} "
        "decisions, {} hands",
        who, studies::text_of(player.cost_per_hand, Unit::kNumber), analysis.unit,
        studies::text_of(player.loss_per_hand, Unit::kNumber), player.mistakes, player.judged, player.hands_judged));
  }
  for (std::string& line : not_judged(analysis)) list.push_back(std::move(line));
  return list;
}

std::vector<std::string> not_judged(const Analysis& analysis) {
  std::vector<std::string> lines;
  for (const auto& [why, decisions] : analysis.unjudged)
    lines.push_back(
        fmt::format("{} {} not judged: {}", decisions, decisions == 1 ? "decision was" : "decisions were", why));
  return lines;
}

std::string text_of(const Analysis& analysis, const TextOptions& options) {
  if (analysis.hands == 0)
    return fmt::format("no hand was judged of {}{}\n", analysis.hands_in_log,
                       analysis.left_out > 0 ? fmt::format(", {} left out", analysis.left_out) : "");
  std::string text;
  std::vector<std::vector<std::string>> rows;
  if (options.all) {
    for (const JudgedDecision& decision : analysis.decisions) rows.push_back(row_of(decision));
  } else {
    for (std::size_t i = 0; i < std::min(options.worst, analysis.worst.size()); ++i)
      rows.push_back(row_of(analysis.decisions[analysis.worst[i]]));
  }
  if (!rows.empty()) text += columns(rows, {4}) + '\n';

  const auto add = [&](const std::string& name, auto cell) {
    std::vector<std::string> row = {name};
    for (const PlayerFigures& player : analysis.players) row.push_back(cell(player));
    rows.push_back(std::move(row));
  };
  const auto number = [](const Estimate& estimate) { return studies::text_of(estimate, Unit::kNumber); };
  rows.clear();
  add("", [](const PlayerFigures& p) { return p.player.empty() ? "all" : p.player; });
  add("hands", [](const PlayerFigures& p) { return std::to_string(p.hands); });
  add("decisions", [](const PlayerFigures& p) { return std::to_string(p.decisions); });
  if (!analysis.unjudged.empty()) {
    add("judged", [](const PlayerFigures& p) { return std::to_string(p.judged); });
    add("hands judged", [](const PlayerFigures& p) { return std::to_string(p.hands_judged); });
  }
  add("mistakes", [](const PlayerFigures& p) { return std::to_string(p.mistakes); });
  add("within noise", [](const PlayerFigures& p) { return std::to_string(p.unclear); });
  add("cost a hand", [&](const PlayerFigures& p) { return number(p.cost_per_hand); });
  add("loss a hand", [&](const PlayerFigures& p) { return number(p.loss_per_hand); });
  add("loss a decision", [&](const PlayerFigures& p) { return number(p.loss_per_decision); });
  std::vector<std::size_t> right;
  for (std::size_t c = 1; c <= analysis.players.size(); ++c) right.push_back(c);
  text += columns(rows, right);
  std::string methods;
  for (const std::string& method : analysis.methods) methods += (methods.empty() ? "" : ", ") + method;
  text +=
      fmt::format("\n{} hands, {} decisions, {} of them judged by {} ({}), in {}\n", analysis.hands, analysis.decided,
                  analysis.judged, analysis.agent, methods.empty() ? "none" : methods, analysis.unit);
  for (const std::string& line : not_judged(analysis)) text += line + '\n';
  text += "cost: against the agent's own play, 0 on average for who plays so; loss: against its best choice\n";
  return text;
}

}  // namespace dealer::analysis
