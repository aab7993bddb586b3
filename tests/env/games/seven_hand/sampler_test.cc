// How often the sampler draws what, against exact counts.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/games/seven_hand/game.h"
#include "tests/env/harness/random_play.h"

namespace dealer::test::sampler_test {
namespace {

using namespace dealer::seven_hand;

const GameRules& the_rules() {
  static const GamePtr game = make_game("seven_hand");
  return as_seven_hand(*game)->rules();
}

std::vector<float> observed(const State& state, Seat seat) {
  std::vector<float> numbers(static_cast<std::size_t>(State::observation_spec(the_rules()).size()));
  state.observe(seat, numbers.data());
  return numbers;
}

// Lays the lowest cards of the hand, at the first free chip.
void lay(State& state, int count) {
  const Seat mover = state.mover();
  const int turns = state.turns();
  for (int i = 0; i < count; ++i) state.apply(lowest(state.hand(mover)));
  if (!state.naming() && state.turns() == turns) state.apply(kStop);
  if (state.naming()) state.apply(static_cast<Action>(std::countr_zero(state.legal_mask())));
}

// Every way in which the unseen cards may lie is drawn equally often: face down at each chip, in the opponent's hand,
// in the stock. Counted where few are unseen.
TEST(SevenHandSampler, DealsTheUnseenCardsUniformly) {
  int positions = 0;
  for (std::uint64_t seed = 0; positions < 3; ++seed) {
    State state;
    state.reset(the_rules(), seed);
    RandomStream rng(seed, 2);
    // Up to the last turn, so that hardly anything is unseen.
    while (!state.hand_over() && state.turns() < 13) state.apply(random_action(state.legal_mask(), rng));
    if (state.hand_over()) continue;
    const Seat me = state.dealer(), other = 1 - me;
    double ways = 1;  // to lay the unseen cards
    std::vector<int> piles = {size(state.hand(other))};
    for (int chip = 0; chip < kChips; ++chip)
      if (state.turn_laid(me, chip) == 0 && state.laid(other, chip) != 0)
        piles.push_back(size(state.laid(other, chip)));
    int unseen = 0;
    for (const int pile : piles)
      for (int i = 1; i <= pile; ++i) ways *= static_cast<double>(++unseen) / i;
    if (ways < 20 || ways > 3000) continue;
    ++positions;
    State::Sampler sampler(the_rules(), observed(state, me));
    std::map<std::vector<CardSet>, int> counts;
    const int draws = 200 * static_cast<int>(ways);
    for (int i = 0; i < draws; ++i) {
      const State drawn = sampler.draw(rng);
      std::vector<CardSet> key = {drawn.hand(other)};
      for (int chip = 0; chip < kChips; ++chip) key.push_back(drawn.laid(other, chip));
      ++counts[key];
    }
    ASSERT_EQ(counts.size(), static_cast<std::size_t>(ways + 0.5));
    double chi = 0;
    for (const auto& [key, count] : counts) chi += (count - 200.0) * (count - 200.0) / 200;
    const double freedom = ways - 1;
    EXPECT_LT(chi, freedom + 4.5 * std::sqrt(2 * freedom));
    EXPECT_GT(chi, freedom - 4.5 * std::sqrt(2 * freedom));
  }
}

// The opponent lays two of eight cards, draws three, lays three of nine: how many of those three it had from the start
// is hypergeometric, whether the cards were turned up or not.
TEST(SevenHandSampler, RemembersWhatCouldBeLaidWhen) {
  for (const bool shown : {false, true}) {
    State state;
    state.reset(the_rules(), 3);
    const Seat other = state.mover(), me = 1 - other;
    lay(state, 2);  // the opponent, chip 1
    lay(state, 1);  // the observer, chip 1
    lay(state, 3);  // the opponent, chip 2
    if (shown) lay(state, 1);
    ASSERT_EQ(state.turn_laid(other, 1), 2);
    State::Sampler sampler(the_rules(), observed(state, me));
    RandomStream rng(11);
    std::array<int, 4> counts{};
    const int kDraws = test::repetitions(200'000);
    for (int i = 0; i < kDraws; ++i) {
      const State drawn = sampler.draw(rng);
      std::vector<float> numbers = observed(drawn, other);
      const View view = State::decode(the_rules(), numbers);
      ++counts[static_cast<std::size_t>(size(view.drawn[0] & drawn.laid(other, 1)))];
    }
    // C(6, k) C(3, 3 - k) of C(9, 3).
    const std::array<double, 4> expected = {1 / 84.0, 18 / 84.0, 45 / 84.0, 20 / 84.0};
    for (std::size_t k = 0; k < 4; ++k) {
      const double mean = kDraws * expected[k];
      EXPECT_NEAR(counts[k], mean, 4.5 * std::sqrt(mean * (1 - expected[k]))) << k << (shown ? " shown" : "");
    }
  }
}

// The stock: each unseen card is among the next three of either player equally often.
TEST(SevenHandSampler, DealsTheStockUniformly) {
  State state;
  state.reset(the_rules(), 4);
  const Seat me = 1 - state.mover(), other = 1 - me;
  lay(state, 2);
  const State::Sampler sampler(the_rules(), observed(state, me));
  RandomStream rng(17);
  std::array<std::array<int, kCards>, kSeats> drawn{};
  constexpr int kDraws = 60000;
  for (int i = 0; i < kDraws; ++i) {
    State then = sampler.draw(rng);
    // Both lay a card, and draw.
    const CardSet before = then.hand(me);
    lay(then, 1);
    for_each(then.hand(me) & ~before, [&](Card card) { ++drawn[0][card]; });
    const CardSet others = then.hand(other);
    lay(then, 1);
    for_each(then.hand(other) & ~others, [&](Card card) { ++drawn[1][card]; });
  }
  const double mean = kDraws * 3.0 / 44;
  for (Card card = 0; card < kCards; ++card) {
    const bool own = (state.hand(me) & bit(card)) != 0;
    for (const auto& counts : drawn) EXPECT_NEAR(counts[card], own ? 0 : mean, own ? 0 : 4.5 * std::sqrt(mean));
  }
}

TEST(SevenHandSampler, DealsOtherHandsAfterThisOne) {
  const GamePtr game = make_game("seven_hand[hands=2]");
  const GameRules& rules = as_seven_hand(*game)->rules();
  State state;
  state.reset(rules, 1);
  std::vector<float> numbers(static_cast<std::size_t>(State::observation_spec(rules).size()));
  state.observe(0, numbers.data());
  const State::Sampler sampler(rules, numbers);
  RandomStream rng(3);
  std::array<CardSet, 2> second{};
  for (CardSet& hand : second) {
    State drawn = sampler.draw(rng);
    while (drawn.hands_finished() == 0) drawn.apply(random_action(drawn.legal_mask(), rng));
    hand = drawn.hand(0);
  }
  EXPECT_NE(second[0], second[1]);
}

// More cards than a hand or a chip can have.
TEST(SevenHandSampler, RefusesTooManyCards) {
  State state;
  state.reset(the_rules(), 4);
  const ObservationSpec spec = State::observation_spec(the_rules());
  const auto offset = [&](const char* part) { return static_cast<std::size_t>(spec.find(part)->offset); };
  const Seat me = state.mover();
  std::vector<float> numbers = observed(state, me);
  std::fill_n(numbers.begin() + static_cast<std::ptrdiff_t>(offset("picked")), kCards, 1.0F);
  numbers[offset("pending")] = 1;
  std::swap(numbers[offset("turn")], numbers[offset("turn") + 1]);
  EXPECT_THROW(State::Sampler(the_rules(), numbers), UsageError);

  for (int i = 0; i < 5; ++i) state.apply(lowest(state.legal_mask()));
  state.apply(kFirstChip);
  numbers = observed(state, me);
  EXPECT_NO_THROW(State::Sampler(the_rules(), numbers));
  for (std::size_t card = 0; card < kCards; ++card)
    if (numbers[offset("laid") + card] == 0) numbers[offset("laid") + card] = 1.0F / 7;
  EXPECT_THROW(State::Sampler(the_rules(), numbers), UsageError);
}

}  // namespace
}  // namespace dealer::test::sampler_test
