#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "env/core/error.h"
#include "env/core/typed_game.h"

namespace dealer::test {

// The smallest game worth playing, as somebody's own program might define it. A coin is tossed; seat 0 alone sees it
// and says heads or tails, true or not; each of the others guesses, without hearing the guesses before, and wins
// `stake` chips from seat 0 when right, or else loses them to it. With `forgetful` seat 0 speaks a second time, to no
// effect, and has forgotten the coin and what it said: no game of perfect recall.
struct CoinRules {
  int players = 2;  // 2 or 3
  int stake = 1;
  bool forgetful = false, crooked = false;
  int gift = 0;  // that everybody gets from the house
};

class CoinState {
 public:
  using Rules = CoinRules;
  static constexpr int kMaxSeats = 3;

  static int num_actions(const Rules&) { return 2; }
  static int players(const Rules& rules) { return rules.players; }
  static ObservationSpec observation_spec(const Rules& rules) {
    ObservationSpec spec;
    spec.add("coin", {2}, "one-hot: the coin, seen by seat 0 and at the end by all");
    spec.add("said", {rules.players, 2},
             "one-hot: what a seat has said or guessed; of guesses the own, and at the end all");
    spec.add("moves", {kMaxSeats + 2}, "one-hot: moves made");
    spec.add("seat", {rules.players}, "one-hot: seat of the observer");
    return spec;
  }
  static int num_cards(const Rules&) { return 2; }
  static std::string card_text(const Rules&, CardId card) { return card == 0 ? "heads" : "tails"; }

  class Sampler {
   public:
    Sampler(const Rules& rules, std::span<const float> observation)
        : rules_(&rules), seen_(observation.begin(), observation.end()) {
      RandomStream rng(0);
      CoinState state = draw(rng);
      std::vector<float> again(seen_.size());
      for (Seat seat = 0; seat < rules.players; ++seat) {
        state.observe(seat, again.data());
        if (again == seen_ && state.valid()) return;
      }
      throw UsageError("no observation of the coin game");
    }
    CoinState draw(RandomStream& rng) {
      CoinState state;
      state.rules_ = rules_;
      state.seed_ = rng.bits64();
      const auto read = [&](int offset, int size) {
        for (int i = 0; i < size; ++i)
          if (seen_[static_cast<std::size_t>(offset + i)] == 1) return i;
        return -1;
      };
      const auto any = [&] { return static_cast<int>(rng.below(2)); };
      const int players = rules_->players, moves = read(2 + 2 * players, kMaxSeats + 2), coin = read(0, 2);
      state.coin_ = static_cast<std::int8_t>(coin >= 0 ? coin : any());
      for (int i = 0; i < players && i < moves; ++i) {
        const int said = read(2 + 2 * i, 2);
        state.said_[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(said >= 0 ? said : any());
      }
      state.moves_ = static_cast<std::int8_t>(moves);
      return state;
    }

   private:
    const Rules* rules_;
    std::vector<float> seen_;
  };

  static CoinState start(const Rules& rules) {
    CoinState state;
    state.rules_ = &rules;
    return state;
  }
  void reset(const Rules& rules, std::uint64_t seed) {
    *this = start(rules);
    seed_ = seed;
    coin_ = static_cast<std::int8_t>(mix64(seed) & 1);
  }
  void reset_and_hold(const Rules& rules, std::uint64_t seed) { reset(rules, seed); }
  void apply(Action action) {
    if (coin_ < 0) {
      coin_ = static_cast<std::int8_t>(action);
      return;
    }
    if (moves_ < rules_->players) said_[static_cast<std::size_t>(moves_)] = static_cast<std::int8_t>(action);
    ++moves_;
  }
  void apply_and_hold(Action action) { apply(action); }
  void next_hand() {}
  int unseen_cards() const { return 0; }
  void resample_future(RandomStream& rng) { seed_ = rng.bits64(); }
  void attach(const Rules* rules) { rules_ = rules; }

  Seat current_player() const {
    if (coin_ < 0) return kChance;
    if (over()) return kTerminal;
    return moves_ < rules_->players ? moves_ : 0;
  }
  LegalMask legal_mask() const {
    return current_player() < 0 ? 0 : rules_->crooked && current_player() > 0 && coin_ == 0 ? 1 : 3;
  }
  std::vector<ChanceOutcome> chance_outcomes() const {
    return coin_ < 0 ? std::vector<ChanceOutcome>{{0, 0.5}, {1, 0.5}} : std::vector<ChanceOutcome>{};
  }
  bool hand_over() const { return over(); }
  bool episode_over() const { return over(); }
  double return_of(Seat seat) const {
    if (!over()) return 0;
    int won = 0;  // from seat 0
    for (Seat other = 1; other < rules_->players; ++other) {
      const int gain = said_[static_cast<std::size_t>(other)] == coin_ ? rules_->stake : -rules_->stake;
      if (seat == 0 || seat == other) won += gain;
    }
    return rules_->gift + (seat == 0 ? -won : won);
  }
  float reward(Seat seat) const { return static_cast<float>(return_of(seat)); }
  void observe(Seat seat, float* out) const {
    const int players = rules_->players;
    std::fill(out, out + observation_spec(*rules_).size(), 0.0F);
    const bool knows = over() || (seat == 0 && (moves_ < players || !rules_->forgetful));
    if (coin_ >= 0 && knows) out[coin_] = 1;
    for (int i = 0; i < players && i < moves_; ++i)
      if (i == 0 ? seat > 0 || knows : seat == i || over()) out[2 + 2 * i + said_[static_cast<std::size_t>(i)]] = 1;
    out[2 + 2 * players + moves_] = 1;
    out[2 + 2 * players + kMaxSeats + 2 + seat] = 1;
  }
  int hands_finished() const { return over() ? 1 : 0; }
  Statistics statistics(Seat seat) const { return {{"win_rate", return_of(seat) > 0 ? 1.0 : 0.0, 1}}; }
  bool valid() const {
    if (coin_ < 0 || coin_ > 1 || moves_ < 0 || moves_ > rules_->players + (rules_->forgetful ? 1 : 0)) return false;
    for (std::size_t i = 0; i < said_.size(); ++i)
      if (static_cast<int>(i) < std::min<int>(moves_, rules_->players) ? said_[i] < 0 || said_[i] > 1 : said_[i] != -1)
        return false;
    return true;
  }
  Choice choice(Action action) const { return {action, action == 0 ? "heads" : "tails", "place", {}, {}}; }
  void events(std::vector<Event>& out) const {
    out.emplace_back().values.assign(static_cast<std::size_t>(rules_->players), rules_->stake);
    if (!over()) return;
    Event& ended = out.emplace_back();
    ended.kind = Event::Kind::kHandEnded;
    for (Seat seat = 0; seat < rules_->players; ++seat)
      ended.values.push_back(static_cast<std::int64_t>(return_of(seat)));
  }
  std::string to_string(Seat seat) const {
    std::vector<float> seen(static_cast<std::size_t>(observation_spec(*rules_).size()));
    observe(seat, seen.data());
    std::string text = "coin";
    for (const float number : seen) text += number == 1 ? " 1" : " 0";
    return text;
  }
  void write_table(JsonWriter& json, Seat seat) const {
    json.begin_object();
    json.member("seen", to_string(seat));
    json.begin_array("players");
    for (Seat other = 0; other < rules_->players; ++other) {
      json.begin_object();
      json.member("seat", other);
      json.begin_array("cards");
      json.end_array();
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }

 private:
  bool over() const { return moves_ == rules_->players + (rules_->forgetful ? 1 : 0); }

  const Rules* rules_ = nullptr;
  std::uint64_t seed_ = 0;
  std::array<std::int8_t, 6> said_{-1, -1, -1, -1, -1, -1};
  std::int8_t coin_ = -1;
  std::int8_t moves_ = 0;
};

static_assert(ExplicitChance<CoinState>);

// The sampler of a State derived from CoinState that adds no data.
template <class State>
class CoinSampler : CoinState::Sampler {
  using Base = CoinState::Sampler;

 public:
  using Base::Base;
  State draw(RandomStream& rng) {
    State state;
    static_cast<CoinState&>(state) = Base::draw(rng);
    return state;
  }
};

// With keys `players`, `stake` and `forgetful`.
inline GamePtr make_coin_game(GameId id, Config& config) {
  CoinRules rules;
  rules.players = config.get_int<int>("players", 2, 2, CoinState::kMaxSeats);
  rules.stake = config.get_int<int>("stake", 1, 1, 100);
  rules.forgetful = config.get_bool("forgetful", false);
  return make_typed_game<CoinState>(std::move(id), config, rules, "chips", true);
}

}  // namespace dealer::test
