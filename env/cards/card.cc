#include "env/cards/card.h"

#include <cctype>

#include "env/core/error.h"

namespace dealer {

std::string to_string(Card card) {
  return {kRankLetters[static_cast<std::size_t>(rank_of(card))], kSuitLetters[static_cast<std::size_t>(suit_of(card))]};
}

std::string to_string(CardSet set) {
  std::string text;
  for (int card = kCards - 1; card >= 0; --card) {
    if ((set & bit(static_cast<Card>(card))) == 0) continue;
    if (!text.empty()) text += ' ';
    text += to_string(static_cast<Card>(card));
  }
  return text;
}

std::optional<Card> try_parse_card(std::string_view text) {
  if (text.size() != 2) return std::nullopt;
  const auto rank = kRankLetters.find(static_cast<char>(std::toupper(static_cast<unsigned char>(text[0]))));
  const auto suit = kSuitLetters.find(static_cast<char>(std::tolower(static_cast<unsigned char>(text[1]))));
  if (rank == std::string_view::npos || suit == std::string_view::npos) return std::nullopt;
  return make_card(static_cast<int>(rank), static_cast<int>(suit));
}

Card parse_card(std::string_view text) {
  if (const auto card = try_parse_card(text)) return *card;
  throw ParseError("'" + std::string(text) +
                   "' is not a card: expected a rank of 23456789TJQKA and a suit of shdc, as in 'As'");
}

std::vector<Card> parse_cards(std::string_view text) {
  std::vector<Card> cards;
  CardSet seen = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[i])) != 0) {
      ++i;
      continue;
    }
    std::size_t length = 2;
    // The message shows letters of several bytes whole.
    while (i + length < text.size() && (static_cast<unsigned char>(text[i + length]) & 0xC0) == 0x80) ++length;
    const Card card = parse_card(text.substr(i, length));
    if ((seen & bit(card)) != 0) throw ParseError("card " + to_string(card) + " is given twice");
    seen |= bit(card);
    cards.push_back(card);
    i += 2;
  }
  return cards;
}

CardSet to_set(const std::vector<Card>& cards) {
  CardSet set = 0;
  for (const Card card : cards) set |= bit(card);
  return set;
}

}  // namespace dealer
