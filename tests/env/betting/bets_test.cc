// Every sentence of the betting rules (docs/rules/betting.md) played by hand.
#include "env/betting/bets.h"

#include <gtest/gtest.h>

#include <vector>

namespace dealer::betting {
namespace {

BetRules no_limit(int seats) {
  BetRules rules;
  rules.seats = seats;
  rules.limit = Limit::kNoLimit;
  rules.size = {10, 10, 10, 10, 10};
  return rules;
}

BetRules structured(int seats) {
  BetRules rules;
  rules.seats = seats;
  return rules;
}

// A hand whose first round has begun; seat 0 deals.
struct Hand {
  Hand(BetRules r, std::vector<Chips> chips, int first = 1) : rules(std::move(r)) {
    chips.resize(kMaxSeats);
    bets.start(rules, chips.data(), static_cast<SeatSet>((1U << rules.seats) - 1), 0);
    bets.open_round(rules, 0, first);
  }
  void next_round(int round, int first = 1) { bets.open_round(rules, round, first); }
  void call() { bets.call(rules); }
  void fold() { bets.fold(rules); }
  void to(Chips total) { bets.bet_to(rules, total); }
  int turn() const { return bets.to_act(); }
  Chips low() const { return bets.range().low; }
  Chips high() const { return bets.range().high; }

  BetRules rules;
  Bets bets;
};

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

TEST(NoLimit, TheBigBlindIsABet) {
  BetRules rules = no_limit(3);
  rules.small_blind = 5;
  rules.big_blind = 10;
  Hand hand(rules, {1000, 1000, 1000});
  EXPECT_EQ(hand.turn(), 0);  // left of the big blind
  EXPECT_EQ(hand.bets.to_call(), 10);
  EXPECT_EQ(hand.low(), 20);
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
}  // namespace dealer::betting
