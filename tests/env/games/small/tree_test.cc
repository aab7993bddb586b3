// The states that solvers walk: their chance moves; dealt hands use the same tree; information states correspond one to
// one to observations; the sampler's distribution.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/games/small/game.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/chi_square.h"
#include "tests/support/error_message.h"

namespace dealer::small::tree_test {
namespace {

// Continuations, to compare future cards as well: discard everything and never fold, or keep everything.
Action discard_all(const State& state) { return ((state.legal_mask() >> kDiscard) & 1) != 0 ? kDiscard : kCall; }

class SmallTree : public testing::TestWithParam<const char*> {
 protected:
  using Ends = std::map<std::string, double>;

  std::string bytes_of(const State& state, Seat seat) {
    state.observe(seat, numbers_.data());
    return {reinterpret_cast<const char*>(numbers_.data()), numbers_.size() * sizeof(float)};
  }
  // Both seats: everything but the order of the cards to come.
  std::string position(const State& state) { return bytes_of(state, 0) + bytes_of(state, 1); }

  template <class F>
  static void for_each_move(const State& state, F&& f) {
    const auto follow = [&](Action action, double probability) {
      State next = state;
      next.apply(action);
      f(next, probability);
    };
    for (const ChanceOutcome& outcome : state.chance_outcomes()) follow(outcome.action, outcome.probability);
    for (LegalMask rest = state.legal_mask(); rest != 0; rest &= rest - 1)
      follow(std::countr_zero(rest), 1.0 / std::popcount(state.legal_mask()));
  }

  // Calls f(state, seat, weight) for every observation, at decisions, while the other decides, and at the end, with its
  // probability under uniform deals and moves.
  template <class F>
  void walk(const State& state, double weight, F&& f) {
    for (Seat seat = 0; seat < kSeats && state.current_player() != kChance; ++seat) f(state, seat, weight);
    if (HasFatalFailure()) return;
    for_each_move(state, [&](const State& next, double probability) { walk(next, weight * probability, f); });
  }

  // Adds up the probabilities of the ends.
  void follow(const State& state, double probability, const std::string& from, Ends& ends) {
    if (state.current_player() == kTerminal) {
      ends[from + position(state)] += probability;
      return;
    }
    if (state.current_player() == kChance)
      return for_each_move(state, [&](const State& next, double p) { follow(next, probability * p, from, ends); });
    State next = state;
    next.apply(discard_all(state));
    follow(next, probability, from, ends);
  }
  std::string end_of(State state) {
    while (state.current_player() != kTerminal) state.apply(discard_all(state));
    return position(state);
  }

  GamePtr game_ = make_game(GetParam());
  const Rules& rules_ = as_small(*game_)->rules();
  std::vector<float> numbers_ = std::vector<float>(static_cast<std::size_t>(game_->observation_spec().size()));
};

TEST_P(SmallTree, AsksForEveryChanceMove) {
  RandomStream rng(1);
  for (int hand = 0; hand < 300; ++hand) {
    State state = State::start(rules_);
    ASSERT_EQ(state.current_player(), kChance);
    while (state.current_player() != kTerminal) {
      ASSERT_EQ(state.reward(0), 0.0F);
      ASSERT_EQ(state.hands_finished(), 0);
      ASSERT_FALSE(state.valid());
      const std::vector<ChanceOutcome> outcomes = state.chance_outcomes();
      ASSERT_EQ(outcomes.empty(), state.current_player() != kChance);
      ASSERT_EQ(state.legal_mask() == 0, state.current_player() == kChance);
      if (outcomes.empty()) {
        state.apply(test::random_action(state.legal_mask(), rng));
        continue;
      }
      std::map<Action, double> probabilities;
      double sum = 0;
      for (const auto& [action, probability] : outcomes) {
        ASSERT_GT(probability, 0);
        sum += probabilities[action] = probability;
      }
      ASSERT_NEAR(sum, 1, 1e-12);
      ASSERT_EQ(probabilities.size(), outcomes.size());
      state.apply(outcomes[rng.below(static_cast<std::uint32_t>(outcomes.size()))].action);
    }
    ASSERT_EQ(state.reward(0), -state.reward(1));
  }
}

// The observations at the end of dealt hands, and their frequencies, equal those of the tree: both follow the same
// policy.
TEST_P(SmallTree, IsTheOneOnWhichDealtHandsArePlayed) {
  Ends expected;
  follow(State::start(rules_), 1, "", expected);
  const int hands = test::repetitions(40000);
  std::map<std::string, int> counted;
  for (int hand = 0; hand < hands; ++hand) {
    State state;
    state.reset(rules_, static_cast<std::uint64_t>(hand));
    ++counted[end_of(state)];
  }
  EXPECT_LT(test::deviations(expected, counted, hands), 6) << expected.size();
}

// Also for dealt hands.
TEST_P(SmallTree, InformationTextsAreEqualExactlyWhenObservationsAre) {
  std::map<std::string, std::string> text_of, seen_of;
  const auto note = [&](const State& state, Seat seat, double) {
    const std::string seen = bytes_of(state, seat), text = state.information_text(seat);
    ASSERT_EQ(text_of.emplace(seen, text).first->second, text);
    ASSERT_EQ(seen_of.emplace(text, seen).first->second, seen) << text;
  };
  walk(State::start(rules_), 1, note);
  const std::size_t all = text_of.size();
  RandomStream rng(1);
  for (int hand = 0; hand < 300; ++hand) {
    State state;
    state.reset(rules_, static_cast<std::uint64_t>(hand));
    for (;; state.apply(test::random_action(state.legal_mask(), rng))) {
      for (const Seat seat : {0, 1}) note(state, seat, 1);
      if (state.current_player() == kTerminal) break;
    }
  }
  EXPECT_EQ(text_of.size(), all);
}

TEST_P(SmallTree, SamplersDrawWhatItSaysAsOftenAsItSays) {
  struct Seen {
    Seat seat = 0;
    std::vector<float> numbers;
    std::vector<std::pair<State, double>> positions;  // with weights
  };
  std::map<std::string, Seen> all;
  walk(State::start(rules_), 1, [&](const State& state, Seat seat, double weight) {
    Seen& seen = all[bytes_of(state, seat)];
    seen.seat = seat;
    seen.numbers = numbers_;
    seen.positions.emplace_back(state, weight);
  });
  RandomStream rng(1);
  // All of them where they are few.
  const std::size_t stride = all.size() / static_cast<std::size_t>(test::repetitions(400)) + 1;
  std::size_t index = 0;
  int tested = 0;
  double statistic = 0, freedom = 0;
  for (const auto& [bytes, seen] : all) {
    if (index++ % stride != 0) continue;
    double total = 0, least = 1, chi_square = 0;
    for (const auto& [state, weight] : seen.positions) total += weight;
    Ends expected, counted;  // a node and its final node
    for (const auto& [state, weight] : seen.positions) follow(state, weight / total, position(state), expected);
    for (const auto& [end, probability] : expected) least = std::min(least, probability);
    const double draws = std::ceil(20 / least);
    State::Sampler sampler(rules_, seen.numbers);
    for (double n = 0; n < draws; ++n) {
      const State drawn = sampler.draw(rng);
      const std::string end = position(drawn) + end_of(drawn);
      ASSERT_TRUE(expected.contains(end)) << "cannot be: " << seen.positions[0].first.to_string(seen.seat);
      ++counted[end];
    }
    for (const auto& [end, probability] : expected) {
      const double mean = probability * draws;
      chi_square += (counted[end] - mean) * (counted[end] - mean) / mean;
    }
    statistic += chi_square;
    freedom += static_cast<double>(expected.size()) - 1;
    // One in a hundred million is further away.
    ASSERT_LT(test::deviations(chi_square, static_cast<double>(expected.size()) - 1), 5.6)
        << seen.positions[0].first.to_string(seen.seat);
    ++tested;
  }
  EXPECT_GT(tested, 20);
  EXPECT_LT(statistic, freedom + 5 * std::sqrt(2 * freedom)) << tested << " observations";
}

INSTANTIATE_TEST_SUITE_P(Games, SmallTree,
                         testing::Values("kuhn", "kuhn[cards=5,raises=3]", "leduc", "leduc[ranks=2,suits=3,raises=1]",
                                         "mini_draw", "mini_draw_single", "mini_draw[ranks=4,suits=1,hand=1]",
                                         "mini_draw_single[ranks=7,suits=1]", "mini_draw_single[ranks=8,suits=1]"));

// Every possible card is drawn at every place, in a deck too large for a walk.
TEST(SmallSamplers, ReachEveryCard) {
  const GamePtr game = make_game("mini_draw[ranks=13,suits=4,hand=3]");
  const Rules& rules = as_small(*game)->rules();
  State state;
  state.reset(rules, 1);
  std::vector<float> seen(static_cast<std::size_t>(game->observation_spec().size()));
  state.observe(0, seen.data());
  State::Sampler sampler(rules, seen);
  RandomStream rng(1);
  CardSet reached = 0, drawn = 0;
  for (int n = 0; n < 2000; ++n) {
    State other = sampler.draw(rng);
    ASSERT_EQ(other.hand(0), state.hand(0));
    reached |= other.hand(1);
    while (other.current_player() != kTerminal) other.apply(discard_all(other));
    drawn |= other.hand(0);
  }
  EXPECT_EQ(reached, rules.deck() & ~state.hand(0));
  EXPECT_EQ(drawn, rules.deck() & ~state.hand(0));
}

TEST(SmallSamplers, RefuseObservationsOfOtherGamesAndSuchThatCannotBe) {
  const auto refusal = [](const char* game, const std::vector<float>& numbers) {
    const GamePtr made = make_game(game);
    return test::error_message<UsageError>([&] { State::Sampler(as_small(*made)->rules(), numbers); });
  };
  const std::string no_observation = "not an observation of this game: ";
  const auto env = make_game("leduc")->new_env();
  env->reset(1);
  EXPECT_EQ(refusal("leduc", env->observe(0).data), "(no error)");
  EXPECT_EQ(refusal("kuhn", env->observe(0).data), no_observation + "wrong number of numbers");
  for (const auto& [part, value, why] : {std::tuple("hand", 0.5F, "a card is neither there nor not there"),
                                         {"board", 1.0F, "the cards contradict the history of the hand"},
                                         {"betting", 1.0F, "the betting or drawing cannot have gone like that"}}) {
    std::vector<float> bad = env->observe(0).data;
    bad[static_cast<std::size_t>(env->game().observation_spec().find(part)->offset)] = value;
    EXPECT_EQ(refusal("leduc", bad), no_observation + why);
  }
  // In the middle of the draw.
  const auto drawing = make_game("mini_draw_single")->new_env();
  drawing->reset(1);
  std::vector<float> numbers = drawing->observe(0).data;
  EXPECT_EQ(refusal("mini_draw_single", numbers), "(no error)");
  std::fill_n(numbers.begin() + drawing->game().observation_spec().find("next")->offset, 6, 0.0F);
  EXPECT_EQ(refusal("mini_draw_single", numbers), no_observation + "the card to keep or discard does not fit the hand");
}

}  // namespace
}  // namespace dealer::small::tree_test
