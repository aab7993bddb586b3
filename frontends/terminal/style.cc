#include "frontends/terminal/style.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#include "env/core/numbers.h"

namespace dealer::terminal {
namespace {

// Four colours readable on the white of a card: black, red, blue, green for s h d c.
constexpr std::array<int, kSuits> kSuitColors = {16, 160, 26, 28};
constexpr std::array<std::string_view, kSuits> kSuitSymbols = {"\u2660", "\u2665", "\u2666", "\u2663"};
constexpr int kCardPaper = 255;
constexpr int kMarkedPaper = 222;
constexpr int kEmptyPaper = 238;
constexpr int kBackPaper = 24;
constexpr int kGlassPaper = 195;
constexpr int kPlainInk = 16;
constexpr int kRedInk = 160;
constexpr int kNarrowest = 40, kWidest = 120, kUsual = 80;

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

int terminal_width(int descriptor) {
  winsize size{};
  int width = 0;
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  if (width == 0) width = number_in<int>(variable("COLUMNS")).value_or(0);
  return width <= 0 ? kUsual : std::clamp(width, kNarrowest, kWidest);
}

Style style_for(int descriptor) {
  Style style;
  const std::string term = variable("TERM");
  style.color = isatty(descriptor) == 1 && variable("NO_COLOR").empty() && !term.empty() && term != "dumb";
  style.symbols = style.color && locale_is_utf8();
  style.width = terminal_width(descriptor);
  return style;
}

std::vector<Card> high_to_low(CardSet cards) {
  std::vector<Card> list;
  for_each(cards, [&](Card card) { list.push_back(card); });
  std::reverse(list.begin(), list.end());
  return list;
}

std::string card_slot(Card card, const Style& style, bool marked) {
  return card_slot({to_string(card), kSuitLetters[static_cast<std::size_t>(suit_of(card))]}, 2, style, marked);
}

std::string card_slot(const CardFace& face, int letters, const Style& style, bool marked) {
  const std::size_t suit = face.suit == 0 ? std::string_view::npos : kSuitLetters.find(face.suit);
  const bool known = suit != std::string_view::npos;
  std::string text = face.text;
  if (known && style.symbols) text = text.substr(0, text.size() - 1) + std::string(kSuitSymbols[suit]);
  const std::string room(static_cast<std::size_t>(std::max(0, letters - static_cast<int>(face.text.size()))), ' ');
  if (!style.color) return text + (marked ? "*" : " ") + room + ' ';
  const int ink = known ? kSuitColors[suit] : face.red ? kRedInk : kPlainInk;
  return fmt::format("\x1b[1;38;5;{};48;5;{}m {}{} \x1b[0m ", ink,
                     marked             ? kMarkedPaper
                     : face.transparent ? kGlassPaper
                                        : kCardPaper,
                     text, room);
}

std::string hidden_slot(const Style& style, int letters) {
  const std::string back(static_cast<std::size_t>(letters), '#');
  return style.color ? fmt::format("\x1b[38;5;117;48;5;{}m {} \x1b[0m ", kBackPaper, back) : back + "  ";
}

std::string empty_slot(const Style& style, int letters) {
  const auto width = static_cast<std::size_t>(letters);
  return style.color ? fmt::format("\x1b[48;5;{}m{}\x1b[0m ", kEmptyPaper, std::string(width + 2, ' '))
                     : std::string(width, '-') + "  ";
}

int slot_width(const Style& style, int letters) { return letters + (style.color ? 3 : 2); }

std::string bold(std::string_view text, const Style& style) { return painted("1", text, style); }
std::string dim(std::string_view text, const Style& style) { return painted("2", text, style); }
std::string warning(std::string_view text, const Style& style) { return painted("1;31", text, style); }

std::string signed_points(double points, const Style& style) {
  if (points == 0) return "0";
  return painted(points > 0 ? "32" : "31", fmt::format("{:+.6g}", points), style);
}

}  // namespace dealer::terminal
