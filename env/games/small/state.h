#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "env/core/at.h"
#include "env/core/wide_pointer.h"
#include "env/games/small/rules.h"

namespace dealer::small {

// One hand of Kuhn poker, Leduc hold'em or small draw poker. Seat 0 always acts first. The history of betting and
// drawing is a node of the rules' tree; the state adds the cards.
class State {
 public:
  using Rules = small::Rules;

  static int num_actions(const Rules& rules) {
    return rules.options().variant == Variant::kDraw ? kMoves : kBettingMoves;
  }
  static int players(const Rules&) { return kSeats; }
  static ObservationSpec observation_spec(const Rules& rules);
  static int num_cards(const Rules& rules) { return rules.options().cards(); }
  static std::string card_text(const Rules& rules, CardId card) { return rules.to_string(Card{card}); }
  class Sampler;
  static State start(const Rules& rules);

  void reset(const Rules& rules, std::uint64_t seed);
  // The same as reset(): an episode is one hand, and every hand has a decision.
  void reset_and_hold(const Rules& rules, std::uint64_t seed) { reset(rules, seed); }
  void apply_and_hold(Action action) { apply(action); }
  void next_hand() {}
  int unseen_cards() const;
  // For dealt hands. The order in which discards come back when the stock runs out does not change.
  void resample_future(RandomStream& rng);
  bool hand_over() const { return turn_ == kTerminal; }
  bool episode_over() const { return turn_ == kTerminal; }
  void attach(const Rules* rules) { rules_ = rules; }
  Seat current_player() const { return turn_; }
  std::uint64_t legal_mask() const { return legal_; }
  // While chance is to move a player, the board or a drawing player gets the set of cards with that number
  // (set_number).
  void apply(Action action) {
    const Node& from = node();
    if (from.kind == Kind::kBet)
      enter(from.next[walked_][static_cast<std::size_t>(action)]);
    else
      apply_to_cards(action);
  }
  std::vector<ChanceOutcome> chance_outcomes() const;
  float reward(Seat seat) const { return static_cast<float>(gain_of(seat)); }
  double return_of(Seat seat) const { return static_cast<double>(gain_of(seat)); }
  void observe(Seat seat, float* out) const;
  int hands_finished() const { return turn_ == kTerminal ? 1 : 0; }
  Statistics statistics(Seat seat) const;
  bool valid() const;
  Choice choice(Action action) const;
  // The node up to which the events are written; in the middle of a draw, the one before the draw.
  struct Story {
    std::uint16_t node = 0;
    bool begun = false;
  };
  void write_events(Story& story, std::vector<Event>& out) const;
  void events(std::vector<Event>& out) const {
    Story story;
    write_events(story, out);
  }
  std::string to_string(Seat seat) const;
  // "0: Ks | check, bet": seat, cards as dealt, then everything the seat has seen and done, in order.
  std::string information_text(Seat seat) const;
  void write_table(JsonWriter& json, Seat seat) const;

  const Rules& rules() const { return *rules_; }
  // Cards the seat holds now.
  CardSet hand(Seat seat) const { return (dealt_[at(seat)] & ~discarded_[at(seat)]) | drawn_[at(seat)]; }

 private:
  // Leduc hold'em: dealt hands have the board from the start, the node says whether it is face up.
  Card board() const { return deck_[kSeats]; }
  const Node& node() const { return rules_->tree().node(node_); }
  void enter(std::uint16_t next) {
    node_ = next;
    const Node& to = node();
    turn_ = to.turn;
    legal_ = to.legal;
    // In this order: the second condition is an unpredictable branch.
    if (finds_winner_late() && to.kind == Kind::kShowdown) winner_ = rules_->winner(hand(0), hand(1), board());
    gain_ = to.gain + winner_ * to.stake;
  }
  // Chance moves and the decisions of a player about the cards of its hand.
  void apply_to_cards(Action action);
  void give(Action number);
  CardSet drawn_from_deck(Seat seat) const;
  int known() const;
  int discard_count(Seat seat) const { return size(discarded_[at(seat)]); }
  int stock_left() const;
  // Cards that chance must give, and the set it chooses from.
  struct ChanceMove {
    CardSet certain = 0, among = 0;
    int count = 0;  // out of `among`
  };
  ChanceMove chance_move() const;
  // The winner of a dealt hand without draws was found with the deal.
  bool finds_winner_late() const { return walked_ != 0 || rules_->options().variant == Variant::kDraw; }
  Card next_card() const;
  // Cards of the other player's hand that the seat sees.
  CardSet shown(Seat seat) const;
  // Decisions from the first one, or another node on the way, to here. For cards decided upon in one draw only the
  // number of discards is right.
  std::vector<std::uint16_t> path(std::uint16_t from = 0) const;
  // Betting round, from 0; a draw belongs to the one that follows.
  int street(const Node& where) const { return std::min<int>(where.round, rules_->options().rounds - 1); }
  // Chips either player had put in when the betting round of a node began.
  std::int32_t paid_before(std::uint16_t index) const;
  std::vector<std::string> history() const;
  std::int32_t gain_of(Seat seat) const { return seat == 0 ? gain_ : -gain_; }
  void begin_events(std::vector<Event>& out) const;
  void add_events(std::uint16_t from, std::uint16_t to, std::vector<Event>& out) const;
  void end_events(std::vector<Event>& out) const;
  void write_player(JsonWriter& json, Seat owner, Seat viewer) const;

  WidePointer<const Rules> rules_ = nullptr;
  std::uint64_t seed_ = 0;
  std::array<CardSet, kSeats> dealt_{};
  std::array<CardSet, kSeats> discarded_{};
  std::array<CardSet, kSeats> drawn_{};
  std::int32_t gain_ = 0;  // of seat 0, at the end
  std::uint32_t node_ = 0;
  std::int8_t turn_ = kChance;
  std::uint8_t legal_ = 0;
  Dealt deck_{};             // of dealt hands; for tree walkers 0 but for the board
  std::int8_t winner_ = 0;   // see Deal
  std::uint8_t walked_ = 1;  // 1: chance moves are asked for
};

// Draws states that agree with what one seat has observed: all deals that agree are equally likely, and the other
// player has discarded any set of so many cards, and in the middle of its draw gone any way, with the same probability.
class State::Sampler {
 public:
  // Throws UsageError.
  Sampler(const Rules& rules, std::span<const float> observation);
  State draw(RandomStream& rng);

 private:
  void read_cards(std::span<const float> observation);
  void find_node(std::span<const float> observation);
  void check_cards() const;
  CardSet fill_second(State& state, RandomStream& rng) const;
  CardSet fill_first(State& state, RandomStream& rng) const;
  std::uint16_t enter_draw(State& state, RandomStream& rng) const;
  void order_deck(State& state, CardSet rest, RandomStream& rng) const;

  const Rules* rules_;
  Seat me_ = 0;
  CardSet hand_ = 0, board_ = 0, discarded_ = 0, drawn_ = 0, next_ = 0, shown_ = 0, unseen_ = 0;
  std::uint16_t node_ = 0;
  // While the other player draws: its nodes by cards decided upon and discarded.
  bool other_draws_ = false;
  std::array<std::array<std::uint16_t, kMaxHand>, kMaxHand> draw_node_{};
};

}  // namespace dealer::small
