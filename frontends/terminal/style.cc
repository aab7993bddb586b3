#include "frontends/terminal/style.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cstdlib>

namespace dealer::terminal {
namespace {

// Four colours that read well on the white of a card: black, red, blue, green for s h d c.
constexpr std::array<int, kSuits> kSuitColors = {16, 160, 26, 28};
constexpr std::array<std::string_view, kSuits> kSuitSymbols = {"\u2660", "\u2665", "\u2666", "\u2663"};
constexpr int kCardPaper = 255;
constexpr int kMarkedPaper = 222;
constexpr int kEmptyPaper = 238;

std::string variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? std::string() : value;
}

// The first of the locale's variables that is set decides, as in POSIX.
bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string value = variable(name);
    if (value.empty()) continue;
    for (char& c : value) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return value.find("UTF-8") != std::string::npos || value.find("UTF8") != std::string::npos;
  }
  return false;
}

std::string painted(std::string_view codes, std::string_view text, const Style& style) {
  return style.color ? fmt::format("\x1b[{}m{}\x1b[0m", codes, text) : std::string(text);
}

}  // namespace

Style style_for(int descriptor) {
  Style style;
  const std::string term = variable("TERM");
  style.color = isatty(descriptor) == 1 && variable("NO_COLOR").empty() && !term.empty() && term != "dumb";
  style.symbols = style.color && locale_is_utf8();
  return style;
}

std::string card_slot(Card card, const Style& style, bool marked) {
  const auto suit = static_cast<std::size_t>(suit_of(card));
  const std::string text =
      style.symbols ? fmt::format("{}{}", kRankLetters[static_cast<std::size_t>(rank_of(card))], kSuitSymbols[suit])
                    : to_string(card);
  if (!style.color) return text + (marked ? "* " : "  ");
  return fmt::format("\x1b[1;38;5;{};48;5;{}m {} \x1b[0m ", kSuitColors[suit], marked ? kMarkedPaper : kCardPaper,
                     text);
}

std::string empty_slot(const Style& style) {
  return style.color ? fmt::format("\x1b[48;5;{}m    \x1b[0m ", kEmptyPaper) : "--  ";
}

int slot_width(const Style& style) { return style.color ? 5 : 4; }

std::string bold(std::string_view text, const Style& style) { return painted("1", text, style); }
std::string dim(std::string_view text, const Style& style) { return painted("2", text, style); }
std::string warning(std::string_view text, const Style& style) { return painted("1;31", text, style); }

std::string signed_points(double points, const Style& style) {
  if (points == 0) return "0";
  return painted(points > 0 ? "32" : "31", fmt::format("{:+.6g}", points), style);
}

}  // namespace dealer::terminal
