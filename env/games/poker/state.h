#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "env/betting/bets.h"
#include "env/betting/pots.h"
#include "env/core/at.h"
#include "env/core/game_state.h"
#include "env/core/table_start.h"
#include "env/core/wide_pointer.h"
#include "env/games/poker/rules.h"
#include "env/games/poker/view.h"

namespace dealer::poker {

struct Parts;
struct Script;

// A finished hand, public information only.
struct HandRecord {
  std::array<Chips, kMaxSeats> net{};     // won or lost
  std::array<Chips, kMaxSeats> payout{};  // from the pots
  std::array<Chips, kMaxSeats> pot_chips{};
  Chips odd_chips = 0;                                   // odd chips that no winner got
  std::array<SeatSet, kMaxSeats> pot_high{}, pot_low{};  // see betting::Pot
  SeatSet in = 0;                                        // seats dealt in
  SeatSet showdown = 0;                                  // still in at the showdown; empty when all but one folded
  SeatSet shown = 0;                                     // those of them that showed; the others mucked
  SeatSet all_in = 0;                                    // bet their last chip
  int dealer = 0;
  int board_count = 0;
  std::array<std::uint8_t, kMaxSeats> drawn{};  // cards drawn in all
  int pots = 0;
};

class State {
 public:
  using Rules = GameRules;
  class Sampler;
  struct Story;

  static int num_actions(const Rules& rules) {
    return rules.first_discard() + (rules.draws > 0 ? rules.discard_choices() : 0);
  }
  static int players(const Rules& rules) { return rules.players; }
  static int most_players(const Rules& rules) { return rules.most_players; }
  static ObservationSpec observation_spec(const Rules& rules);
  static int num_cards(const Rules& rules) { return rules.deck->size(); }
  static std::string card_text(const Rules& rules, CardId card) { return rules.deck->to_string(card); }
  // The view encoded by observe(). Throws UsageError when the numbers cannot be decoded; their consistency is not
  // checked.
  static View decode(const Rules& rules, std::span<const float> observation);

  void reset(const Rules& rules, std::uint64_t seed);
  void reset_and_hold(const Rules& rules, std::uint64_t seed);
  // Starts a tournament hand; start.hands is ignored. Throws UsageError when the rules are not those of a tournament or
  // the start does not match.
  void start_from(const Rules& rules, std::uint64_t seed, const TableStart& start);
  // Precondition: hand_over().
  TableStart carry_over() const;
  void attach(const Rules* rules) { rules_ = rules; }
  Seat current_player() const { return turn_; }
  std::uint64_t legal_mask() const { return legal_; }
  void apply(Action action);
  float reward(Seat seat) const { return rewarded_ != 0 ? static_cast<float>(reward_[at(seat)]) : 0.0F; }
  double return_of(Seat seat) const;
  void observe(Seat seat, float* out) const;
  int hands_finished() const { return hands_finished_; }
  // Statistics of the hand that is over; while one is in progress all are 0 of 0.
  Statistics statistics(Seat seat) const;
  bool valid() const;
  Choice choice(Action action) const;
  void write_events(Story& story, std::vector<Event>& out) const;
  void events(std::vector<Event>& out) const;
  std::string to_string(Seat seat) const;
  void write_table(JsonWriter& json, Seat seat) const;

  const Rules& rules() const { return *rules_; }
  View view(Seat seat) const;

  // Bets any legal amount, offered or not. `total` is the total bet of the seat to act in this round afterwards.
  AmountRange amount_range() const;
  void bet_to(Amount total);
  void bet_to_and_hold(Amount total);
  void apply_and_hold(Action action);
  void next_hand();
  int unseen_cards() const { return stock_ - next_; }
  void resample_future(RandomStream& rng);

  // Replaces every card by by[card], a permutation of the cards in play: for players that reason about hidden cards.
  // Precondition: discarded cards map to themselves.
  void exchange_cards(std::span<const CardId> by);

  // The finished hand, computed on demand. Precondition: hand_over(); dealing the next hand discards it.
  HandRecord last_hand() const;

  const betting::Bets& bets() const { return bets_; }
  bool hand_over() const { return hand_over_ != 0; }
  // Precondition: hand_over().
  bool episode_over() const { return match_over(); }
  // True if the seat to act is to discard cards.
  bool drawing() const { return drawing_ != 0; }
  int street() const { return street_; }
  int dealer() const { return dealer_; }
  // The seat's cards: sorted in draw games, else in the order they came.
  std::span<const CardId> cards(Seat seat) const { return std::span(hand(seat), count_[at(seat)]); }
  // The time cards(seat)[i] came: 0 with the deal, in stud the street, in draw games the number of the draw, from 1.
  int when(Seat seat, std::size_t i) const {
    if (rules_->draws > 0) return word(packing().when + 2 * seat) >> (kWhenBits * static_cast<int>(i)) & kWhenMask;
    return rules_->procedure == Procedure::kStud && i > 2 ? static_cast<int>(i) - 2 : 0;
  }
  // True if the i-th card of a hand lies face up.
  bool is_up(std::size_t i) const { return rules_->procedure == Procedure::kStud && i >= 2 && i <= 5; }
  std::span<const CardId> board() const { return std::span(bytes_).subspan(at(packing().board), board_count_); }
  // Cards discarded in a draw, counted from 0, in the order they lay; -1 before the seat has drawn.
  int discard_count(int draw, Seat seat) const { return (discard_word(draw, seat) >> kDiscardCount) - 1; }
  SeenCard discarded(int draw, Seat seat, int i) const {
    return {bytes_[at(discard_at(draw, seat) + i)], discard_word(draw, seat) >> (kWhenBits * i) & kWhenMask};
  }
  // replace_random: the suit taken out, by rank; else empty.
  std::span<const std::uint8_t> suits_taken_out() const {
    return std::span(bytes_).subspan(at(packing().taken_out), at(packing().orbits - packing().taken_out));
  }
  // The same as cards.
  std::vector<CardId> taken_out() const;
  // The first seat to act in a betting round.
  Seat began(int round) const { return first_[at(round)]; }
  // The betting of the hand, in order.
  std::vector<PastAction> past_actions() const;
  // Chips at the beginning of the hand.
  Chips chips(Seat seat) const { return bets_.stack(seat) + bets_.paid(seat); }
  // Odd chips that no winner got so far in this episode; at a tournament table, in this hand.
  Chips discard_pile() const;
  bool is_out(Seat seat) const { return (in_ >> seat & 1) == 0; }

 private:
  friend class ScriptPlayer;

  enum Kind : std::uint8_t { kFolded, kCalled, kBet };
  // The betting history is stored orbit by orbit: two bits per seat, starting with the seat that began the round; 0 if
  // it did not act, else the kind plus 1. A seat that acts again does so in the next orbit. The amounts of bets and
  // raises follow in order.
  static constexpr int kAmountBytes = 3;
  // A discard is stored as five cards and a word: two bits for the time each card came, and above them their number
  // plus 1.
  static constexpr int kWhenBits = 2, kWhenMask = (1 << kWhenBits) - 1, kDiscardCount = kWhenBits * kDrawHand;

  // Takes the next card from the stock.
  struct FromStock {
    State& state;
    CardId operator()(Seat seat, int when, bool up) const;
  };
  class PastActions;

  const Packing& packing() const { return rules_->packing; }
  const std::uint8_t* hand(Seat seat) const { return bytes_.data() + seat * packing().hand; }
  std::uint8_t* hand(Seat seat) { return bytes_.data() + seat * packing().hand; }
  int word(int offset) const { return bytes_[at(offset)] | bytes_[at(offset) + 1] << 8; }
  void set_word(int offset, int value) {
    bytes_[at(offset)] = static_cast<std::uint8_t>(value);
    bytes_[at(offset) + 1] = static_cast<std::uint8_t>(value >> 8);
  }
  // Reads the fourth byte too, and overwrites it with 0: amounts are written in order.
  Chips amount(int place) const {
    Chips amount = 0;
    std::memcpy(&amount, bytes_.data() + place, sizeof(amount));
    return amount & ((1 << 8 * kAmountBytes) - 1);
  }
  void set_amount(int place, Chips amount) { std::memcpy(bytes_.data() + place, &amount, sizeof(amount)); }
  // The betting history from an orbit on: packing().orbits_at_once orbits.
  std::uint64_t orbits_from(int orbit) const {
    const int bit = orbit * rules_->players * 2;
    std::uint64_t orbits = 0;
    std::memcpy(&orbits, bytes_.data() + packing().orbits + bit / 8, sizeof(orbits));
    return orbits >> (bit % 8);
  }
  int discard_at(int draw, Seat seat) const {
    return packing().discarded + (draw * rules_->players + seat) * kDiscardBytes;
  }
  int discard_word(int draw, Seat seat) const { return word(discard_at(draw, seat) + kDrawHand); }
  void sort_hand(Seat seat);

  void begin_match(const Rules& rules, std::uint64_t seed);
  void clear_packed();
  void begin_hand(const Chips* chips);
  std::size_t in_play(CardId* out) const;
  void deal_hand(const Chips* chips, RandomStream& rng);
  // `deal` provides the cards: FromStock, or those of an observed hand.
  template <class Deal>
  void go_on(Deal&& deal);
  template <class Deal>
  void deal_street(const Street& street, Deal&& deal);
  template <class Deal>
  void act(Action action, Chips total, Deal&& deal);
  template <class Deal>
  void discard_cards(unsigned mask, Deal&& deal);
  void play(Action action, Chips total);
  void clear_rewards();
  bool begin_betting(const Street& street);
  int opener() const;
  std::span<const CardId> showing(Seat seat) const;
  std::size_t cards_to_reshuffle(Seat drawing, CardId* out) const;
  void reshuffle(Seat drawing);
  void remember(Kind kind, Chips total);
  void go_on_to_decision();
  void deal_next();
  Chips total_of(Action action) const;
  Seat next_live(Seat seat) const;
  Seat left_of_dealer() const { return dealer_ + 1 == rules_->players ? 0 : dealer_ + 1; }
  std::uint64_t bet_mask() const;
  int draw_of_street() const { return street_ - (rules_->streets - rules_->draws); }

  std::size_t final_cards(Seat seat, CardId* out) const;
  betting::Values values() const;
  void finish_hand();
  void pay_out();
  SeatSet shown(const betting::Values& values, const betting::Pots& pots) const;
  // For seats that did not show: a hand of less than this is mucked.
  std::array<HandValue, kMaxSeats> muck_limits(SeatSet showed) const;
  Seat shows_first() const;
  // Seats that showed at the showdown of the finished hand; none when all but one folded.
  SeatSet shown() const;
  SeatSet at_showdown() const { return hand_over_ != 0 && bets_.live_count() > 1 ? bets_.live() : SeatSet{0}; }
  // Chips won or lost in the finished hand.
  Chips net(Seat seat) const { return payout_[at(seat)] - bets_.paid(seat); }
  Chips odd_chips() const;
  bool match_over() const;
  double match_share(Seat seat) const;
  int drawn(Seat seat) const;

  // True if the observer sees the i-th card of the owner's hand.
  bool sees(Seat observer, Seat owner, std::size_t i) const;
  template <class Place>
  void observe_discard(int draw, Seat seat, Place place) const;
  void observe_history(Seat seat, float* out) const;
  void observe_cards(Seat seat, float* out, const Parts& part) const;
  void observe_open(Seat seat, float* out, const Parts& part) const;
  void observe_showdown(Seat seat, float* out, const Parts& part) const;
  bool chips_valid() const;
  bool table_valid() const;
  bool history_valid() const;
  bool cards_valid() const;
  Script script() const;

  // Ordered so that there is no padding, equal positions having equal bytes, and so that the data every action needs
  // lie together.
  WidePointer<const Rules> rules_ = nullptr;
  std::uint64_t seed_ = 0;
  std::uint64_t legal_ = 0;
  std::int32_t hands_finished_ = 0;
  SeatSet in_ = 0;       // dealt in
  SeatSet vpip_ = 0;     // voluntarily put chips into the pot in the first round
  SeatSet pfr_ = 0;      // bet or raised there
  SeatSet to_draw_ = 0;  // still to discard cards on this street
  std::int8_t turn_ = kTerminal;
  std::int8_t dealer_ = 0;
  std::int8_t street_ = 0;
  std::int8_t rounds_begun_ = 0;
  std::uint8_t drawing_ = 0;
  std::uint8_t hand_over_ = 0;
  std::uint8_t rewarded_ = 0;                            // the last action ended a hand
  std::uint8_t orbits_ = 0;                              // orbits of betting so far
  std::int8_t position_ = 0;                             // position of the last action in its orbit
  std::uint8_t amounts_ = 0;                             // number of bets and raises
  std::array<std::int8_t, kMaxStreets> first_{};         // the seat that began each round
  std::array<std::uint8_t, kMaxStreets> round_begin_{};  // index of the round's first orbit
  std::uint8_t reshuffles_ = 0;
  std::uint8_t next_ = 0;   // next card of the stock
  std::uint8_t stock_ = 0;  // size of the stock, dealt cards included
  std::uint8_t board_count_ = 0;
  std::array<std::uint8_t, kMaxSeats> count_{};  // cards in hand
  // Cards and the betting history, laid out by rules().packing. Dealt cards leave zeros in the stock.
  std::array<std::uint8_t, kPackedBytes> bytes_{};
  betting::Bets bets_;
  std::array<Chips, kMaxSeats> payout_{};  // from the pots of the hand that is over
  std::array<Chips, kMaxSeats> reward_{};  // by the last action
};
static_assert(sizeof(State) == 1160);

// The action equivalent to a decision of the seat to act; kNoAction for an amount that no action stands for.
Action action_of(const State& state, const Decision& decision);

// Walks through the betting of a hand in order, and continues where it stopped when there are new bets.
class State::PastActions {
 public:
  // False if there are no further actions so far.
  bool next(const State& state);

  int round = -1;
  int turn = 0;  // the seat's turn in this round
  Seat seat = -1;
  Kind kind = kFolded;
  Chips total = 0;  // what a bet or raise goes to

 private:
  int orbit_ = -1;
  int position_ = 0;  // in the orbit: the next seat, counted from the first to act in the round
  int amounts_ = 0;   // amounts passed so far
};

// Position in the events of a hand.
struct State::Story {
  enum class Next : std::uint8_t { kHand, kStreet, kDraw, kRound, kAction, kNothing };
  Next next = Next::kHand;
  int street = -1;
  int drawn = 0;  // seats whose draw on this street has been written, from the dealer's left
  int board = 0;  // cards written
  PastActions past;
  betting::Bets bets;
  std::array<Chips, kMaxSeats> stack{};  // stacks as of the last event
};

// States that a seat cannot tell from the real one: they give the same observation, every deal that agrees with it is
// equally likely, and so is every choice of unseen discards by the others. This also holds after reshuffles
// (card_paths.h) and, at the end of a hand, for mucked hands: they lose to the shown hands. Only if fewer than about
// one deal in kTries agrees are the states merely possible ones (see draw()).
class State::Sampler {
 public:
  // Decodes and replays the hand once. Throws UsageError when the numbers are not an observation of these rules.
  Sampler(const Rules& rules, std::span<const float> observation);
  State draw(RandomStream& rng) const;

  static constexpr int kTries = 20000;

 private:
  class Plan;
  std::shared_ptr<const Plan> plan_;
};

}  // namespace dealer::poker
