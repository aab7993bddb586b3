#include "arena/studies/seven_hand/advice_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "arena/studies/report/parts.h"

namespace dealer::studies::seven_hand {
namespace {

// How much paler a cell is whose interval holds zero.
constexpr double kPale = 0.3;

std::string with_sign(double value, int digits) {
  const std::string text = fixed(value, digits);
  return value > 0 && text.find_first_not_of("0.") != std::string::npos ? '+' + text : text;
}

// Differences, those below zero in another colour.
struct DifferenceMap {
  std::vector<std::string> rows, columns;
  std::string row_axis, column_axis;
  std::vector<std::vector<Estimate>> cells;  // [row][column]
  Unit unit = Unit::kNumber;
  double label_width = 60;
};

void add_difference_map(Page& page, const DifferenceMap& from, std::string_view caption) {
  HeatMap map;
  map.what = caption;
  map.rows = from.rows;
  map.columns = from.columns;
  map.row_axis = from.row_axis;
  map.column_axis = from.column_axis;
  map.label_width = from.label_width;
  // Figures of a few cases do not set the scale.
  double most = 0;
  for (const auto& row : from.cells)
    for (const Estimate& cell : row)
      if (cell.known()) most = std::max(most, std::max(0.0, std::abs(cell.value) - cell.ci95));
  const bool percents = from.unit == Unit::kPercent;
  Cells numbers = {{from.row_axis}};
  numbers[0].insert(numbers[0].end(), from.columns.begin(), from.columns.end());
  for (std::size_t r = 0; r < from.rows.size(); ++r) {
    map.cells.emplace_back();
    numbers.push_back({from.rows[r]});
    for (const Estimate& cell : from.cells[r]) {
      const bool seen = cell.above(0) || cell.below(0);
      const double weight = most > 0 ? std::clamp(cell.value / most, -1.0, 1.0) * (seen ? 1 : kPale) : 0;
      const double scale = percents ? 100 : 1;
      const int digits = percents ? 0 : 2;
      if (cell.known())
        map.cells.back().push_back({weight, with_sign(cell.value * scale, digits) + (percents ? "%" : ""),
                                    "±" + fixed(cell.ci95 * scale, digits)});
      else
        map.cells.back().push_back({0, "–", ""});
      numbers.back().push_back(percents ? text_of(cell, Unit::kPercent) : number(cell));
    }
  }
  page.figure(heat_map(map), caption, numbers);
}

template <std::size_t rows, std::size_t n, class T>
std::vector<std::vector<Estimate>> cells_of(const std::array<std::array<T, n>, rows>& from, Estimate T::*figure) {
  std::vector<std::vector<Estimate>> cells;
  for (const auto& row : from) {
    cells.emplace_back();
    for (const T& each : row) cells.back().push_back(each.*figure);
  }
  return cells;
}

template <std::size_t rows, std::size_t n>
std::vector<std::vector<Estimate>> cells_of(const std::array<std::array<Estimate, n>, rows>& from) {
  std::vector<std::vector<Estimate>> cells;
  for (const auto& row : from) cells.emplace_back(row.begin(), row.end());
  return cells;
}

// Rows by number of cards, columns by chip.
DifferenceMap cards_by_chip(std::vector<std::vector<Estimate>> cells, Unit unit = Unit::kNumber) {
  return {numbered(kMostLaid), numbered(kChips), "cards", "chip", std::move(cells), unit};
}
DifferenceMap turns_by_cards(std::vector<std::vector<Estimate>> cells, Unit unit = Unit::kNumber) {
  return {numbered(kTurns), numbered(kMostLaid), "turn", "cards laid", std::move(cells), unit};
}

}  // namespace

void add_advice(Page& page, const AdviceFigures& advice) {
  if (advice.tries == 0) return;
  page.heading("What to send where");
  page.paragraph(fmt::format(
      "{} turns of other hands of the agent against itself were tried in every way: from the same cards, seen and "
      "unseen, every chip was named and every number of cards laid, and the agent played on for both. A choice is "
      "worth "
      "the points it wins more than the mean of all choices of that turn, for who makes it. Pale cells are those whose "
      "interval holds zero.",
      advice.tries));
  add_difference_map(page, cards_by_chip(cells_of(advice.chips)),
                     "For the namer: points that naming a chip is worth, by the number of cards that wait.");
  std::vector<std::string> titles;
  for (int s = 0; s < kChipStates; ++s) titles.emplace_back(title_of(static_cast<ChipState>(s)));
  add_difference_map(
      page, {titles, numbered(kMostLaid), "the chip", "cards that wait", cells_of(advice.states), Unit::kNumber, 146},
      "For the namer: the same by how the line stands at the chip and by the number of cards.");
  add_difference_map(page, turns_by_cards(cells_of(advice.numbers)),
                     "For the mover: points that laying so many cards is worth, those that the agent would choose, by "
                     "turn.");
}

void add_responses(Page& page, const ResponseFigures& responses) {
  if (responses.responder.empty()) return;
  page.heading("Against its sampled best response");
  page.paragraph(fmt::format(
      "The responder, {}, knows the agent's policy: it draws the cards that it does not see as likely as the agent's "
      "play makes them, and takes the choice that wins most while the agent plays on. No search finds every answer: a "
      "better one could win more. In {} hands, both with the same cards and turns, the agent wins {} of them, draws "
      "counting half, and {} points a hand; against itself that is one half and none.",
      responses.responder, responses.hands, percent(responses.win_rate), number(responses.points)));
  page.paragraph(
      "Differences are those to the agent's games against itself. Placements are the agent's, points those of the "
      "whole "
      "hand.");
  add_difference_map(page, cards_by_chip(cells_of(responses.sent, &Fare::less)),
                     "How many points more hands bring in which the agent's cards went there, by number of cards.");
  add_difference_map(page, turns_by_cards(cells_of(responses.turns, &Fare::less)),
                     "How many points more hands bring in which the agent laid so many cards in that turn.");
  Cells classes = {{"group", "points", "difference"}};
  for (int k = 0; k < kGroupClasses; ++k) {
    const Fare& fare = responses.classes[static_cast<std::size_t>(k)];
    classes.push_back({std::string(title_of(static_cast<GroupClass>(k))), number(fare.points), number(fare.less)});
  }
  page.table(classes);
  page.subheading("What the responder does");
  page.paragraph("In percentage points, how much more often than the agent: what one should do against it.");
  add_difference_map(
      page, cards_by_chip(cells_of(responses.named, &Habit::less), Unit::kPercent),
      "Of the times that a chip could be named, how much more often the responder names it, by number of "
      "cards.");
  add_difference_map(page, turns_by_cards(cells_of(responses.laid, &Habit::less), Unit::kPercent),
                     "How much more often the responder lays so many cards, by turn.");
  ShareMap named;
  named.rows = numbered(kMostLaid);
  named.columns = numbered(kChips);
  named.row_axis = "cards";
  named.column_axis = "chip";
  named.shares = cells_of(responses.named, &Habit::rate);
  add_share_map(page, named, "The responder's own chart: of the times that it could name a chip, how often it does.");
  ShareMap laid;
  laid.rows = numbered(kTurns);
  laid.columns = numbered(kMostLaid);
  laid.row_axis = "turn";
  laid.column_axis = "cards laid";
  laid.shares = cells_of(responses.laid, &Habit::rate);
  add_share_map(page, laid, "How many cards it lays in each turn.");
}

}  // namespace dealer::studies::seven_hand
