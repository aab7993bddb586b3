#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agents/poker/pot_share.h"
#include "env/core/registry.h"
#include "env/games/poker/game.h"

namespace dealer::poker::chances_test {
namespace {

std::set<std::string> hand_of(const GameRules& rules, const View& view) {
  std::set<std::string> cards;
  for (const SeenCard& seen : view.own().cards) cards.insert(rules.deck->to_string(seen.card));
  return cards;
}

// The first position of seeds 0, 1, ... after these actions that is wanted.
View find(const Game& game, const std::vector<Action>& actions, const std::function<bool(const View&)>& wanted) {
  for (std::uint64_t seed = 0; seed < 100'000; ++seed) {
    State state;
    state.reset(game.rules(), seed);
    for (const Action action : actions) state.apply(action);
    const View view = state.view(state.current_player());
    if (wanted(view)) return view;
  }
  ADD_FAILURE() << "no such position";
  return {};
}

TEST(Chances, EquityBeforeTheFlopIsAsPublished) {
  const GamePtr made = make_game("holdem[limit=no_limit]");
  const Game& game = *as_poker(*made);
  const Chances chances(game.rules());
  RandomStream rng(1);
  constexpr int kSamples = 40'000;  // a standard error of 0.25%
  // Win plus half the ties against a random hand.
  const std::vector<std::pair<std::set<std::string>, double>> published = {
      {{"Ah", "Ad"}, 0.852}, {{"2d", "2c"}, 0.503}, {{"7h", "2d"}, 0.346}, {{"Kh", "Qh"}, 0.634}};
  for (const auto& [hand, equity] : published) {
    const View view = find(game, {}, [&, wanted = hand](const View& v) { return hand_of(game.rules(), v) == wanted; });
    EXPECT_NEAR(chances.share(view, kSamples, rng), equity, 0.012) << *hand.begin();
    // The small blind calls 50 into a pot of 150.
    EXPECT_DOUBLE_EQ(Chances::needed(view), 0.25);
  }
}

TEST(Chances, WithNothingToCallNothingIsNeeded) {
  const GamePtr made = make_game("draw");
  const View view = find(*as_poker(*made), {}, [](const View&) { return true; });
  EXPECT_EQ(Chances::needed(view), 0);
}

// The more are in, the less of the pot is one's own, whatever is discarded.
TEST(Chances, EveryOpponentTakesHisPart) {
  const GamePtr made = make_game("draw[players=3]");
  const Game& game = *as_poker(*made);
  const auto shares = [&](Action second) {
    const View view = find(game, {kCall, second, kCall}, [](const View& v) { return v.drawing; });
    RandomStream rng(4);
    std::map<std::string, double> by_cards;
    for (const DiscardChances& discard : Chances(game.rules()).discards(view, 500, rng))
      by_cards[game.rules().deck->to_string(discard.cards)] = discard.share;
    return by_cards;
  };
  const auto two = shares(kCall), one = shares(kFold);
  ASSERT_EQ(one.size(), 32U);
  for (const auto& [cards, share] : one) EXPECT_LT(two.at(cards), share) << cards;
}

// Four to a flush without a pair: 9 of the 47 unseen cards make it, 12 a pair.
TEST(Chances, WhatADrawBringsIsWhatTheCardsAre) {
  const GamePtr made = make_game("draw");
  const Game& game = *as_poker(*made);
  const GameRules& rules = game.rules();
  const auto category = [&](const char* name) {
    const auto all = rules.high->ranking().categories();
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].name == name) return static_cast<int>(i);
    return -1;
  };
  // Four of one suit, too far apart for a straight, and the fifth card makes no pair.
  CardId odd = 0;
  const auto four_flush = [&](const View& v) {
    std::map<char, std::vector<CardId>> suits;
    for (const SeenCard& seen : v.own().cards) suits[rules.deck->to_string(seen.card)[1]].push_back(seen.card);
    if (!v.drawing || suits.size() != 2) return false;
    std::vector<std::size_t> ranks;
    std::size_t odd_rank = 0;
    for (const auto& [_, cards] : suits)
      for (const CardId card : cards) {
        const std::size_t rank = std::string("23456789TJQKA").find(rules.deck->to_string(card)[0]);
        if (cards.size() == 4) {
          ranks.push_back(rank);
        } else {
          odd = card;
          odd_rank = rank;
        }
      }
    std::sort(ranks.begin(), ranks.end());
    return ranks.size() == 4 && ranks[3] < 12 && ranks[3] - ranks[0] > 4 &&
           std::count(ranks.begin(), ranks.end(), odd_rank) == 0;
  };
  const View view = find(game, {kCall, kCall}, four_flush);
  const Chances chances(rules);
  RandomStream rng(3);
  constexpr int kSamples = 20'000;
  const std::vector<DiscardChances> all = chances.discards(view, kSamples, rng);
  ASSERT_EQ(all.size(), 32U);
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_GE(all[i - 1].share, all[i].share);
  EXPECT_EQ(rules.deck->to_string(all.front().cards), rules.deck->to_string(odd)) << "the best is to draw to the flush";
  const auto& becomes = all.front().becomes;
  EXPECT_NEAR(becomes.at(category("flush")), 9.0 / 47, 0.01);
  EXPECT_NEAR(becomes.at(category("one pair")), 12.0 / 47, 0.012);
  EXPECT_NEAR(becomes.at(category("high card")), 26.0 / 47, 0.012);
  for (const DiscardChances& discard : all) {
    double sum = 0;
    for (const auto& [_, share] : discard.becomes) sum += share;
    EXPECT_NEAR(sum, 1, 1e-9);
    EXPECT_GE(discard.share, 0);
    EXPECT_LE(discard.share, 1);
    if (!discard.cards.empty()) continue;
    EXPECT_EQ(discard.becomes, (std::map<int, double>{{category("high card"), 1.0}}));
  }
}

// All but two cards have been seen: these two come for the first of the cards discarded, the others stay, and it is
// known what each discard makes of the hand.
TEST(Chances, OfAStockThatIsTooSmallAllComes) {
  const GamePtr made = make_game("draw");
  const Game& game = *as_poker(*made);
  const GameRules& rules = game.rules();
  View view = find(game, {kCall, kCall}, [](const View& v) { return v.drawing; });
  std::vector<CardId> unseen = unseen_cards(rules, view);
  ASSERT_EQ(unseen.size(), 47U);
  for (; unseen.size() > 2; unseen.pop_back())
    view.player[static_cast<std::size_t>(1 - view.me)].discarded[0].push_back({unseen.back(), 1});
  ASSERT_EQ(unseen_cards(rules, view), unseen);
  RandomStream rng(5);
  const std::vector<DiscardChances> all = Chances(rules).discards(view, 400, rng);
  ASSERT_EQ(all.size(), 32U);
  int short_of_cards = 0;
  for (const DiscardChances& discard : all) {
    double sum = 0;
    for (const auto& [_, share] : discard.becomes) sum += share;
    EXPECT_NEAR(sum, 1, 1e-9);
    if (discard.cards.size() < 2) continue;
    short_of_cards += discard.cards.size() > 2 ? 1 : 0;
    std::vector<CardId> hand = unseen;
    std::size_t gone = 0;
    for (const SeenCard& seen : view.own().cards) {
      const bool goes = std::find(discard.cards.begin(), discard.cards.end(), seen.card) != discard.cards.end();
      if (!goes || ++gone > 2) hand.push_back(seen.card);
    }
    const int category = rules.high->category(rules.high->evaluate(hand), kDrawHand);
    EXPECT_EQ(discard.becomes, (std::map<int, double>{{category, 1.0}})) << rules.deck->to_string(discard.cards);
  }
  EXPECT_EQ(short_of_cards, 16);
}

}  // namespace
}  // namespace dealer::poker::chances_test
