#include <gtest/gtest.h>

#include <set>

#include "agents/poker/sampled_showdowns.h"
#include "env/core/registry.h"
#include "env/games/poker/game.h"

namespace dealer::poker::suit_order_test {
namespace {

// Texts of cards after their suits have been put in order; one role by word group, groups separated by '/'.
std::string ordered(std::string_view spec, const std::vector<std::string>& groups) {
  const auto game = std::dynamic_pointer_cast<const Game>(make_game(spec));
  const GameRules& rules = game->rules();
  const SuitOrder suits(rules);
  SuitOrder::Marks marks{};
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (const CardId card : rules.deck->parse(groups[i])) suits.mark(card, static_cast<int>(i), marks);
  const SuitOrder::Suits order = suits.order(marks);
  std::string text;
  for (const std::string& group : groups) {
    std::set<CardId> renamed;
    for (const CardId card : rules.deck->parse(group)) renamed.insert(suits.rename(card, order));
    for (const CardId card : renamed) text += rules.deck->to_string(card) + ' ';
    text += '/';
  }
  return text;
}

TEST(SuitOrder, NamesOfSuitsDoNotMatter) {
  const std::string one = ordered("holdem", {"As Kh", "2s 3s 4d"});
  EXPECT_EQ(one, ordered("holdem", {"Ac Kd", "2c 3c 4h"}));
  EXPECT_EQ(one, ordered("holdem", {"Ah Ks", "3h 2h 4c"}));
  EXPECT_NE(one, ordered("holdem", {"Ah Ks", "2s 3s 4c"})) << "the flush draw is the king's";
  EXPECT_NE(one, ordered("holdem", {"Ah Kh", "2s 3s 4c"}));
  EXPECT_NE(one, ordered("holdem", {"2s 3s 4d", "As Kh"}));
}

// Colours matter there: black suits and red ones may change places among themselves only.
TEST(SuitOrder, SuitsThatTheRankingTellsApartKeepTheirNames) {
  const std::string game = "court_color[procedure=holdem]";
  EXPECT_EQ(ordered(game, {"As Ac"}), ordered(game, {"Ac As"}));
  EXPECT_EQ(ordered(game, {"2s 3h"}), ordered(game, {"2c 3d"}));
  EXPECT_NE(ordered(game, {"2s 3c"}), ordered(game, {"2s 3h"}));
  EXPECT_NE(ordered(game, {"2s 3c"}), ordered(game, {"2h 3d"}));
  const std::string trumps = "court_tarot[procedure=holdem]";
  EXPECT_EQ(ordered(trumps, {"2s t3"}), ordered(trumps, {"2d t3"}));
  EXPECT_NE(ordered(trumps, {"2s t3"}), ordered(trumps, {"2s t4"}));
}

TEST(CommonDeals, EachNumberTakesAllPartsOfItsRange) {
  for (const std::size_t size : {32U, 64U, 128U}) {
    const CommonDeals& deals = CommonDeals::of(size);
    ASSERT_EQ(deals.size(), size);
    // The first card and the second of as many cards as there are deals, the second of those that are left.
    std::multiset<CardId> first, second;
    for (std::size_t row = 0; row < size; ++row) {
      std::vector<CardId> cards;
      for (std::size_t i = 0; i < size; ++i) cards.push_back(static_cast<CardId>(i));
      deals.deal(row, cards, 2);
      first.insert(cards[0]);
      second.insert(cards[1]);
      EXPECT_EQ(std::set<CardId>(cards.begin(), cards.end()).size(), size) << "they are only moved";
    }
    EXPECT_EQ(std::set<CardId>(first.begin(), first.end()).size(), size);
    EXPECT_GT(std::set<CardId>(second.begin(), second.end()).size(), size * 3 / 4);
  }
  EXPECT_EQ(CommonDeals::of(85).size(), 64U);
  EXPECT_EQ(CommonDeals::of(20).size(), 32U);
}

}  // namespace
}  // namespace dealer::poker::suit_order_test
