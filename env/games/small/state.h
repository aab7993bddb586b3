#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "env/games/small/rules.h"

namespace dealer::small {

// One hand of Kuhn poker, Leduc hold'em or small draw poker. Seat 0 always acts first. The course of betting and
// drawing is a node of the rules' tree; the state adds the cards.
class State {
 public:
  using Rules = small::Rules;

  static int num_actions(const Rules& rules) {
    return rules.options().variant == Variant::kDraw ? kMoves : kBettingMoves;
  }
  static int players(const Rules&) { return kSeats; }
  static ObservationSpec observation_spec(const Rules& rules);
  static std::string card_text(const Rules& rules, CardId card) { return rules.to_string(Card{card}); }
  static State sample_state(const Rules& rules, std::span<const float> observation, RandomStream& rng);
  class Sampler {
   public:
    Sampler(const Rules& rules, std::span<const float> observation);
    State draw(RandomStream& rng) { return sample_state(*rules_, observation_, rng); }

   private:
    const Rules* rules_;
    std::vector<float> observation_;
  };
  static State start(const Rules& rules);

  void reset(const Rules& rules, std::uint64_t seed);
  // An episode is one hand, and somebody always has to decide in it.
  void reset_and_hold(const Rules& rules, std::uint64_t seed) { reset(rules, seed); }
  void apply_and_hold(Action action) { apply(action); }
  void next_hand() {}
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
  float reward(Seat seat) const { return static_cast<float>(seat == 0 ? gain_ : -gain_); }
  double return_of(Seat seat) const { return static_cast<double>(seat == 0 ? gain_ : -gain_); }
  void observe(Seat seat, float* out) const;
  int hands_finished() const { return turn_ == kTerminal ? 1 : 0; }
  Statistics statistics(Seat seat) const;
  bool valid() const;
  Choice choice(Action action) const;
  void events(std::vector<Event>& out) const;
  std::string to_string(Seat seat) const;
  nlohmann::json table_json(Seat seat) const;

  const Rules& rules() const { return *rules_; }
  // Cards the seat holds now.
  CardSet hand(Seat seat) const { return (dealt_[at(seat)] & ~discarded_[at(seat)]) | drawn_[at(seat)]; }

 private:
  // Of Leduc hold'em; dealt hands have it from the start, the node says whether it lies open.
  Card board() const { return deck_[kSeats]; }
  static std::size_t at(Seat seat) { return static_cast<std::size_t>(seat); }
  const Node& node() const { return rules_->tree().node(node_); }
  void enter(std::uint16_t next) {
    node_ = next;
    const Node& to = node();
    turn_ = to.turn;
    legal_ = to.legal;
    // In this order: whether a hand ends with a showdown nobody can predict.
    if (finds_winner_late() && to.kind == Kind::kShowdown) winner_ = rules_->winner(hand(0), hand(1), board());
    gain_ = to.gain + winner_ * to.stake;
  }
  // Chance moves and those of a player who goes through its hand.
  void apply_to_cards(Action action);
  void give(Action number);
  CardSet drawn_from_deck(Seat seat) const;
  int discard_count(Seat seat) const { return size(discarded_[at(seat)]); }
  int stock_left() const;
  // Cards that chance must give and those among which it chooses.
  struct ChanceMove {
    CardSet certain = 0, among = 0;
    int count = 0;  // out of `among`
  };
  ChanceMove chance_move() const;
  // The winner of a dealt hand without draws was found with the deal.
  bool finds_winner_late() const { return walked_ != 0 || rules_->options().variant == Variant::kDraw; }
  Card next_card() const;
  // Of the other player's hand, what the seat sees.
  CardSet shown(Seat seat) const;
  std::vector<std::string> history() const;

  struct Reader;
  void order_deck(CardSet board, CardSet rest, RandomStream& rng);

  const Rules* rules_ = nullptr;
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

}  // namespace dealer::small
