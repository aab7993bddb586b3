// The heuristic agent of 7-Hand Poker, and what it reckons with.
#include <gtest/gtest.h>

#include "agents/agent.h"
#include "agents/seven_hand/groups.h"
#include "agents/seven_hand/line_values.h"
#include "env/core/registry.h"
#include "env/games/seven_hand/game.h"
#include "tests/env/harness/random_play.h"

namespace dealer::seven_hand::rule_agent_test {
namespace {

CardSet cards(const char* text) { return to_set(parse_cards(text)); }

TEST(SevenHandGroups, TakesTheStrongestCombination) {
  const auto best = [](const char* text, bool small = false) { return best_group(cards(text), small); };
  EXPECT_EQ(best("As Kd 9c"), cards("As"));
  EXPECT_EQ(best("As Kd 9c 9d"), cards("9c 9d"));
  EXPECT_EQ(best("As Kd 9c 9d 4s 4d 2s 2c"), cards("9c 9d 4s 4d"));
  EXPECT_EQ(best("As Kd 9c 9d 4s 4d 2s 2c", true), cards("9c 9d"));
  EXPECT_EQ(best("As 9c 9d 9s 4d"), cards("9c 9d 9s"));
  EXPECT_EQ(best("As 9c 9d 9s 4d 4c"), cards("9c 9d 9s 4d 4c"));
  EXPECT_EQ(best("As 9c 9d 9s 4d 4c", true), cards("9c 9d 9s"));
  EXPECT_EQ(best("9c 9d 9s 4d 4c 4s"), cards("9c 9d 9s 4d 4c")) << "two of the lower trips";
  EXPECT_EQ(best("Ah 2d 3s 4c 5h Kh"), cards("Ah 2d 3s 4c 5h"));
  EXPECT_EQ(best("2d 3s 4c 5h 6h 7h 8c"), cards("4c 5h 6h 7h 8c"));
  EXPECT_EQ(best("2h 4h 5h 6h 7h 8c 3s"), cards("2h 4h 5h 6h 7h")) << "a flush beats a straight";
  EXPECT_EQ(best("2h 3h 4h 5h 6h Kh"), cards("2h 3h 4h 5h 6h"));
  EXPECT_EQ(best("2h 2s 2d 2c 4h 5h 6h 7h 9h"), cards("2h 2s 2d 2c"));
}

// Against all fives there are: the same category, and where that takes five cards the same strength.
TEST(SevenHandGroups, FindsNothingWeakerThanExists) {
  RandomStream rng(3);
  for (int i = 0; i < test::repetitions(300); ++i) {
    CardSet hand = 0;
    const int count = 5 + static_cast<int>(rng.below(6));
    while (size(hand) < count) hand |= bit(static_cast<Card>(rng.below(kCards)));
    // Now and then of few suits.
    if (i % 3 == 0) hand = (hand | hand >> 1 | hand >> 2) & (suit_mask(0) | suit_mask(1));
    HandRank best = 0;
    for (CardSet set = hand; set != 0; set = (set - 1) & hand)
      if (size(set) == 5) best = std::max(best, evaluate5(set));
    if (best == 0) continue;
    const CardSet group = best_group(hand, false);
    EXPECT_EQ(category(evaluate(group)), category(best)) << to_string(hand);
    if (size(group) == 5) {
      EXPECT_EQ(evaluate(group), best) << to_string(hand);
    }
  }
}

TEST(SevenHandGroups, TakesTheBetterOfTwoStraightFlushes) {
  EXPECT_EQ(best_group(cards("Ah 2h 3h 4h 5h 5s 6s 7s 8s 9s"), false), cards("5s 6s 7s 8s 9s"));
}

TEST(SevenHandGroups, ShareOutEveryCardOnce) {
  RandomStream rng(4);
  for (int i = 0; i < 200; ++i) {
    CardSet hand = 0;
    while (size(hand) < 15) hand |= bit(static_cast<Card>(rng.below(kCards)));
    const int turns = 1 + static_cast<int>(rng.below(7));
    const Groups groups = share_out(hand, turns, i % 2 == 0);
    CardSet all = groups.rest;
    for (int g = 0; g < groups.count; ++g) {
      const CardSet group = groups.cards[static_cast<std::size_t>(g)];
      EXPECT_EQ(all & group, 0U);
      EXPECT_LE(size(group), kMostLaid);
      if (g > 0) {
        EXPECT_LE(evaluate(group), evaluate(groups.cards[static_cast<std::size_t>(g - 1)]));
      }
      all |= group;
    }
    EXPECT_EQ(all, hand);
    EXPECT_LE(groups.count, turns);
  }
}

TEST(SevenHandStrengths, GrowWithTheHand) {
  const Strengths strengths;
  for (int count = 0; count <= kMostLaid; ++count) {
    double before = -1;
    for (const char* hand :
         {"2c", "Kc", "3c 3d", "Kc Kd", "4c 4d 4h", "2c 3d 4h 5s 6c", "9c 9d 9h 9s", "Ts Js Qs Ks As"}) {
      const double share = strengths.beats(evaluate(cards(hand)), count);
      EXPECT_GE(share, before);
      EXPECT_GE(share, 0);
      EXPECT_LE(share, 1);
      before = share;
    }
  }
  for (int count = 2; count <= kMostLaid; ++count) EXPECT_GT(strengths.average(count), strengths.average(1));
  EXPECT_NEAR(strengths.average(0), 0.5, 1e-9);
}

// Against all 2 to the power of 7 lines, each told by hand.
TEST(SevenHandLines, AreWorthTheAverageOfTheirEnds) {
  GameRules rules;
  for (const bool margin : {false, true}) {
    rules.margin = margin;
    const LineValues line(rules);
    RandomStream rng(5);
    for (int i = 0; i < 20; ++i) {
      std::array<double, kChips> chance{};
      std::array<bool, kChips> tied{};
      for (std::size_t c = 0; c < kChips; ++c) {
        chance[c] = rng.below(4) == 0 ? static_cast<double>(rng.below(2)) : static_cast<double>(rng.uniform());
        tied[c] = rng.below(6) == 0;
      }
      double expected = 0;
      for (unsigned ways = 0; ways < 128; ++ways) {
        double probability = 1;
        std::string text;
        for (std::size_t c = 0; c < kChips; ++c) {
          const bool own = (ways >> c & 1) != 0;
          if (tied[c]) {
            probability *= own ? 0 : 1;
            text += '-';
          } else {
            probability *= own ? chance[c] : 1 - chance[c];
            text += own ? 'a' : 'b';
          }
        }
        const auto a = std::count(text.begin(), text.end(), 'a'), b = std::count(text.begin(), text.end(), 'b');
        const bool three_a = text.find("aaa") != std::string::npos, three_b = text.find("bbb") != std::string::npos;
        double worth = a > b ? 1 : a < b ? -1 : 0;
        if (three_a != three_b) worth = three_a ? 1 : -1;
        if (three_a && three_b) worth = 0;
        if (margin && worth != 0) worth *= std::max(1.0, worth * static_cast<double>(a - b));
        expected += probability * worth;
      }
      EXPECT_NEAR(line.value(chance, tied), expected, 1e-12);
    }
  }
}

// Wins of `first` over `second`, both seats in turn with the same cards.
double score(const char* first, const char* second, int deals) {
  const GamePtr game = make_game("seven_hand");
  const auto env = game->new_env();
  const AgentFactoryPtr a = make_agents(first, game), b = make_agents(second, game);
  double sum = 0;
  for (int deal = 0; deal < deals; ++deal) {
    for (Seat seat = 0; seat < 2; ++seat) {
      std::array<std::unique_ptr<Agent>, 2> agents;
      agents[static_cast<std::size_t>(seat)] = a->make();
      agents[static_cast<std::size_t>(1 - seat)] = b->make();
      for (Seat s = 0; s < 2; ++s) agents[static_cast<std::size_t>(s)]->reset(s, static_cast<std::uint64_t>(deal));
      env->reset(static_cast<std::uint64_t>(deal));
      while (!env->terminated()) {
        const Seat player = env->current_player();
        env->step(agents[static_cast<std::size_t>(player)]->act(env->observe(player)));
      }
      sum += env->returns()[static_cast<std::size_t>(seat)];
    }
  }
  return sum / (2 * deals);
}

TEST(SevenHandRule, BeatsRandomPlay) { EXPECT_GT(score("rule", "random", test::repetitions(300)), 0.8); }

// The opponent has two adjacent chips and lays five cards: they go to neither side of the two.
TEST(SevenHandRule, AnswersThreats) {
  const GamePtr game = make_game("seven_hand");
  std::array<std::array<Card, kOwnCards>, kSeats> deal{};
  const std::array<std::vector<Card>, kSeats> wished = {parse_cards("As Ks Qs Js Ts 9s 8s 7s"),
                                                        parse_cards("2h 3h 4h 5h 6h 7h 8h 9h")};
  CardSet rest = kFullDeck & ~to_set(wished[0]) & ~to_set(wished[1]);
  for (std::size_t seat = 0; seat < kSeats; ++seat)
    for (std::size_t i = 0; i < kOwnCards; ++i) {
      deal[seat][i] = i < 8 ? wished[seat][i] : lowest(rest);
      if (i >= 8) rest &= rest - 1;
    }
  State state;
  state.deal(as_seven_hand(*game)->rules(), deal, 1);
  const auto lay = [&](const char* card, int chip) {
    state.apply(parse_card(card));
    if (!state.naming()) state.apply(kStop);
    ASSERT_TRUE(state.naming());
    state.apply(kFirstChip + chip - 1);
  };
  lay("As", 3);
  lay("2h", 3);
  lay("Ks", 4);
  lay("3h", 4);
  ASSERT_EQ(state.chips(0), 2);
  for (const char* card : {"7s", "8s", "9s", "Ts", "Js"}) state.apply(parse_card(card));
  ASSERT_TRUE(state.naming());
  Observation seen;
  seen.player = 1;
  seen.data.resize(static_cast<std::size_t>(game->observation_spec().size()));
  state.observe(1, seen.data.data());
  seen.legal_mask = state.legal_mask();
  const auto agent = make_agents("rule", game)->make();
  agent->reset(1, 0);
  const Action action = agent->act(seen).action;
  ASSERT_TRUE((seen.legal_mask >> action & 1) != 0);
  const int chip = action - kFirstChip + 1;
  EXPECT_NE(chip, 2);
  EXPECT_NE(chip, 5);
}

}  // namespace
}  // namespace dealer::seven_hand::rule_agent_test
