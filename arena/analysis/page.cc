#include "arena/studies/report/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "arena/analysis/report.h"
#include "arena/studies/report/charts.h"
#include "arena/studies/report/text.h"

namespace dealer::analysis {
namespace {

using studies::Cells;
using studies::fixed;
using studies::Page;
using studies::Unit;

std::string id_of(std::size_t decision) { return fmt::format("d{}", decision); }

std::string name_of_player(const std::string& player) { return player.empty() ? "all" : player; }

Cells player_cells(const Analysis& analysis) {
  Cells cells = {{"player", "hands", "hands judged", "decisions", "judged", "mistakes", "within noise", "cost a hand",
                  "loss a hand", "loss a decision"}};
  for (const PlayerFigures& p : analysis.players)
    cells.push_back({name_of_player(p.player), std::to_string(p.hands), std::to_string(p.hands_judged),
                     std::to_string(p.decisions), std::to_string(p.judged), std::to_string(p.mistakes),
                     std::to_string(p.unclear), studies::text_of(p.cost_per_hand, Unit::kNumber),
                     studies::text_of(p.loss_per_hand, Unit::kNumber),
                     studies::text_of(p.loss_per_decision, Unit::kNumber)});
  return cells;
}

Cells choice_cells(const JudgedDecision& decision) {
  Cells cells = {{"choice", "the agent does so", "worth", "less than the best"}};
  const Judgement& judgement = decision.judgement;
  const std::optional<double> best = judgement.choices[judgement.best].value;
  for (std::size_t i = 0; i < judgement.choices.size(); ++i) {
    const JudgedChoice& choice = judgement.choices[i];
    std::string text = i == judgement.chosen ? decision.chosen : choice.text;
    if (i == judgement.chosen) text += " (chosen)";
    if (i == judgement.best && i != judgement.chosen) text += " (best)";
    std::string worth = "–";
    if (choice.value) worth = fixed(*choice.value, 2);
    if (choice.value && choice.error > 0) worth += " ± " + fixed(1.96 * choice.error, 2);
    cells.push_back({std::move(text), choice.probability ? fmt::format("{:.0f}%", 100 * *choice.probability) : "–",
                     std::move(worth), choice.value && best ? fixed(*best - *choice.value, 2) : "–"});
  }
  return cells;
}

int tone_of(const JudgedDecision& decision) {
  const std::string_view mark = mark_of(decision);
  if (decision.judgement.verdict == Verdict::kUnjudged) return 0;
  return mark == "??" ? 4 : mark == "?" ? 3 : mark == "?!" ? 2 : 1;
}

std::string note_of(const JudgedDecision& decision) {
  const Judgement& judgement = decision.judgement;
  switch (judgement.verdict) {
    case Verdict::kUnjudged:
      return "Not judged: " + judgement.why + '.';
    case Verdict::kSame:
      return "What the agent would do, or worth as much.";
    case Verdict::kAlso:
      return fmt::format("The agent does so {:.0f}% of the time. Best: {}, worth {} more.",
                         100 * judgement.choices[judgement.chosen].probability.value_or(0), best_text(decision),
                         loss_text(judgement));
    case Verdict::kUnclear:
      return fmt::format("Best: {}, worth {} more: within noise.", best_text(decision), loss_text(judgement));
    case Verdict::kMistake:
      return fmt::format("Best: {}. Loss: {} {}.", best_text(decision), loss_text(judgement), decision.unit);
  }
  return {};
}

Page::Entry entry_of(const Analysis& analysis, std::size_t number, bool in_hand) {
  const JudgedDecision& decision = analysis.decisions[number];
  Page::Entry entry;
  const std::string_view mark = mark_of(decision);
  std::string title = decision.chosen;
  if (!mark.empty()) title += fmt::format(" {}", mark);
  const std::string who = decision.player.empty() ? "" : decision.player + ", ";
  if (in_hand) {
    entry.id = id_of(number);
    entry.title = fmt::format("{}seat {}: {}", who, decision.seat, title);
    entry.details = decision.table;
    if (decision.judgement.verdict != Verdict::kUnjudged) entry.numbers = choice_cells(decision);
  } else {
    entry.link = id_of(number);
    entry.title = fmt::format("Hand {}, {}seat {}: {}", decision.hand, who, decision.seat, title);
  }
  entry.tone = tone_of(decision);
  entry.text = note_of(decision);
  return entry;
}

bool lists_all(const Analysis& analysis) { return analysis.hands_told <= static_cast<std::int64_t>(kMostHands); }

// The hands whose decisions are listed: all, or those with the largest losses. By number in the file.
std::set<std::int64_t> hands_listed(const Analysis& analysis) {
  std::set<std::int64_t> all, worst;
  for (const JudgedDecision& decision : analysis.decisions) all.insert(decision.number);
  if (lists_all(analysis)) return all;
  for (const std::size_t i : analysis.worst) {
    if (worst.size() == kMostHands) break;
    worst.insert(analysis.decisions[i].number);
  }
  return worst;
}

void add_players(Page& page, const Analysis& analysis) {
  page.heading("Who loses how much");
  studies::BarChart chart;
  chart.what = "What the choices of each player cost a hand against the agent's own play.";
  chart.axis = "player";
  for (const PlayerFigures& player : analysis.players) {
    chart.labels.push_back(name_of_player(player.player));
    chart.bars.push_back(player.cost_per_hand);
  }
  page.figure(
      studies::bar_chart(chart),
      fmt::format("What the choices of each player cost against the agent's own play, in {} a hand.", analysis.unit),
      player_cells(analysis));
  page.paragraph(
      "A cost is what the agent's own play, mixed as it is, would have been worth more: 0 on average for who plays as "
      "the agent does, below 0 for who plays better in these places. The loss is the same against its best choice. "
      "Both are means of what came out, above or below 0, so that chance adds nothing to them; behind ± stands half of "
      "the 95% interval. Figures a hand are of the hands all of whose decisions were judged.");
}

}  // namespace

std::string page_of(const Analysis& analysis, std::size_t worst) {
  constexpr std::size_t kNamed = 3;
  std::string games;
  for (std::size_t i = 0; i < std::min(kNamed, analysis.games.size()); ++i)
    games += (games.empty() ? "" : ", ") + analysis.games[i];
  if (analysis.games.size() > kNamed) games += fmt::format(" and {} more", analysis.games.size() - kNamed);
  Page page(fmt::format("Analysis of {}", games),
            fmt::format("{} hands, {} decisions, {} of them judged by {}{}.", analysis.hands, analysis.decided,
                        analysis.judged, analysis.agent,
                        analysis.interrupted
                            ? fmt::format("; interrupted: {} of {} hands", analysis.hands, analysis.hands_in_log)
                            : ""));
  page.list(conclusions(analysis));
  page.paragraph(
      "A loss is what the best choice is worth more than the one that was made, by what the player knew: hidden cards "
      "have no part in it. ?! is a small mistake, ? a mistake, ?? a grave one. What the agent itself does now and then "
      "is no mistake, nor is a difference within noise. The largest of many sampled losses are somewhat too large: "
      "chance has helped to pick them.");
  if (!analysis.players.empty()) add_players(page, analysis);
  const std::set<std::int64_t> hands = hands_listed(analysis);
  std::vector<Page::Entry> entries;
  for (const std::size_t i : analysis.worst) {
    if (entries.size() == worst) break;
    if (hands.contains(analysis.decisions[i].number)) entries.push_back(entry_of(analysis, i, false));
  }
  if (worst > 0) {
    page.heading("The largest losses");
    if (entries.empty()) page.paragraph("None: every choice that was judged was the best, or worth as much.");
    page.entries(entries);
  }
  page.heading("Hand by hand");
  if (!lists_all(analysis))
    page.paragraph(fmt::format("The {} hands with the largest losses, of {}.", hands.size(), analysis.hands_told));
  entries.clear();
  std::int64_t hand = 0;
  const auto close = [&] {
    if (!entries.empty()) page.entries(entries);
    entries.clear();
  };
  for (std::size_t i = 0; i < analysis.decisions.size(); ++i) {
    const JudgedDecision& decision = analysis.decisions[i];
    if (!hands.contains(decision.number)) continue;
    if (decision.number != hand) {
      close();
      page.subheading("Hand " + decision.hand);
      hand = decision.number;
    }
    entries.push_back(entry_of(analysis, i, true));
  }
  close();
  return page.finish(
      fmt::format("dealer analyse, seed {}. docs/analyse.md tells how losses are worked out.", analysis.seed));
}

}  // namespace dealer::analysis
