// Drawing, the stock, Washizu poker, hold'em (docs/rules/draw.md, washizu.md, holdem.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "env/core/error.h"
#include "tests/env/games/poker/table.h"
#include "tests/env/harness/random_play.h"

namespace dealer::poker::draw_test {
namespace {

std::vector<CardId> all(std::span<const CardId> cards) { return {cards.begin(), cards.end()}; }

TEST(Draw, TheThirtyTwoDiscardsAreTheSubsetsOfTheSortedHand) {
  const GameRules rules = rules_of("procedure: draw\n");
  State state = GivenHand(rules, {"", "As 2c Th 9d 9s"}).play();
  state.apply(kCall);
  state.apply(kCall);
  ASSERT_TRUE(state.drawing());
  const Action first = rules.first_discard();
  EXPECT_EQ(state.legal_mask(), ((std::uint64_t{1} << 32) - 1) << first);
  EXPECT_EQ(state.choice(first).text, "stand pat");
  // Sorted by index: 2c 9s 9d Th As.
  EXPECT_EQ(state.choice(first + 0b00001).text, "discard 2c");
  EXPECT_EQ(state.choice(first + 0b11000).text, "discard As Th");
  EXPECT_EQ(state.choice(first + 0b00110).text, "discard 9d 9s");
  state.apply(first + 0b11001);
  const auto cards = all(state.cards(1));
  for (const char* kept : {"9d", "9s"})
    EXPECT_TRUE(std::find(cards.begin(), cards.end(), *rules.deck->try_parse(kept)) != cards.end());
  for (const char* discarded : {"As", "Th", "2c"})
    EXPECT_TRUE(std::find(cards.begin(), cards.end(), *rules.deck->try_parse(discarded)) == cards.end());
  const View other = state.view(0);
  EXPECT_EQ(other.player[1].drawn[0], 3);
  EXPECT_TRUE(other.player[1].discarded[0].empty());
  EXPECT_EQ(state.view(1).own().discarded[0].size(), 3U);
}

TEST(Draw, PlayersDrawInTurnFromTheDealersLeft) {
  const GameRules rules = rules_of("procedure: draw\nplayers: 4\n");
  State state = GivenHand(rules, {}).dealer(2).play();
  for (const Seat seat : {3, 0, 1, 2}) {
    EXPECT_EQ(state.current_player(), seat);
    state.apply(kCall);
  }
  for (const Seat seat : {3, 0, 1, 2}) {
    EXPECT_EQ(state.current_player(), seat);
    EXPECT_TRUE(state.drawing());
    state.apply(rules.first_discard());
  }
  EXPECT_EQ(state.current_player(), 3);
}

TEST(Draw, AnAllInPlayerStillDraws) {
  const GameRules rules = rules_of("procedure: draw\nplayers: 2\nlimit: no_limit\nmin_bet: 10\nstack: 100\n");
  State state;
  state.reset(rules, 1);
  state.bet_to(90);
  state.apply(kCall);
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(state.drawing());
    state.apply(rules.first_discard() + 31);
  }
  EXPECT_TRUE(state.hand_over());
}

TEST(Draw, BetSizes) {
  const auto sizes = [](const std::string& text) {
    const GameRules rules = rules_of("procedure: draw\n" + text);
    return std::vector<Chips>(rules.bets.size.begin(), rules.bets.size.begin() + rules.rounds);
  };
  EXPECT_EQ(sizes(""), (std::vector<Chips>{10, 20}));
  EXPECT_EQ(sizes("draws: 2\n"), (std::vector<Chips>{10, 20, 20}));
  EXPECT_EQ(sizes("draws: 3\n"), (std::vector<Chips>{10, 10, 20, 20}));
  EXPECT_EQ(sizes("betting_before_draw: false\n"), (std::vector<Chips>{20}));
  EXPECT_EQ(sizes("limit: no_limit\n"), (std::vector<Chips>{100, 100}));
}

TEST(Draw, AReshuffleHoldsAllButTheHandsStillInAndWhatThePlayerHasJustDiscarded) {
  const GameRules rules = rules_of("procedure: draw\nplayers: 6\ndraws: 3\n");
  int reshuffles = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    State state;
    state.reset(rules, seed);
    RandomStream rng(seed, 1);
    std::set<CardId> stock;
    for (CardId card = 0; card < 52; ++card) stock.insert(card);
    for (Seat seat = 0; seat < 6; ++seat)
      for (const CardId card : state.cards(seat)) stock.erase(card);
    while (!state.hand_over()) {
      if (!state.drawing()) {
        state.apply(rng.below(8) == 0 ? kFold : kCall);
        continue;
      }
      const Seat seat = state.current_player();
      const auto before = all(state.cards(seat));
      const Action action = rules.first_discard() + static_cast<Action>(rng.below(4) == 0 ? 0 : 31);
      state.apply_and_hold(action);
      if (action == rules.first_discard()) continue;
      std::set<CardId> drawn;
      for (const CardId card : state.cards(seat)) drawn.insert(card);
      ASSERT_EQ(drawn.size(), 5U);
      std::set<CardId> rest;
      for (const CardId card : stock)
        if (!drawn.contains(card)) rest.insert(card);
      const std::size_t from_stock = stock.size() - rest.size();
      ASSERT_EQ(from_stock, std::min<std::size_t>(5, stock.size())) << "the stock is used up first";
      if (from_stock < 5) {
        ++reshuffles;
        rest.clear();
        for (CardId card = 0; card < 52; ++card) rest.insert(card);
        for (Seat other = 0; other < 6; ++other)
          if (state.bets().is_live(other))
            for (const CardId card : state.cards(other)) rest.erase(card);
        for (const CardId card : before) {
          ASSERT_FALSE(drawn.contains(card)) << "a card came back to who had just discarded it";
          rest.erase(card);
        }
      }
      stock = rest;
    }
  }
  EXPECT_GT(reshuffles, 100);
}

TEST(Washizu, TransparentCardsAreSeenByAllBeforeAndAfterTheDraw) {
  const GameRules rules = rules_of("procedure: draw\nplayers: 3\nlimit: washizu\nwashizu: add\njokers: 1\n");
  State state = GivenHand(rules, {"2s 3s 4s 5s 7d", "Aw Kw 2c 3c 4c", "X1 5w 6s 7s 8s"}).play();
  ASSERT_TRUE(state.drawing()) << "Washizu poker has no betting before the draw";
  const auto seen = [&](Seat observer, Seat owner) {
    std::vector<std::string> cards;
    const View view = state.view(observer);
    for (const SeenCard& card : view.player[static_cast<std::size_t>(owner)].cards)
      cards.push_back(rules.deck->to_string(card.card));
    std::sort(cards.begin(), cards.end());
    return cards;
  };
  using Cards = std::vector<std::string>;
  EXPECT_EQ(seen(0, 1), (Cards{"Aw", "Kw"}));
  EXPECT_EQ(seen(1, 2), (Cards{"5w"}));
  EXPECT_EQ(seen(2, 0), Cards{});
  // Seat 1 discards its king and a deuce: the king is seen, of the deuce only that a second card was discarded.
  unsigned mask = 0;
  for (std::size_t i = 0; i < 5; ++i)
    for (const char* text : {"Kw", "2c"})
      if (rules.deck->to_string(state.cards(1)[i]) == text) mask |= 1U << i;
  state.apply(rules.first_discard() + static_cast<Action>(mask));
  const View view = state.view(0);
  EXPECT_EQ(view.player[1].drawn[0], 2);
  ASSERT_EQ(view.player[1].discarded[0].size(), 1U);
  EXPECT_EQ(rules.deck->to_string(view.player[1].discarded[0][0].card), "Kw");
}

TEST(Washizu, TheMatchEndsAfterFiveHands) {
  const GameRules rules =
      rules_of("procedure: draw\nplayers: 6\nlimit: washizu\nepisode: match\njokers: 1\nwashizu: replace_random\n");
  EXPECT_EQ(rules.match_hands, 5);
  EXPECT_EQ(rules.stack, 20);
  EXPECT_EQ(rules.bets.ante, 1);
  EXPECT_TRUE(rules.show_all);
  EXPECT_EQ(rules.bets.odd_chips, betting::OddChips::kDiscard);
  State state;
  state.reset(rules, 3);
  while (state.current_player() != kTerminal) state.apply(state.drawing() ? rules.first_discard() : kCall);
  EXPECT_EQ(state.hands_finished(), 5);
}

TEST(Washizu, TheMostChipsWinTheMatchAndEqualLeadersShareIt) {
  const GameRules rules = rules_of("procedure: draw\nplayers: 3\nlimit: washizu\nepisode: match\nmatch_hands: 1\n");
  const auto shares = [&](const std::vector<std::string>& hands) {
    State state = GivenHand(rules, hands).play();
    while (state.current_player() != kTerminal) state.apply(state.drawing() ? rules.first_discard() : kCall);
    std::vector<double> result;
    result.reserve(3);
    for (Seat seat = 0; seat < 3; ++seat) {
      const Statistics figures = state.statistics(seat);
      result.push_back(figures[figures.size() - 1].numerator);
    }
    return result;
  };
  EXPECT_EQ(shares({"As Ad 3h 6s 9d", "Ks Kd 5h 7s 9c", "2c 4d 6h 8s Tc"}), (std::vector<double>{1, 0, 0}));
  EXPECT_EQ(shares({"As Ad 3h 6s 9d", "Ah Ac 3c 6c 9s", "2c 4d 6h 8s Tc"}), (std::vector<double>{0.5, 0.5, 0}));
}

TEST(Washizu, OneCardOfEveryRankIsTakenOutAndEverybodyKnowsWhich) {
  const GameRules rules = rules_of("procedure: draw\nplayers: 6\nwashizu: replace_random\njokers: 1\ndraws: 3\n");
  std::set<std::string> mixes;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    State state;
    state.reset(rules, seed);
    const std::vector<std::uint8_t> out = state.view(0).taken_out;
    ASSERT_EQ(out.size(), 13U);
    mixes.insert(std::string(out.begin(), out.end()));
    RandomStream rng(seed, 2);
    while (!state.hand_over()) {
      for (Seat seat = 0; seat < 6; ++seat)
        for (const CardId id : state.cards(seat)) {
          const DeckCard& card = rules.deck->card(id);
          ASSERT_FALSE(card.suit >= 0 && !card.transparent && out[static_cast<std::size_t>(card.rank)] == card.suit);
        }
      state.apply(test::random_action(state.legal_mask() & ~std::uint64_t{1}, rng));
    }
  }
  EXPECT_GT(mixes.size(), 45U);
}

TEST(Holdem, BlindsAndWhoActs) {
  const GameRules rules = rules_of("procedure: holdem\nplayers: 4\n");
  State state = GivenHand(rules, {}).dealer(1).play();
  EXPECT_EQ(state.bets().bet(2), 5);
  EXPECT_EQ(state.bets().bet(3), 10);
  for (const Seat seat : {0, 1, 2, 3}) {
    EXPECT_EQ(state.current_player(), seat);
    state.apply(kCall);
  }
  EXPECT_EQ(state.board().size(), 3U);
  for (const Seat seat : {2, 3, 0, 1}) {
    EXPECT_EQ(state.current_player(), seat);
    state.apply(kCall);
  }
  EXPECT_EQ(state.board().size(), 4U);
}

TEST(Holdem, WithAntesTheDealersLeftOpensEveryRound) {
  const GameRules rules = rules_of("procedure: holdem\nplayers: 4\nante: 10\n");
  EXPECT_EQ(rules.bets.big_blind, 0);
  State state = GivenHand(rules, {}).dealer(1).play();
  EXPECT_EQ(state.current_player(), 2);
}

TEST(Holdem, TheBestFiveOfSevenWinAndTheBoardCanBeShared) {
  const GameRules rules = rules_of("procedure: holdem\nplayers: 2\n");
  const auto payout = [&](const char* a, const char* b, const char* board) {
    State state = GivenHand(rules, {a, b}, board).checked(4).play();
    while (!state.hand_over()) state.apply(kCall);
    return std::pair(state.last_hand().payout[0], state.last_hand().payout[1]);
  };
  EXPECT_EQ(payout("As Ad", "Ks Kd", "2c 7h 9s Jd 3c"), std::pair(20, 0));
  EXPECT_EQ(payout("As Ad", "Ks Kd", "Kc 7h 9s Jd 3c"), std::pair(0, 20));
  EXPECT_EQ(payout("2s 2d", "3s 3d", "Ac Ah As Kd Kc"), std::pair(10, 10));
}

// The dealer has 3 in and faces 10: 7 to call into 13 make a pot of 20.
TEST(Offers, AreRoundedToChipsAndKeptLegal) {
  const GameRules rules = rules_of(
      "procedure: holdem\nlimit: no_limit\nmin_bet: 10\nblinds: [3, 10]\nstack: 100\n"
      "bets: [min, 0.3, 0.78, 1, 5, all_in]\n");
  const State state = GivenHand(rules, {}).play();
  EXPECT_EQ(state.choice(kFirstBet).text, "raise to 20");
  EXPECT_EQ(state.choice(kFirstBet + 2).text, "raise to 26") << "0.78 of 20 are 15.6";
  EXPECT_EQ(state.choice(kFirstBet + 3).text, "raise to 30");
  EXPECT_EQ(state.choice(kFirstBet + 4).text, "raise to 100") << "110 are more than there are";
  EXPECT_EQ(state.legal_mask(), 0b1110111U) << "0.3 of 20 are less than the least raise, all-in is named already";
}

TEST(Offers, EveryAmountHasOneIndexAndAnyAmountCanBeBet) {
  const GameRules rules =
      rules_of("procedure: holdem\nlimit: no_limit\nmin_bet: 10\nstack: 100\nbets: [min, 0.5, 1, 2, all_in]\n");
  State state = GivenHand(rules, {}).play();  // the dealer has 5 in, faces 10
  // min 20; half of the pot of 20 after the call 20 too; the pot 30; twice 50; all in 100.
  EXPECT_EQ(state.choice(kFirstBet).text, "raise to 20");
  EXPECT_EQ(state.legal_mask(), 0b1110111U);
  EXPECT_EQ(state.choice(kFirstBet + 2).text, "raise to 30");
  EXPECT_EQ(state.choice(kFirstBet + 3).text, "raise to 50");
  EXPECT_EQ(state.choice(kFirstBet + 4).text, "raise to 100");
  EXPECT_EQ(state.amount_range(), (AmountRange{20, 100, 1}));
  state.bet_to(37);
  EXPECT_EQ(state.bets().level(), 37);
  EXPECT_EQ(state.bets().range().low, 64);
  state.bet_to(70);
  // All that is left is one amount, whatever the offers say.
  EXPECT_EQ(state.legal_mask(), 0b111U);
}

}  // namespace
}  // namespace dealer::poker::draw_test
