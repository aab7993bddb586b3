#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dealer {

// A card of the standard deck is an index 0..51: 4 * rank + suit. Ranks 0..12 are 2..A, suits 0..3 are s h d c.
// Sorting by index sorts by rank. Text is rank then suit: "As", "Td", "9c".
using Card = std::uint8_t;
inline constexpr int kCards = 52;
inline constexpr int kRanks = 13;
inline constexpr int kSuits = 4;
inline constexpr std::string_view kRankLetters = "23456789TJQKA";
inline constexpr std::string_view kSuitLetters = "shdc";

constexpr int rank_of(Card card) { return card >> 2; }
constexpr int suit_of(Card card) { return card & 3; }
constexpr Card make_card(int rank, int suit) { return static_cast<Card>(rank * 4 + suit); }

// A set of cards: bit `card` of 64. Rank r occupies the nibble at bit 4 * r.
using CardSet = std::uint64_t;
inline constexpr CardSet kFullDeck = (CardSet{1} << kCards) - 1;

constexpr CardSet bit(Card card) { return CardSet{1} << card; }
constexpr int size(CardSet set) { return std::popcount(set); }
constexpr CardSet suit_mask(int suit) { return CardSet{0x1111111111111} << suit; }
constexpr Card lowest(CardSet set) { return static_cast<Card>(std::countr_zero(set)); }

// Calls f(card) for every card of the set, lowest first.
template <class F>
constexpr void for_each(CardSet set, F&& f) {
  for (; set != 0; set &= set - 1) f(lowest(set));
}

std::string to_string(Card card);
// Cards from high to low, separated by blanks.
std::string to_string(CardSet set);

// "As" or "as"; nothing when the text is not a card.
std::optional<Card> try_parse_card(std::string_view text);
// As above, but throws ParseError naming the text.
Card parse_card(std::string_view text);
// Cards separated by blanks or not at all ("Kd Qd 6h", "KdQd6h"), in the order given.
// Throws ParseError on anything that is not a card and on a card given twice.
std::vector<Card> parse_cards(std::string_view text);
CardSet to_set(const std::vector<Card>& cards);

}  // namespace dealer
