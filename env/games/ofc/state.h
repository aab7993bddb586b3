#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "env/core/game_state.h"
#include "env/games/ofc/rules.h"

namespace dealer::ofc {

// Where the card in hand goes. The cards of a turn are placed one by one from the lowest to the highest, so every
// setting has exactly one path. A card with a single legal destination is moved by the game itself.
enum Place : Action { kToFront = 0, kToMiddle = 1, kToBack = 2, kToDiscard = 3 };
inline constexpr int kPlaces = 4;

// The last finished hand, all of it public.
struct HandRecord {
  Board board[kMaxSeats];
  std::int32_t points[kMaxSeats];     // won or lost, multiplier included, after settlement
  std::int32_t royalties[kMaxSeats];  // 0 for a foul
  std::int8_t scoops[kMaxSeats];      // opponents scooped less opponents who scooped this seat
  std::int8_t dealer;
  bool played[kMaxSeats];  // false: was out of the match
  bool foul[kMaxSeats];
  bool fantasyland[kMaxSeats];  // the hand was played in Fantasyland
  bool next[kMaxSeats];         // the board enters or stays in Fantasyland
};

// What one seat may know of the hand in progress. Seats are relative: 0 is the observer, 1 the player to its left.
struct View {
  int players = 2;
  int me = 0;              // absolute seat of the observer
  Board board[kMaxSeats];  // own cards at once; the others' after their turn, Fantasyland apart (docs/rules/ofc.md)
  CardSet discards = 0;    // own
  CardSet hand = 0;        // own cards still to be placed this turn
  std::array<bool, kMaxSeats> fantasyland{};
  std::array<bool, kMaxSeats> out{};
  int dealer = 0;       // relative seat
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

class State {
 public:
  using Rules = GameRules;

  static int num_actions(const Rules&) { return kPlaces; }
  static int players(const Rules& rules) { return rules.players; }
  static ObservationSpec observation_spec(const Rules& rules);
  static std::string card_text(const Rules&, CardId card) { return dealer::to_string(Card{card}); }
  static State sample_state(const Rules& rules, std::span<const float> observation, RandomStream& rng);
  class Sampler {
   public:
    Sampler(const Rules& rules, std::span<const float> observation);
    State draw(RandomStream& rng) { return sample_state(*rules_, observation_, rng); }

   private:
    const Rules* rules_;
    std::vector<float> observation_;
  };
  // The view that observe() wrote down. Throws UsageError when the numbers are no observation of this rule set.
  static View decode(const Rules& rules, std::span<const float> observation);

  void reset(const Rules& rules, std::uint64_t seed);
  // No hand is over before the first decision.
  void reset_and_hold(const Rules& rules, std::uint64_t seed) { reset(rules, seed); }
  // As reset, but with given Fantasyland seats and dealer: a chain or match that goes on.
  void deal(const Rules& rules, std::uint64_t seed, const std::array<bool, kMaxSeats>& fantasyland, int dealer);
  void attach(const Rules* rules) { rules_ = rules; }
  Seat current_player() const { return turn_; }
  std::uint64_t legal_mask() const { return legal_; }
  void apply(Action action);
  void apply_and_hold(Action action);
  void next_hand();
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
  void events(std::vector<Event>& out) const;
  std::string to_string(Seat seat) const;
  nlohmann::json table_json(Seat seat) const;

  const Rules& rules() const { return *rules_; }
  View view(Seat seat) const;
  const Board& board(Seat seat) const { return board_[at(seat)]; }
  // Cards of the seat's turn that are still to be placed, lowest first.
  CardSet hand(Seat seat) const;
  CardSet discards(Seat seat) const;
  bool in_fantasyland(Seat seat) const { return fantasyland_[at(seat)]; }
  bool is_out(Seat seat) const { return out_[at(seat)]; }
  int dealer() const { return dealer_; }
  int street() const { return street_; }
  int points(Seat seat) const { return points_[at(seat)]; }
  int multiplier() const;
  const HandRecord& last_hand() const { return last_; }
  bool turn_complete(Seat seat) const;

 private:
  static std::size_t at(Seat seat) { return static_cast<std::size_t>(seat); }
  int dealt(Seat seat) const;
  int discarded(Seat seat) const { return moved_[at(seat)] - placed_[at(seat)]; }
  int shown(Seat owner, Seat observer) const;
  template <int n>
  void observe_among(Seat seat, float* out) const;
  void observe_hand(Seat seat, float* out) const;
  int live_players() const;
  Seat next_live(Seat seat) const;
  // Whether the seat has a turn on this street.
  bool acts(Seat seat) const { return !out_[at(seat)] && (street_ == 0 || !fantasyland_[at(seat)]); }
  int acting_players() const;
  Seat next_acting(Seat seat) const;

  void deal_hand();
  void start_turn(Seat seat);
  void move_next_card(Seat seat, Action to);
  void play_card(Action action);
  void next_turn();
  void finish_hand();
  void deal_next();
  void settle(const std::array<std::int64_t, kMaxSeats>& net);

  struct Reader;
  void fill_seat(Reader& reader, int rel, std::vector<Card>& unseen);
  void sort_turns(Seat owner, int known);
  void take_turns(const Reader& reader, RandomStream& rng);

  bool table_valid() const;
  bool cards_valid(Seat seat) const;
  bool turn_valid() const;

  // Members are ordered so that there is no padding: the same position has the same bytes.
  const Rules* rules_ = nullptr;
  std::uint64_t seed_ = 0;
  std::array<Board, kMaxSeats> board_{};
  HandRecord last_{};
  std::array<std::int64_t, kMaxSeats> return_{};
  std::array<std::int32_t, kMaxSeats> reward_{};
  std::array<std::int32_t, kMaxSeats> points_{};
  std::int32_t hands_finished_ = 0;
  // In the order of dealing, each turn's cards sorted; the first moved_ of them lie on the board or are discarded.
  std::array<std::array<Card, kMaxHand>, kMaxSeats> card_{};
  // Where on the board the placed cards lie, in the order of placing: row * kCards + card.
  std::array<std::array<std::uint8_t, kBoardCards>, kMaxSeats> slot_{};
  std::array<std::array<Card, kMaxHand - kBoardCards>, kMaxSeats> discard_{};
  std::array<std::uint8_t, kMaxSeats> moved_{};
  std::array<std::uint8_t, kMaxSeats> placed_{};
  std::array<std::uint8_t, kMaxSeats> open_{};  // bit r: row r has room
  std::array<bool, kMaxSeats> fantasyland_{};
  std::array<bool, kMaxSeats> out_{};
  std::int8_t turn_ = kTerminal;
  std::int8_t dealer_ = 0;
  std::int8_t street_ = 0;      // kStreets at the end
  std::int8_t turns_left_ = 0;  // of this street
  std::uint8_t places_left_ = 0;
  std::uint8_t discards_left_ = 0;
  std::uint8_t legal_ = 0;
};

}  // namespace dealer::ofc
