#include "frontends/terminal/seven_hand/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "env/core/at.h"
#include "env/core/error.h"
#include "env/core/numbers.h"
#include "frontends/terminal/commands.h"
#include "frontends/terminal/screen_text.h"

namespace dealer::terminal {
namespace {

using seven_hand::kChips;
using seven_hand::kMostLaid;
using seven_hand::View;

std::vector<Card> from_high(CardSet cards) {
  std::vector<Card> list;
  for_each(cards, [&](Card card) { list.push_back(card); });
  std::reverse(list.begin(), list.end());
  return list;
}

// What lies on one side of a chip.
std::string side_text(CardSet cards, int count, const Style& style) {
  std::string text;
  for (const Card card : from_high(cards)) text += card_slot(card, style);
  for (int i = size(cards); i < count; ++i) text += hidden_slot(2, style);
  return text;
}

std::string owner_text(const View& view, int chip, const Style& style) {
  switch (view.owner[at(chip)]) {
    case 0:
      return bold("<<", style);
    case 1:
      return bold(">>", style);
    case seven_hand::kNobody:
      return "==";
    default:
      return fmt::format("{}{}", seven_hand::threatens(view, chip, 0) ? '!' : ' ',
                         seven_hand::threatens(view, chip, 1) ? '?' : ' ');
  }
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

std::string line_text(const View& view, const Seats& seats, const Style& style) {
  constexpr int kMargin = 9;
  const int width = kMostLaid * slot_width(style);
  // Side by side, or else one below the other.
  const bool narrow = style.width > 0 && kMargin + 2 * width > style.width;
  const auto name = [&](Seat seat) { return bold(shorten(seats.name(seat), width - 1), style); };
  const std::string below = narrow ? "\n     vs  " : "";
  const auto own_side = [&](std::string text) { return narrow ? text : pad_right(std::move(text), width); };
  const auto add = [](std::string& text, std::string line) {
    while (line.ends_with(' ')) line.pop_back();
    text += line + '\n';
  };
  std::string text;
  add(text, std::string(kMargin, ' ') + own_side(name(view.me)) + below + name(1 - view.me));
  bool own = false, other = false;
  for (int chip = 0; chip < kChips; ++chip) {
    const auto c = at(chip);
    std::string line = fmt::format("  {}  {}  ", chip + 1, owner_text(view, chip, style));
    line += own_side(side_text(view.cards[0][c], view.count[0][c], style));
    if (view.count[1][c] > 0) line += below + side_text(view.cards[1][c], view.count[1][c], style);
    add(text, line);
    own = own || seven_hand::threatens(view, chip, 0);
    other = other || seven_hand::threatens(view, chip, 1);
  }
  if (own) text += wrap("! three in a row for you\n", style.width);
  if (other) text += wrap(fmt::format("? three in a row for {}\n", seats.name(1 - view.me)), style.width);
  return text;
}

std::string hand_text(CardSet hand, const Style& style) {
  const int slot = slot_width(style);
  const auto in_line = at(std::max(1, ((style.width > 0 ? style.width : 80) - 2) / slot));
  const std::vector<Card> cards = from_high(hand);
  std::string text;
  for (std::size_t begin = 0; begin < cards.size(); begin += in_line) {
    std::string line = "  ", numbers = "  ";
    for (std::size_t i = begin; i < std::min(cards.size(), begin + in_line); ++i) {
      line += card_slot(cards[i], style);
      numbers += pad_right(fmt::format("{:>2}", i + 1), slot);
    }
    while (line.ends_with(' ')) line.pop_back();
    while (numbers.ends_with(' ')) numbers.pop_back();
    text += line + '\n' + dim(numbers, style) + '\n';
  }
  return text;
}

std::string rules_text(const seven_hand::GameRules& rules) {
  std::string text =
      "Lay 1 to 5 cards face down; your opponent names the chip they go to, and you draw three. Where both lie, both "
      "are turned up and the stronger hand takes the chip: a pair needs two cards, trips three, two pair and quads "
      "four, straights, flushes and full houses five; other cards are kickers. Three chips in a row win at once, else "
      "most chips after seven turns each.\n";
  // By Ties.
  constexpr const char* kEqual[] = {"nobody takes the chip", "who laid there second takes the chip",
                                    "who laid there first takes the chip", "the chip counts for both"};
  text += fmt::format("Equal hands: {}.\n", kEqual[static_cast<int>(rules.ties)]);
  if (rules.margin) text += "The winner gets the difference in chips, at least 1.\n";
  return text;
}

CardSet parse_cards_to_lay(std::string_view text, CardSet hand) {
  const std::vector<Card> cards = from_high(hand);
  CardSet chosen = 0;
  for (std::string_view rest = trimmed(text); !rest.empty();) {
    const auto end = std::min(rest.find_first_of(" ,"), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest = trimmed(rest.substr(std::min(end + 1, rest.size())));
    if (word.empty() || lower_case(std::string(word)) == "lay") continue;
    CardSet now = 0;
    if (const std::optional<int> number = number_in<int>(word)) {
      if (*number < 1 || at(*number) > cards.size())
        throw ParseError(fmt::format("there is no card {}; expected 1 to {}", *number, cards.size()));
      now = bit(cards[at(*number - 1)]);
    } else {
      now = to_set(parse_cards(word));
    }
    if ((now & ~hand) != 0) throw ParseError(fmt::format("{} is not in your hand", dealer::to_string(now & ~hand)));
    if ((now & chosen) != 0) throw ParseError(fmt::format("{} is named twice", dealer::to_string(now & chosen)));
    chosen |= now;
  }
  if (chosen == 0) throw ParseError("expected cards to lay, by name or number: Kd 4c, or 2 5");
  if (size(chosen) > kMostLaid) throw ParseError(fmt::format("{} cards; 5 can be laid at most", size(chosen)));
  return chosen;
}

int parse_chip(std::string_view text) {
  std::string word = lower_case(std::string(trimmed(text)));
  if (word.starts_with("chip")) word = trimmed(std::string_view(word).substr(4));
  const std::optional<int> number = number_in<int>(word);
  if (!number || *number < 1 || *number > kChips)
    throw ParseError(fmt::format("'{}' is no chip; expected a number from 1 to 7", trimmed(text)));
  return *number - 1;
}

}  // namespace dealer::terminal
