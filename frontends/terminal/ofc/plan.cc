#include "frontends/terminal/ofc/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "env/core/error.h"
#include "frontends/terminal/commands.h"
#include "frontends/terminal/style.h"

namespace dealer::terminal {
namespace {

constexpr std::int8_t kOpen = -1;
constexpr std::string_view kPlaceLetters = "fmbx";

std::optional<ofc::Place> place_named(std::string_view word) {
  if (word.size() == 1) {
    const std::size_t letter = kPlaceLetters.find(word[0]);
    return letter == std::string_view::npos ? std::nullopt : std::optional(static_cast<ofc::Place>(letter));
  }
  const auto* const name = std::find(ofc::kPlaceNames.begin(), ofc::kPlaceNames.end(), word);
  return name == ofc::kPlaceNames.end() ? std::nullopt
                                        : std::optional(static_cast<ofc::Place>(name - ofc::kPlaceNames.begin()));
}

// "kd", "kdqd"; a ten may be a T or a 10.
std::vector<Card> cards_in(std::string word) {
  for (std::size_t ten = word.find("10"); ten != std::string::npos; ten = word.find("10")) word.replace(ten, 2, "t");
  std::vector<Card> cards;
  for (std::size_t i = 0; i < word.size(); i += 2) {
    const std::optional<Card> card = try_parse_card(word.substr(i, 2));
    if (!card)
      throw ParseError(fmt::format("'{}' is neither a card of yours nor a row; type 'help' to see what is", word));
    cards.push_back(*card);
  }
  return cards;
}

using Moves = std::vector<std::pair<Card, ofc::Place>>;

// "ffmbx": a row for each open card.
Moves rows_only(const std::vector<ofc::Place>& rows, CardSet open) {
  if (open == 0) throw ParseError("every card has its row; Enter confirms, undo takes the last back");
  if (static_cast<int>(rows.size()) > size(open))
    throw ParseError(fmt::format("{} rows given for {} open cards", rows.size(), size(open)));
  Moves moves;
  const std::vector<Card> cards = high_to_low(open);
  for (std::size_t i = 0; i < rows.size(); ++i) moves.emplace_back(cards[i], rows[i]);
  return moves;
}

// All words are rows, or one word is a row of their letters.
std::optional<std::vector<ofc::Place>> only_rows(const std::vector<std::string>& words) {
  std::vector<ofc::Place> rows;
  for (const std::string& word : words) {
    if (const auto row = place_named(word)) {
      rows.push_back(*row);
      continue;
    }
    if (words.size() != 1 || word.find_first_not_of(kPlaceLetters) != std::string::npos) return std::nullopt;
    for (const char letter : word) rows.push_back(*place_named({&letter, 1}));
  }
  return rows;
}

// "Kd Qd f 6h x" or "f Kd Qd x 6h".
Moves cards_and_rows(const std::vector<std::string>& words) {
  const bool row_first = place_named(words.front()).has_value();
  Moves moves;
  std::vector<Card> waiting;
  std::optional<ofc::Place> row;
  for (const std::string& word : words) {
    const std::optional<ofc::Place> named = place_named(word);
    if (!named) {
      for (const Card card : cards_in(word)) {
        if (row_first)
          moves.emplace_back(card, *row);
        else
          waiting.push_back(card);
      }
      continue;
    }
    if (!row_first && waiting.empty()) throw ParseError(fmt::format("row '{}' follows no card", word));
    for (const Card card : waiting) moves.emplace_back(card, *named);
    waiting.clear();
    row = named;
  }
  if (!waiting.empty())
    throw ParseError(
        fmt::format("no row for {}: add f, m, b or x (front, middle, back, discard)", to_string(waiting.front())));
  return moves;
}

}  // namespace

struct OfcPlan::RowCounts {
  std::array<int, ofc::kPlaces> count{};
  int placed() const { return count[0] + count[1] + count[2]; }
};

OfcPlan::OfcPlan(const ofc::View& view)
    : base_(view.board[0]), hand_(view.hand), places_(view.places_left), discards_(view.discards_left) {
  Destinations none;
  none.fill(kOpen);
  accept(none);
}

OfcPlan::RowCounts OfcPlan::count(const Destinations& destinations) const {
  RowCounts counts;
  for_each(hand_, [&](Card card) {
    if (destinations[card] != kOpen) ++counts.count[static_cast<std::uint8_t>(destinations[card])];
  });
  return counts;
}

void OfcPlan::check(const Destinations& typed) const {
  const RowCounts counts = count(typed);
  for (const ofc::Row row : {ofc::kFront, ofc::kMiddle, ofc::kBack}) {
    if (counts.count[row] > base_.room(row))
      throw ParseError(
          fmt::format("the {} has room for {}, not for {}", ofc::kRowNames[row], base_.room(row), counts.count[row]));
  }
  if (counts.count[ofc::kToDiscard] > discards_)
    throw ParseError(discards_ == 0
                         ? "nothing is discarded on this turn"
                         : fmt::format("{} to discard on this turn, not {}", discards_, counts.count[ofc::kToDiscard]));
  if (counts.placed() > places_)
    throw ParseError(fmt::format("{} cards to place on this turn, not {}: discard {} (x)", places_, counts.placed(),
                                 discards_ == 1 ? "one" : std::to_string(discards_)));
}

OfcPlan::Destinations OfcPlan::forced(const Destinations& typed) const {
  const RowCounts counts = count(typed);
  std::int8_t only = kOpen;
  if (counts.placed() == places_) {
    only = ofc::kToDiscard;
  } else if (counts.count[ofc::kToDiscard] == discards_) {
    int rows = 0;
    for (const ofc::Row row : {ofc::kFront, ofc::kMiddle, ofc::kBack}) {
      if (base_.room(row) == counts.count[row]) continue;
      ++rows;
      only = static_cast<std::int8_t>(row);
    }
    if (rows > 1) only = kOpen;
  }
  Destinations all = typed;
  for_each(hand_, [&](Card card) {
    if (all[card] == kOpen) all[card] = only;
  });
  return all;
}

void OfcPlan::accept(const Destinations& typed) {
  now_ = forced(typed);
  history_.push_back(typed);
}

void OfcPlan::enter(std::string_view text) {
  const std::vector<std::string> words = words_of(lower_case(std::string(text)), " \t,;");
  if (words.empty()) throw ParseError("nothing to place");
  const auto rows = only_rows(words);
  const Moves moves = rows ? rows_only(*rows, open()) : cards_and_rows(words);
  Destinations next = typed();
  CardSet given = 0;
  for (const auto& [card, place] : moves) {
    if ((hand_ & bit(card)) == 0)
      throw ParseError(fmt::format("{} is not among your cards: {}", to_string(card), to_string(hand_)));
    if ((given & bit(card)) != 0) throw ParseError(fmt::format("{} is given twice", to_string(card)));
    given |= bit(card);
    next[card] = static_cast<std::int8_t>(place);
  }
  check(next);
  accept(next);
}

void OfcPlan::adopt(const Moves& moves) {
  Destinations next = typed();
  for_each(hand_, [&](Card card) { next[card] = kOpen; });
  for (const auto& [card, place] : moves) next[card] = static_cast<std::int8_t>(place);
  check(next);
  accept(next);
}

bool OfcPlan::undo() {
  if (history_.size() == 1) return false;
  history_.pop_back();
  now_ = forced(typed());
  return true;
}

CardSet OfcPlan::open() const {
  CardSet cards = 0;
  for_each(hand_, [&](Card card) { cards |= now_[card] == kOpen ? bit(card) : 0; });
  return cards;
}

std::optional<ofc::Place> OfcPlan::place_of(Card card) const {
  if ((hand_ & bit(card)) == 0 || now_[card] == kOpen) return std::nullopt;
  return static_cast<ofc::Place>(now_[card]);
}

ofc::Board OfcPlan::board() const {
  ofc::Board board = base_;
  for_each(hand_, [&](Card card) {
    if (now_[card] != kOpen && now_[card] != ofc::kToDiscard)
      board.row[static_cast<std::uint8_t>(now_[card])] |= bit(card);
  });
  return board;
}

CardSet OfcPlan::discards() const {
  CardSet cards = 0;
  for_each(hand_, [&](Card card) { cards |= now_[card] == ofc::kToDiscard ? bit(card) : 0; });
  return cards;
}

int OfcPlan::places_left() const { return places_ - count(now_).placed(); }
int OfcPlan::discards_left() const { return discards_ - count(now_).count[ofc::kToDiscard]; }

}  // namespace dealer::terminal
