#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/studies/figure.h"
#include "arena/studies/report/page.h"

namespace dealer::studies {

// What a row or a column of a report is called, and the path of its figures.
struct Entry {
  std::string title, path;
  std::string below = {};  // in heat maps, the path of the smaller text; "count": how many cases there are
};
// In both patterns '#' stands for a number: in titles from `first` on, in paths from 0 on.
std::vector<Entry> entries(std::int64_t count, std::string_view title, std::string_view path, int first = 1,
                           std::string_view below = {});
// In the path '#' stands for the name.
std::vector<Entry> entries(std::span<const Named> words, std::string_view path = "#");

// Figures in rows and columns, from which tables and pictures are made. A cell is the figure at the column's path, in
// which '*' stands for the path of the row.
struct Grid {
  const Figure& of;
  std::string head;  // what the rows are
  std::vector<Entry> rows, columns;

  const Figure& cell(std::size_t row, std::size_t column) const;
};
Cells cells_of(const Grid& grid);

// Captions may name figures of the grid, as Figure::fill() has them. Pictures have their numbers in a table.
void add_table(Page& page, const Grid& grid);
// The first column as bars, `mark` a line across.
void add_bars(Page& page, const Grid& grid, std::string_view caption, std::optional<double> mark = {},
              const Cells& numbers = {});
// A series a column, one or two. Rows in which nothing is known are left out.
void add_dots(Page& page, const Grid& grid, std::string_view axis, std::string_view caption,
              std::optional<double> mark = {}, const Cells& numbers = {});

// How dark the cells of a heat map are.
enum class Shade {
  kValue,       // as the share that they have
  kRelative,    // against the largest figure
  kDifference,  // the same, pale where the interval holds zero
};
struct Heat {
  std::string axis;  // what the columns are
  Shade shade = Shade::kValue;
  double label_width = 60;
  bool all_rows = false;  // also those in which nothing is known
};
void add_heat(Page& page, const Grid& grid, const Heat& heat, std::string_view caption, const Cells& numbers = {});

}  // namespace dealer::studies
