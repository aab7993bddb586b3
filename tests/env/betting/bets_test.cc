// Every sentence of the betting rules (docs/rules/betting.md) played by hand.
#include "env/betting/bets.h"

#include "tests/env/betting/hand.h"

namespace dealer::betting::bets_test {
namespace {

constexpr Chips kDeep = 1000;

BetRules with_blinds(BetRules rules, Chips small, Chips big) {
  rules.small_blind = small;
  rules.big_blind = big;
  return rules;
}

BetRules capped(BetRules rules, int per_player, int per_round) {
  rules.raises_per_player = per_player;
  rules.raises_per_round = per_round;
  return rules;
}

Hand deep(const BetRules& rules, int first = 1) {
  return {rules, std::vector<Chips>(static_cast<std::size_t>(rules.seats), kDeep), first};
}

TEST(Betting, GoesClockwiseAndEndsWhenAllHaveMatched) {
  deep(no_limit(3)).play("owes=0 1c 2=50 owes=50 0c 1c end pot=150");
}

TEST(Betting, EndsAtOnceWhenOnePlayerIsLeft) { deep(no_limit(3)).play("1=50 2f 0f end live=2"); }

TEST(Betting, FoldingWithNothingToCallIsAllowedUnlessSwitchedOff) {
  EXPECT_TRUE(deep(no_limit(2)).bets.may_fold(no_limit(2)));
  BetRules rules = no_limit(2);
  rules.open_fold = false;
  Hand hand = deep(rules);
  EXPECT_FALSE(hand.bets.may_fold(rules));
  EXPECT_TRUE(hand.play("1=10").bets.may_fold(rules));
}

TEST(Limits, NoLimitABetIsAtLeastTheMinimumAndARaiseAtLeastTheLastOne) {
  deep(no_limit(2)).play("low=10 high=1000 1=40 low=80 0=200 low=360");
}

TEST(Limits, PotLimitARaiseIsAtMostThePotWithTheCall) {
  BetRules rules = no_limit(3);
  rules.limit = Limit::kPotLimit;
  // An empty pot allows the minimum.
  deep(rules).play("low=10 high=10");
  rules.ante = 10;
  // The pot is 30, then 50, then 140, then 230, of it 20 of seat 1: 20 + (50 + 20), 90 + (140 + 90), 90 + (230 + 70).
  deep(rules).play("high=30 1=20 low=40 high=90 2=90 high=320 0c 1? high=390");
}

TEST(Limits, StructuredBetsAndRaisesHaveTheSizeOfTheRound) {
  deep(structured(2)).play("low=10 high=10 1=10 low=20 high=20 0c round=2 low=20");
}

TEST(TooFewChips, AShortBetIsAllowedAndTheNextIsAFullBetMore) {
  Hand(structured(3), {1000, 7, 1000}).play("low=7 1=7 owes=7 low=17");
}

TEST(TooFewChips, OverAShortBetTheNextIsARaise) {
  BetRules rules = capped(no_limit(4), 1, kNoCap);
  rules.size = {100, 100, 100, 100, 100};
  // 1 goes all-in; the raise of 2 is one of 100, and the only one it has.
  Hand(rules, {5000, 60, 5000, 5000}).play("1=60 low=160 2=160 raises2=1 low=260 3=300 low=440 0c 2? low=0");
}

TEST(TooFewChips, AShortRaiseReopensNothing) {
  // 3 is all in with less than a raise to 200. Who has not acted yet may raise, by 100; the others call or fold.
  Hand(no_limit(4), {1000, 1000, 1000, 130})
      .play("1=100 2c low=130 3=130 0? low=230 0c 1? owes=30 low=0 1c 2? owes=30 low=0 2c end");
}

TEST(TooFewChips, AFullRaiseReopens) { deep(no_limit(3)).play("1=100 2=200 0c 1? low=300"); }

TEST(TooFewChips, AShortRaiseDoesNotCountForTheRound) {
  Hand(capped(structured(4), kNoCap, 1), {1000, 1000, 15, 1000}).play("1=10 2=15 low=25 3=25 0? low=0");
}

TEST(TooFewChips, BettingIsSkippedWhenNobodyCanBet) {
  Hand hand(no_limit(3), {1000, 100, 100});
  hand.play("1=100 2c 0c end round=1 end");
  EXPECT_TRUE(hand.bets.betting_over());
}

TEST(Caps, EachPlayerRaisesTwiceAndTheOpeningBetIsNoRaise) {
  deep(structured(2)).play("1=10 0=20 1=30 0=40 1=50 0? low=0 owes=10");
}

TEST(Caps, OneBetAndThreeRaisesForTheTable) {
  deep(capped(structured(2), kNoCap, 3)).play("1=10 0=20 1=30 0=40 low=0");
}

TEST(Caps, StartAnewInEveryRound) {
  BetRules rules = structured(2);
  rules.raises_per_round = 1;
  deep(rules).play("1=10 0=20 low=0 1c round=1 1=10 low=20");
}

TEST(CheckRaise, CanBeSwitchedOff) {
  BetRules rules = no_limit(2);
  deep(rules).play("1c 0=50 1? low=100");
  rules.check_raise = false;
  deep(rules).play("1c 0=50 1? low=0");
}

TEST(TapOut, ACallForLessIsAllowedAndHeadsUpTheExcessGoesBackAtOnce) {
  Hand(no_limit(2), {40, 1000}).play("1=100 owes=40 low=0 0c pot=80 stack1=960 allin=1");
}

TEST(TapOut, TheExcessGoesBackWhenTheThirdFolds) {
  Hand(no_limit(3), {1000, 1000, 40}).play("1=100 2c 0f stack1=960 pot=80");
}

TEST(TapOut, WhatAPlayerWhoThenFoldedHadMatchedStaysInThePot) {
  Hand(no_limit(3), {1000, 1000, 40}).play("1=30 2c 0=100 1c 2c round=1 1=50 0f stack1=900 pot=240");
}

TEST(TapOut, WithThreePlayersItLiesInASidePot) {
  Hand(no_limit(3), {60, 1000, 40}).play("1=100 2c 0c pot=200 stack1=900");
}

TEST(TapOut, AnAnteThatTheOtherCannotMatchGoesBack) {
  BetRules rules = no_limit(2);
  rules.ante = 10;
  Hand(rules, {3, 100}).play("end pot=6 stack1=97");
}

TEST(TapOut, NobodyRaisesWhenNoOtherCouldCall) {
  Hand(no_limit(2), {50, 1000}).play("1c 0=50 1? low=0");
  // The others still have chips, but no more than it takes to call.
  Hand(no_limit(3), {50, 1000, 50}, 0).play("0=50 1? owes=50 low=0 1c 2? low=0");
  Hand(no_limit(3), {50, 1000, 51}, 0).play("0=50 1? owes=50 low=100 1c 2? low=51");
}

BetRules washizu(int seats) {
  BetRules rules = capped(structured(seats), kNoCap, kNoCap);
  rules.limit = Limit::kFree;
  rules.size = {1, 1, 1, 1, 1};
  rules.ante = 1;
  return rules;
}

TEST(Washizu, TheFirstCallIsABetOfOneAndWithoutARaiseAllActOnce) {
  Hand(washizu(3), {20, 20, 20}).play("owes=1 1f owes=1 2c owes=1 0c end pot=5");
}

TEST(Washizu, ARaiseIsAnyNumberOfChipsAndTheLastRaiserIsNotAskedAgain) {
  Hand(washizu(3), {20, 20, 20}).play("low=2 high=19 1=9 low=10 2c 0=10 1c 2c end shows=0");
}

TEST(Washizu, ThereIsNoCap) {
  Hand hand(washizu(2), {20, 20});
  for (Chips total = 2; total <= 19; ++total) {
    ASSERT_EQ(hand.bets.range().low, total);
    hand.bets.bet_to(hand.rules, total);
  }
  hand.play("owes=1");
}

TEST(Washizu, APlayerWithoutChipsAfterTheAnteIsIn) { Hand(washizu(3), {20, 1, 20}).play("live=7 2c 0c end"); }

TEST(ShowsFirst, TheLastToBetOrRaiseElseTheFirstToAct) {
  deep(no_limit(3)).play("1c 2c 0c shows=1 round=1 1c 2=20 0=60 1c 2c shows=0");
}

TEST(Blinds, TheBigBlindIsABetAndMayStillRaise) {
  deep(with_blinds(no_limit(3), 5, 10)).play("0? owes=10 low=20 0c 1c 2? owes=0 low=20 2c end");
}

// The minimum bet may be smaller or larger than the big blind; the larger of the two is what a raise adds at least.
TEST(Blinds, TheBigBlindOrTheMinimumBetSetsTheRaise) {
  for (const Limit limit : {Limit::kNoLimit, Limit::kPotLimit}) {
    BetRules rules = with_blinds(no_limit(3), 10, 25);
    rules.limit = limit;
    // The big blind was a bet of the first round.
    deep(rules).play("low=50 0=50 low=75 1c 2c round=1 low=10");
  }
  deep(with_blinds(no_limit(3), 2, 4)).play("low=14");
  deep(with_blinds(structured(3), 10, 25)).play("low=35 high=35");
}

TEST(Blinds, HeadsUpTheDealerPostsTheSmallBlindAndActsFirst) {
  deep(with_blinds(no_limit(2), 5, 10)).play("bet0=5 bet1=10 0c 1c round=1 1?");
}

TEST(Blinds, WhoCannotPayABlindOrAnAntePutsInAll) {
  BetRules rules = with_blinds(no_limit(4), 5, 10);
  rules.ante = 4;
  // Nobody is left who could call a raise.
  Hand(rules, {100, 7, 12, 3}).play("paid1=7 paid2=12 bet2=8 paid3=3 0? owes=8 low=0");
}

TEST(Blinds, AShortBigBlindIsCalledAsPostedOrInFull) {
  BetRules rules = with_blinds(no_limit(3), 5, 10);
  // More than the big blind has nobody can win.
  rules.full_short_blind = false;
  Hand(rules, {1000, 1000, 6}).play("owes=6 low=16 0f owes=1");
  rules.full_short_blind = true;
  Hand(rules, {1000, 1000, 6}).play("owes=10 low=20 0f owes=1");
}

BetRules bring_in() {
  BetRules rules = structured(3);
  rules.bring_in = 3;
  return rules;
}

TEST(BringIn, TheOpenerMustBetItOrComplete) {
  Hand hand = deep(bring_in(), 2);
  EXPECT_TRUE(hand.bets.bring_in_due());
  EXPECT_FALSE(hand.bets.may_fold(hand.rules));
  hand.play("2? owes=3 low=10 high=10");
}

TEST(BringIn, CompletingIsNoRaise) {
  Hand hand = deep(capped(bring_in(), kNoCap, 1), 2);
  EXPECT_TRUE(hand.play("2c owes=3").bets.completes());
  // The one raise is still to come.
  hand.play("0=10 1? low=20 1=20 2? low=0");
}

TEST(BringIn, TheOpenerIsAskedAgainAfterACompletion) { deep(bring_in(), 2).play("2c 0=10 1f 2? owes=7 low=20"); }

TEST(BringIn, WhoHasNoMorePutsInAll) { Hand(bring_in(), {1000, 1000, 2}, 2).play("owes=2 low=0"); }

}  // namespace
}  // namespace dealer::betting::bets_test
