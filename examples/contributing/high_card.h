// A whole game in one file, for docs/contributing.md: each of two players is dealt a card of ten. In turn they fold
// (and lose the ante) or stay; if both stay, the higher card wins the stake.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "env/core/error.h"
#include "env/core/typed_game.h"

namespace dealer::examples {

struct HighCardRules {
  int ante = 1, stake = 3;
};

class HighCardState {
 public:
  using Rules = HighCardRules;
  static constexpr int kMaxSeats = 2, kCards = 10;

  static int num_actions(const Rules&) { return 2; }  // fold, stay
  static int players(const Rules&) { return 2; }
  static int num_cards(const Rules&) { return kCards; }
  static std::string card_text(const Rules&, CardId card) { return std::to_string(card + 1); }
  static ObservationSpec observation_spec(const Rules&) {
    ObservationSpec spec;
    spec.add("cards", {2, kCards}, "one-hot: the cards that the observer sees, by seat");
    spec.add("moves", {2, 2}, "one-hot: fold or stay, by seat");
    spec.add("seat", {2}, "one-hot: seat of the observer");
    return spec;
  }
  // Draws states that agree with an observation: the cards that it does not show are dealt at random.
  class Sampler {
   public:
    Sampler(const Rules& rules, std::span<const float> seen) : rules_(&rules), seen_(seen.begin(), seen.end()) {
      RandomStream rng(0);
      const HighCardState state = draw(rng);
      if (!state.valid() || (state.seen_by(0) != seen_ && state.seen_by(1) != seen_))
        throw UsageError("no observation of the game high_card");
    }
    HighCardState draw(RandomStream& rng) {
      HighCardState state;
      state.rules_ = rules_;
      state.seed_ = rng.bits64();
      const auto one_hot = [&](int offset, int size) {
        for (int i = 0; i < size; ++i)
          if (seen_[static_cast<std::size_t>(offset + i)] == 1) return i;
        return -1;
      };
      state.cards_ = {one_hot(0, kCards), one_hot(kCards, kCards)};
      state.moves_ = {one_hot(2 * kCards, 2), one_hot(2 * kCards + 2, 2)};
      for (int& card : state.cards_)
        while (card < 0 || state.cards_[0] == state.cards_[1]) card = static_cast<int>(rng.below(kCards));
      return state;
    }

   private:
    const Rules* rules_;
    std::vector<float> seen_;
  };
  void reset(const Rules& rules, std::uint64_t seed) {
    *this = HighCardState();
    rules_ = &rules;
    seed_ = seed;
    RandomStream rng(seed);
    cards_[0] = static_cast<int>(rng.below(kCards));
    cards_[1] = (cards_[0] + 1 + static_cast<int>(rng.below(kCards - 1))) % kCards;
  }
  void reset_and_hold(const Rules& rules, std::uint64_t seed) { reset(rules, seed); }
  void attach(const Rules* rules) { rules_ = rules; }
  void apply(Action action) { moves_[current_player() == 0 ? 0 : 1] = static_cast<int>(action); }
  void apply_and_hold(Action action) { apply(action); }
  void next_hand() {}
  int unseen_cards() const { return 0; }
  void resample_future(RandomStream& rng) { seed_ = rng.bits64(); }

  Seat current_player() const { return hand_over() ? kTerminal : moves_[0] < 0 ? 0 : 1; }
  LegalMask legal_mask() const { return hand_over() ? 0 : 3; }
  bool hand_over() const { return moves_[0] == 0 || moves_[1] >= 0; }
  bool episode_over() const { return hand_over(); }
  int hands_finished() const { return hand_over() ? 1 : 0; }
  double return_of(Seat seat) const {
    if (!hand_over()) return 0;
    const bool first_wins = moves_[0] == 1 && (moves_[1] == 0 || cards_[0] > cards_[1]);
    const int won = moves_[0] == 1 && moves_[1] == 1 ? rules_->stake : rules_->ante;
    return first_wins == (seat == 0) ? won : -won;
  }
  float reward(Seat seat) const { return static_cast<float>(return_of(seat)); }
  Statistics statistics(Seat seat) const { return {{"win_rate", return_of(seat) > 0 ? 1.0 : 0.0, 1}}; }

  void observe(Seat seat, float* out) const {
    std::fill(out, out + observation_spec(*rules_).size(), 0.0F);
    for (int other = 0; other < 2; ++other) {
      const auto i = static_cast<std::size_t>(other);
      if (other == seat || hand_over()) out[other * kCards + cards_[i]] = 1;
      if (moves_[i] >= 0) out[2 * kCards + 2 * other + moves_[i]] = 1;
    }
    out[2 * kCards + 4 + seat] = 1;
  }
  bool valid() const {  // States are read from files, so every byte is checked.
    const auto good = [](int value, int lowest, int end) { return value >= lowest && value < end; };
    return good(cards_[0], 0, kCards) && good(cards_[1], 0, kCards) && cards_[0] != cards_[1] &&
           good(moves_[0], -1, 2) && good(moves_[1], -1, 2) && (moves_[1] < 0 || moves_[0] == 1);
  }
  Choice choice(Action action) const { return {action, action == 0 ? "fold" : "stay", "place", {}, {}}; }
  void events(std::vector<Event>& out) const {
    out.emplace_back().values.assign(2, rules_->ante);
    if (!hand_over()) return;
    out.emplace_back().kind = Event::Kind::kHandEnded;
    for (Seat seat = 0; seat < 2; ++seat) out.back().values.push_back(static_cast<std::int64_t>(return_of(seat)));
  }
  std::string to_string(Seat seat) const {
    std::string text = "high card";
    for (const float number : seen_by(seat)) text += number == 1 ? " 1" : " 0";
    return text;
  }
  void write_table(JsonWriter& json, Seat) const {
    json.begin_object();
    json.begin_array("players");
    for (Seat seat = 0; seat < 2; ++seat) {
      json.begin_object();
      json.member("seat", seat);
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }

 private:
  std::vector<float> seen_by(Seat seat) const {
    std::vector<float> seen(static_cast<std::size_t>(observation_spec(*rules_).size()));
    observe(seat, seen.data());
    return seen;
  }

  const Rules* rules_ = nullptr;
  std::uint64_t seed_ = 0;                            // a seed is part of a state
  std::array<int, 2> cards_{-1, -1}, moves_{-1, -1};  // by seat; -1: not yet
};

inline GamePtr make_high_card(GameId id, Config& config) {
  const HighCardRules rules{config.get_int<int>("ante", 1, 1, 100), config.get_int<int>("stake", 3, 1, 100)};
  return make_typed_game<HighCardState>(std::move(id), config, rules, "chips", true);
}

}  // namespace dealer::examples
