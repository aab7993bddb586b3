#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/report/page.h"
#include "arena/studies/figure.h"

namespace dealer::studies {

// The title of a row or a column of a report, and the path of its figures.
struct Entry {
  std::string title, path;
  std::string below = {};  // in heat maps, the path of the small text; "count": the number of cases
};
// In both patterns '#' is replaced by a number: in titles from `first` on, in paths from 0 on.
std::vector<Entry> entries(std::int64_t count, std::string_view title, std::string_view path, int first = 1,
                           std::string_view below = {});
// In the path '#' is replaced by the name.
std::vector<Entry> entries(std::span<const Named> words, std::string_view path = "#");

// Columns titled like the members that they show: "share points".
std::vector<Entry> columns(std::string_view names);

// Figures in rows and columns, the source of tables and pictures. A cell is the figure at the column's path, in which
// '*' is replaced by the path of the row.
struct Grid {
  const Figure& of;
  std::string head;  // title of the rows
  std::vector<Entry> rows, columns;

  const Figure& cell(std::size_t row, std::size_t column) const;
};
Cells cells_of(const Grid& grid);

// Captions may contain paths of figures, as in Figure::fill(). Pictures have their numbers in a table.
void add_table(Page& page, const Grid& grid);
// The first column as bars; `mark`: a horizontal line.
void add_bars(Page& page, const Grid& grid, std::string_view caption, std::optional<double> mark = {},
              const Cells& numbers = {});
// One series per column, one or two. Rows without known figures are omitted.
void add_dots(Page& page, const Grid& grid, std::string_view axis, std::string_view caption,
              std::optional<double> mark = {}, const Cells& numbers = {});

// The shading of heat map cells.
enum class Shade {
  kValue,       // proportional to the share
  kRelative,    // relative to the largest figure
  kDifference,  // the same, pale where the interval contains zero
};
struct Heat {
  std::string axis;  // title of the columns
  Shade shade = Shade::kValue;
  double label_width = 60;
  bool all_rows = false;  // includes rows without known figures
};
void add_heat(Page& page, const Grid& grid, const Heat& heat, std::string_view caption, const Cells& numbers = {});

}  // namespace dealer::studies
