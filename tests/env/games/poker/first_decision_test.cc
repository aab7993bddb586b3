// A hand taken back to its first decision.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "env/core/random.h"
#include "env/core/registry.h"
#include "env/games/poker/game.h"
#include "env/games/poker/script.h"
#include "tests/env/harness/random_play.h"

namespace dealer::poker::first_decision_test {
namespace {

bool same(const State& a, const State& b) { return std::memcmp(&a, &b, sizeof(State)) == 0; }

TEST(FirstDecision, TheSameDecisionsLeadToTheSamePosition) {
  for (const char* spec : {"holdem", "holdem[limit=no_limit,players=6]", "stud[players=7]", "draw", "triple_draw",
                           "lowball", "washizu", "court_tarot"}) {
    SCOPED_TRACE(spec);
    const GamePtr game = make_game(spec);
    const GameRules& rules = as_poker(*game)->rules();
    RandomStream rng(4);
    int compared = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      State now;
      now.reset_and_hold(rules, seed);
      std::vector<Action> actions;
      while (!now.hand_over()) {
        const auto dealt = first_decision(now);
        ASSERT_TRUE(dealt);
        State again = *dealt;
        for (const Action action : actions) again.apply_and_hold(action);
        EXPECT_TRUE(same(again, now)) << "after " << actions.size();
        ++compared;
        // Seldom folds, so that hands go on.
        LegalMask legal = now.legal_mask();
        if (legal != 1 && rng.below(8) != 0) legal &= ~LegalMask{1};
        actions.push_back(test::random_action(legal, rng));
        now.apply_and_hold(actions.back());
      }
    }
    EXPECT_GT(compared, 80);
  }
}

// Six players who draw five cards three times use up the deck.
TEST(FirstDecision, AStockShuffledAgainIsToldApart) {
  const GamePtr game = make_game("triple_draw[players=6]");
  const GameRules& rules = as_poker(*game)->rules();
  State now;
  now.reset_and_hold(rules, 1);
  bool lost = false;
  while (!now.hand_over()) {
    lost = lost || !first_decision(now);
    now.apply_and_hold(now.drawing() ? rules.first_discard() + kDiscardChoices - 1 : kCall);
  }
  EXPECT_TRUE(lost);
}

}  // namespace
}  // namespace dealer::poker::first_decision_test
