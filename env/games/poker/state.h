#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "env/betting/bets.h"
#include "env/betting/pots.h"
#include "env/core/game_state.h"
#include "env/games/poker/rules.h"
#include "env/games/poker/view.h"

namespace dealer::poker {

struct Parts;
struct Script;

// A hand that is over, as everybody saw it.
struct HandRecord {
  std::array<Chips, kMaxSeats> net{};     // won or lost
  std::array<Chips, kMaxSeats> payout{};  // from the pots
  std::array<Chips, kMaxSeats> pot_chips{};
  Chips odd_chips = 0;                                                   // odd chips that nobody got
  std::array<SeatSet, kMaxSeats> pot_eligible{}, pot_high{}, pot_low{};  // see betting::Pot
  SeatSet in = 0;                                                        // seats dealt in
  SeatSet showdown = 0;  // still in at the showdown; empty when all but one folded
  SeatSet shown = 0;     // of those, who showed; the others' hands were mucked
  SeatSet all_in = 0;    // bet their last chip
  SeatSet vpip = 0;      // put in chips of their own free will in the first round
  SeatSet pfr = 0;       // bet or raised there
  int dealer = 0;
  int board_count = 0;
  std::array<std::array<CardId, kHandCards>, kMaxSeats> cards{};  // of those who showed
  std::array<std::uint8_t, kMaxSeats> card_count{};
  std::array<CardId, kMaxBoard> board{};
  std::array<std::uint8_t, kMaxSeats> drawn{};  // cards drawn in all
  int pots = 0;
};

class State {
 public:
  using Rules = GameRules;

  static int num_actions(const Rules& rules) { return rules.first_discard() + (rules.draws > 0 ? kDiscardChoices : 0); }
  static int players(const Rules& rules) { return rules.players; }
  static ObservationSpec observation_spec(const Rules& rules);
  static std::string card_text(const Rules& rules, CardId card) { return rules.deck->to_string(card); }
  class Sampler {
   public:
    Sampler(const Rules& rules, std::span<const float> observation);
    State draw(RandomStream& rng) { return sample_state(*rules_, observation_, rng); }

   private:
    const Rules* rules_;
    std::vector<float> observation_;
  };
  // Cards that the observer has not seen are dealt at random, everything else is played again.
  static State sample_state(const Rules& rules, std::span<const float> observation, RandomStream& rng);
  // The view that observe() wrote down. Throws UsageError when the numbers are no observation of this rule set.
  static View decode(const Rules& rules, std::span<const float> observation);

  void reset(const Rules& rules, std::uint64_t seed);
  void reset_and_hold(const Rules& rules, std::uint64_t seed);
  void attach(const Rules* rules) { rules_ = rules; }
  Seat current_player() const { return turn_; }
  std::uint64_t legal_mask() const { return legal_; }
  void apply(Action action);
  float reward(Seat seat) const { return ended_ != 0 ? static_cast<float>(reward_[at(seat)]) : 0.0F; }
  double return_of(Seat seat) const { return static_cast<double>(return_[at(seat)]); }
  void observe(Seat seat, float* out) const;
  int hands_finished() const { return hands_finished_; }
  // Of the hand that is over; while one is in progress every figure is 0 of 0.
  Statistics statistics(Seat seat) const;
  bool valid() const;
  Choice choice(Action action) const;
  void events(std::vector<Event>& out) const;
  std::string to_string(Seat seat) const;
  nlohmann::json table_json(Seat seat) const;

  const Rules& rules() const { return *rules_; }
  View view(Seat seat) const;

  // Any legal amount, not only those offered. `total` is what the seat to act will have bet in this round.
  AmountRange amount_range() const;
  void bet_to(Amount total);
  void bet_to_and_hold(Amount total);
  void apply_and_hold(Action action);
  void next_hand();

  // The hand that is over, worked out when asked for. Precondition: hand_over(); when the next is dealt it is gone.
  HandRecord last_hand() const;

  const betting::Bets& bets() const { return bets_; }
  bool hand_over() const { return hand_over_ != 0; }
  // Precondition: hand_over().
  bool episode_over() const { return match_over(); }
  // Whether the seat to act is to discard cards.
  bool drawing() const { return drawing_ != 0; }
  int street() const { return street_; }
  int dealer() const { return dealer_; }
  // The seat's cards: sorted in draw games, else in the order they came.
  std::span<const CardId> cards(Seat seat) const {
    return std::span(cards_.hand[at(seat)]).first(cards_.count[at(seat)]);
  }
  std::span<const CardId> board() const { return std::span(cards_.board).first(cards_.board_count); }
  // When cards(seat)[i] came: see SeenCard.
  int when(Seat seat, std::size_t i) const { return cards_.when[at(seat)][i]; }
  bool is_up(std::size_t i) const { return rules_->procedure == Procedure::kStud && i >= 2 && i <= 5; }
  // Cards discarded in a draw, counted from 0; -1 before the seat has done so.
  int discard_count(int draw, Seat seat) const { return cards_.discarded[at(draw)][at(seat)].count; }
  SeenCard discarded(int draw, Seat seat, int i) const {
    const Discarded& discarded = cards_.discarded[at(draw)][at(seat)];
    return {discarded.card[at(i)], discarded.when[at(i)]};
  }
  // replace_random: the cards that are not in this match, by rank.
  std::vector<CardId> taken_out() const;
  // The betting of the hand, in order.
  std::vector<PastAction> past_actions() const;
  // Chips at the beginning of the hand.
  Chips chips(Seat seat) const { return chips_[at(seat)]; }
  // Odd chips that nobody got so far in this episode.
  Chips discard_pile() const { return discard_pile_; }
  bool is_out(Seat seat) const { return (in_ >> seat & 1) == 0; }

 private:
  friend class ScriptPlayer;
  static constexpr std::size_t at(int seat) { return static_cast<std::size_t>(seat); }
  static constexpr int kNotYet = -1;

  // Cards discarded in one draw, and when each of them had come.
  struct Discarded {
    std::array<CardId, kDrawHand> card{};
    std::array<std::uint8_t, kDrawHand> when{};
    std::int8_t count = kNotYet;
    int size() const { return count; }
  };
  struct Cards {
    std::array<std::array<CardId, kHandCards>, kMaxSeats> hand{};
    // When each card came: 0 with the deal, in stud by the street, in draw games by the draw.
    std::array<std::array<std::uint8_t, kHandCards>, kMaxSeats> when{};
    std::array<std::uint8_t, kMaxSeats> count{};
    std::array<CardId, kMaxBoard> board{};
    std::uint8_t board_count = 0;
    std::array<std::array<Discarded, kMaxSeats>, kMaxDraws> discarded{};
  };
  enum Kind : std::uint8_t { kFolded, kCalled, kBet };

  // Takes the next card from the stock.
  struct FromStock {
    State& state;
    CardId operator()(Seat seat, int when, bool up) const;
  };

  void begin_match(const Rules& rules, std::uint64_t seed);
  void begin_hand();
  void lay_out_deck();
  void deal_hand(RandomStream& rng);
  // `deal` gives the cards: FromStock or, when a state is sampled, cards that agree with an observation.
  template <class Deal>
  void go_on(Deal&& deal);
  template <class Deal>
  void deal_street(const Street& street, Deal&& deal);
  template <class Deal>
  void act(Action action, Chips total, Deal&& deal);
  template <class Deal>
  void discard_cards(unsigned mask, Deal&& deal);
  template <class Deal>
  void play(Action action, Chips total, Deal&& deal);
  bool begin_betting(const Street& street);
  int opener() const;
  std::span<const CardId> showing(Seat seat) const;
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
  SeatSet shown(const betting::Values& values, const betting::Pots& pots) const;
  // Who has shown at the showdown of the hand that is over; nobody when all but one folded.
  SeatSet shown() const;
  SeatSet at_showdown() const { return hand_over_ != 0 && bets_.live_count() > 1 ? bets_.live() : SeatSet{0}; }
  bool match_over() const;
  double match_share(Seat seat) const;
  int drawn(Seat seat) const;

  // Whether the observer sees the i-th card of the owner's hand.
  bool sees(Seat observer, Seat owner, std::size_t i) const;
  void observe_history(Seat seat, float* out) const;
  void observe_cards(Seat seat, float* out, const Parts& part) const;
  void observe_open(Seat seat, float* out, const Parts& part) const;
  void observe_showdown(Seat seat, float* out, const Parts& part) const;
  bool results_valid() const;
  bool table_valid() const;
  bool lists_valid() const;
  Script script() const;

  // Ordered so that there is no padding: the same position has the same bytes.
  const Rules* rules_ = nullptr;
  std::uint64_t seed_ = 0;
  std::uint64_t legal_ = 0;
  std::array<std::int64_t, kMaxSeats> return_{};
  betting::Bets bets_;
  std::array<Chips, kMaxSeats> chips_{};
  std::array<Chips, kMaxSeats> reward_{};  // by the last action, if it ended a hand
  std::array<Chips, kMaxSeats> net_{};     // of the last finished hand
  std::array<Chips, kMaxSeats> payout_{};  // of the last finished hand
  Chips discard_pile_ = 0;
  Chips odd_chips_ = 0;  // in the last finished hand
  std::int32_t hands_finished_ = 0;
  std::array<Chips, kMaxBets> amount_{};                  // of the bets and raises, in order: the totals bet to
  std::array<std::uint16_t, kMaxStreets> round_begin_{};  // the first event of each round
  std::uint16_t events_ = 0;
  std::uint16_t bets_made_ = 0;
  SeatSet in_ = 0;    // dealt in
  SeatSet vpip_ = 0;  // see HandRecord
  SeatSet pfr_ = 0;
  SeatSet to_draw_ = 0;     // still to discard cards on this street
  std::uint8_t next_ = 0;   // of the stock
  std::uint8_t stock_ = 0;  // cards of deck_ that belong to the stock, dealt ones included
  std::uint8_t reshuffles_ = 0;
  std::int8_t turn_ = kTerminal;
  std::int8_t dealer_ = 0;
  std::int8_t street_ = 0;
  std::int8_t rounds_begun_ = 0;
  std::uint8_t drawing_ = 0;
  std::uint8_t ended_ = 0;  // the last action ended a hand
  std::uint8_t hand_over_ = 0;
  std::array<std::uint8_t, kMaxRanks> taken_out_{};  // replace_random: the suit taken out, by rank
  std::array<CardId, kMaxDeckCards> deck_{};
  Cards cards_{};
  std::array<std::uint8_t, kMaxEvents> event_{};  // kind << 4 | seat
};

}  // namespace dealer::poker
