#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Helpers for writing results.
namespace dealer {

// Null for an unknown number: one that is not finite, or one without a case.
inline nlohmann::json number_or_null(double number, bool known = true) {
  return known && std::isfinite(number) ? nlohmann::json(number) : nlohmann::json(nullptr);
}

inline nlohmann::json number_or_null(const std::optional<double>& number) {
  return number ? number_or_null(*number) : nlohmann::json(nullptr);
}

// A likelihood of superiority: "97.3%", never exactly 0 or 100; "?" if unknown.
inline std::string likelihood_text(double likelihood) {
  if (!std::isfinite(likelihood)) return "?";
  if (likelihood > 0.999) return ">99.9%";
  if (likelihood < 0.001) return "<0.1%";
  return fmt::format("{:.1f}%", 100 * likelihood);
}

// The width in terminal columns as people count them, not in bytes.
inline std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

// Pads the text with blanks to a width, on the right or, if `right`, on the left.
inline std::string padded(const std::string& text, std::size_t width, bool right = false) {
  const std::string blanks(width > width_of(text) ? width - width_of(text) : 0, ' ');
  return right ? blanks + text : text + blanks;
}

// Formats rows of cells as columns; `right` selects the right-aligned ones.
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
