#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/core/config.h"
#include "env/core/decision.h"

namespace dealer {

// A CardId is a card of some deck: its index there, 0 .. size - 1. In a deck of the four ordinary suits with ranks 2..A
// the first 52 indices are those of Card (4 * rank + suit), whatever else the deck holds; jokers come last.
inline constexpr int kMaxDeckCards = 128;
inline constexpr int kMaxDeckSuits = 7;  // jokers counted as one
inline constexpr int kMaxJokers = 2;

// Pips: the ranks of the deck, once a suit. Trumps: ranked among themselves, 0 upwards. Extra: cards without rank.
enum class SuitKind : std::uint8_t { kPips, kTrumps, kExtra };
enum class Color : std::uint8_t { kNone, kBlack, kRed };

struct DeckSuit {
  std::string name;  // "spades"
  char symbol = 0;   // "s": the last letter of a pip card's text, the first of a trump's
  SuitKind kind = SuitKind::kPips;
  Color color = Color::kNone;
  bool transparent = false;  // Washizu cards: their faces can be read from the back (docs/rules/decks.md)
  int cards = 0;
};

struct DeckCard {
  std::string text;  // "As", "t13", "Js", "X1"
  int suit = -1;     // index into suits(); -1: a joker
  int rank = -1;     // pips: position in ranks(); trumps: their number; -1: unranked or a joker
  bool transparent = false;
};

// The way Washizu cards enter the deck (docs/rules/decks.md).
enum class WashizuMix : std::uint8_t { kNone, kReplaceSuit, kReplaceRandom, kAdd };

// The cards that a game or a count of hands uses. Immutable.
//
// Read from YAML, configs/decks/*.yaml or a file of the user's own; docs/decks.md describes the keys. With
// `replace_random` the deck holds all cards that may be in play, and every match draws which of them are (in_play).
class Deck {
 public:
  // A deck by name or path, with options: "standard_52[jokers=1]", "my/deck.yaml".
  // Throws UsageError on an unknown name (suggesting the nearest), ConfigError on a bad deck.
  static std::shared_ptr<const Deck> make(std::string_view spec);
  // Asks the config for every key of a deck; the caller calls finish().
  static Deck read(std::string name, Config& config);

  const std::string& name() const { return name_; }
  int size() const { return static_cast<int>(cards_.size()); }
  // Number of cards in one composition: size(), less the cards taken out with `replace_random`.
  int cards_in_play() const { return size() - taken_out_; }
  const DeckCard& card(CardId id) const { return cards_[id]; }
  std::span<const DeckCard> cards() const { return cards_; }
  std::span<const DeckSuit> suits() const { return suits_; }
  // The suit that Washizu cards stand in for, in which a joker may still be read.
  const std::optional<DeckSuit>& absent_suit() const { return absent_suit_; }
  // Letters of the pip ranks in the order of the file, lowest first (an ace may stand at either end).
  const std::string& ranks() const { return ranks_; }
  int jokers() const { return jokers_; }
  bool is_joker(CardId id) const { return cards_[id].suit < 0; }
  WashizuMix washizu() const { return washizu_; }
  bool has_trumps() const;
  // Trumps or unranked suits: a Court deck.
  bool is_court() const;
  // The four ordinary suits with ranks 2..A, cards 0..51 being those of Card; Washizu cards and jokers may follow.
  bool begins_as_standard() const { return begins_as_standard_; }
  // The ranking that this deck is played with unless a game specifies another.
  const std::string& default_ranking() const { return default_ranking_; }

  // `replace_random`: for every rank one suit, an index into suits(), whose card is taken out. Empty for other decks.
  // The CardIds in play, sorted, when `out[rank]` is the suit taken out at that rank (ignored unless replace_random).
  std::vector<CardId> in_play(std::span<const std::uint8_t> out) const;
  // Suits that replace_random may take a card from: four.
  static constexpr int kReplaceable = 4;

  // The whole definition of the deck as text: equal for equal decks.
  const std::string& fingerprint() const { return fingerprint_; }

  std::string to_string(CardId id) const { return cards_[id].text; }
  std::string to_string(std::span<const CardId> cards) const;  // separated by blanks, in the order given
  // "As", "as", "t3", "X1"; nothing when it is not a card of this deck.
  std::optional<CardId> try_parse(std::string_view text) const;
  // Cards in the order given, separated by blanks or not ("KdQd 6h"). Throws ParseError on anything that is not a card
  // of this deck and on a card given twice. Identical cards (unranked ones) have texts of their own.
  std::vector<CardId> parse(std::string_view text) const;

 private:
  friend class DeckReader;

  bool split_cards(std::string_view word, std::vector<CardId>& cards) const;
  [[noreturn]] void refuse(std::string_view word) const;

  std::string name_, ranks_, default_ranking_, fingerprint_;
  std::vector<DeckCard> cards_;
  std::vector<DeckSuit> suits_;
  std::optional<DeckSuit> absent_suit_;
  int jokers_ = 0;
  int taken_out_ = 0;
  WashizuMix washizu_ = WashizuMix::kNone;
  bool begins_as_standard_ = false;
};
using DeckPtr = std::shared_ptr<const Deck>;

// Names of the files in configs/decks, sorted.
std::vector<std::string> deck_names();

}  // namespace dealer
