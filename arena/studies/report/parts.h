#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/studies/report/charts.h"
#include "arena/studies/report/page.h"
#include "arena/studies/study.h"

namespace dealer::studies {

// Parts of reports that several studies have.

// Of a study of several games: "An agent against itself: default plays draw; rule plays lowball."
std::string who_played(const Subject& subject);
// Names of games that tell them apart: who plays each stands behind it where some names are equal, "draw, rule".
std::vector<std::string> told_apart(std::vector<std::string> names, const std::vector<std::string>& agents);
// The last line of their reports.
std::string last_line(const Subject& subject);

// What ± means, and when a difference counts as seen; `unit`: what is one observation, "a deal".
std::string about_intervals(std::string_view unit);

// As text_of() writes them.
std::string number(const Estimate& estimate);
std::string percent(const Estimate& estimate);

// "1", "2" … so many, or from another first number on.
std::vector<std::string> numbered(std::size_t count, int first = 1);

template <std::size_t n>
std::vector<Estimate> listed(const std::array<Estimate, n>& estimates) {
  return {estimates.begin(), estimates.end()};
}

// A bar chart with its numbers in a table; `figure` heads their column.
void add_bars(Page& page, BarChart chart, std::string_view figure, std::string_view caption);
// Shares, one bar each; `mark`: a line across them.
void add_shares(Page& page, const std::string& axis, std::vector<std::string> labels, std::vector<Estimate> bars,
                std::string_view figure, std::string_view caption, std::optional<double> mark = {});
// A dot chart with its numbers in a table. Rows in which nothing is known are left out.
void add_dots(Page& page, DotChart chart, std::string_view caption);
// Shares as a heat map: rows of titles, one cell for each column. Rows without a case are left out. Numbers in a table.
struct ShareMap {
  std::vector<std::string> rows, columns;
  std::string row_axis, column_axis;
  std::vector<std::vector<Estimate>> shares;  // [row][column]
  double label_width = 60;
};
void add_share_map(Page& page, const ShareMap& map, std::string_view caption);

}  // namespace dealer::studies
