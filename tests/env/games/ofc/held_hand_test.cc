// A hand that is over and held on the table: everybody sees everything that was shown, and the next hand follows from
// it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "env/games/ofc/observation_parts.h"
#include "tests/env/games/ofc/rule_sets.h"
#include "tests/env/harness/random_play.h"

namespace dealer::ofc::held_hand_test {
namespace {

// Calls f(state) at the end of every hand of random episodes.
template <class F>
void at_every_end(int seeds, F f) {
  for (const RuleSet& set : rule_sets()) {
    SCOPED_TRACE(set.name);
    for (int seed = 0; seed < seeds; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      State state = start(set, static_cast<std::uint64_t>(seed));
      RandomStream rng(static_cast<std::uint64_t>(seed), 41);
      for (int hand = 0; hand < 6; ++hand) {
        while (!state.hand_over()) state.apply_and_hold(test::random_action(state.legal_mask(), rng));
        f(state);
        if (testing::Test::HasFailure()) return;
        if (state.episode_over()) break;
        state.next_hand();
      }
    }
  }
}

TEST(OfcHeldHand, EverybodySeesWhatWasShown) {
  int fantasyland = 0, gone_out = 0;
  at_every_end(test::repetitions(100), [&](const State& state) {
    const int n = state.rules().players;
    const ObservationParts part(n);
    ASSERT_EQ(state.legal_mask(), 0U);
    ASSERT_EQ(state.current_player(), kTerminal);
    ASSERT_TRUE(state.valid());
    for (Seat seat = 0; seat < n; ++seat) {
      const std::vector<float> data = observation(state, seat);
      const View seen = State::decode(state.rules(), data);
      ASSERT_EQ(seen.turn, -1);
      ASSERT_EQ(seen.hand, 0U);
      ASSERT_EQ(seen.discards, state.discards(seat));
      ASSERT_EQ(seen.dealer, (state.dealer() - seat + n) % n);
      for (int rel = 0; rel < n; ++rel) {
        const Seat owner = (seat + rel) % n;
        const auto r = static_cast<std::size_t>(rel);
        ASSERT_TRUE(seen.board[rel] == state.board(owner));
        ASSERT_EQ(seen.board[rel].complete(), state.last_hand().played[owner]);
        ASSERT_EQ(seen.fantasyland[r], state.last_hand().fantasyland[owner]);
        ASSERT_EQ(seen.out[r], state.is_out(owner));
        fantasyland += seen.fantasyland[r] && rel > 0 ? 1 : 0;
        if (state.rules().episode != Episode::kMatch) continue;
        const auto all = static_cast<float>(n * state.rules().start_points);
        ASSERT_EQ(data[static_cast<std::size_t>(part.points + rel)], static_cast<float>(state.points(owner)) / all);
        ASSERT_EQ(data[static_cast<std::size_t>(part.won + rel)], state.reward(owner) / all);
        ASSERT_EQ(seen.out[r], state.points(owner) == 0);
        gone_out += seen.out[r] && seen.board[rel].complete() ? 1 : 0;
      }
    }
  });
  EXPECT_GT(fantasyland, 0);
  EXPECT_GT(gone_out, 0);
}

// Who is in Fantasyland next, who deals and who is out follows from what can be seen.
void expect_same_next(State a, State b) {
  ASSERT_EQ(a.episode_over(), b.episode_over());
  if (a.episode_over()) return;
  a.next_hand();
  b.next_hand();
  EXPECT_EQ(a.dealer(), b.dealer());
  for (Seat seat = 0; seat < a.rules().players; ++seat) {
    EXPECT_EQ(a.in_fantasyland(seat), b.in_fantasyland(seat));
    EXPECT_EQ(a.is_out(seat), b.is_out(seat));
    EXPECT_EQ(a.points(seat), b.points(seat));
  }
  EXPECT_TRUE(b.valid());
}

TEST(OfcHeldHand, SampledStatesGoOnLikeTheRealOne) {
  at_every_end(test::repetitions(60), [&](const State& state) {
    RandomStream rng(5);
    for (Seat seat = 0; seat < state.rules().players; ++seat) {
      const State sampled = State::Sampler(state.rules(), observation(state, seat)).draw(rng);
      ASSERT_TRUE(sampled.valid());
      ASSERT_TRUE(sampled.hand_over());
      ASSERT_EQ(std::memcmp(&sampled.last_hand(), &state.last_hand(), sizeof(HandRecord)), 0);
      expect_same_next(state, sampled);
    }
  });
}

// Every byte of a held state changed in turn: what is still accepted goes on alike.
TEST(OfcHeldHand, BytesThatContradictTheBoardsAreRefused) {
  int refused = 0, accepted = 0;
  at_every_end(1, [&](const State& state) {
    for (std::size_t i = sizeof(void*); i < sizeof(State); ++i)
      for (const unsigned flip : {1U, 2U, 128U}) {
        State changed = state;
        reinterpret_cast<unsigned char*>(&changed)[i] ^= static_cast<unsigned char>(flip);
        if (!changed.valid()) {
          ++refused;
          continue;
        }
        ++accepted;
        // The number of the hand may be another: then a match may be at its end.
        if (changed.hands_finished() != state.hands_finished()) continue;
        expect_same_next(state, changed);
        if (testing::Test::HasFailure()) FAIL() << "byte " << i;
      }
  });
  EXPECT_GT(refused, 4 * accepted);
}

}  // namespace
}  // namespace dealer::ofc::held_hand_test
