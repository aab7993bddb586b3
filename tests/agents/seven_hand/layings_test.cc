// Whole turns as choices.
#include "agents/seven_hand/layings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "env/core/registry.h"
#include "env/games/seven_hand/game.h"
#include "env/hands/hand_rank.h"
#include "tests/env/harness/random_play.h"

namespace dealer::seven_hand::layings_test {
namespace {

// Now and then of few suits, so that flushes come up.
CardSet random_hand(RandomStream& rng, int count, bool few_suits) {
  CardSet hand = 0;
  while (size(hand) < count) {
    const auto card = static_cast<Card>(rng.below(kCards));
    if (!few_suits || suit_of(card) < 2) hand |= bit(card);
  }
  return hand;
}

// Each category with the ranks compared first that choices of cards have; of flushes the highest alone, since those
// between the highest and the lowest are left out.
std::map<HandCategory, std::set<int>> combinations(const std::vector<CardSet>& layings) {
  std::map<HandCategory, std::set<int>> found;
  for (const CardSet cards : layings) found[category(evaluate(cards))].insert(first_rank(evaluate(cards)));
  if (auto& flushes = found[HandCategory::kFlush]; flushes.size() > 1) flushes = {*flushes.rbegin()};
  return found;
}

TEST(Layings, MakeEveryCombinationOfTheHand) {
  RandomStream rng(5);
  std::vector<CardSet> proposed;
  for (int i = 0; i < test::repetitions(200); ++i) {
    const CardSet hand = random_hand(rng, 5 + static_cast<int>(rng.below(7)), i % 3 == 0);
    propose_layings(hand, false, proposed);
    std::vector<CardSet> all;
    for (CardSet set = hand; set != 0; set = (set - 1) & hand)
      if (size(set) <= kMostLaid) all.push_back(set);
    EXPECT_EQ(combinations(proposed), combinations(all)) << to_string(hand);
    EXPECT_TRUE(std::is_sorted(proposed.begin(), proposed.end()));
    EXPECT_EQ(std::adjacent_find(proposed.begin(), proposed.end()), proposed.end()) << "the same twice";
    for (const CardSet cards : proposed) EXPECT_TRUE((cards & ~hand) == 0 && size(cards) <= kMostLaid);
    std::array<int, kMostLaid + 1> sizes{};
    for (const CardSet cards : proposed) ++sizes[static_cast<std::size_t>(size(cards))];
    for (int count = 1; count <= kMostLaid; ++count) EXPECT_GT(sizes[static_cast<std::size_t>(count)], 0) << count;
    HandRank best = 0;
    for (const CardSet cards : all) best = std::max(best, evaluate(cards));
    propose_layings(hand, true, proposed);
    EXPECT_EQ(proposed, std::vector<CardSet>{strongest_laying(hand)});
    EXPECT_EQ(evaluate(strongest_laying(hand)), best) << to_string(hand) << " in the last turn";
  }
}

TEST(Layings, SpareTheSuitThatIsLong) {
  std::vector<CardSet> proposed;
  const CardSet hand = to_set(parse_cards("Ah 9h 7h 4h 9c 9s 4c Kd"));
  propose_layings(hand, false, proposed);
  const auto proposes = [&](const char* cards) {
    return std::binary_search(proposed.begin(), proposed.end(), to_set(parse_cards(cards)));
  };
  EXPECT_TRUE(proposes("9c 9s") && proposes("9c 9s 9h"));
  EXPECT_FALSE(proposes("9h 9c") || proposes("9h 9s") || proposes("4h"));
  EXPECT_TRUE(proposes("9c 9s 7h") && proposes("9c 9s 7h Kd Ah") && proposes("9c 9s 4c 4h")) << "with cards beside";
}

TEST(Layings, AreLaidByTheirActions) {
  RandomStream rng(6);
  const auto game = std::dynamic_pointer_cast<const Game>(make_game("seven_hand"));
  std::vector<CardSet> proposed;
  State state;
  state.attach(&game->rules());
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (state.reset(game->rules(), seed); !state.hand_over();) {
      if (state.naming()) {
        state.apply(test::random_action(state.legal_mask(), rng));
        continue;
      }
      const Seat mover = state.mover();
      const CardSet hand = state.hand(mover);
      propose_layings(hand, state.finished_turns(mover) + 1 == kTurns, proposed);
      const CardSet cards = proposed[rng.below(static_cast<std::uint32_t>(proposed.size()))];
      const int turn = state.finished_turns(mover) + 1;
      for (const Action action : actions_of(cards, hand)) {
        ASSERT_TRUE(state.mover() == mover && (state.legal_mask() >> action & 1) != 0) << to_string(cards);
        state.apply(action);
      }
      ASSERT_EQ(state.naming() ? state.picked() : state.laid(mover, state.chip_of(mover, turn)), cards);
    }
  }
}

}  // namespace
}  // namespace dealer::seven_hand::layings_test
