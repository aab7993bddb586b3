#include "agents/poker/pot_share.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "env/betting/pots.h"
#include "env/core/registry.h"
#include "env/games/poker/game.h"

namespace dealer::poker::pot_share_test {
namespace {

constexpr int kSamples = 20000;

std::shared_ptr<const Game> poker_game(std::string_view spec) {
  return std::dynamic_pointer_cast<const Game>(make_game(spec));
}

// Hold'em: own cards and the board, everybody else unseen.
View holdem_view(const GameRules& rules, std::string_view own, std::string_view board = "") {
  View view;
  view.players = rules.players;
  view.player.resize(static_cast<std::size_t>(rules.players));
  for (const CardId card : rules.deck->parse(own)) view.player[0].cards.push_back({card, 0});
  view.board = rules.deck->parse(board);
  return view;
}

double share(const GameRules& rules, const View& view) {
  RandomStream rng(2);
  return pot_share(rules, view, nullptr, kSamples, rng);
}

// Aces against a hand nobody has seen win 85% of the time; two cards of two ranks far less.
TEST(PotShare, OfStartingHands) {
  const auto game = poker_game("holdem");
  const GameRules& rules = game->rules();
  EXPECT_NEAR(share(rules, holdem_view(rules, "As Ah")), 0.852, 0.012);
  EXPECT_NEAR(share(rules, holdem_view(rules, "7s 2h")), 0.346, 0.012);
}

// Four kings, which nobody beats on this board. Low goes to whoever holds two different ranks of A, 2, 3, 4
// and 6: ten pairs of ranks, sixteen of cards each, among the C(45, 2) = 990 hands of the other player.
TEST(PotShare, HighLowLosesHalfThePotToALow) {
  const auto game = poker_game("holdem[low=eight_or_better]");
  const GameRules& rules = game->rules();
  const View view = holdem_view(rules, "Kd Kc", "Ks Kh 8d 7c 5s");
  EXPECT_NEAR(share(rules, view), 1 - 0.5 * 160 / 990, 0.006);
  const auto high_only = poker_game("holdem");
  EXPECT_EQ(share(high_only->rules(), view), 1);
}

// What the pots pay the observer over all the hands that one opponent can have.
double exact_share(const GameRules& rules, const View& view) {
  const std::vector<CardId> unseen = unseen_cards(rules, view);
  std::vector<CardId> own;
  for (const SeenCard& seen : view.own().cards) own.push_back(seen.card);
  constexpr betting::Chips kPaid = 500;
  double paid = 0, hands = 0;
  for (std::size_t a = 0; a < unseen.size(); ++a)
    for (std::size_t b = a + 1; b < unseen.size(); ++b) {
      betting::Values values;
      for (const std::size_t seat : {0U, 1U}) {
        std::vector<CardId> cards = seat == 0 ? own : std::vector<CardId>{unseen[a], unseen[b]};
        cards.insert(cards.end(), view.board.begin(), view.board.end());
        values.high[seat] = rules.high->evaluate(cards);
        values.low[seat] = rules.low->evaluate(cards);
        if (rules.low->qualifies(values.low[seat], 7))
          values.qualified = static_cast<SeatSet>(values.qualified | betting::bit(static_cast<int>(seat)));
      }
      betting::Pots pots = betting::make_pots({kPaid, kPaid}, 0b11);
      paid += betting::settle(pots, values, 0, 2, betting::OddChips::kLeftOfDealer).chips[0];
      ++hands;
    }
  return paid / hands / (2.0 * kPaid);
}

TEST(PotShare, HighLowIsWhatThePotsPayOnAverage) {
  const auto game = poker_game("holdem[low=eight_or_better]");
  const GameRules& rules = game->rules();
  struct Hand {
    const char *own, *board;
  };
  for (const Hand& hand : {Hand{"Ac 2d", "Ks Kh 8d 7c 4s"},     // a low that can only be tied, next to no high
                           Hand{"Ac 2d", "3s 4h 5d Kc 9s"},     // both halves, quartered by another ace and deuce
                           Hand{"6c 7d", "3s 4h 5d Kc 9s"},     // a better straight, a poor low
                           Hand{"Qc Qd", "3s 4h Kd Kc 9s"},     // nobody has a low
                           Hand{"Jc Td", "As 2h 3d 8c 9s"}}) {  // nothing either way
    const View view = holdem_view(rules, hand.own, hand.board);
    EXPECT_NEAR(share(rules, view), exact_share(rules, view), 5 * 0.5 / std::sqrt(kSamples)) << hand.own;
  }
}

}  // namespace
}  // namespace dealer::poker::pot_share_test
