#include "env/core/nearest.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

namespace dealer {
namespace {

// No name is longer, and a hostile word must not cost quadratic time.
constexpr std::size_t kLongest = 64;

bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

// Edit distance with swaps of neighbours (optimal string alignment), over three rolling rows.
std::size_t distance(std::string_view a, std::string_view b) {
  std::array<std::array<std::size_t, kLongest + 1>, 3> rows{};
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto& row = rows[i % 3];
    const auto& above = rows[(i + 2) % 3];
    const auto& two_above = rows[(i + 1) % 3];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = same_letter(a[i - 1], b[j - 1]) ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + change});
      const bool swapped = i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]);
      if (swapped) row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
  }
  return rows[a.size() % 3][b.size()];
}

// At most a third of the letters may differ.
bool is_near(std::string_view word, std::string_view name) {
  const std::size_t longer = std::max(word.size(), name.size()), d = distance(word, name);
  return d <= std::max<std::size_t>(1, longer / 3) && d < longer;
}

// "nl" for "no_limit".
bool is_short_for(std::string_view word, std::string_view name) {
  std::string initials;
  for (std::size_t i = 0; i < name.size(); ++i)
    if (i == 0 || name[i - 1] == '_') initials += name[i];
  return initials.size() > 1 && std::equal(word.begin(), word.end(), initials.begin(), initials.end(), same_letter);
}

// "standrd" for "standard_52": near to the first words of the name, or to one of them.
bool is_near_beginning(std::string_view word, std::string_view name) {
  for (std::size_t end = name.find('_'); end < name.size(); end = name.find('_', end + 1))
    if (const std::string_view first = name.substr(0, end); first.size() > 2 && is_near(word, first)) return true;
  return false;
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string> known) {
  if (word.size() > kLongest) return {};
  std::string best;
  std::size_t best_distance = kLongest;
  for (const std::string& name : known) {
    if (name.size() > kLongest) continue;
    const std::size_t d = distance(word, name);
    if (d >= best_distance || !is_near(word, name)) continue;
    best = name;
    best_distance = d;
  }
  for (const std::string& name : known)
    if (best.empty() && name.size() <= kLongest && is_near_beginning(word, name)) best = name;
  for (const std::string& name : known)
    if (best.empty() && is_short_for(word, name)) best = name;
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
  const std::string name = nearest(word, known);
  return name.empty() ? std::string() : "; did you mean '" + name + "'?";
}

}  // namespace dealer
