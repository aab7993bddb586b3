// What must be paid before anybody bets: blinds, antes and the bring-in (docs/rules/betting.md), played by hand.
#include <gtest/gtest.h>

#include "tests/env/betting/hand.h"

namespace dealer::betting::forced_bets_test {
namespace {

TEST(Blinds, TheBigBlindIsABet) {
  BetRules rules = no_limit(3);
  rules.small_blind = 5;
  rules.big_blind = 10;
  Hand hand(rules, {1000, 1000, 1000});
  EXPECT_EQ(hand.turn(), 0);  // left of the big blind
  EXPECT_EQ(hand.bets.to_call(), 10);
  EXPECT_EQ(hand.low(), 20);
}

// The minimum bet may be smaller or larger than the big blind; the larger of the two is what a raise adds at least.
TEST(Blinds, ABigBlindAboveTheMinimumBetSetsTheRaise) {
  for (const Limit limit : {Limit::kNoLimit, Limit::kPotLimit}) {
    BetRules rules = no_limit(3);
    rules.limit = limit;
    rules.small_blind = 10;
    rules.big_blind = 25;
    Hand hand(rules, {1000, 1000, 1000});
    EXPECT_EQ(hand.low(), 50);
    hand.to(50);
    EXPECT_EQ(hand.low(), 75);
    hand.call();
    hand.call();
    hand.next_round(1);
    EXPECT_EQ(hand.low(), 10) << "the big blind was a bet of the first round";
  }
}

TEST(Blinds, AMinimumBetAboveTheBigBlindSetsTheRaise) {
  BetRules rules = no_limit(3);
  rules.small_blind = 2;
  rules.big_blind = 4;
  EXPECT_EQ(Hand(rules, {1000, 1000, 1000}).low(), 14);
}

TEST(Blinds, InStructuredBettingARaiseHasItsSizeWhateverTheBigBlind) {
  BetRules rules = structured(3);
  rules.small_blind = 10;
  rules.big_blind = 25;
  Hand hand(rules, {1000, 1000, 1000});
  EXPECT_EQ(hand.low(), 35);
  EXPECT_EQ(hand.high(), 35);
}

TEST(Blinds, TheBigBlindMayStillRaise) {
  BetRules rules = no_limit(3);
  rules.small_blind = 5;
  rules.big_blind = 10;
  Hand hand(rules, {1000, 1000, 1000});
  hand.call();
  hand.call();
  EXPECT_EQ(hand.turn(), 2);
  EXPECT_EQ(hand.bets.to_call(), 0);
  EXPECT_EQ(hand.low(), 20);
  hand.call();
  EXPECT_EQ(hand.turn(), -1);
}

TEST(Blinds, HeadsUpTheDealerPostsTheSmallBlindAndActsFirst) {
  BetRules rules = no_limit(2);
  rules.small_blind = 5;
  rules.big_blind = 10;
  Hand hand(rules, {1000, 1000});
  EXPECT_EQ(hand.bets.bet(0), 5);
  EXPECT_EQ(hand.bets.bet(1), 10);
  EXPECT_EQ(hand.turn(), 0);
  hand.call();
  hand.call();
  hand.next_round(1);
  EXPECT_EQ(hand.turn(), 1);
}

TEST(Blinds, WhoCannotPayABlindOrAnAntePutsInAll) {
  BetRules rules = no_limit(4);
  rules.ante = 4;
  rules.small_blind = 5;
  rules.big_blind = 10;
  Hand hand(rules, {100, 7, 12, 3});
  EXPECT_EQ(hand.bets.paid(1), 7);  // 4 and 3 of the small blind
  EXPECT_EQ(hand.bets.paid(2), 12);
  EXPECT_EQ(hand.bets.bet(2), 8);
  EXPECT_EQ(hand.bets.paid(3), 3);
  EXPECT_EQ(hand.turn(), 0);
  EXPECT_EQ(hand.bets.to_call(), 8);
  EXPECT_EQ(hand.low(), 0) << "nobody is left who could call a raise";
}

TEST(Blinds, AShortBigBlindIsCalledAsPostedOrInFull) {
  BetRules rules = no_limit(3);
  rules.small_blind = 5;
  rules.big_blind = 10;
  for (const bool full : {false, true}) {
    rules.full_short_blind = full;
    Hand hand(rules, {1000, 1000, 6});
    EXPECT_EQ(hand.bets.to_call(), full ? 10 : 6);
    EXPECT_EQ(hand.low(), full ? 20 : 16);
    hand.fold();
    EXPECT_EQ(hand.bets.to_call(), 1) << "more than the big blind has nobody can win";
  }
}

BetRules bring_in() {
  BetRules rules = structured(3);
  rules.bring_in = 3;
  return rules;
}

TEST(BringIn, TheOpenerMustBetItOrComplete) {
  Hand hand(bring_in(), {1000, 1000, 1000}, 2);
  EXPECT_EQ(hand.turn(), 2);
  EXPECT_TRUE(hand.bets.bring_in_due());
  EXPECT_FALSE(hand.bets.may_fold(hand.rules));
  EXPECT_EQ(hand.bets.to_call(), 3);
  EXPECT_EQ(hand.low(), 10);
  EXPECT_EQ(hand.high(), 10);
}

TEST(BringIn, CompletingIsNoRaise) {
  BetRules rules = bring_in();
  rules.raises_per_player = kNoCap;
  rules.raises_per_round = 1;
  Hand hand(rules, {1000, 1000, 1000}, 2);
  hand.call();
  EXPECT_EQ(hand.bets.to_call(), 3);
  EXPECT_TRUE(hand.bets.completes());
  hand.to(10);
  EXPECT_EQ(hand.turn(), 1);
  EXPECT_EQ(hand.low(), 20) << "the one raise is still to come";
  hand.to(20);
  EXPECT_EQ(hand.turn(), 2);
  EXPECT_EQ(hand.low(), 0);
}

TEST(BringIn, TheOpenerIsAskedAgainAfterACompletion) {
  Hand hand(bring_in(), {1000, 1000, 1000}, 2);
  hand.call();
  hand.to(10);
  hand.fold();
  EXPECT_EQ(hand.turn(), 2);
  EXPECT_EQ(hand.bets.to_call(), 7);
  EXPECT_EQ(hand.low(), 20);
}

TEST(BringIn, WhoHasNoMorePutsInAll) {
  Hand hand(bring_in(), {1000, 1000, 2}, 2);
  EXPECT_EQ(hand.bets.to_call(), 2);
  EXPECT_EQ(hand.low(), 0);
}

}  // namespace
}  // namespace dealer::betting::forced_bets_test
