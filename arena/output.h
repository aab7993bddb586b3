#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

// What results are written with.
namespace dealer {

// Null for what is not known: a number that is not finite, or one of no case.
inline nlohmann::json number_or_null(double number, bool known = true) {
  return known && std::isfinite(number) ? nlohmann::json(number) : nlohmann::json(nullptr);
}

// A likelihood of superiority: "97.3%", never quite 0 or 100; "?" of one that is not known.
inline std::string likelihood_text(double likelihood) {
  if (!std::isfinite(likelihood)) return "?";
  if (likelihood > 0.999) return ">99.9%";
  if (likelihood < 0.001) return "<0.1%";
  return fmt::format("{:.1f}%", 100 * likelihood);
}

// Columns of a terminal as people count them, not bytes.
inline std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

// Filled with blanks to so many columns, behind the text or, where it is to stand on the right, before it.
inline std::string padded(const std::string& text, std::size_t width, bool right = false) {
  const std::string blanks(width > width_of(text) ? width - width_of(text) : 0, ' ');
  return right ? blanks + text : text + blanks;
}

// Rows of cells in columns; `right` says which of these stand to the right.
template <class Right>
std::string text_table(const std::vector<std::vector<std::string>>& rows, const Right& right) {
  std::vector<std::size_t> width;
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      width.resize(std::max(width.size(), c + 1));
      width[c] = std::max(width[c], width_of(row[c]));
    }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) line += padded(row[c], width[c], right(c)) + "  ";
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace dealer
