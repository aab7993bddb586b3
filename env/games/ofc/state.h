#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "env/core/at.h"
#include "env/core/game_state.h"
#include "env/core/table_start.h"
#include "env/core/wide_pointer.h"
#include "env/games/ofc/rules.h"

namespace dealer::ofc {

// A normal hand has five streets. Number of cards dealt, placed and discarded by the end of each.
inline constexpr int kStreets = 5;
inline constexpr std::array<int, kStreets> kDealtCards = {5, 8, 11, 14, 17};
inline constexpr std::array<int, kStreets> kPlacedCards = {5, 7, 9, 11, 13};

// The destination of the current card. The cards of a turn are placed one by one from the lowest to the highest, so
// every setting has exactly one path. The game itself moves a card with a single legal destination.
enum Place : Action { kToFront = 0, kToMiddle = 1, kToBack = 2, kToDiscard = 3 };
inline constexpr int kPlaces = 4;
inline constexpr std::array<std::string_view, kPlaces> kPlaceNames = {"front", "middle", "back", "discard"};

// By seat: the number of cards of a Fantasyland hand, 0 for a normal hand.
using FantasylandCards = std::array<std::uint8_t, kMaxSeats>;

// The result of the last finished hand, all of it public.
struct HandRecord {
  Board board[kMaxSeats];
  std::int32_t points[kMaxSeats];     // won or lost, multiplier included, after settlement
  std::int32_t royalties[kMaxSeats];  // 0 for a foul
  std::int8_t scoops[kMaxSeats];      // opponents scooped less opponents who scooped this seat
  std::int8_t dealer;
  bool played[kMaxSeats];  // false: the seat was out of the match
  bool foul[kMaxSeats];
  std::uint8_t fantasyland[kMaxSeats];  // cards of the Fantasyland hand that this was; 0: a normal hand
  std::uint8_t next[kMaxSeats];         // cards of the Fantasyland hand that the board earns; 0: none
};

// One seat's view of the hand in progress. Seats are relative: 0 is the observer, 1 the player to its left.
struct View {
  int players = 2;
  int me = 0;              // absolute seat of the observer
  Board board[kMaxSeats];  // own cards at once; the others' after their turn, Fantasyland apart (docs/rules/ofc.md)
  CardSet discards = 0;    // own discards
  CardSet hand = 0;        // own cards still to be placed this turn
  FantasylandCards fantasyland{};
  std::array<bool, kMaxSeats> out{};
  int dealer = 0;       // relative seat of the dealer
  int turn = 0;         // relative seat to act, -1 at the end
  int street = 0;       // 0..4
  int places_left = 0;  // of the observer's turn; 0 when not to act
  int discards_left = 0;
  CardSet seen() const {
    CardSet cards = discards | hand;
    for (const Board& b : board) cards |= b.row[0] | b.row[1] | b.row[2];
    return cards;
  }
};

// The observer's own cards: enough to continue a planned turn.
struct OwnCards {
  Board board;
  CardSet discards = 0;
  CardSet hand = 0;  // still to be placed in this turn
  bool to_act = false;
};

class State {
 public:
  using Rules = GameRules;

  static int num_actions(const Rules&) { return kPlaces; }
  static int players(const Rules& rules) { return rules.players; }
  static int most_players(const Rules&) { return kMaxSeats; }
  static ObservationSpec observation_spec(const Rules& rules);
  static int num_cards(const Rules&) { return kCards; }
  static std::string card_text(const Rules&, CardId card) { return dealer::to_string(Card{card}); }
  class Sampler;
  // The view encoded by observe(). Throws UsageError when the numbers are not an observation of this rule set.
  static View decode(const Rules& rules, std::span<const float> observation);
  // Decodes only the own cards. Throws UsageError on another number of floats.
  static OwnCards decode_own(const Rules& rules, std::span<const float> observation);

  void reset(const Rules& rules, std::uint64_t seed);
  // The same as reset(): no hand can be over before the first decision.
  void reset_and_hold(const Rules& rules, std::uint64_t seed) { reset(rules, seed); }
  // Like reset, but with given Fantasyland hands and dealer: a chain or match in progress.
  void deal(const Rules& rules, std::uint64_t seed, const FantasylandCards& fantasyland, int dealer);
  // Starts a tournament hand. Throws UsageError when the rules are not a tournament's or the start does not match.
  void start_from(const Rules& rules, std::uint64_t seed, const TableStart& start);
  // Precondition: hand_over().
  TableStart carry_over() const;
  void attach(const Rules* rules);
  Seat current_player() const { return turn_; }
  std::uint64_t legal_mask() const { return legal_; }
  void apply(Action action);
  void apply_and_hold(Action action);
  void next_hand();
  // Number of cards in turns that have not begun.
  int unseen_cards() const;
  void resample_future(RandomStream& rng);
  bool hand_over() const { return turn_ == kTerminal; }
  // Precondition: hand_over().
  bool episode_over() const;
  float reward(Seat seat) const { return static_cast<float>(reward_[at(seat)]); }
  double return_of(Seat seat) const { return static_cast<double>(return_[at(seat)]); }
  void observe(Seat seat, float* out) const;
  int hands_finished() const { return hands_finished_; }
  Statistics statistics(Seat seat) const;
  bool valid() const;
  Choice choice(Action action) const;
  // Position in the events of a hand.
  struct Story {
    std::int8_t street = -1;  // -1: not begun
    std::uint8_t turns = 0;   // turns of this street that are over, seats without a turn included
    bool ended = false;
  };
  void write_events(Story& story, std::vector<Event>& out) const;
  void events(std::vector<Event>& out) const {
    Story story;
    write_events(story, out);
  }
  std::string to_string(Seat seat) const;
  void write_table(JsonWriter& json, Seat seat) const;

  const Rules& rules() const { return *rules_; }
  View view(Seat seat) const;
  const Board& board(Seat seat) const { return board_[at(seat)]; }
  // Cards of the seat's turn that are still to be placed, lowest first.
  CardSet hand(Seat seat) const;
  CardSet discards(Seat seat) const;
  bool in_fantasyland(Seat seat) const { return fantasyland_[at(seat)] != 0; }
  bool is_out(Seat seat) const { return out_[at(seat)]; }
  int dealer() const { return dealer_; }
  int street() const { return street_; }
  int points(Seat seat) const { return points_[at(seat)]; }
  // Factor on the points of this hand.
  int multiplier() const;
  // All zero before the first hand is over, and in a sampled state until a hand is over.
  const HandRecord& last_hand() const { return last_; }
  bool turn_complete(Seat seat) const;

 private:
  using Points = std::array<std::int64_t, kMaxSeats>;
  int dealt(Seat seat) const;
  int cards_held(Seat seat) const;
  int discarded(Seat seat) const { return moved_[at(seat)] - placed_[at(seat)]; }
  int shown(Seat owner, Seat observer) const;
  template <int n>
  void observe_among(Seat seat, float* out) const;
  void observe_hand(Seat seat, float* out) const;
  int live_players() const;
  Seat next_live(Seat seat) const;
  // True if the seat has a turn on this street.
  bool acts(Seat seat) const { return !out_[at(seat)] && (street_ == 0 || !in_fantasyland(seat)); }
  int acting_players() const;
  Seat next_acting(Seat seat) const;

  void clear(const Rules& rules, std::uint64_t seed, const FantasylandCards& fantasyland, int dealer);
  void deal_hand();
  // Number of cards in turns that have begun or are over: some seat has seen them and decided.
  int received(Seat seat) const { return seat == turn_ ? dealt(seat) : static_cast<int>(moved_[at(seat)]); }
  void sort_turns(Seat seat, int from);
  void start_turn(Seat seat);
  void move_next_card(Seat seat, Action to);
  void play_card(Action action);
  void next_turn();
  void finish_hand();
  void move_button();
  void deal_next();
  void place_at_random(Seat seat, RandomStream& rng);
  // Compares the complete boards: sets everything but the points, which are net before settlement.
  HandRecord compare_boards(Points& net) const;
  // Points that each seat wins or loses; in a match players lose at most what they have (docs/rules/ofc.md).
  Points settle(const Points& net, const Points& before) const;

  // Seats that play the hand in progress, or played the one just over, from the dealer's left.
  struct SeatList {
    std::array<Seat, kMaxSeats> seat;
    std::size_t count = 0;
    const Seat* begin() const { return seat.data(); }
    const Seat* end() const { return seat.data() + count; }
  };
  SeatList players_of_hand() const;
  bool has_turn(Seat seat, int street) const { return street == 0 || !in_fantasyland(seat); }
  bool turn_done(Seat seat, int street) const;
  void begin_events(std::vector<Event>& out) const;
  void deal_events(int street, const SeatList& order, std::vector<Event>& out) const;
  void turn_events(Seat seat, int street, const SeatList& order, std::vector<Event>& out) const;
  void end_events(const SeatList& order, std::vector<Event>& out) const;

  bool flags_valid() const;
  bool table_valid() const;
  bool cards_valid(Seat seat) const;
  bool turn_valid() const;
  bool record_valid() const;

  // Members are ordered so that there is no padding: equal positions have equal bytes.
  WidePointer<const Rules> rules_ = nullptr;
  std::uint64_t seed_ = 0;
  std::array<Board, kMaxSeats> board_{};
  HandRecord last_{};
  std::array<std::int64_t, kMaxSeats> return_{};
  std::array<std::int32_t, kMaxSeats> reward_{};
  std::array<std::int32_t, kMaxSeats> points_{};
  std::int32_t hands_finished_ = 0;
  // In the order of dealing, each turn's cards sorted; the first moved_ of them lie on the board or are discarded.
  std::array<std::array<Card, kMaxHand>, kMaxSeats> card_{};
  // Places of the placed cards, in the order of placing: row * kCards + card.
  std::array<std::array<std::uint8_t, kBoardCards>, kMaxSeats> slot_{};
  std::array<std::array<Card, kMaxHand - kBoardCards>, kMaxSeats> discard_{};
  std::array<std::uint8_t, kMaxSeats> moved_{};
  std::array<std::uint8_t, kMaxSeats> placed_{};
  std::array<std::uint8_t, kMaxSeats> open_{};  // bit r: row r has room
  FantasylandCards fantasyland_{};
  std::array<bool, kMaxSeats> out_{};
  std::int8_t turn_ = kTerminal;
  std::int8_t dealer_ = 0;
  std::int8_t street_ = 0;      // kStreets at the end
  std::int8_t turns_left_ = 0;  // turns left on this street
  std::uint8_t places_left_ = 0;
  std::uint8_t discards_left_ = 0;
  std::uint8_t legal_ = 0;
};

// Draws states that agree with an observation, every deal of the unseen cards with the same probability. Hidden choices
// of other players are uniform:
//   a discard is any unseen card;
//   a Fantasyland hand is set in any of the ways to divide its cards among the rows and the discards, a foul like any;
//   before an observer in Fantasyland who has not set yet, opening cards lie in any of the 232 ways they can.
// A player in the middle of a turn is put at its beginning, since the others cannot see its progress. In a chain,
// returns are those of the hand just over, else 0: the observation contains nothing of earlier hands.
class State::Sampler {
 public:
  // Throws UsageError when the numbers are not an observation of this rule set.
  Sampler(const GameRules& rules, std::span<const float> observation);
  State draw(RandomStream& rng) const;

 private:
  class Reader;
  // Cards of a seat to draw from the unseen ones: card_[seat][from .. end) of a turn that begins at `begin`.
  struct Hidden {
    enum Kind : std::uint8_t {
      kCards,      // in any order
      kTurn,       // dealt or to be dealt, sorted
      kDiscarded,  // beside known cards on the board
      kPlaced,     // a whole turn that another player has taken unseen
    };
    Kind kind;
    std::uint8_t seat, begin, from, end;
    std::uint8_t discard;  // kDiscarded: the first of the seat's discards
  };
  void hide(Hidden::Kind kind, Seat seat, int begin, int from, int end, int discard = 0);

  State base_;  // everything that the observer knows
  std::array<Card, kCards> unseen_;
  std::size_t unseen_count_ = 0, drawn_ = 0;
  std::array<Hidden, kMaxSeats*(kStreets + 1)> hidden_;
  std::size_t hidden_count_ = 0;
};

}  // namespace dealer::ofc
