#include "arena/report/grid.h"

#include <algorithm>
#include <cmath>

#include "arena/report/charts.h"

namespace dealer::studies {
namespace {

std::string replaced(std::string_view pattern, char mark, std::string_view by) {
  std::string text;
  for (const char c : pattern) c == mark ? text += by : text += c;
  return text;
}

bool is_known(const Grid& grid, std::size_t row) {
  for (std::size_t c = 0; c < grid.columns.size(); ++c)
    if (grid.cell(row, c).estimate().count > 0) return true;
  return false;
}

// The rows with known figures.
Grid known_rows(const Grid& grid) {
  Grid known{grid.of, grid.head, {}, grid.columns};
  for (std::size_t r = 0; r < grid.rows.size(); ++r)
    if (is_known(grid, r)) known.rows.push_back(grid.rows[r]);
  return known;
}

Unit unit_of(const Grid& grid) {
  return grid.rows.empty() || grid.columns.empty() ? Unit::kNumber : grid.cell(0, 0).unit();
}

std::vector<Estimate> column(const Grid& grid, std::size_t c) {
  std::vector<Estimate> figures;
  for (std::size_t r = 0; r < grid.rows.size(); ++r) figures.push_back(grid.cell(r, c).estimate());
  return figures;
}

// Each figure also with its number of cases.
Cells counted_cells(const Grid& grid) {
  Cells cells = {{grid.head}};
  for (const Entry& entry : grid.columns) cells[0].insert(cells[0].end(), {entry.title, "of"});
  for (std::size_t r = 0; r < grid.rows.size(); ++r) {
    cells.push_back({grid.rows[r].title});
    for (std::size_t c = 0; c < grid.columns.size(); ++c) {
      const Figure& figure = grid.cell(r, c);
      cells.back().insert(cells.back().end(), {figure.text(), fixed(figure.estimate().count, 0)});
    }
  }
  return cells;
}

std::string with_sign(double value, int digits) {
  const std::string text = fixed(value, digits);
  return value > 0 && text.find_first_not_of("0.") != std::string::npos ? '+' + text : text;
}

// The weight of the darkest cell. For differences, figures with few cases do not set the scale.
double most_of(const Grid& grid, Shade shade) {
  if (shade == Shade::kValue) return 1;
  double most = 0;
  for (std::size_t c = 0; c < grid.columns.size(); ++c) {
    for (const Estimate& cell : column(grid, c)) {
      if (shade == Shade::kRelative) most = std::max(most, std::abs(cell.value));
      if (shade == Shade::kDifference && cell.known()) most = std::max(most, std::abs(cell.value) - cell.ci95);
    }
  }
  return most;
}

std::string short_text(const Estimate& estimate, Unit unit, int digits) {
  if (estimate.count == 0) return "–";
  return fixed(estimate.value * (unit == Unit::kNumber ? 1 : 100), digits) + (unit == Unit::kNumber ? "" : "%");
}

// The small text of a cell.
std::string below_text(const Grid& grid, std::size_t row, std::size_t column) {
  const std::string& below = grid.columns[column].below;
  if (below.empty()) return {};
  if (below == "count") {
    const double count = grid.cell(row, column).estimate().count;
    return count > 0 ? fixed(count, 0) : "";
  }
  const Figure& figure = grid.of.at(replaced(below, '*', grid.rows[row].path));
  return short_text(figure.estimate(), figure.unit(), 1);
}

// Without intervals, for which cells have no room.
HeatMap::Cell cell_of(const Grid& grid, std::size_t row, std::size_t column, Shade shade, double most) {
  constexpr double kPale = 0.3;
  const Figure& figure = grid.cell(row, column);
  const Estimate estimate = figure.estimate();
  const bool is_number = figure.unit() == Unit::kNumber;
  const int digits = is_number ? 2 : 0;
  const double weight = most > 0 ? std::clamp(estimate.value / most, -1.0, 1.0) : 0;
  if (shade != Shade::kDifference)
    return {weight, short_text(estimate, figure.unit(), digits), below_text(grid, row, column)};
  if (!estimate.known()) return {0, "–", ""};
  const bool seen = estimate.above(0) || estimate.below(0);
  const double scale = is_number ? 1 : 100;
  return {weight * (seen ? 1 : kPale), with_sign(estimate.value * scale, digits) + (is_number ? "" : "%"),
          "±" + fixed(estimate.ci95 * scale, digits)};
}

}  // namespace

std::vector<Entry> entries(std::int64_t count, std::string_view title, std::string_view path, int first,
                           std::string_view below) {
  std::vector<Entry> all;
  for (std::int64_t i = 0; i < count; ++i)
    all.push_back({replaced(title, '#', std::to_string(i + first)), replaced(path, '#', std::to_string(i)),
                   replaced(below, '#', std::to_string(i))});
  return all;
}

std::vector<Entry> entries(std::span<const Named> words, std::string_view path) {
  std::vector<Entry> all;
  for (const Named& word : words) all.push_back({std::string(word.title), replaced(path, '#', word.name)});
  return all;
}

std::vector<Entry> columns(std::string_view names) {
  std::vector<Entry> all;
  while (!names.empty()) {
    const std::string name(names.substr(0, names.find(' ')));
    names.remove_prefix(std::min(names.size(), name.size() + 1));
    all.push_back({name, "*/" + name});
  }
  return all;
}

const Figure& Grid::cell(std::size_t row, std::size_t column) const {
  return of.at(replaced(columns[column].path, '*', rows[row].path));
}

Cells cells_of(const Grid& grid) {
  Cells cells = {{grid.head}};
  for (const Entry& entry : grid.columns) cells[0].push_back(entry.title);
  for (std::size_t r = 0; r < grid.rows.size(); ++r) {
    cells.push_back({grid.rows[r].title});
    for (std::size_t c = 0; c < grid.columns.size(); ++c) cells.back().push_back(grid.cell(r, c).text());
  }
  return cells;
}

void add_table(Page& page, const Grid& grid) { page.table(cells_of(grid)); }

void add_bars(Page& page, const Grid& grid, std::string_view caption, std::optional<double> mark,
              const Cells& numbers) {
  BarChart chart;
  chart.what = grid.of.fill(caption);
  chart.unit = unit_of(grid);
  for (const Entry& row : grid.rows) chart.labels.push_back(row.title);
  chart.bars = column(grid, 0);
  chart.axis = grid.head;
  chart.mark = mark;
  page.figure(bar_chart(chart), chart.what, numbers.empty() ? counted_cells(grid) : numbers);
}

void add_dots(Page& page, const Grid& all, std::string_view axis, std::string_view caption, std::optional<double> mark,
              const Cells& numbers) {
  const Grid grid = known_rows(all);
  DotChart chart;
  chart.what = grid.of.fill(caption);
  chart.unit = unit_of(all);
  chart.axis = axis;
  chart.mark = mark;
  for (const Entry& entry : grid.columns) chart.series.push_back(entry.title);
  for (std::size_t r = 0; r < grid.rows.size(); ++r) {
    chart.rows.push_back({grid.rows[r].title, {}});
    for (std::size_t c = 0; c < grid.columns.size(); ++c) chart.rows.back().dots.push_back(grid.cell(r, c).estimate());
  }
  page.figure(dot_chart(chart), chart.what, numbers.empty() ? counted_cells(grid) : numbers);
}

void add_heat(Page& page, const Grid& all, const Heat& heat, std::string_view caption, const Cells& numbers) {
  const Grid grid = heat.all_rows ? all : known_rows(all);
  HeatMap map;
  map.what = grid.of.fill(caption);
  map.row_axis = grid.head;
  map.column_axis = heat.axis;
  map.label_width = heat.label_width;
  const double most = most_of(grid, heat.shade);
  for (const Entry& entry : grid.columns) map.columns.push_back(entry.title);
  for (std::size_t r = 0; r < grid.rows.size(); ++r) {
    map.rows.push_back(grid.rows[r].title);
    map.cells.emplace_back();
    for (std::size_t c = 0; c < grid.columns.size(); ++c)
      map.cells.back().push_back(cell_of(grid, r, c, heat.shade, most));
  }
  page.figure(heat_map(map), map.what, numbers.empty() ? cells_of(grid) : numbers);
}

}  // namespace dealer::studies
