#include "arena/studies/fantasyland/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "arena/studies/fantasyland/choice_charts.h"
#include "arena/studies/fantasyland/conclusions.h"
#include "arena/studies/fantasyland/opening_search.h"
#include "arena/studies/report/charts.h"
#include "arena/studies/report/page.h"
#include "arena/studies/report/parts.h"

namespace dealer::studies::fantasyland {
namespace {

// Also of shares of a millionth.
std::string share_text(double share) {
  return share >= 0.01 ? fixed(100 * share, 1) + "%" : fmt::format("{:.2g}%", 100 * share);
}
// "Qs / – / As Kd": rows of an opening.
std::string rows_of_board(const dealer::ofc::Board& board) {
  std::string text;
  for (const CardSet row : board.row)
    text += (text.empty() ? "" : " / ") + (row == 0 ? std::string("–") : dealer::to_string(row));
  return text;
}
std::string whole_percent(double share) { return fixed(100 * share, 0) + "%"; }

void add_chain(Page& page, const Figures& f) {
  page.heading("What it is worth");
  page.paragraph(
      fmt::format("Points are those of the player in Fantasyland, with {} cards, from the next hand on until nobody is "
                  "there; of the "
                  "normal hands after that nothing counts. By the chain: the mean points of a hand in each state, and "
                  "how often one "
                  "leads to the other. As counted: the mean of what followed on entering alone.",
                  f.fantasyland_cards));
  DotChart chart;
  chart.what = "The value of entering Fantasyland, by the chain of hands and as counted.";
  chart.series = {"value"};
  chart.axis = "points";
  chart.mark = f.counted;
  chart.rows = {{"by the chain", {f.chain.value}},
                {"as counted", {f.chain.direct}},
                {"one who deals", {f.chain.values[kDealerThere]}},
                {"one who does not", {f.chain.values[kOtherThere]}}};
  Cells cells = {{"", "points", "of"}};
  for (const DotChart::Row& row : chart.rows)
    cells.push_back({row.label, number(row.dots[0]), fixed(row.dots[0].count, 0)});
  std::string caption =
      "What entering is worth: by the chain, the mean over who deals; as counted; and by the chain for who deals and "
      "who "
      "does not.";
  if (f.counted) caption += fmt::format(" The dashed line is what the agent counts, {}.", fixed(*f.counted, 2));
  page.figure(dot_chart(chart), caption, cells);
  Cells states = {
      {"in Fantasyland", "of all hands", "points a hand", "then nobody", "the same alone", "the other alone", "both"}};
  const auto add = [&](std::string_view name, const StateFigures& state) {
    states.push_back({std::string(name), percent(state.share), number(state.points)});
    for (const int step : {kNobodyNext, kSameNext, kSwappedNext, kBothNext})
      states.back().push_back(percent(state.next[static_cast<std::size_t>(step)]));
  };
  states.push_back({"nobody", percent(f.chain.normal), "", "", "", "", ""});
  add("one", f.chain.alone);
  add("one, who deals", f.chain.states[kDealerThere]);
  add("one, who does not", f.chain.states[kOtherThere]);
  add("both: for the dealer", f.chain.states[kBothThere]);
  page.table(states);
}

void add_rates(Page& page, const Figures& f) {
  page.heading("How often");
  Cells cells = {{"a normal hand", "enters", "fouls", "royalties"}};
  const auto add = [&](std::string_view name, const NormalFigures& of) {
    cells.push_back({std::string(name), percent(of.entry), percent(of.foul), number(of.royalties)});
  };
  add("all", f.play.normal);
  add("against a normal hand", f.play.against_normal);
  add("against Fantasyland", f.play.against_fantasyland);
  page.table(cells);
  page.paragraph(fmt::format(
      "Who is in Fantasyland stays {} of the time, fouls {} and has {} royalties a hand. A deal "
      "with all that follows lasts {} hands.",
      percent(f.play.stays), percent(f.play.foul_there), number(f.play.royalties_there), number(f.play.hands)));
}

std::string rival_name(const Figures& f, const RivalFigures& rival) {
  if (rival.value) return fmt::format("{:g}", *rival.value);
  return f.counted ? fmt::format("own ({})", fixed(*f.counted, 1)) : "own";
}

// By what they count, the agent as it is among them.
std::vector<std::size_t> in_order(const Figures& f) {
  std::vector<std::size_t> order(f.rivals.rivals.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto counts = [&](std::size_t i) { return f.rivals.rivals[i].value.value_or(f.counted.value_or(0)); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return counts(a) < counts(b); });
  return order;
}

void add_rivals(Page& page, const Figures& f) {
  page.heading("How much to chase it");
  if (f.rivals.rivals.empty()) return page.paragraph("No values of Fantasyland were compared.");
  page.paragraph(fmt::format(
      "The same agent, told to count Fantasyland as so many points: more makes it chase, less makes it safe. Each "
      "plays "
      "all others, both seatings of every deal, {} hands in all. Where the network values a board, the points count in "
      "proportion to the chance of Fantasyland that it predicts, so these are not players trained with that value.",
      f.rivals.hands));
  const std::vector<std::size_t> order = in_order(f);
  DotChart scores;
  scores.what = "Points a hand against all others, by what a player counts Fantasyland.";
  scores.series = {"points"};
  scores.axis = "points a hand";
  scores.mark = 0;
  DotChart rates;
  rates.what = "How often players enter Fantasyland and foul, by what they count Fantasyland.";
  rates.unit = Unit::kPercent;
  rates.series = {"enters", "fouls"};
  rates.axis = "share of normal hands";
  Cells cells = {{"counts", "points a hand", "less than the best", "enters", "fouls", "stays"}};
  for (const std::size_t i : order) {
    const RivalFigures& rival = f.rivals.rivals[i];
    const std::string name = rival_name(f, rival);
    scores.rows.push_back({name, {rival.score}});
    rates.rows.push_back({name, {rival.entry, rival.foul}});
    cells.push_back({name, number(rival.score),
                     static_cast<int>(i) == f.rivals.best ? "the best" : number(rival.less_than_best),
                     percent(rival.entry), percent(rival.foul), percent(rival.stays)});
  }
  page.figure(dot_chart(scores), scores.what, cells);
  page.figure(dot_chart(rates), rates.what, cells);
  page.paragraph(
      "Less than the best: which player that is the same scores tell, so these intervals are widened to hold together, "
      "whichever of them is the best (Bonferroni over all pairs).");
  Cells matrix = {{"points a hand"}};
  for (const std::size_t i : order) matrix[0].push_back("against " + rival_name(f, f.rivals.rivals[i]));
  for (const std::size_t i : order) {
    matrix.push_back({rival_name(f, f.rivals.rivals[i])});
    for (const std::size_t j : order) matrix.back().push_back(i == j ? "" : number(f.rivals.rivals[i].against[j]));
  }
  page.table(matrix);
}

Cells tries_table(const std::vector<std::pair<std::string, const TryFigures*>>& rows, std::string_view of) {
  Cells cells = {{std::string(of), "of normal hands", "enters", "fouls", "points of the hand", "and of those after"}};
  for (const auto& [name, tries] : rows)
    cells.push_back({name, percent(tries->share), percent(tries->entered), percent(tries->foul), number(tries->hand),
                     number(tries->total)});
  return cells;
}

void add_fronts(Page& page, const Figures& f) {
  page.heading("By front, by turn, behind and ahead");
  page.paragraph(
      "A front comes to enter in the turn in which it first holds such a pair or trips; the board may still foul. "
      "Points "
      "of the hand and those after it are the player's until nobody is in Fantasyland, whoever entered. Players choose "
      "when to try, so these figures tell what trying went with, not what it would bring elsewhere.");
  Cells fronts = {
      {"front", "of all entries", "boards with it foul", "points of the hand", "of those after", "of both"}};
  BarChart by_front;
  by_front.axis = "front with which a player entered";
  for (std::size_t k = 0; k < f.play.fronts.size(); ++k) {
    const FrontFigures& front = f.play.fronts[k];
    const std::string name = f.fronts.name(static_cast<int>(k));
    fronts.push_back({name, percent(front.entries), percent(front.foul), number(front.hand), number(front.after),
                      number(front.total)});
    by_front.labels.push_back(name);
    by_front.bars.push_back(front.total);
  }
  by_front.what = "Points of the hand that entered and of those that followed, by front.";
  page.figure(bar_chart(by_front), by_front.what, fronts);
  page.paragraph(
      "All fronts lead to the same hand in Fantasyland, so what follows differs by chance alone: those figures leave "
      "out "
      "the entries with which the other entered, too.");
  std::vector<std::pair<std::string, const TryFigures*>> rows;
  BarChart by_turn;
  by_turn.unit = Unit::kPercent;
  by_turn.axis = "turn in which the front came to enter";
  for (std::size_t t = 0; t < kStreets; ++t) {
    rows.emplace_back(fmt::format("turn {}", t + 1), &f.play.turns[t]);
    by_turn.labels.push_back(std::to_string(t + 1));
    by_turn.bars.push_back(f.play.turns[t].entered);
  }
  rows.emplace_back("never", &f.play.never);
  by_turn.what = "How often the board then enters Fantasyland, by the turn in which its front came to.";
  page.figure(bar_chart(by_turn), by_turn.what, tries_table(rows, "the front came to enter"));

  HeatMap map;
  map.what = "How often a front that comes to enter gets there, by front and turn; below it how many there were.";
  map.column_axis = "turn in which the front came to be so";
  map.row_axis = "front";
  Cells numbers = {{"front"}};
  for (std::size_t t = 0; t < kStreets; ++t) {
    map.columns.push_back(std::to_string(t + 1));
    numbers[0].push_back(fmt::format("turn {}: enters", t + 1));
    numbers[0].push_back("points");
  }
  for (std::size_t k = 0; k < f.play.kinds.size(); ++k) {
    map.rows.push_back(f.fronts.name(static_cast<int>(k)));
    map.cells.emplace_back();
    numbers.push_back({map.rows.back()});
    for (const TryFigures& tries : f.play.kinds[k]) {
      const bool any = tries.entered.count > 0;
      map.cells.back().push_back({tries.entered.value, any ? whole_percent(tries.entered.value) : "–",
                                  any ? fixed(tries.entered.count, 0) : ""});
      numbers.back().push_back(percent(tries.entered));
      numbers.back().push_back(number(tries.total));
    }
  }
  page.figure(heat_map(map), map.what, numbers);
  page.paragraph(
      "Behind and ahead: before the cards of that turn are placed, each row is compared with the other's as it lies; "
      "who "
      "leads in more rows is ahead. Turn 1 and hands against Fantasyland, where nothing is seen, are left out.");
  page.table(tries_table({{"behind", &f.play.standings[kBehind]},
                          {"level", &f.play.standings[kLevel]},
                          {"ahead", &f.play.standings[kAhead]},
                          {"the other's front does not enter yet", &f.play.other_open},
                          {"the other's front enters, too", &f.play.other_tries},
                          {"the other is in Fantasyland", &f.play.other_there}},
                         "when the front came to enter"));
}

void add_listed(Page& page, const Figures& f, const std::vector<int>& list, std::string_view title) {
  Cells cells = {{std::string(title), "front / middle / back", "value", "next best", "value", "fouls", "Fantasyland"}};
  for (const int opening : list) {
    const auto i = static_cast<std::size_t>(opening);
    const OpeningCards& cards = f.openings[i].cards;
    const OpeningAdvice& a = f.advice[i];
    cells.push_back({to_string(cards), rows_of_board(board_of(cards, a.best)), fixed(a.value, 2),
                     rows_of_board(board_of(cards, a.second)), fixed(a.second_value, 2), whole_percent(a.foul),
                     whole_percent(a.fantasyland)});
  }
  page.table(cells);
}

void add_openings(Page& page, const Figures& f) {
  page.heading("Openings");
  if (!f.chart) return page.paragraph("The openings were not rated.");
  const ChartFigures& chart = *f.chart;
  page.paragraph(fmt::format(
      "What the agent makes of all {} openings that differ by more than the names of suits, as the first to act. "
      "Values "
      "are what its hints show: the points it expects of this hand and the Fantasyland that follows, less its caution "
      "for fouls. They are the network's predictions, not played out. The next best is no mirror image of the best.",
      chart.openings));
  page.markup(opening_search(f));
  if (f.play.first_points.known())
    page.paragraph(fmt::format(
        "Over all deals the network expects {} points for the first to act, caution left out; in self-play that player "
        "won {}.",
        fixed(chart.value, 2), number(f.play.first_points)));
  Cells classes = {{"five cards", "of all deals", "value", "more than the next", "Fantasyland"}};
  for (const ChartFigures::Class& of : chart.classes)
    classes.push_back({std::string(dealer::to_string(of.category)), share_text(of.share), fixed(of.value, 2),
                       fixed(of.gap, 2), whole_percent(of.fantasyland)});
  page.table(classes);
  Cells ranks = {{"in the opening", "one: in front", "two: both in front", "two: one in front"}};
  for (std::size_t r = 0; r < chart.ranks.size(); ++r)
    ranks.push_back({f.fronts.rank_name(static_cast<int>(r)), fixed(100 * chart.ranks[r].one, 1) + "%",
                     fixed(100 * chart.ranks[r].two_both, 1) + "%", fixed(100 * chart.ranks[r].two_one, 1) + "%"});
  page.table(ranks);
  Cells shapes = {{"front – middle – back", "of all deals"}};
  for (const ChartFigures::Shape& shape : chart.shapes)
    shapes.push_back({fmt::format("{} – {} – {}", shape.front, shape.middle, shape.back), share_text(shape.share)});
  page.table(shapes);
  add_listed(page, f, chart.highest, "highest values");
  add_listed(page, f, chart.lowest, "lowest values");
}

}  // namespace

std::string report_of(const Subject& subject, const Figures& figures) {
  Page page("Fantasyland: how much to chase it",
            fmt::format("{} against itself: {} deals of {} with the Fantasyland hands that follow. {} hands.",
                        subject.agent, subject.deals, subject.game, subject.hands));
  page.conclusions(conclusions_of(figures));
  page.paragraph(
      "Behind ± stands half of the 95% interval, of which a deal with all its hands is one observation. A difference "
      "counts as seen where its interval does not hold zero; of intervals as many as here about one in twenty misses.");
  add_chain(page, figures);
  add_rates(page, figures);
  add_rivals(page, figures);
  add_fronts(page, figures);
  add_choices(page, figures);
  add_openings(page, figures);
  return page.finish(
      fmt::format("dealer {}, study {}, agent {}, seed {}. docs/studies-fantasyland.md says how every "
                  "figure is defined; results.json has them all.",
                  subject.version, subject.study, subject.agent, subject.seed));
}

}  // namespace dealer::studies::fantasyland
