#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontends/phh/toml.h"

namespace dealer::phh {

// Chips or money in units of 10^-decimals of the hand history it stands in.
using Amount = std::int64_t;

// Stack of a player whose chips are not known: `inf` in the text.
inline constexpr Amount kUnknownStack = Amount{1} << 52;

// One entry of `actions`. Players count from 0 here, from 1 in the text.
struct HandAction {
  enum class Kind : std::uint8_t {
    kNote,       // "# ..."
    kDealBoard,  // d db CARDS
    kDealHole,   // d dh pN CARDS
    kBringIn,    // pN pb
    kBetTo,      // pN cbr AMOUNT
    kCall,       // pN cc, check or call
    kFold,       // pN f
    kDiscard,    // pN sd [CARDS]
    kShow,       // pN sm [CARDS]: without cards a muck
    kMove,       // pN m NAME: our own, for non-betting games; NAME extends to the end
  };
  Kind kind = Kind::kNote;
  int player = -1;
  std::vector<std::string> cards;  // "As", "??"; kShow: "-" for the hand as dealt
  Amount amount = 0;               // kBetTo
  std::string move;                // kMove
  std::string comment;             // behind '#', without it
  int line = 0;

  // True if a player chooses: to bet, call, fold, discard or pay the bring-in.
  bool is_decision() const { return kind >= Kind::kBringIn && kind <= Kind::kDiscard; }
};

// A hand in the PHH format: J. Kim, "Recording and Describing Poker Hands", 2023; phh.readthedocs.io.
// docs/hand-histories.md describes the fields and our own variant codes.
struct HandHistory {
  std::string variant;
  int decimals = 0;  // of all amounts, 0 to 4
  // Indexed by player, from the dealer's left; the dealer is last.
  // A negative blind is posted out of turn, by a player who has returned to the table.
  std::vector<Amount> antes, blinds_or_straddles, starting_stacks;
  std::optional<Amount> bring_in, small_bet, big_bet, min_bet;
  std::vector<HandAction> actions;
  std::vector<Amount> finishing_stacks;  // empty: not given
  std::vector<TomlEntry> others;         // all other fields, in order

  std::string heading;  // "7" of [7] in a file of many hands
  int line = 0;
  std::vector<std::pair<std::string, int>> lines;  // line numbers of the fields

  int players() const { return static_cast<int>(starting_stacks.size()); }
  // 0 when the field is absent.
  int line_of(std::string_view field) const;
  const TomlValue* other(std::string_view field) const;
  // A text or number among the other fields.
  std::optional<std::string> other_text(std::string_view field) const;
  void set_text(std::string field, std::string_view text);
  void set_number(std::string field, std::int64_t number);
  void set_texts(std::string field, const std::vector<std::string>& texts);
  void set_numbers(std::string field, const std::vector<std::int64_t>& numbers);
};

// The fields that are single amounts.
inline constexpr std::pair<const char*, std::optional<Amount> HandHistory::*> kSingleAmounts[] = {
    {"bring_in", &HandHistory::bring_in},
    {"small_bet", &HandHistory::small_bet},
    {"big_bet", &HandHistory::big_bet},
    {"min_bet", &HandHistory::min_bet}};

// Variant codes of the standard.
bool is_standard_variant(std::string_view variant);
// Prefix of our own codes.
inline constexpr std::string_view kOwnVariant = "X-";

// Reads the hands of a .phh file (one, without heading) or a .phhs file (one under each heading).
class HistoryReader {
 public:
  // `name`: name of the file in messages.
  HistoryReader(std::string text, std::string name) : name_(name), tables_(std::move(text), std::move(name)) {}
  HistoryReader(TomlReader::Source source, std::string name)
      : name_(name), tables_(std::move(source), std::move(name)) {}

  // The next hand; nothing at the end. Throws ParseError in one line, "file:line: ...": invalid TOML, a missing or
  // mistyped field, lists of different lengths, an invalid action. The next call then continues with the next hand.
  std::optional<HandHistory> next();

 private:
  std::string name_;
  TomlReader tables_;
};

// "p2 cbr 200 # all in". Only checks the form of players and cards. Throws ParseError without a position.
HandAction parse_action(std::string_view text, int decimals);
std::string to_string(const HandAction& action, int decimals);

// TOML text, a field a line, the actions one a line, ending with a line end. Amounts are written as they were read.
std::string to_string(const HandHistory& hand);
std::string amount_text(Amount amount, int decimals);
std::string amounts_text(const std::vector<Amount>& amounts, int decimals);  // "50, 100"
// The same for people: fractions like those of money, with at least two digits.
std::string money_text(Amount amount, int decimals);
// Splits "AsKh" into cards; "??" is one. Trumps have two digits, "t03". Throws ParseError.
std::vector<std::string> split_cards(std::string_view text);

}  // namespace dealer::phh
