#include "env/cards/deck.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "env/cards/card.h"
#include "env/core/error.h"
#include "env/core/nearest.h"
#include "env/core/registry.h"

namespace dealer {
namespace {

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

constexpr int kFewestCards = 5;

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> result;
  for (std::size_t at = 0; (at = text.find_first_not_of(' ', at)) != std::string_view::npos;) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    result.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return result;
}

bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
}

}  // namespace

DeckPtr Deck::make(std::string_view spec) {
  NamedConfig found = open_config("deck", "configs/decks", spec);
  auto deck = std::make_shared<Deck>(read(found.spec, found.config));
  found.config.finish();
  // A ranking's file may be in the deck's folder.
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
  throw ParseError(fmt::format("'{}' is not a card of '{}'; {}", word, name_,
                               joker && jokers_ == 0 ? std::string("it has no jokers")
                               : joker
                                   ? fmt::format("it has {} joker{}", jokers_, jokers_ == 1 ? "" : "s")
                                   : fmt::format("cards look like {}, {}", cards_.front().text,
                                                 cards_[cards_.size() - static_cast<std::size_t>(jokers_) - 1].text)));
}

// Reads the keys of a deck one by one; docs/decks.md describes them.
class DeckReader {
 public:
  DeckReader(Deck& deck, Config& config) : deck_(deck), config_(config) {}

  void read() {
    read_ranks();
    for (const std::string& name : config_.names("suits")) read_suit(name);
    Config suits = config_.section("suits");
    if (deck_.suits_.empty()) fail("suits", "a deck has at least one suit");
    read_washizu();
    const bool standard = deck_.ranks_ == kRankLetters && symbols() == kSuitLetters;
    list_pips();
    list_others();
    deck_.begins_as_standard_ = standard;
    read_jokers();
    read_ranking();
    check();
    deck_.fingerprint_ = config_.resolved();
  }

 private:
  [[noreturn]] void fail(std::string_view key, const std::string& what) const {
    throw ConfigError(config_.where(key) + ": " + what);
  }

  void read_ranks() {
    for (const std::string& rank : words(config_.get_string("ranks", ""))) {
      if (rank.size() != 1 || !is_word(rank))
        fail("ranks",
             fmt::format("'{}' is not a rank; expected letters or digits separated by blanks: 2 3 4 ... K A", rank));
      if (deck_.ranks_.find(rank) != std::string::npos) fail("ranks", fmt::format("the rank {} is given twice", rank));
      deck_.ranks_ += rank;
    }
  }

  void read_suit(const std::string& name) {
    Config section = config_.section("suits").section(name);
    const std::string key = "suits." + name;
    DeckSuit suit;
    suit.name = name;
    suit.kind = static_cast<SuitKind>(section.get_choice("kind", "pips", {"pips", "trumps", "extra"}));
    suit.color = static_cast<Color>(section.get_choice("color", "none", {"none", "black", "red"}));
    suit.transparent = section.get_bool("transparent", false);
    if (suit.kind != SuitKind::kExtra) suit.symbol = read_symbol(section, key, suit.kind);
    extra_.emplace_back();
    switch (suit.kind) {
      case SuitKind::kPips:
        if (deck_.ranks_.empty()) fail(key, "a suit of pips needs the key 'ranks'");
        suit.cards = static_cast<int>(deck_.ranks_.size());
        break;
      case SuitKind::kTrumps:
        if (deck_.has_trumps()) fail(key, "a deck has at most one suit of trumps");
        suit.cards = section.get_int<int>("cards", 0, 1, 100);
        if (suit.cards == 0) fail(key, "a suit of trumps needs the key 'cards', their number");
        break;
      case SuitKind::kExtra:
        extra_.back() = words(section.get_string("cards", ""));
        suit.cards = static_cast<int>(extra_.back().size());
        if (suit.cards == 0) fail(key, "an extra suit needs the key 'cards', their names: Js Qs Ks");
        for (const std::string& card : extra_.back())
          if (!is_word(card))
            fail(key + ".cards", fmt::format("'{}' is not a name of a card; expected letters and digits", card));
        break;
    }
    deck_.suits_.push_back(suit);
  }

  char read_symbol(Config& section, const std::string& key, SuitKind kind) const {
    const std::string symbol = section.get_string("symbol", kind == SuitKind::kTrumps ? "t" : "");
    if (symbol.size() != 1 || std::islower(static_cast<unsigned char>(symbol[0])) == 0)
      fail(key, fmt::format("symbol '{}' is not allowed; expected one small letter", symbol));
    if (symbols().find(symbol) != std::string::npos) fail(key, fmt::format("the symbol {} is given twice", symbol));
    return symbol[0];
  }

  std::string symbols() const {
    std::string all;
    for (const DeckSuit& suit : deck_.suits_)
      if (suit.kind != SuitKind::kExtra) all += suit.symbol;
    return all;
  }

  void read_washizu() {
    deck_.washizu_ = static_cast<WashizuMix>(
        config_.get_choice("washizu", "none", {"none", "replace_suit", "replace_random", "add"}));
    const std::string replaced = config_.get_string("washizu_replaces", "spades");
    if (deck_.washizu_ == WashizuMix::kNone) return;
    if (deck_.is_court()) fail("washizu", "Washizu cards need a deck of pips alone");
    for (const DeckSuit& suit : deck_.suits_)
      if (suit.transparent)
        fail("washizu", fmt::format("the suit {} is transparent already; expected none", suit.name));
    if (symbols().find('w') != std::string::npos) fail("washizu", "the symbol w is reserved for Washizu cards");
    const auto ordinary = static_cast<int>(deck_.suits_.size());
    if (deck_.washizu_ == WashizuMix::kReplaceRandom) {
      if (ordinary != Deck::kReplaceable)
        fail("washizu", fmt::format("replace_random needs {} suits; this deck has {}", Deck::kReplaceable, ordinary));
      deck_.taken_out_ = static_cast<int>(deck_.ranks_.size());
    }
    if (deck_.washizu_ == WashizuMix::kReplaceSuit) {
      const auto found = std::find_if(deck_.suits_.begin(), deck_.suits_.end(),
                                      [&](const DeckSuit& suit) { return suit.name == replaced; });
      if (found == deck_.suits_.end()) {
        std::string names;
        for (const DeckSuit& suit : deck_.suits_) names += (names.empty() ? "" : ", ") + suit.name;
        fail("washizu_replaces", fmt::format("there is no suit '{}'; expected one of: {}", replaced, names));
      }
      deck_.absent_suit_ = *found;
      deck_.suits_.erase(found);
    }
    deck_.suits_.push_back(
        {"washizu", 'w', SuitKind::kPips, Color::kNone, true, static_cast<int>(deck_.ranks_.size())});
    extra_.emplace_back();
  }

  void add(std::string text, std::size_t suit, int rank) {
    if (deck_.cards_.size() < 2 * kMaxDeckCards)  // enough over the limit to report it
      deck_.cards_.push_back({std::move(text), static_cast<int>(suit), rank, deck_.suits_[suit].transparent});
    ++count_;
  }

  // Ordinary suits rank by rank, so that sorting by index sorts by rank; then the transparent cards.
  void list_pips() {
    for (const bool transparent : {false, true}) {
      for (std::size_t rank = 0; rank < deck_.ranks_.size(); ++rank) {
        for (std::size_t suit = 0; suit < deck_.suits_.size(); ++suit) {
          const DeckSuit& s = deck_.suits_[suit];
          if (s.kind == SuitKind::kPips && s.transparent == transparent)
            add(std::string{deck_.ranks_[rank], s.symbol}, suit, static_cast<int>(rank));
        }
      }
    }
  }

  void list_others() {
    for (std::size_t suit = 0; suit < deck_.suits_.size(); ++suit) {
      const DeckSuit& s = deck_.suits_[suit];
      if (s.kind == SuitKind::kTrumps)
        for (int i = 0; i < s.cards; ++i) add(fmt::format("{}{}", s.symbol, i), suit, i);
      if (s.kind == SuitKind::kExtra)
        for (const std::string& name : extra_[suit]) add(name, suit, -1);
    }
  }

  void read_jokers() {
    deck_.jokers_ = config_.get_int<int>("jokers", 0, 0, kMaxJokers);
    if (deck_.jokers_ > 0 && deck_.is_court())
      fail("jokers", "decks with trumps or extra suits take no jokers; expected 0");
    for (int i = 1; i <= deck_.jokers_; ++i) deck_.cards_.push_back({fmt::format("X{}", i), -1, -1, false});
    count_ += deck_.jokers_;
  }

  // A name must be known now; a path is checked when the ranking is read.
  void read_ranking() {
    deck_.default_ranking_ = config_.get_string("ranking", "high");
    const Spec spec = parse_spec(deck_.default_ranking_);
    if (spec.name.find('/') != std::string::npos || spec.name.ends_with(".yaml")) return;
    const std::vector<std::string> known = config_names("configs/rankings");
    if (std::find(known.begin(), known.end(), spec.name) == known.end())
      fail("ranking", fmt::format("there is no ranking '{}'{}; expected the path of a .yaml file or one of: {}",
                                  spec.name, did_you_mean(spec.name, known), fmt::join(known, ", ")));
  }

  void check() const {
    if (count_ > kMaxDeckCards)
      fail("suits", fmt::format("the deck has {} cards; expected at most {}", count_, kMaxDeckCards));
    if (deck_.cards_in_play() < kFewestCards)
      fail("suits", fmt::format("the deck has {} cards; expected at least {}", deck_.cards_in_play(), kFewestCards));
    const int kinds = static_cast<int>(deck_.suits_.size()) + (deck_.jokers_ > 0 ? 1 : 0);
    if (kinds > kMaxDeckSuits)
      fail("suits",
           fmt::format("the deck has {} suits; expected at most {}, jokers counted as one", kinds, kMaxDeckSuits));
    std::set<std::string> texts;
    for (const DeckCard& card : deck_.cards_)
      if (!texts.insert(card.text).second) fail("suits", fmt::format("two cards are called {}", card.text));
  }

  Deck& deck_;
  Config& config_;
  std::vector<std::vector<std::string>> extra_;  // names of the cards, by suit
  int count_ = 0;
};

Deck Deck::read(std::string name, Config& config) {
  Deck deck;
  deck.name_ = std::move(name);
  DeckReader(deck, config).read();
  return deck;
}

}  // namespace dealer
