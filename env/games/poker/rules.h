#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "env/betting/bet_rules.h"
#include "env/core/config.h"
#include "env/core/game_state.h"
#include "env/hands/evaluator.h"

namespace dealer::poker {

struct Parts;

using betting::Chips;
using betting::kMaxSeats;
using betting::SeatSet;

inline constexpr int kMaxStreets = betting::kMaxRounds;
inline constexpr int kMaxDraws = 3;
inline constexpr int kHandCards = 7;  // at most, of one seat
inline constexpr int kDrawHand = 5;   // at most, of one seat in a draw game
inline constexpr int kMaxBoard = 5;
inline constexpr int kMaxRanks = 14;

enum class Procedure : std::uint8_t { kDraw, kStud, kHoldem };
enum class Episode : std::uint8_t { kHand, kMatch };

// Actions. 2 .. 2 + offers - 1 are the offered bets; in draw games one action for each subset of the sorted cards
// follows, 32 for five: bit i of its number discards the i-th lowest.
inline constexpr Action kFold = 0;
inline constexpr Action kCall = 1;  // or check
inline constexpr Action kFirstBet = 2;
inline constexpr int kDiscardChoices = 1 << kDrawHand;  // at most

// Procedure before a betting round.
struct Street {
  int down = 0, up = 0;  // cards to every player
  int board = 0;         // cards to the board
  bool draw = false;     // every player may discard cards and draw as many
  bool betting = true;
  int round = -1;  // index of the betting round
};

// Size of a hand's data in a state besides chips, in bytes: cards, then the betting history. Each takes only as much as
// the rules need, so that a hand of ten players with few cards may be long.
inline constexpr int kPackedBytes = 834;
// Numbers of fewer bytes are read and written as whole words, which needs this many spare bytes at the end.
inline constexpr int kWordBytes = 8;
inline constexpr int kDiscardBytes = kDrawHand + 2;
// Layout of these bytes.
struct Packing {
  int hand = 0;   // bytes of one hand; hands come first
  int board = 0;  // offsets
  int stock = 0;
  int when = 0;       // draw: a word by seat, see State
  int discarded = 0;  // of the betting history: two bits per seat
  int taken_out = 0;
  int orbits = 0;   // of the betting: two bits for every seat
  int amounts = 0;  // three bytes each
  int size = 0;
  int orbits_at_once = 0;         // that fit into a word at any bit offset
  std::uint64_t every_orbit = 0;  // the first bit of each of these
};

// A card that replace_random takes out when this suit is drawn for its rank.
struct Replaceable {
  static constexpr std::uint8_t kNever = 0xff;
  std::uint8_t rank = 0, suit = kNever;
};

// One rule set of a betting game. Immutable once a game is built from it.
struct GameRules {
  Procedure procedure = Procedure::kDraw;
  Episode episode = Episode::kHand;
  int players = 2;
  int most_players = 2;  // limit of the option `players`
  Chips stack = 1000;
  Chips min_bet = 10, big_bet = 20;  // as in the file
  // Total chips at a tournament table; an episode is then one hand, begun with the chips that the players bring. 0: no
  // tournament.
  Chips tournament_chips = 0;
  int match_hands = 0;    // a match ends after so many hands; 0: only by elimination
  bool show_all = false;  // every player still in shows at the showdown
  int draws = 0;

  DeckPtr deck;
  EvaluatorPtr high;
  EvaluatorPtr low;  // the low half of high-low split, or null

  std::array<Street, kMaxStreets> street{};
  int streets = 0, rounds = 0;
  betting::BetRules bets;

  // Derived from the fields above.
  bool opens_left_of_dealer = true;              // stud with a Court deck, and all but stud
  int shuffled = 0;                              // cards of the deck that can be dealt before a reshuffle
  int hand_cards = 0;                            // of one seat at the end: in draw games set by the ranking
  std::array<CardId, kMaxDeckCards> new_deck{};  // the cards in play (with replace_random: drawn for every match)
  std::vector<Replaceable> replaceable;          // replace_random: by card
  std::array<std::uint16_t, kMaxDeckCards> opener_key{};  // stud: the lowest up card opens the first round
  std::vector<CardId> transparent;
  std::array<std::uint8_t, kMaxDeckCards> transparent_index{};  // position in `transparent`, else kOpaque
  int turns = 0;                                                // most actions of one seat in one round
  int max_bets = 0;                                             // most bets and raises of one hand
  Packing packing;
  std::shared_ptr<const Parts> parts;  // layout of an observation
  float scale = 1;                     // factor on the chips of an observation: a power of two, so that it is exact
  static constexpr std::uint8_t kOpaque = 0xff;

  Chips big_blind() const { return bets.big_blind; }  // 0: none
  bool is_tournament() const { return tournament_chips > 0; }
  // The most chips a player can have.
  std::int64_t all_chips() const { return is_tournament() ? tournament_chips : std::int64_t{players} * stack; }
  // True if every hand begins with `stack` chips per player.
  bool fresh_stacks() const { return episode == Episode::kHand && !is_tournament(); }
  int offers() const { return static_cast<int>(bets.offers.size()); }
  Action first_discard() const { return kFirstBet + offers(); }
  int discard_choices() const { return 1 << hand_cards; }
  bool has_board() const { return procedure == Procedure::kHoldem || shared_card(); }
  // Stud: the stock may be too small for every player's last card.
  bool shared_card() const { return procedure == Procedure::kStud && players * kHandCards > deck->cards_in_play(); }
  // Stud: the player with the highest of these keys opens the round: by the lowest up card in the first round, then by
  // the best showing hand.
  HandValue opening_value(int street_number, std::span<const CardId> up) const {
    return street_number == 0 ? HandValue{kMaxDeckCards} - opener_key[up[0]] : high->compiled().evaluate(up) + 1;
  }
  bool is_opaque(CardId card) const { return transparent_index[card] == kOpaque; }
  bool random_mix() const { return deck->washizu() == WashizuMix::kReplaceRandom; }
};

// Reads the keys of configs/games/draw.yaml and its like (docs/rules/betting.md) and checks them. Throws ConfigError.
GameRules read_rules(Config& config);

// The usual name of a street, counted from 0: "flop", "before the draw", "third street".
std::string street_name(const GameRules& rules, int street);

}  // namespace dealer::poker
