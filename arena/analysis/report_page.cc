// The HTML page of an analysis.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "arena/analysis/report.h"
#include "arena/analysis/report_parts.h"
#include "arena/report/charts.h"
#include "arena/report/page.h"
#include "arena/report/text.h"
#include "env/core/counted.h"
#include "env/core/student_t.h"

namespace dealer::analysis {
namespace {

using studies::Cells;
using studies::fixed;
using studies::number;
using studies::Page;

Cells choice_cells(const JudgedDecision& decision) {
  Cells cells = {{"choice", "agent's probability", "value", "loss"}};
  const Judgement& judgement = decision.judgement;
  const std::optional<double> best = judgement.choices[judgement.best].value;
  for (std::size_t i = 0; i < judgement.choices.size(); ++i) {
    const JudgedChoice& choice = judgement.choices[i];
    std::string text = choice_text(decision, i);
    if (i == judgement.chosen) text += " (chosen)";
    if (i == judgement.best && i != judgement.chosen) text += " (best)";
    std::string worth = choice.value ? fixed(*choice.value, 2) : "–";
    if (choice.value && choice.error > 0) worth += " ± " + fixed(kNormal975 * choice.error, 2);
    cells.push_back({std::move(text), choice.probability ? percent(*choice.probability) : "–", std::move(worth),
                     choice.value && best ? fixed(*best - *choice.value, 2) : "–"});
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
      return "The agent's own choice, or one of equal value.";
    case Verdict::kAlso:
      return fmt::format("The agent chooses this {} of the time. Best: {}, worth {} more.", chosen_share(judgement),
                         best_text(decision), loss_text(judgement));
    case Verdict::kUnclear:
      return fmt::format("Best: {}, worth {} more; the difference is within noise.", best_text(decision),
                         loss_text(judgement));
    case Verdict::kMistake:
      return fmt::format("Best: {}. Loss: {} {}.", best_text(decision), loss_text(judgement), decision.unit);
  }
  return {};
}

Page::Entry entry_of(const Analysis& analysis, std::size_t number, bool in_hand) {
  const JudgedDecision& decision = analysis.decisions[number];
  Page::Entry entry;
  const std::string_view mark = mark_of(decision);
  entry.title = fmt::format("{}seat {}: {}{}{}", decision.player.empty() ? "" : decision.player + ", ", decision.seat,
                            decision.chosen, mark.empty() ? "" : " ", mark);
  if (in_hand) {
    entry.id = fmt::format("d{}", number);
    entry.details = decision.table;
    if (decision.judgement.verdict != Verdict::kUnjudged) entry.numbers = choice_cells(decision);
  } else {
    entry.link = fmt::format("d{}", number);
    entry.title = fmt::format("Hand {}, {}", decision.hand, entry.title);
  }
  entry.tone = tone_of(decision);
  entry.text = note_of(decision);
  return entry;
}

bool lists_all(const Analysis& analysis) { return analysis.hands_recorded <= static_cast<std::int64_t>(kMostHands); }

// The hands whose decisions are listed: all, or those with the largest losses. Ordered by number in the file.
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
  page.heading("Cost and loss of each player");
  studies::BarChart chart;
  chart.what = "The cost per hand of each player's choices, relative to the agent's own play.";
  chart.axis = "player";
  for (const PlayerFigures& player : analysis.players) {
    chart.labels.push_back(name_of_player(player.player));
    chart.bars.push_back(player.cost_per_hand);
  }
  page.figure(
      studies::bar_chart(chart),
      fmt::format("The cost of each player's choices relative to the agent's own play, in {} a hand.", analysis.unit),
      player_columns(analysis, "player", true));
  page.paragraph(
      "The cost of a decision is the value of the agent's own mixed play minus the value of the choice made. It "
      "averages 0 for a player who plays like the agent and is negative for one who plays better in these positions. "
      "The loss is the same difference to the agent's best choice. The means include positive and negative differences "
      "alike, so noise does not bias them; ± is the half-width of the 95% confidence interval. Values per hand cover "
      "only hands all of whose decisions were judged.");
}

void add_largest(Page& page, const Analysis& analysis, const std::set<std::int64_t>& hands, std::size_t worst) {
  if (worst == 0) return;
  std::vector<Page::Entry> entries;
  for (const std::size_t i : analysis.worst) {
    if (entries.size() == worst) break;
    if (hands.contains(analysis.decisions[i].number)) entries.push_back(entry_of(analysis, i, false));
  }
  page.heading("The largest losses");
  if (entries.empty()) page.paragraph("None: every judged choice was the best one, or of equal value.");
  page.entries(entries);
}

void add_hands(Page& page, const Analysis& analysis, const std::set<std::int64_t>& hands) {
  page.heading("Hand by hand");
  if (!lists_all(analysis))
    page.paragraph(fmt::format("The {} with the largest losses, of {}.", counted(std::ssize(hands), "hand"),
                               analysis.hands_recorded));
  std::vector<Page::Entry> entries;
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
}

}  // namespace

std::string page_of(const Analysis& analysis, std::size_t worst) {
  constexpr std::size_t kNamed = 3;
  const std::vector<std::string>& games = analysis.games;
  std::string title = fmt::format(
      "Analysis of {}",
      fmt::join(games.begin(), games.begin() + static_cast<std::ptrdiff_t>(std::min(kNamed, games.size())), ", "));
  if (games.size() > kNamed) title += fmt::format(" and {} more", games.size() - kNamed);
  Page page(title, fmt::format("{}, {}, {} of them judged by {}{}.", counted(analysis.hands, "hand"),
                               counted(analysis.decided, "decision"), analysis.judged, analysis.agent,
                               analysis.interrupted ? fmt::format("; interrupted: {} of {}", analysis.hands,
                                                                  counted(analysis.hands_in_log, "hand"))
                                                    : ""));
  std::vector<std::string> conclusions;
  for (const PlayerFigures& player : analysis.players)
    conclusions.push_back(fmt::format(
        "{}: its choices cost {} {} a hand relative to the agent's own play and {} relative to the best choices; {} in "
        "{}, {}",
        name_of_player(player.player), number(player.cost_per_hand), analysis.unit, number(player.loss_per_hand),
        counted(player.mistakes, "mistake"), counted(player.judged, "decision"), counted(player.hands_judged, "hand")));
  for (std::string& line : not_judged(analysis)) conclusions.push_back(std::move(line));
  page.list(conclusions);
  page.paragraph(
      "The loss of a decision is the value of the best choice minus the value of the choice made, given what the "
      "player knew: the hidden cards do not count. ?! marks a small mistake, ? a mistake, ?? a grave one. A choice "
      "that the agent itself sometimes makes is not a mistake, nor is a difference within noise. The largest of many "
      "sampled losses are overestimates, because noise helped to select them.");
  if (!analysis.players.empty()) add_players(page, analysis);
  const std::set<std::int64_t> hands = hands_listed(analysis);
  add_largest(page, analysis, hands, worst);
  add_hands(page, analysis, hands);
  return page.finish(
      fmt::format("dealer analyse, seed {}. docs/analyse.md says how losses are calculated.", analysis.seed));
}

}  // namespace dealer::analysis
