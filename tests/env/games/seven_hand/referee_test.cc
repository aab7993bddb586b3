// A slow implementation of the rules against the fast one, decision by decision.
#include "tests/env/games/seven_hand/referee.h"

#include <gtest/gtest.h>

#include <numeric>

#include "env/cards/shuffle.h"
#include "env/core/registry.h"
#include "env/games/seven_hand/game.h"
#include "env/hands/hand_rank.h"
#include "tests/env/harness/random_play.h"

namespace dealer::test::referee_test {
namespace {

using dealer::seven_hand::as_seven_hand;
using dealer::seven_hand::kOwnCards;
using dealer::seven_hand::State;
using seven_hand::Referee;
using seven_hand::strength;

std::vector<int> list_of(CardSet set) {
  std::vector<int> list;
  for_each(set, [&](Card card) { list.push_back(card); });
  return list;
}
std::vector<int> sorted(std::vector<int> list) {
  std::sort(list.begin(), list.end());
  return list;
}

class SevenHandReferee : public testing::TestWithParam<std::tuple<bool, const char*>> {};

// 100,000 games over the eight rule sets.
TEST_P(SevenHandReferee, AgreesWithTheGame) {
  const auto [margin, ties] = GetParam();
  const GamePtr game =
      make_game(std::string("seven_hand[margin=") + (margin ? "true" : "false") + ",ties=" + ties + "]");
  const auto& rules = as_seven_hand(*game)->rules();
  int threes = 0, drawn = 0, full = 0;
  for (int number = 0; number < repetitions(13000); ++number) {
    RandomStream rng(static_cast<std::uint64_t>(number), 1);
    std::array<Card, kCards> deck;
    std::iota(deck.begin(), deck.end(), Card{0});
    shuffle_first(std::span<Card>(deck), kCards, rng);
    std::array<std::array<Card, kOwnCards>, 2> cards;
    std::copy_n(deck.begin(), kOwnCards, cards[0].begin());
    std::copy_n(deck.begin() + kOwnCards, kOwnCards, cards[1].begin());
    const Seat dealer = static_cast<Seat>(rng.below(2));
    State state;
    state.deal(rules, cards, dealer);
    Referee referee({std::vector<int>(cards[0].begin(), cards[0].end()), {cards[1].begin(), cards[1].end()}}, dealer,
                    {margin, ties});
    // Some lay few cards and keep large hands, some many.
    const std::uint32_t stops = 1 + rng.below(6);
    while (!state.hand_over()) {
      ASSERT_EQ(state.current_player(), referee.to_act());
      ASSERT_EQ(list_of(state.legal_mask()), referee.legal());
      Action action = random_action(state.legal_mask(), rng);
      if ((state.legal_mask() >> dealer::seven_hand::kStop & 1) != 0 && rng.below(6) < stops)
        action = dealer::seven_hand::kStop;
      state.apply(action);
      referee.act(action);
    }
    ASSERT_EQ(referee.to_act(), -1);
    ASSERT_EQ(static_cast<int>(state.reward(0)), referee.result());
    for (int chip = 0; chip < 7; ++chip) {
      const int owner = referee.owner(chip);
      ASSERT_EQ(state.owns(0, chip), owner == 0 || owner == 2);
      ASSERT_EQ(state.owns(1, chip), owner == 1 || owner == 2);
    }
    for (Seat seat = 0; seat < 2; ++seat) {
      ASSERT_EQ(list_of(state.hand(seat)), sorted(referee.hand(seat)));
      for (int chip = 0; chip < 7; ++chip)
        ASSERT_EQ(list_of(state.laid(seat, chip)), sorted(referee.at_chip(seat, chip)));
    }
    threes += state.three_adjacent(0) || state.three_adjacent(1) ? 1 : 0;
    drawn += referee.result() == 0 ? 1 : 0;
    full += state.turns() == 14 ? 1 : 0;
  }
  EXPECT_GT(threes, 0);
  EXPECT_GT(full, 0);
  EXPECT_EQ(drawn > 0, std::string(ties) == "nobody" || std::string(ties) == "both");
}

INSTANTIATE_TEST_SUITE_P(Rules, SevenHandReferee,
                         testing::Combine(testing::Bool(),
                                          testing::Values("nobody", "second_mover", "first_mover", "both")));

// The two orders of hands of one to five cards are the same.
TEST(SevenHandStrength, IsTheEvaluatorsOrder) {
  RandomStream rng(5);
  for (int i = 0; i < repetitions(200000); ++i) {
    std::array<CardSet, 2> hand{};
    // Few ranks, so that equal hands are frequent enough.
    const auto low = rng.below(10);
    for (CardSet& cards : hand) {
      const auto count = static_cast<int>(1 + rng.below(5));
      while (size(cards) < count)
        cards |= bit(static_cast<Card>(low * 4 + rng.below(rng.below(2) != 0 ? 20 : 12) % (52 - low * 4)));
    }
    const HandRank a = evaluate(hand[0]), b = evaluate(hand[1]);
    const auto slow_a = strength(list_of(hand[0])), slow_b = strength(list_of(hand[1]));
    ASSERT_EQ(a < b, slow_a < slow_b) << to_string(hand[0]) << " against " << to_string(hand[1]);
    ASSERT_EQ(a == b, slow_a == slow_b) << to_string(hand[0]) << " against " << to_string(hand[1]);
  }
}

}  // namespace
}  // namespace dealer::test::referee_test
