#include "arena/studies/washizu/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "arena/studies/report/parts.h"
#include "arena/studies/washizu/conclusions.h"

namespace dealer::studies::washizu {
namespace {

using Counts = std::array<CountFigures, kCounts>;

void add_counts(Page& page, const Counts& counts, std::string_view of) {
  Cells cells = {{std::string(of), "share", "points", "wins", "folds", "shown", "strength"}};
  for (std::size_t count = 0; count < kCounts; ++count) {
    const CountFigures& f = counts[count];
    cells.push_back({std::to_string(count), percent(f.share), number(f.points), percent(f.wins), percent(f.folds),
                     percent(f.shown), percent(f.strength)});
  }
  page.table(cells);
}

void add_worth(Page& page, const GameFigures& f, std::string_view title) {
  page.heading(fmt::format("{}: what transparent cards are worth", title));
  page.paragraph(
      "Points are chips a hand; wins, the share of the pot. Shown: hands that come to the showdown. Strength: the "
      "share of all final hands of the study that the final hand beats.");
  page.paragraph(fmt::format("By transparent cards dealt, {} on average, which is luck:", number(f.visible_dealt)));
  add_counts(page, f.dealt, "dealt");
  BarChart points;
  points.labels = numbered(kCounts, 0);
  points.axis = "transparent cards dealt";
  for (const CountFigures& count : f.dealt) points.bars.push_back(count.points);
  add_bars(page, points, "points",
           fmt::format("Chips a hand by transparent cards dealt: {} for every card more.", number(f.worth_dealt)));
  page.paragraph(fmt::format(
      "By transparent cards after the draw, {} on average; {} of the transparent cards dealt are thrown, {} of the "
      "others:",
      number(f.visible_held), percent(f.thrown_visible), percent(f.thrown_hidden)));
  add_counts(page, f.held, "held");
  DotChart wins;
  wins.unit = Unit::kPercent;
  wins.series = {"wins of the pot", "folds"};
  wins.axis = "share";
  for (std::size_t count = 0; count < kCounts; ++count)
    wins.rows.push_back({fmt::format("{} held", count), {f.held[count].wins, f.held[count].folds}});
  add_dots(page, wins, "What is won and how often hands are folded, by own transparent cards after the draw.");
  page.paragraph("By the most transparent cards that an opponent has after the draw:");
  add_counts(page, f.other, "opponent's");
  page.table({{"chips a hand for every card more", ""},
              {"dealt", number(f.worth_dealt)},
              {"held after the draw", number(f.worth_held)},
              {"held, hands of like strength", number(f.worth_like)},
              {"of the opponent", number(f.worth_other)}});
  page.paragraph(
      "Like strength: final hands are put into twenty groups of as many hands by strength, and compared within them. "
      "Who holds more transparent cards after the draw has also drawn differently; what is dealt nobody has "
      "chosen, but cards of one suit make no pairs, and hands with more of them may be weaker.");
}

void add_betting(Page& page, const GameFigures& f, std::string_view title) {
  page.heading(fmt::format("{}: bets, bluffs and calls", title));
  page.paragraph(fmt::format(
      "Weak hands are the weakest third of the final hands of the study, strong ones the strongest. A raise with a "
      "weak hand where nobody has raised is a bluff. {}",
      f.checks ? "A first bet counts as a raise; who does not bet checks."
               : "There is no check: who does not raise calls, for one chip at least, or folds."));
  DotChart raises;
  raises.unit = Unit::kPercent;
  raises.series = {"weak hands", "strong hands"};
  raises.axis = "share that raises where nobody has";
  for (std::size_t count = 0; count < kCounts; ++count)
    raises.rows.push_back(
        {fmt::format("{} own", count), {f.own[count].thirds[kWeak].raise, f.own[count].thirds[kStrong].raise}});
  add_dots(page, raises, "How often weak and strong hands raise first, by own transparent cards.");
  DotChart against = raises;
  against.rows.clear();
  for (std::size_t count = 0; count < kCounts; ++count)
    against.rows.push_back({fmt::format("{} of the opponent", count),
                            {f.against[count].thirds[kWeak].raise, f.against[count].thirds[kStrong].raise}});
  add_dots(page, against, "The same by the most transparent cards of an opponent.");
  ShareMap answers{{}, {"fold", "call", "raise"}, "", "answer to a raise", {}, 110};
  for (std::size_t count = 0; count < kCounts; ++count) {
    const Acting& of = f.against[count].answers;
    answers.rows.push_back(fmt::format("raiser: {}", count));
    answers.shares.push_back({of.fold, of.call, of.raise});
  }
  add_share_map(page, answers, "What is done about a raise, by transparent cards of who has raised.");
  Cells cells = {
      {"own", "raises", "of these bluffs", "weak raise", "middle raise", "strong raise", "folds to a raise"}};
  for (std::size_t count = 0; count < kCounts; ++count) {
    const BettingFigures& of = f.own[count];
    cells.push_back({std::to_string(count), percent(of.first.raise), percent(of.bluffs),
                     percent(of.thirds[kWeak].raise), percent(of.thirds[kMiddle].raise),
                     percent(of.thirds[kStrong].raise), percent(of.answers.fold)});
  }
  page.table(cells);
}

// The ways of mixing beside each other.
void add_comparison(Page& page, const Figures& figures, const std::vector<std::string>& titles) {
  page.heading("The ways of mixing");
  Cells cells = {{"", "player", "dealt", "worth dealt", "worth, like strength", "weak raise", "of raises bluffs",
                  "folds to a raise"}};
  for (std::size_t g = 0; g < titles.size(); ++g) {
    const GameFigures& f = figures.games[g];
    cells.push_back({titles[g], f.agent, number(f.visible_dealt), number(f.worth_dealt), number(f.worth_like),
                     percent(f.all.thirds[kWeak].raise), percent(f.all.bluffs), percent(f.all.answers.fold)});
  }
  page.table(cells);
  page.paragraph(
      "Dealt: transparent cards a hand. Worth: chips a hand for every transparent card more that is dealt, and that is "
      "held by hands of like strength. Only games with the same player differ by the mixing alone.");
}

}  // namespace

std::string report_of(const Subject& subject, const Figures& figures) {
  const bool rule = std::any_of(subject.games.begin(), subject.games.end(),
                                [](const Subject::Played& game) { return game.agent.starts_with("rule"); });
  Page page("Washizu poker: what transparent cards are worth",
            fmt::format("{} {} deals of each, matches of several hands, {} hands.", who_played(subject), subject.deals,
                        subject.hands));
  page.conclusions(conclusions_of(figures));
  page.paragraph(
      "Behind ± stands half of the 95% interval, of which a deal with all hands of its match is one observation. A "
      "difference counts as seen where its interval does not hold zero; of intervals as many as here about one in "
      "twenty misses.");
  if (rule)
    page.paragraph(
        "The hand-written player (rule) reckons with the transparent cards that it sees in others' hands, but not with "
        "others seeing its own, nor does it look for bluffs that fit: what its figures say of bluffing is how it was "
        "written. A network plays the mixing that it has learned with; its observation has no place for another.");
  const std::vector<std::string> titles = titles_of(figures);
  if (figures.games.size() > 1) add_comparison(page, figures, titles);
  for (std::size_t g = 0; g < titles.size(); ++g) {
    add_worth(page, figures.games[g], titles[g]);
    add_betting(page, figures.games[g], titles[g]);
  }
  return page.finish(last_line(subject));
}

}  // namespace dealer::studies::washizu
