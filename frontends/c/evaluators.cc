#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "env/core/error.h"
#include "env/hands/hand_comparison.h"
#include "frontends/c/handles.h"

namespace dealer::capi {
namespace {

constexpr std::size_t kMaxHand = 7;

const Evaluator& evaluator_of(const dc_evaluator* evaluator) { return *get(evaluator, "evaluator").evaluator; }

// True if the cards of every hand are different. Precondition: cards are below 64 or, with kWide, below 128.
template <std::size_t kSize, bool kWide>
bool are_different(std::span<const CardId> cards) {
  bool good = true;
  for (std::size_t first = 0; first < cards.size(); first += kSize) {
    std::uint64_t low = 0, high = 0;
    for (std::size_t i = first; i < first + kSize; ++i) {
      const std::uint64_t bit = std::uint64_t{1} << (cards[i] & 63);
      low |= !kWide || cards[i] < 64 ? bit : 0;
      if constexpr (kWide) high |= cards[i] < 64 ? 0 : bit;
    }
    good &= std::popcount(low) + (kWide ? std::popcount(high) : 0) == static_cast<int>(kSize);
  }
  return good;
}

// True if all hands consist of different cards of a deck of this size: evaluators use them as table indices unchecked.
// A few instructions per hand, with a loop per check, since it must be cheap compared with the look-up.
template <std::size_t kSize>
bool are_hands(std::span<const CardId> cards, int deck_size) {
  static_assert(kMaxDeckCards <= 128);
  CardId largest = 0;
  for (const CardId card : cards) largest = std::max(largest, card);
  if (largest >= deck_size) return false;
  return deck_size <= 64 ? are_different<kSize, false>(cards) : are_different<kSize, true>(cards);
}

// Throws UsageError naming the card; `where` begins the message.
void check_cards(const Deck& deck, std::span<const CardId> cards, const std::string& where) {
  for (std::size_t i = 0; i < cards.size(); ++i) {
    if (cards[i] >= deck.size())
      throw UsageError(fmt::format("{}there is no card {} in '{}'; expected 0 to {}", where, cards[i], deck.name(),
                                   deck.size() - 1));
    if (std::find(cards.begin(), cards.begin() + static_cast<std::ptrdiff_t>(i), cards[i]) !=
        cards.begin() + static_cast<std::ptrdiff_t>(i))
      throw UsageError(fmt::format("{}card {} is given twice", where, deck.to_string(cards[i])));
  }
}

std::span<const CardId> hand_of(const Evaluator& evaluator, const uint8_t* cards, std::size_t count) {
  need(cards, "cards");
  if (count < 1 || count > kMaxHand)
    throw UsageError(fmt::format("{} cards given; a hand has 1 to {}", count, kMaxHand));
  const std::span<const CardId> hand(cards, count);
  check_cards(evaluator.deck(), hand, "");
  return hand;
}

dc_hand describe(const Evaluator& evaluator, HandValue value, int size) {
  const int index = evaluator.category(value, size);
  const Category& category = evaluator.ranking().categories()[static_cast<std::size_t>(index)];
  return {category.code.c_str(), category.name.c_str(), index, evaluator.qualifies(value, size) ? 1 : 0, value};
}

}  // namespace
}  // namespace dealer::capi

using namespace dealer;
using namespace dealer::capi;

dc_status dc_deck_names(char*** names, size_t* count) {
  return guard([&] { give_list(deck_names(), names, count); });
}

dc_status dc_ranking_names(char*** names, size_t* count) {
  return guard([&] { give_list(ranking_names(), names, count); });
}

dc_status dc_evaluator_open(const char* deck, const char* ranking, dc_evaluator** evaluator) {
  return guard([&] {
    need(deck, "deck");
    need(evaluator, "evaluator");
    DeckPtr cards = Deck::make(deck);
    RankingPtr order = Ranking::make(ranking != nullptr ? std::string(ranking) : cards->default_ranking());
    *evaluator = new dc_evaluator{make_evaluator(std::move(cards), std::move(order))};
  });
}

void dc_evaluator_free(dc_evaluator* evaluator) { delete evaluator; }

dc_status dc_evaluator_num_cards(const dc_evaluator* evaluator, int32_t* cards) {
  return guard([&] {
    const int size = evaluator_of(evaluator).deck().size();
    get(cards, "cards") = size;
  });
}

dc_status dc_evaluator_card_text(const dc_evaluator* evaluator, uint8_t card, const char** text) {
  return guard([&] {
    const Deck& deck = evaluator_of(evaluator).deck();
    need(text, "text");
    need_index("card", card, deck.size());
    *text = deck.card(card).text.c_str();
  });
}

dc_status dc_evaluator_parse_cards(const dc_evaluator* evaluator, const char* text, uint8_t* cards, size_t capacity,
                                   size_t* count) {
  return guard([&] {
    const Deck& deck = evaluator_of(evaluator).deck();
    need(text, "text");
    need(cards, "cards");
    need(count, "count");
    const std::vector<CardId> parsed = deck.parse(text);
    if (parsed.size() > capacity)
      throw UsageError(fmt::format("{} cards given; there is room for {}", parsed.size(), capacity));
    std::copy(parsed.begin(), parsed.end(), cards);
    *count = parsed.size();
  });
}

dc_status dc_evaluate(const dc_evaluator* evaluator, const uint8_t* cards, size_t count, dc_hand* hand) {
  return guard([&] {
    const Evaluator& by = evaluator_of(evaluator);
    const std::span<const CardId> given = hand_of(by, cards, count);
    get(hand, "hand") = describe(by, by.evaluate(given), static_cast<int>(count));
  });
}

dc_status dc_evaluator_hand_name(const dc_evaluator* evaluator, const uint8_t* cards, size_t count, char** name) {
  return guard([&] {
    const Evaluator& by = evaluator_of(evaluator);
    const std::span<const CardId> given = hand_of(by, cards, count);
    need(name, "name");
    *name = new_text(hand_name(by, given));
  });
}

dc_status dc_evaluate_many(const dc_evaluator* evaluator, int32_t hand_size, const uint8_t* cards, size_t num_hands,
                           uint32_t* values) {
  return guard([&] {
    const Evaluator& by = evaluator_of(evaluator);
    if (hand_size != 5 && hand_size != 7)
      throw UsageError(fmt::format("hands of {} cards; expected 5 or 7", hand_size));
    if (num_hands == 0) return;
    need(cards, "cards");
    need(values, "values");
    const auto size = static_cast<std::size_t>(hand_size);
    const std::span<const CardId> all(cards, num_hands * size);
    const int deck_size = by.deck().size();
    if (!(hand_size == 5 ? are_hands<5> : are_hands<7>)(all, deck_size))
      for (std::size_t i = 0; i < num_hands; ++i)
        check_cards(by.deck(), all.subspan(i * size, size), fmt::format("hand {}: ", i));
    if (hand_size == 5)
      by.evaluate5(all, {values, num_hands});
    else
      by.evaluate7(all, {values, num_hands});
  });
}

dc_status dc_evaluator_describe(const dc_evaluator* evaluator, uint32_t value, int32_t hand_size, dc_hand* hand) {
  return guard([&] {
    const Evaluator& by = evaluator_of(evaluator);
    need(hand, "hand");
    if (hand_size < 1 || hand_size > static_cast<int32_t>(kMaxHand))
      throw UsageError(fmt::format("hands of {} cards; expected 1 to {}", hand_size, kMaxHand));
    need_index("value", value, by.values(hand_size));
    *hand = describe(by, value, hand_size);
  });
}
