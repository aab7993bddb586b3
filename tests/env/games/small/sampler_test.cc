// How often a sampler draws what, against the whole tree.
#include <gtest/gtest.h>

#include <array>
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

namespace dealer::small::sampler_test {
namespace {

// How to go on from a position that was drawn, so that cards to come are compared, too: everything is discarded and
// nothing folded, or all are kept.
Action discard_all(const State& state) { return ((state.legal_mask() >> kDiscard) & 1) != 0 ? kDiscard : kCall; }

class SmallSampler : public testing::TestWithParam<const char*> {
 protected:
  // A position that agrees with an observation, and how likely it is under uniform deals and moves.
  struct Position {
    State state;
    double weight;
  };
  struct Seen {
    Seat seat = 0;
    std::vector<float> numbers;
    std::vector<Position> positions;
  };

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

  // Everything that somebody can observe: at decisions, while the other decides, at the end.
  void walk(const State& state, double weight) {
    for (Seat seat = 0; seat < kSeats && state.current_player() != kChance; ++seat) {
      Seen& seen = seen_[bytes_of(state, seat)];
      seen.seat = seat;
      seen.numbers = numbers_;
      seen.positions.push_back({state, weight});
    }
    for_each_move(state, [&](const State& next, double probability) { walk(next, weight * probability); });
  }

  void follow(const State& state, double probability, const std::string& from, std::map<std::string, double>& ends) {
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

  // Where it is and where it ends.
  std::string play_on(State state) {
    std::string where = position(state);
    while (state.current_player() != kTerminal) state.apply(discard_all(state));
    return where + position(state);
  }

  // Pearson's statistic of draws from the sampler, as a normal deviate (Wilson and Hilferty, 1931).
  double deviate(const Seen& seen, RandomStream& rng, double& statistic, double& freedom) {
    double total = 0;
    for (const Position& each : seen.positions) total += each.weight;
    std::map<std::string, double> expected, counted;
    for (const Position& each : seen.positions) follow(each.state, each.weight / total, position(each.state), expected);
    double least = 1;
    for (const auto& [end, probability] : expected) least = std::min(least, probability);
    const double draws = std::ceil(20 / least);
    State::Sampler sampler(rules_, seen.numbers);
    for (double n = 0; n < draws; ++n) {
      const std::string end = play_on(sampler.draw(rng));
      EXPECT_EQ(expected.count(end), 1U) << "a position that cannot be";
      if (HasFailure()) return 0;
      ++counted[end];
    }
    double chi_square = 0;
    for (const auto& [end, probability] : expected) {
      const double mean = probability * draws;
      chi_square += (counted[end] - mean) * (counted[end] - mean) / mean;
    }
    const double n = static_cast<double>(expected.size()) - 1;
    statistic += chi_square;
    freedom += n;
    return test::deviations(chi_square, n);
  }

  GamePtr game_ = make_game(GetParam());
  const Rules& rules_ = as_small(*game_)->rules();
  std::vector<float> numbers_ = std::vector<float>(static_cast<std::size_t>(game_->observation_spec().size()));
  std::map<std::string, Seen> seen_;
};

TEST_P(SmallSampler, DrawsWhatTheTreeSaysAsOftenAsItSays) {
  walk(State::start(rules_), 1);
  RandomStream rng(1);
  // All of them where they are few.
  const std::size_t stride = seen_.size() / static_cast<std::size_t>(test::repetitions(400)) + 1;
  std::size_t index = 0;
  int tested = 0;
  double statistic = 0, freedom = 0;
  for (const auto& [bytes, seen] : seen_) {
    if (index++ % stride != 0) continue;
    const double z = deviate(seen, rng, statistic, freedom);
    // One in a hundred million is further away.
    ASSERT_LT(z, 5.6) << seen.positions[0].state.to_string(seen.seat);
    if (HasFailure()) FAIL() << seen.positions[0].state.to_string(seen.seat);
    ++tested;
  }
  EXPECT_GT(tested, 20);
  EXPECT_LT(statistic, freedom + 5 * std::sqrt(2 * freedom)) << tested << " observations";
}

INSTANTIATE_TEST_SUITE_P(Games, SmallSampler,
                         testing::Values("kuhn", "kuhn[cards=5,raises=2]", "leduc", "leduc[ranks=2,suits=3,raises=1]",
                                         "mini_draw", "mini_draw_single", "mini_draw[ranks=4,suits=1,hand=1]",
                                         "mini_draw_single[ranks=7,suits=1]"));

// Every card that can be somewhere is drawn there, in a deck too large to be walked.
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
  const GamePtr kuhn = make_game("kuhn"), leduc = make_game("leduc"), draw = make_game("mini_draw_single");
  const auto refused = [](const GamePtr& game, const std::vector<float>& numbers) {
    try {
      State::Sampler(as_small(*game)->rules(), numbers);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const auto env = leduc->new_env();
  env->reset(1);
  const std::vector<float> good = env->observe(0).data;
  EXPECT_EQ(refused(leduc, good), "accepted");
  EXPECT_EQ(refused(kuhn, good), "no observation of this game: wrong number of numbers");
  const auto changed = [&](const char* part, int index, float value) {
    std::vector<float> bad = good;
    bad[static_cast<std::size_t>(leduc->observation_spec().find(part)->offset + index)] = value;
    return refused(leduc, bad);
  };
  EXPECT_EQ(changed("hand", 0, 0.5F), "no observation of this game: a card is neither there nor not there");
  EXPECT_EQ(changed("board", 0, 1), "no observation of this game: the cards do not fit the course of the hand");
  EXPECT_EQ(changed("betting", 0, 1), "no observation of this game: the betting or drawing cannot have gone like that");
  // In the middle of the draw.
  const auto drawing = draw->new_env();
  drawing->reset(1);
  std::vector<float> numbers = drawing->observe(0).data;
  EXPECT_EQ(refused(draw, numbers), "accepted");
  const auto next = static_cast<std::size_t>(draw->observation_spec().find("next")->offset);
  std::fill_n(numbers.begin() + static_cast<std::ptrdiff_t>(next), 6, 0.0F);
  EXPECT_EQ(refused(draw, numbers), "no observation of this game: the card to keep or discard does not fit the hand");
}

}  // namespace
}  // namespace dealer::small::sampler_test
