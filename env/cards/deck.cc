#include "env/cards/deck.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "env/core/error.h"
#include "env/core/registry.h"

namespace dealer {
namespace {

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

DeckPtr Deck::make(std::string_view spec) {
  NamedConfig found = open_config("deck", "configs/decks", spec);
  auto deck = std::make_shared<const Deck>(read(found.spec, found.config));
  found.config.finish();
  return deck;
}

std::vector<std::string> deck_names() { return config_names("configs/decks"); }

bool Deck::has_trumps() const {
  return std::any_of(suits_.begin(), suits_.end(), [](const DeckSuit& s) { return s.kind == SuitKind::kTrumps; });
}

bool Deck::is_court() const {
  return std::any_of(suits_.begin(), suits_.end(), [](const DeckSuit& s) { return s.kind != SuitKind::kPips; });
}

std::vector<CardId> Deck::in_play(std::span<const std::uint8_t> out) const {
  if (washizu_ == WashizuMix::kReplaceRandom && out.size() != ranks_.size())
    throw UsageError(fmt::format("{} suits given for the {} ranks of '{}'", out.size(), ranks_.size(), name_));
  std::vector<CardId> ids;
  for (int id = 0; id < size(); ++id) {
    const DeckCard& card = cards_[static_cast<std::size_t>(id)];
    const bool may_leave = washizu_ == WashizuMix::kReplaceRandom && card.suit >= 0 && !card.transparent;
    if (may_leave && out[static_cast<std::size_t>(card.rank)] == card.suit) continue;
    ids.push_back(static_cast<CardId>(id));
  }
  return ids;
}

std::string Deck::to_string(std::span<const CardId> cards) const {
  std::string text;
  for (const CardId id : cards) {
    if (!text.empty()) text += ' ';
    text += cards_[id].text;
  }
  return text;
}

std::optional<CardId> Deck::try_parse(std::string_view text) const {
  std::optional<CardId> found;
  for (int id = 0; id < size(); ++id) {
    const std::string& name = cards_[static_cast<std::size_t>(id)].text;
    if (name == text) return static_cast<CardId>(id);
    if (equal_ignoring_case(name, text) && !found) found = static_cast<CardId>(id);
  }
  return found;
}

std::vector<CardId> Deck::parse(std::string_view text) const {
  std::vector<CardId> cards;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == ' ' || text[at] == ',') {
      ++at;
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(" ,", at), text.size());
    const std::string_view word = text.substr(at, end - at);
    at = end;
    const std::optional<CardId> id = try_parse(word);
    if (!id) {
      throw ParseError(fmt::format("'{}' is no card of '{}'; cards look like {}", word, name_,
                                   fmt::join({cards_.front().text, cards_.back().text}, ", ")));
    }
    if (std::find(cards.begin(), cards.end(), *id) != cards.end())
      throw ParseError(fmt::format("the card {} is given twice", cards_[*id].text));
    cards.push_back(*id);
  }
  return cards;
}

}  // namespace dealer
