#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/env/harness/game_harness.h"
#include "tests/env/harness/random_play.h"

namespace dealer::test {
namespace {

constexpr int kDeals = 1500;

std::vector<CardId> cards_dealt(const Env& env, EventCursor since) {
  std::vector<CardId> cards;
  for (const Event& event : env.events(kOmniscient, since))
    if (event.kind == Event::Kind::kDealt || event.kind == Event::Kind::kDrew)
      cards.insert(cards.end(), event.cards.begin(), event.cards.end());
  return cards;
}

// How often each card comes when the decision is played after redealing: as often as the others, five standard errors
// allowed.
void check_frequencies(const Env& env, Action action) {
  const auto other = env.game().new_env({.hold_hands = true});
  std::map<CardId, int> times;
  std::size_t dealt = 0;
  for (int i = 0; i < kDeals; ++i) {
    other->assign(env);
    other->redeal(static_cast<std::uint64_t>(i));
    other->step(action);
    const std::vector<CardId> cards = cards_dealt(*other, env.cursor());
    for (const CardId card : cards) ++times[card];
    dealt += cards.size();
  }
  if (dealt == 0) return;
  const double expected = static_cast<double>(dealt) / static_cast<double>(times.size());
  for (const auto& [card, count] : times)
    EXPECT_NEAR(count, expected, 5 * std::sqrt(expected) + 5) << "card " << static_cast<int>(card);
}

}  // namespace

void check_redealing(const Game& game, int hands) {
  const auto env = game.new_env({.hold_hands = true}), other = game.new_env({.hold_hands = true});
  int measured = 0;
  for (int episode = 0, played = 0; played < hands; ++episode, ++played) {
    SCOPED_TRACE(game.spec() + ", seed " + std::to_string(episode));
    const auto seed = static_cast<std::uint64_t>(episode);
    env->reset(seed);
    RandomStream rng(seed, 8);
    for (int step = 0; step < kMaxSteps && env->current_player() != kTerminal; ++step) {
      const Seat seat = env->current_player();
      other->assign(*env);
      EXPECT_EQ(other->serialize(), env->serialize());
      other->redeal(rng.bits64());
      ASSERT_EQ(other->observe(seat).data, env->observe(seat).data) << env->to_string(seat) << other->to_string(seat);
      ASSERT_EQ(other->legal_mask(), env->legal_mask());
      ASSERT_EQ(other->current_player(), seat);
      ASSERT_EQ(other->events(seat, {}), env->events(seat, {}));
      ASSERT_EQ(other->returns(), env->returns());
      ASSERT_EQ(other->undealt(), env->undealt());
      const std::string bytes = other->serialize();
      ASSERT_NO_THROW(other->deserialize(bytes));
      ASSERT_EQ(other->serialize(), bytes);
      const Action action = random_action(env->legal_mask(), rng);
      const int before = env->undealt();
      if (measured < 5 && rng.below(4) == 0) {
        const auto next = env->clone();
        next->step(action);
        if (next->undealt() != before) {
          ++measured;
          check_frequencies(*env, action);
        }
      }
      // On with other cards, so that redealt positions are played to their end.
      if (rng.below(4) == 0) env->redeal(rng.bits64());
      env->step(action);
    }
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace dealer::test
