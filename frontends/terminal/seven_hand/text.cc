#include "frontends/terminal/seven_hand/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "env/core/at.h"
#include "env/core/error.h"
#include "env/core/numbers.h"
#include "env/hands/hand_rank.h"
#include "frontends/terminal/commands.h"
#include "frontends/terminal/hand_ladder.h"
#include "frontends/terminal/screen_text.h"

namespace dealer::terminal {
namespace {

using seven_hand::kChips;
using seven_hand::kMostLaid;
using seven_hand::View;

// The cards of one side at a chip.
std::string side_text(CardSet cards, int count, const Style& style) {
  std::string text;
  for (const Card card : high_to_low(cards)) text += card_slot(card, style);
  for (int i = size(cards); i < count; ++i) text += hidden_slot(style);
  return text;
}

constexpr const char *kTaken[] = {"<<", ">>"}, *kTied = "==";

// A finished board has no threats.
bool threat(const View& view, int chip, int side) {
  return view.to_act >= 0 && seven_hand::threatens(view, chip, side);
}

std::string owner_text(const View& view, int chip, const Style& style) {
  const int owner = view.owner[at(chip)];
  if (owner >= 0) return bold(kTaken[owner], style);
  if (owner == seven_hand::kNobody) return kTied;
  return fmt::format("{}{}", threat(view, chip, 0) ? '!' : ' ', threat(view, chip, 1) ? '?' : ' ');
}

// The cards at a chip on one side, and their turn: "t2 Ks Qs"; empty if there are none.
std::string group_text(const View& view, int chip, int side, const Style& style) {
  const auto c = at(chip), s = at(side);
  if (view.count[s][c] == 0) return {};
  return dim(fmt::format("t{} ", view.turn[s][c]), style) + side_text(view.cards[s][c], view.count[s][c], style);
}

// The symbols of the line.
std::string legend_text(const View& view, const Seats& seats) {
  const std::string &me = seats.name(view.me), &other = seats.name(1 - view.me);
  const auto some = [&](const auto& is) {
    for (int chip = 0; chip < kChips; ++chip)
      if (is(chip)) return true;
    return false;
  };
  const auto owned_by = [&](int who) { return some([&](int chip) { return view.owner[at(chip)] == who; }); };
  std::string text;
  const auto add = [&](bool shown, const std::string& what) {
    if (shown) text += (text.empty() ? "" : ", ") + what;
  };
  add(some([&](int chip) { return view.count[0][at(chip)] + view.count[1][at(chip)] > 0; }), "t1 laid in turn 1");
  add(owned_by(0), fmt::format("{} taken by {}", kTaken[0], me));
  add(owned_by(1), fmt::format("{} taken by {}", kTaken[1], other));
  add(owned_by(seven_hand::kNobody), fmt::format("{} {}", kTied, view.ties_count ? "of both" : "of nobody"));
  add(some([&](int chip) { return threat(view, chip, 0); }), "! three in a row for " + me);
  add(some([&](int chip) { return threat(view, chip, 1); }), "? three in a row for " + other);
  return text.empty() ? text : text + '\n';
}

// Numbers of the chips that a side owns, from 1.
std::vector<int> chips_of(const View& view, int side) {
  std::vector<int> chips;
  for (int chip = 0; chip < kChips; ++chip)
    if (view.owns(side, chip)) chips.push_back(chip + 1);
  return chips;
}

// "1, 2 and 5"
std::string chips_text(const std::vector<int>& chips) {
  std::string text;
  for (std::size_t i = 0; i < chips.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == chips.size() ? " and " : ", ", chips[i]);
  return text;
}

// The first of three adjacent chips; nothing if there are none.
std::optional<int> row_of(const View& view, int side) {
  for (int chip = 0; chip + seven_hand::kAdjacent <= kChips; ++chip)
    if (view.owns(side, chip) && view.owns(side, chip + 1) && view.owns(side, chip + 2)) return chip;
  return std::nullopt;
}

}  // namespace

std::string line_text(const View& view, const Seats& seats, const Style& style) {
  constexpr int kMargin = 9, kTurn = 3;  // columns before the cards, and width of "t1 "
  const int width = kTurn + kMostLaid * slot_width(style);
  // Side by side if they fit, else one below the other.
  const std::string between = "| ";
  const bool narrow = style.width > 0 && kMargin + 2 * width + columns(between) > style.width;
  const auto name = [&](Seat seat) {
    return std::string(kTurn, ' ') + bold(shorten(seats.name(seat), width - kTurn - 1), style);
  };
  const std::string below = narrow ? "\n     vs  " : between;
  const auto own_side = [&](std::string text) { return narrow ? text : pad_right(std::move(text), width); };
  std::string text = as_line(std::string(kMargin, ' ') + own_side(name(view.me)) + below + name(1 - view.me));
  for (int chip = 0; chip < kChips; ++chip) {
    std::string line = fmt::format("  {}  {}  ", chip + 1, owner_text(view, chip, style));
    line += own_side(group_text(view, chip, 0, style));
    if (!narrow || view.count[1][at(chip)] > 0) line += below + group_text(view, chip, 1, style);
    text += as_line(std::move(line));
  }
  text += wrap_list(legend_text(view, seats), style.width);
  for (int chip = 0; chip < kChips; ++chip)
    if (const std::string why = extra_card_text(view, chip); !why.empty())
      text += wrap(fmt::format("chip {}: {}\n", chip + 1, why), style.width);
  return text;
}

std::string extra_card_text(const View& view, int chip) {
  const auto c = at(chip);
  const int owner = view.owner[c];
  if (owner < 0) return {};
  const HandRank winner = evaluate(view.cards[at(owner)][c]), loser = evaluate(view.cards[at(1 - owner)][c]);
  if (winner == loser || describe(winner) != describe(loser)) return {};
  // Nibbles from the first rank compared to the last, 0 for no card.
  for (int shift = 16; shift >= 0; shift -= 4) {
    const auto rank = [&](HandRank hand) { return packed(hand) >> shift & 0xFU; };
    if (rank(winner) == rank(loser)) continue;
    const auto letter = [&](HandRank hand) {
      return rank(hand) == 0 ? std::string("no card") : std::string(1, kRankLetters[rank(hand) - 1]);
    };
    return fmt::format("{} each, an extra card decides: {} beats {}", describe(winner), letter(winner), letter(loser));
  }
  return {};
}

std::string result_text(const View& view, std::int64_t points, const Seats& seats) {
  const auto name = [&](int side) { return seats.name(side == 0 ? view.me : 1 - view.me); };
  const int winner = points > 0 ? 0 : 1;
  const std::optional<int> row = row_of(view, winner);
  std::string text;
  if (points == 0)
    text = row ? "A draw: both have three chips in a row.\n" : "A draw: both have as many chips.\n";
  else
    text = fmt::format(
        "{} {}: {}.\n", name(winner), winner == 0 ? "win" : "wins",
        row ? fmt::format("chips {} to {} are three in a row", *row + 1, *row + seven_hand::kAdjacent) : "most chips");
  for (const int side : {0, 1}) {
    const std::vector<int> chips = chips_of(view, side);
    text += fmt::format("{} {} {} chip{}{}\n", name(side), side == 0 ? "have" : "has",
                        chips.empty() ? "no" : std::to_string(chips.size()), chips.size() == 1 ? "" : "s",
                        chips.empty() ? "" : ": " + chips_text(chips));
  }
  return text;
}

std::string hand_text(CardSet hand, CardSet marked, const Style& style) {
  const int slot = slot_width(style);
  const auto in_line = at(std::max(1, ((style.width > 0 ? style.width : 80) - 2) / slot));
  const std::vector<Card> cards = high_to_low(hand);
  std::string text;
  for (std::size_t begin = 0; begin < cards.size(); begin += in_line) {
    std::string line = "  ", numbers = "  ";
    for (std::size_t i = begin; i < std::min(cards.size(), begin + in_line); ++i) {
      line += card_slot(cards[i], style, (marked & bit(cards[i])) != 0);
      numbers += pad_right(fmt::format("{:>2}", i + 1), slot);
    }
    while (numbers.ends_with(' ')) numbers.pop_back();
    text += as_line(std::move(line)) + dim(numbers, style) + '\n';
  }
  return text;
}

std::string cards_line(CardSet hand, const Style& style) { return as_line("hand   " + side_text(hand, 0, style)); }

std::string rules_text(const seven_hand::GameRules& rules) {
  std::string text =
      "Lay 1 to 5 cards face down; your opponent names the chip they go to, and you draw three. Where both lie, both "
      "are turned up and the stronger hand takes the chip: a pair needs two cards, trips three, two pair and quads "
      "four, straights, flushes and full houses five; other cards are kickers. Three chips in a row win at once, else "
      "most chips after seven turns each.\n";
  // Indexed by Ties.
  constexpr const char* kEqual[] = {"nobody takes the chip", "the player who laid there second takes the chip",
                                    "the player who laid there first takes the chip", "the chip counts for both"};
  text += fmt::format("Equal hands: {}.\n", kEqual[static_cast<int>(rules.ties)]);
  if (rules.margin) text += "The winner gets the difference in chips, at least 1.\n";
  return text + standard_hand_ladder();
}

CardSet parse_cards_to_lay(std::string_view text, CardSet hand) {
  const std::vector<Card> cards = high_to_low(hand);
  CardSet chosen = 0;
  for (const std::string& word : words_of(text, " ,")) {
    if (lower_case(word) == "lay") continue;
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
    throw ParseError(fmt::format("'{}' is not a chip; expected a number from 1 to 7", trimmed(text)));
  return *number - 1;
}

}  // namespace dealer::terminal
