#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/cards/card.h"
#include "env/core/at.h"
#include "env/core/game_state.h"
#include "env/core/wide_pointer.h"
#include "env/games/seven_hand/rules.h"

namespace dealer::seven_hand {

inline constexpr int kSeats = 2;
inline constexpr int kChips = 7;
inline constexpr int kTurns = 7;      // a player
inline constexpr int kOpening = 8;    // cards a player is dealt
inline constexpr int kDraw = 3;       // cards drawn after a turn, until the stock is gone
inline constexpr int kMostLaid = 5;   // most cards laid in a turn
inline constexpr int kDraws = 7;      // the opening hand and six draws, which take the whole stock
inline constexpr int kOwnCards = 26;  // that a player is dealt in all of them
inline constexpr int kMostHand = 20;  // in hand at once
inline constexpr int kAdjacent = 3;   // chips in a row that win

// Actions. The cards of a turn are chosen from the lowest to the highest and ended by kStop, so every choice of cards
// has exactly one path; the game itself plays kStop where it is the only choice. The opponent of the player who has
// laid names the chip; the game itself names the last open one.
inline constexpr Action kStop = kCards;           // 0..51: choose that card
inline constexpr Action kFirstChip = kCards + 1;  // 53..59: name that chip
inline constexpr int kActions = kFirstChip + kChips;

// Events specific to this game: cards laid face down, and the chip (Event::slot) that the opponent names for them.
inline constexpr std::string_view kLaidEvent = "laid", kNamedEvent = "named";

// State of a chip, in place of its owner.
enum class Chip : std::uint8_t { kOpen, kSeat0, kSeat1, kTied };

inline constexpr int kNotYet = -1, kNobody = -2;

// One seat's view of the hand in progress. Index 0 is the observer, 1 the opponent.
struct View {
  int me = 0;  // absolute seat of the observer
  CardSet hand = 0;
  CardSet picked = 0;                                            // own, chosen in the turn in progress
  std::array<CardSet, kDraws> drawn{};                           // own: the opening hand, then every draw so far
  std::array<std::array<CardSet, kChips>, kSeats> cards{};       // own cards, and the opponent's face-up ones
  std::array<std::array<std::uint8_t, kChips>, kSeats> count{};  // of cards at a chip
  std::array<std::array<std::uint8_t, kChips>, kSeats> turn{};   // turn in which they were laid, 1..7; 0: not yet
  std::array<int, kChips> owner{};                               // relative seat, kNotYet or kNobody
  int pending = 0;                                               // cards laid that wait for their chip
  bool naming = false;                                           // a chip is being named
  int to_act = 0;                                                // relative seat; -1: the hand is over
  int starter = 0;                                               // relative seat
  int turns = 0;                                                 // finished by both, 0..14
  std::array<int, kSeats> hand_size{};                           // the opponent's without the pending cards
  int stock = 0;
  bool ties_count = false;  // by the rules: a chip of kNobody counts for both

  bool operator==(const View&) const = default;
  // True if the chip counts for the side, 0: the observer.
  bool owns(int side, int chip) const {
    const int who = owner[static_cast<std::size_t>(chip)];
    return who == side || (who == kNobody && ties_count);
  }
};

// True if the side (0: the observer) has three adjacent chips once it takes this open one.
bool threatens(const View& view, int chip, int side);

class State {
 public:
  using Rules = GameRules;

  static int num_actions(const Rules&) { return kActions; }
  static int players(const Rules&) { return kSeats; }
  static ObservationSpec observation_spec(const Rules& rules);
  static int num_cards(const Rules&) { return kCards; }
  static std::string card_text(const Rules&, CardId card) { return dealer::to_string(Card{card}); }
  class Sampler;
  // The view encoded by observe(). Throws UsageError on another number of floats and on a part with an invalid value;
  // only the Sampler checks that the parts agree.
  static View decode(const Rules& rules, std::span<const float> observation);

  void reset(const Rules& rules, std::uint64_t seed);
  // The same as reset(): no hand can be over before the first decision.
  void reset_and_hold(const Rules& rules, std::uint64_t seed) { reset(rules, seed); }
  // A hand with given cards: for each seat the 26 it is dealt, in that order.
  void deal(const Rules& rules, const std::array<std::array<Card, kOwnCards>, kSeats>& cards, Seat dealer);
  void attach(const Rules* rules) { rules_ = rules; }
  Seat current_player() const { return to_act_; }
  LegalMask legal_mask() const { return legal_; }
  void apply(Action action);
  void apply_and_hold(Action action);
  void next_hand();
  int unseen_cards() const;
  void resample_future(RandomStream& rng);
  bool hand_over() const { return to_act_ == kTerminal; }
  // Precondition: hand_over().
  bool episode_over() const { return hands_finished_ >= rules_->hands; }
  float reward(Seat seat) const { return static_cast<float>(seat == 0 ? reward_ : -reward_); }
  double return_of(Seat seat) const { return static_cast<double>(seat == 0 ? return_ : -return_); }
  void observe(Seat seat, float* out) const;
  int hands_finished() const { return hands_finished_; }
  Statistics statistics(Seat seat) const;
  bool valid() const;
  Choice choice(Action action) const;
  // Position in the events of a hand.
  struct Story {
    std::uint8_t turns = 0;  // turns finished by both seats
    bool begun = false, ended = false;
    bool laid = false;  // the cards that wait for their chip have been laid
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
  // The seat that lays, or has laid and waits for the chip. Precondition: not over.
  Seat mover() const { return mover_; }
  bool naming() const { return naming_; }
  Seat dealer() const { return dealer_; }
  int turns() const { return turns_; }  // finished, by both
  int finished_turns(Seat seat) const;
  int draws(Seat seat) const {
    return std::min(finished_turns(seat) + 1, kDraws);
  }  // number of draws so far, the opening hand included
  CardSet hand(Seat seat) const { return hand_[at(seat)]; }
  CardSet picked() const { return picked_; }
  CardSet laid(Seat seat, int chip) const { return laid_[at(seat)][at(chip)]; }
  int turn_laid(Seat seat, int chip) const { return turn_laid_[at(seat)][at(chip)]; }
  // The chip of the seat's turn 1..7; kChips: none yet.
  int chip_of(Seat seat, int turn) const;
  // The cards of each of the seat's draws so far, held or laid: 0 is the opening hand.
  CardSet drawn(Seat seat, int draw) const { return draw < draws(seat) ? draws_[at(seat)][at(draw)] : 0; }
  // Sets the cards that the seat has laid; it holds the others of its draws. For players that reason about hidden
  // cards. Precondition: the counts at each chip and of the turn in progress stay the same, each card is drawn before
  // it is laid, and face-up cards are unchanged.
  void lay_instead(Seat seat, const std::array<CardSet, kChips>& laid, CardSet picked);
  Chip chip(int chip) const { return chip_[at(chip)]; }
  bool owns(Seat seat, int chip) const {
    return chip_[at(chip)] == (seat == 0 ? Chip::kSeat0 : Chip::kSeat1) ||
           (chip_[at(chip)] == Chip::kTied && rules_->ties == Ties::kBoth);
  }
  int chips(Seat seat) const;
  bool three_adjacent(Seat seat) const;
  int stock() const;

 private:
  void deal_hand();
  using Draws = std::array<std::array<CardSet, kDraws>, kSeats>;
  static Draws draws_of(const std::array<std::array<Card, kOwnCards>, kSeats>& cards);
  void begin(const Draws& draws, Seat dealer);
  void start_turn(Seat seat);
  void end_laying();
  void lay_at(int chip);
  void show_down(int chip);
  int result() const;
  void end_hand();
  unsigned free_chips(Seat seat) const;
  int known_draws(Seat seat) const;
  Seat mover_of(int turn) const { return turn % kSeats == 0 ? 1 - dealer_ : dealer_; }
  int hand_number() const { return hands_finished_ - (hand_over() ? 1 : 0); }
  void showdown_events(int chip, Seat second, int street, std::vector<Event>& out) const;

  // Members are ordered so that there is no padding: equal positions have equal bytes.
  WidePointer<const Rules> rules_ = nullptr;
  std::uint64_t seed_ = 0;
  std::array<std::array<CardSet, kChips>, kSeats> laid_{};
  std::array<CardSet, kSeats> hand_{};  // without the chosen ones
  CardSet picked_ = 0;                  // chosen by the seat to act, for the turn in progress
  LegalMask legal_ = 0;
  Draws draws_{};            // the cards of the opening hands and of every draw
  std::int32_t return_ = 0;  // of seat 0
  std::int32_t reward_ = 0;  // of seat 0
  std::int32_t hands_finished_ = 0;
  std::array<std::array<std::uint8_t, kChips>, kSeats> turn_laid_{};
  std::array<Chip, kChips> chip_{};
  std::uint8_t turns_ = 0;
  std::int8_t dealer_ = 0;
  std::int8_t mover_ = 0;
  std::int8_t to_act_ = kTerminal;
  bool naming_ = false;
  std::array<std::uint8_t, 2> unused_{};
};

// Draws states that agree with an observation: every order of the cards that the observer has not seen is equally
// likely, and so is every choice of cards that the opponent may have laid face down, given their numbers. Draws are
// independent. A player in the middle of a turn is put at its beginning, since the opponent cannot see its progress.
class State::Sampler {
 public:
  // Throws UsageError when the numbers are not an observation of this rule set.
  Sampler(const GameRules& rules, std::span<const float> observation);
  State draw(RandomStream& rng) const;

 private:
  // The opponent's cards of one turn.
  struct Laying {
    CardSet shown;       // all of it, or nothing
    std::uint8_t count;  // of cards
    std::uint8_t chip;   // kChips: not named yet
  };

  void read_hand(const GameRules& rules, std::span<const float> observation, const View& view);
  CardSet read_own(const View& view);
  void read_opponent(const View& view, CardSet seen);
  void read_turn(const View& view);

  State base_;  // everything that the observer knows
  std::array<Card, kCards> unseen_{};
  std::array<Laying, kTurns> laying_{};
  int unseen_count_ = 0;
  int layings_ = 0;
  Seat observer_ = 0;
};

}  // namespace dealer::seven_hand
