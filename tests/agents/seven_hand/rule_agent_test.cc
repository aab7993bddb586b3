#include "agents/agent.h"
#include "agents/seven_hand/groups.h"
#include "agents/seven_hand/layings.h"
#include "agents/seven_hand/line_values.h"
#include "env/hands/hand_rank.h"
#include "tests/agents/seven_hand/seven_hand_support.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/play.h"

namespace dealer::seven_hand::rule_agent_test {
namespace {

using test::cards;

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
  EXPECT_EQ(best("Ah 2h 3h 4h 5h 5s 6s 7s 8s 9s"), cards("5s 6s 7s 8s 9s")) << "the better of two straight flushes";
}

// Against all five-card subsets: the same category, and the same strength if that takes five cards.
TEST(SevenHandGroups, FindsNothingWeakerThanExists) {
  RandomStream rng(3);
  for (int i = 0; i < test::repetitions(300); ++i) {
    const int count = 5 + static_cast<int>(rng.below(6));
    CardSet hand = test::random_cards(rng, count);
    // Sometimes with few suits.
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

TEST(SevenHandGroups, ShareOutEveryCardOnce) {
  RandomStream rng(4);
  for (int i = 0; i < 200; ++i) {
    const CardSet hand = test::random_cards(rng, 15);
    const int turns = 1 + static_cast<int>(rng.below(7));
    const Groups groups = share_out(hand, turns, i % 2 == 0);
    CardSet all = groups.rest;
    for (int g = 0; g < groups.count; ++g) {
      const CardSet group = groups.cards[at(g)];
      EXPECT_EQ(all & group, 0U);
      EXPECT_LE(size(group), kMostLaid);
      if (g > 0) {
        EXPECT_LE(evaluate(group), evaluate(groups.cards[at(g - 1)]));
      }
      all |= group;
    }
    EXPECT_EQ(all, hand);
    EXPECT_LE(groups.count, turns);
  }
}

TEST(SevenHandStrengths, GrowWithTheHand) {
  const LaidHandCdfs cdfs;
  for (int count = 0; count <= kMostLaid; ++count) {
    double before = -1;
    for (const char* hand :
         {"2c", "Kc", "3c 3d", "Kc Kd", "4c 4d 4h", "2c 3d 4h 5s 6c", "9c 9d 9h 9s", "Ts Js Qs Ks As"}) {
      const double share = cdfs.beats(evaluate(cards(hand)), count);
      EXPECT_GE(share, before);
      EXPECT_GE(share, 0);
      EXPECT_LE(share, 1);
      before = share;
    }
  }
  for (int count = 2; count <= kMostLaid; ++count) EXPECT_GT(cdfs.average(count), cdfs.average(1));
  EXPECT_NEAR(cdfs.average(0), 0.5, 1e-9);
}

// Against all 2^7 lines, each computed by hand.
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

// The wins of `first` against `second`, in both seats with the same cards.
double score(const char* first, const char* second, int deals) {
  const GamePtr game = make_game("seven_hand");
  const auto env = game->new_env();
  const AgentFactoryPtr a = make_agents(first, game), b = make_agents(second, game);
  double sum = 0;
  for (std::uint64_t deal = 0; deal < at(deals); ++deal)
    for (const std::size_t seat : {0U, 1U}) {
      test::Seats agents;
      for (const std::size_t s : {0U, 1U}) agents.push_back((s == seat ? a : b)->make());
      test::play(*env, agents, deal);
      sum += env->returns()[seat];
    }
  return sum / (2 * deals);
}

TEST(SevenHandRule, BeatsRandomPlay) { EXPECT_GT(score("rule", "random", test::repetitions(300)), 0.8); }

// The opponent has two adjacent chips and lays five cards: they go to neither side of the two.
TEST(SevenHandRule, AnswersThreats) {
  const auto game = test::seven_hand_game();
  State state = test::dealt(game->rules(), "As Ks Qs Js Ts 9s 8s 7s", "2h 3h 4h 5h 6h 7h 8h 9h");
  for (const auto& [card, chip] : {std::pair("As", 3), std::pair("2h", 3), std::pair("Ks", 4), std::pair("3h", 4)})
    test::lay(state, cards(card), chip);
  ASSERT_EQ(state.chips(0), 2);
  test::lay(state, cards("7s 8s 9s Ts Js"));
  ASSERT_TRUE(state.naming());
  const Observation seen = test::seen_in(state, *game);
  const auto agent = make_agents("rule", game)->make();
  agent->reset(1, 0);
  const Action action = agent->act(seen).action;
  ASSERT_TRUE((seen.legal_mask >> action & 1) != 0);
  EXPECT_NE(action, kFirstChip + 1);
  EXPECT_NE(action, kFirstChip + 4);
}

// Each category with the ranks compared first among choices of cards; for flushes only the highest, since those between
// the highest and the lowest are omitted.
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
    const int held = 5 + static_cast<int>(rng.below(7));
    const CardSet hand = test::random_cards(rng, held, i % 3 == 0 ? suit_mask(0) | suit_mask(1) : kFullDeck);
    propose_layings(hand, false, proposed);
    std::vector<CardSet> all;
    for (CardSet set = hand; set != 0; set = (set - 1) & hand)
      if (size(set) <= kMostLaid) all.push_back(set);
    EXPECT_EQ(combinations(proposed), combinations(all)) << to_string(hand);
    EXPECT_TRUE(std::is_sorted(proposed.begin(), proposed.end()));
    EXPECT_EQ(std::adjacent_find(proposed.begin(), proposed.end()), proposed.end()) << "the same twice";
    for (const CardSet cards : proposed) EXPECT_TRUE((cards & ~hand) == 0 && size(cards) <= kMostLaid);
    std::array<int, kMostLaid + 1> sizes{};
    for (const CardSet cards : proposed) ++sizes[at(size(cards))];
    for (int count = 1; count <= kMostLaid; ++count) EXPECT_GT(sizes[at(count)], 0) << count;
    HandRank best = 0;
    for (const CardSet cards : all) best = std::max(best, evaluate(cards));
    propose_layings(hand, true, proposed);
    EXPECT_EQ(proposed, std::vector<CardSet>{strongest_laying(hand)});
    EXPECT_EQ(evaluate(strongest_laying(hand)), best) << to_string(hand) << " in the last turn";
  }
}

TEST(Layings, SpareTheSuitThatIsLong) {
  std::vector<CardSet> proposed;
  const CardSet hand = test::cards("Ah 9h 7h 4h 9c 9s 4c Kd");
  propose_layings(hand, false, proposed);
  const auto proposes = [&](const char* cards) {
    return std::binary_search(proposed.begin(), proposed.end(), test::cards(cards));
  };
  EXPECT_TRUE(proposes("9c 9s") && proposes("9c 9s 9h"));
  EXPECT_FALSE(proposes("9h 9c") || proposes("9h 9s") || proposes("4h"));
  EXPECT_TRUE(proposes("9c 9s 7h") && proposes("9c 9s 7h Kd Ah") && proposes("9c 9s 4c 4h")) << "with cards beside";
}

}  // namespace
}  // namespace dealer::seven_hand::rule_agent_test
