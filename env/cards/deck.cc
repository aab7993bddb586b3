#include "env/cards/deck.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

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
  auto deck = std::make_shared<Deck>(read(found.spec, found.config));
  found.config.finish();
  // A ranking's file may lie beside the deck's.
  Spec ranking = parse_spec(deck->default_ranking_);
  const auto beside = std::filesystem::path(parse_spec(spec).name).parent_path() / ranking.name;
  if (ranking.name.ends_with(".yaml") && std::filesystem::exists(beside)) {
    ranking.name = beside.string();
    deck->default_ranking_ = dealer::to_string(ranking);
  }
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
    std::vector<CardId> found;
    if (!split_cards(word, found)) refuse(word);
    for (const CardId id : found) {
      if (std::find(cards.begin(), cards.end(), id) != cards.end())
        throw ParseError(fmt::format("the card {} is given twice", cards_[id].text));
      cards.push_back(id);
    }
  }
  return cards;
}

// The longest card first: "t13" is one card, "KdQd" are two.
bool Deck::split_cards(std::string_view word, std::vector<CardId>& cards) const {
  if (word.empty()) return true;
  for (std::size_t length = word.size(); length > 0; --length) {
    const std::optional<CardId> id = try_parse(word.substr(0, length));
    if (!id) continue;
    cards.push_back(*id);
    if (split_cards(word.substr(length), cards)) return true;
    cards.pop_back();
  }
  return false;
}

void Deck::refuse(std::string_view word) const {
  const bool joker =
      word.size() == 2 && (word[0] == 'X' || word[0] == 'x') && std::isdigit(static_cast<unsigned char>(word[1])) != 0;
  throw ParseError(fmt::format("'{}' is no card of '{}'; {}", word, name_,
                               joker && jokers_ == 0 ? std::string("it has no jokers")
                               : joker
                                   ? fmt::format("it has {} joker{}", jokers_, jokers_ == 1 ? "" : "s")
                                   : fmt::format("cards look like {}, {}", cards_.front().text,
                                                 cards_[cards_.size() - static_cast<std::size_t>(jokers_) - 1].text)));
}

}  // namespace dealer
