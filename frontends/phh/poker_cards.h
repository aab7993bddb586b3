#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/cards/deck.h"
#include "frontends/phh/hand_history.h"

namespace dealer::phh {

// Cards in the notation of histories: like the deck's, but trumps have two digits.
inline std::string card_text(const Deck& deck, CardId card) {
  std::string text = deck.to_string(card);
  return text.size() == 2 && text[0] == 't' ? "t0" + text.substr(1) : text;
}

inline std::vector<std::string> card_texts(const Deck& deck, std::span<const CardId> cards) {
  std::vector<std::string> texts;
  for (const CardId card : cards) texts.push_back(card_text(deck, card));
  return texts;
}

inline std::optional<CardId> try_card(const Deck& deck, std::string_view text) {
  if (text.size() == 3 && text.starts_with("t0")) return deck.try_parse("t" + std::string(text.substr(2)));
  return deck.try_parse(text);
}

// By card of the deck: true if the history names it.
inline std::vector<bool> named_cards(const Deck& deck, const HandHistory& hand) {
  std::vector<bool> named(static_cast<std::size_t>(deck.size()));
  for (const HandAction& action : hand.actions)
    for (const std::string& text : action.cards)
      if (const auto card = try_card(deck, text)) named[*card] = true;
  return named;
}

}  // namespace dealer::phh
