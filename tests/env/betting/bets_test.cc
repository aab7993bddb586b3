// Every sentence of the betting rules (docs/rules/betting.md) played by hand; blinds and bring-ins:
// forced_bets_test.cc.
#include "env/betting/bets.h"

#include <gtest/gtest.h>

#include "tests/env/betting/hand.h"

namespace dealer::betting::bets_test {
namespace {

TEST(Betting, GoesClockwiseAndEndsWhenAllHaveMatched) {
  Hand hand(no_limit(3), {1000, 1000, 1000});
  EXPECT_EQ(hand.turn(), 1);
  EXPECT_EQ(hand.bets.to_call(), 0);
  hand.call();
  EXPECT_EQ(hand.turn(), 2);
  hand.to(50);
  EXPECT_EQ(hand.turn(), 0);
  EXPECT_EQ(hand.bets.to_call(), 50);
  hand.call();
  EXPECT_EQ(hand.turn(), 1);
  hand.call();
  EXPECT_EQ(hand.turn(), -1);
  EXPECT_EQ(hand.bets.pot(), 150);
}

TEST(Betting, EndsAtOnceWhenOnePlayerIsLeft) {
  Hand hand(no_limit(3), {1000, 1000, 1000});
  hand.to(50);
  hand.fold();
  EXPECT_EQ(hand.turn(), 0);
  hand.fold();
  EXPECT_EQ(hand.turn(), -1);
  EXPECT_EQ(hand.bets.live(), 0b010);
}

TEST(Betting, FoldingWithNothingToCallIsAllowedUnlessSwitchedOff) {
  EXPECT_TRUE(Hand(no_limit(2), {100, 100}).bets.may_fold(no_limit(2)));
  BetRules rules = no_limit(2);
  rules.open_fold = false;
  Hand hand(rules, {100, 100});
  EXPECT_FALSE(hand.bets.may_fold(rules));
  hand.to(10);
  EXPECT_TRUE(hand.bets.may_fold(rules));
}

TEST(NoLimit, ABetIsAtLeastTheMinimumAndARaiseAtLeastTheLastOne) {
  Hand hand(no_limit(2), {1000, 1000});
  EXPECT_EQ(hand.low(), 10);
  EXPECT_EQ(hand.high(), 1000);
  hand.to(40);
  EXPECT_EQ(hand.low(), 80);
  hand.to(200);  // by 160
  EXPECT_EQ(hand.low(), 360);
}

TEST(PotLimit, ARaiseIsAtMostThePotWithTheCall) {
  BetRules rules = no_limit(3);
  rules.limit = Limit::kPotLimit;
  rules.ante = 10;
  Hand hand(rules, {1000, 1000, 1000});
  EXPECT_EQ(hand.high(), 30);
  hand.to(20);  // the pot is 50
  EXPECT_EQ(hand.low(), 40);
  EXPECT_EQ(hand.high(), 20 + (50 + 20));
  hand.to(90);  // the pot is 140
  EXPECT_EQ(hand.high(), 90 + (140 + 90));
  hand.call();
  EXPECT_EQ(hand.turn(), 1);  // the pot is 230, of it 20 own
  EXPECT_EQ(hand.high(), 90 + (230 + 70));
}

TEST(PotLimit, AnEmptyPotAllowsTheMinimum) {
  BetRules rules = no_limit(2);
  rules.limit = Limit::kPotLimit;
  Hand hand(rules, {1000, 1000});
  EXPECT_EQ(hand.low(), 10);
  EXPECT_EQ(hand.high(), 10);
}

TEST(Structured, BetsAndRaisesHaveTheSizeOfTheRound) {
  Hand hand(structured(2), {1000, 1000});
  EXPECT_EQ(hand.low(), 10);
  EXPECT_EQ(hand.high(), 10);
  hand.to(10);
  EXPECT_EQ(hand.low(), 20);
  EXPECT_EQ(hand.high(), 20);
  hand.call();
  hand.next_round(2);
  EXPECT_EQ(hand.low(), 20);
}

TEST(TooFewChips, AShortBetIsAllowed) {
  Hand hand(structured(3), {1000, 7, 1000});
  EXPECT_EQ(hand.low(), 7);
  hand.to(7);
  EXPECT_EQ(hand.bets.to_call(), 7);
  EXPECT_EQ(hand.low(), 17);  // a full bet more
}

TEST(TooFewChips, OverAShortBetTheNextIsARaise) {
  BetRules rules = no_limit(4);
  rules.size = {100, 100, 100, 100, 100};
  rules.raises_per_player = 1;
  Hand hand(rules, {5000, 60, 5000, 5000});
  hand.to(60);  // 1 goes all-in
  EXPECT_EQ(hand.low(), 160);
  hand.to(160);  // 2
  EXPECT_EQ(hand.bets.raises(2), 1);
  EXPECT_EQ(hand.low(), 260) << "the raise was one of 100";
  hand.to(300);  // 3
  EXPECT_EQ(hand.low(), 440);
  hand.call();  // 0
  EXPECT_EQ(hand.turn(), 2);
  EXPECT_EQ(hand.low(), 0) << "2 has raised once";
}

TEST(TooFewChips, AShortRaiseReopensNothing) {
  Hand hand(no_limit(4), {1000, 1000, 1000, 130});
  hand.to(100);  // 1
  hand.call();   // 2
  EXPECT_EQ(hand.low(), 130) << "all in, less than a raise to 200";
  hand.to(130);  // 3
  EXPECT_EQ(hand.turn(), 0);
  EXPECT_EQ(hand.low(), 230) << "who has not acted yet may raise, by 100";
  hand.call();
  for (const int seat : {1, 2}) {
    EXPECT_EQ(hand.turn(), seat);
    EXPECT_EQ(hand.bets.to_call(), 30);
    EXPECT_EQ(hand.low(), 0) << "may only call or fold";
    hand.call();
  }
  EXPECT_EQ(hand.turn(), -1);
}

TEST(TooFewChips, AFullRaiseReopens) {
  Hand hand(no_limit(3), {1000, 1000, 1000});
  hand.to(100);
  hand.to(200);
  hand.call();
  EXPECT_EQ(hand.turn(), 1);
  EXPECT_EQ(hand.low(), 300);
}

TEST(TooFewChips, AShortRaiseDoesNotCountForTheRound) {
  BetRules rules = structured(4);
  rules.raises_per_player = kNoCap;
  rules.raises_per_round = 1;
  Hand hand(rules, {1000, 1000, 15, 1000});
  hand.to(10);  // 1
  hand.to(15);  // 2, short
  EXPECT_EQ(hand.low(), 25);
  hand.to(25);  // 3: the one raise
  EXPECT_EQ(hand.turn(), 0);
  EXPECT_EQ(hand.low(), 0);
}

TEST(TooFewChips, BettingIsSkippedWhenNobodyCanBet) {
  Hand hand(no_limit(3), {1000, 100, 100});
  hand.to(100);
  hand.call();
  EXPECT_EQ(hand.turn(), 0);
  hand.call();
  EXPECT_EQ(hand.turn(), -1);
  hand.next_round(1);
  EXPECT_EQ(hand.turn(), -1);
  EXPECT_TRUE(hand.bets.betting_over());
}

TEST(Caps, EachPlayerRaisesTwiceAndTheOpeningBetIsNoRaise) {
  Hand hand(structured(2), {1000, 1000});
  hand.to(10);  // 1 opens
  hand.to(20);  // 0 raises
  hand.to(30);
  hand.to(40);
  hand.to(50);  // 1 has raised twice
  EXPECT_EQ(hand.turn(), 0);
  EXPECT_EQ(hand.low(), 0);
  EXPECT_EQ(hand.bets.to_call(), 10);
}

TEST(Caps, OneBetAndThreeRaisesForTheTable) {
  BetRules rules = structured(2);
  rules.raises_per_player = kNoCap;
  rules.raises_per_round = 3;
  Hand hand(rules, {1000, 1000});
  for (const Chips total : {10, 20, 30, 40}) hand.to(total);
  EXPECT_EQ(hand.low(), 0);
}

TEST(Caps, StartAnewInEveryRound) {
  BetRules rules = structured(2);
  rules.raises_per_round = 1;
  Hand hand(rules, {1000, 1000});
  hand.to(10);
  hand.to(20);
  EXPECT_EQ(hand.low(), 0);
  hand.call();
  hand.next_round(1);
  hand.to(10);
  EXPECT_EQ(hand.low(), 20);
}

TEST(CheckRaise, CanBeSwitchedOff) {
  BetRules rules = no_limit(2);
  for (const bool allowed : {true, false}) {
    rules.check_raise = allowed;
    Hand hand(rules, {1000, 1000});
    hand.call();
    hand.to(50);
    EXPECT_EQ(hand.turn(), 1);
    EXPECT_EQ(hand.low(), allowed ? 100 : 0);
  }
}

TEST(TapOut, ACallForLessIsAllowedAndHeadsUpTheExcessGoesBackAtOnce) {
  Hand hand(no_limit(2), {40, 1000});
  hand.to(100);
  EXPECT_EQ(hand.bets.to_call(), 40);
  EXPECT_EQ(hand.low(), 0);
  hand.call();
  EXPECT_EQ(hand.bets.pot(), 80);
  EXPECT_EQ(hand.bets.stack(1), 960);
  EXPECT_EQ(hand.bets.all_in(), 0b01);
}

TEST(TapOut, TheExcessGoesBackWhenTheThirdFolds) {
  Hand hand(no_limit(3), {1000, 1000, 40});
  hand.to(100);
  hand.call();  // 2 goes all-in
  hand.fold();  // 0
  EXPECT_EQ(hand.bets.stack(1), 960);
  EXPECT_EQ(hand.bets.pot(), 80);
}

TEST(TapOut, WhatAPlayerWhoThenFoldedHadMatchedStaysInThePot) {
  Hand hand(no_limit(3), {1000, 1000, 40});
  hand.to(30);
  hand.call();
  hand.to(100);  // 0
  hand.call();
  hand.call();  // 2 goes all-in: 100, 100 and 40 are in
  hand.next_round(1);
  hand.to(50);
  EXPECT_EQ(hand.turn(), 0);
  hand.fold();
  EXPECT_EQ(hand.bets.stack(1), 900);
  EXPECT_EQ(hand.bets.pot(), 240);
}

TEST(TapOut, WithThreePlayersItLiesInASidePot) {
  Hand hand(no_limit(3), {60, 1000, 40});
  hand.to(100);
  hand.call();
  hand.call();
  EXPECT_EQ(hand.bets.pot(), 200);
  EXPECT_EQ(hand.bets.stack(1), 900);
}

TEST(TapOut, AnAnteThatTheOtherCannotMatchGoesBack) {
  BetRules rules = no_limit(2);
  rules.ante = 10;
  Hand hand(rules, {3, 100});
  EXPECT_EQ(hand.turn(), -1);
  EXPECT_EQ(hand.bets.pot(), 6);
  EXPECT_EQ(hand.bets.stack(1), 97);
}

TEST(TapOut, NobodyRaisesWhenNoOtherCouldCall) {
  Hand hand(no_limit(2), {50, 1000});
  hand.call();
  EXPECT_EQ(hand.turn(), 0);
  hand.to(50);
  EXPECT_EQ(hand.turn(), 1);
  EXPECT_EQ(hand.low(), 0);
}

// The others still have chips, but no more than it takes to call.
TEST(TapOut, NobodyRaisesWhenTheOthersCanOnlyJustCall) {
  for (const Chips third : {50, 51}) {
    Hand hand(no_limit(3), {50, 1000, third}, 0);
    hand.to(50);  // 0 goes all-in
    EXPECT_EQ(hand.turn(), 1);
    EXPECT_EQ(hand.bets.to_call(), 50);
    EXPECT_EQ(hand.low(), third == 50 ? 0 : 100);
    hand.call();
    EXPECT_EQ(hand.turn(), 2);
    EXPECT_EQ(hand.low(), third == 50 ? 0 : 51);
  }
}

BetRules washizu(int seats) {
  BetRules rules;
  rules.seats = seats;
  rules.limit = Limit::kFree;
  rules.size = {1, 1, 1, 1, 1};
  rules.ante = 1;
  rules.raises_per_player = kNoCap;
  return rules;
}

TEST(Washizu, TheFirstCallIsABetOfOne) {
  Hand hand(washizu(3), {20, 20, 20});
  EXPECT_EQ(hand.bets.to_call(), 1);
  hand.fold();
  EXPECT_EQ(hand.bets.to_call(), 1);
  hand.call();
  EXPECT_EQ(hand.bets.to_call(), 1);
  hand.call();
  EXPECT_EQ(hand.turn(), -1) << "without a raise all act once";
  EXPECT_EQ(hand.bets.pot(), 5);
}

TEST(Washizu, ARaiseIsAnyNumberOfChipsAndTheLastRaiserIsNotAskedAgain) {
  Hand hand(washizu(3), {20, 20, 20});
  EXPECT_EQ(hand.low(), 2);
  EXPECT_EQ(hand.high(), 19);
  hand.to(9);
  EXPECT_EQ(hand.low(), 10) << "by one chip, whatever the last raise was";
  hand.call();
  hand.to(10);
  hand.call();
  EXPECT_EQ(hand.turn(), 2);
  hand.call();
  EXPECT_EQ(hand.turn(), -1);
  EXPECT_EQ(hand.bets.aggressor(), 0);
}

TEST(Washizu, ThereIsNoCap) {
  Hand hand(washizu(2), {20, 20});
  for (Chips total = 2; total <= 19; ++total) {
    ASSERT_EQ(hand.low(), total);
    hand.to(total);
  }
  EXPECT_EQ(hand.bets.to_call(), 1);
}

TEST(Washizu, APlayerWithoutChipsAfterTheAnteIsIn) {
  Hand hand(washizu(3), {20, 1, 20});
  EXPECT_EQ(hand.bets.live(), 0b111);
  EXPECT_EQ(hand.turn(), 2);
  hand.call();
  hand.call();
  EXPECT_EQ(hand.turn(), -1);
}

TEST(ShowsFirst, TheLastToBetOrRaiseElseTheFirstToAct) {
  Hand hand(no_limit(3), {1000, 1000, 1000});
  for (int i = 0; i < 3; ++i) hand.call();
  EXPECT_EQ(hand.bets.shows_first(), 1);
  hand.next_round(1);
  hand.call();
  hand.to(20);
  hand.to(60);
  hand.call();
  hand.call();
  EXPECT_EQ(hand.bets.shows_first(), 0);
}

}  // namespace
}  // namespace dealer::betting::bets_test
