// The figures of the placement study on hands that were laid by hand, counted by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "arena/studies/seven_hand/tally.h"
#include "tests/arena/studies/seven_hand_support.h"

namespace dealer::studies::seven_hand::seven_hand_figures_test {
namespace {

using test::ScriptedHand;

// Seat 0 begins and takes the chips 3, 4 and 2; seat 1 takes 5 and lies at 1.
ScriptedHand three_adjacent() {
  ScriptedHand played("As Ah Ks Kh Qs Qh 2s 3s", "Ad Ac Kd Kc Qd Qc 2h 3h", 1);
  played.lay("As Ah", 3).lay("2h", 3);
  played.lay("Ks Kh Qs", 4).lay("3h", 4);
  played.lay("Qh", 5).lay("Qd Qc", 1);
  played.lay("2s", 7).lay("Kd", 5);
  played.lay("4s 4h 4d 4c 5s", 2).lay_low(1, 2);
  EXPECT_TRUE(played.over());
  return played;
}

// Seat 1 begins; an ace against an ace at chip 1, then pairs of it lose everywhere.
ScriptedHand tied_at_first() {
  ScriptedHand played("As Kh Kd Kc 2s 2h 2d 2c", "Ah 9s 9h 8s 8h 7s 7h 3s", 0);
  played.lay("Ah", 1).lay("As", 1);
  played.lay("9s", 2).lay("Kh", 2);
  played.lay("8s", 3).lay("Kd", 3);
  played.lay("7s", 4).lay("Kc", 4);
  EXPECT_TRUE(played.over());
  return played;
}

TEST(SevenHandHand, IsReadFromItsEvents) {
  const Hand hand = three_adjacent().hand();
  EXPECT_EQ(hand.turns, 10);
  EXPECT_EQ(hand.line, (Line{kNotYet, kStarter, kStarter, kStarter, kSecond, kNotYet, kNotYet}));
  EXPECT_EQ(hand.three_adjacent(), 1);
  EXPECT_EQ(hand.points, 1);
  EXPECT_EQ(hand.win(kStarter), 1);
  EXPECT_EQ(hand.win(kSecond), 0);
  EXPECT_EQ(hand.points_of(kSecond), -1);
  EXPECT_EQ(hand.chips(kStarter), 3);
  EXPECT_EQ(hand.chips(kSecond), 1);
  EXPECT_EQ(hand.showdown, (std::array<bool, kChips>{false, true, true, true, true, false, false}));
  EXPECT_EQ(hand.second[4], kSecond);

  // The second player's third turn: two queens, which went to chip 1.
  const Laying& laying = hand.layings[5];
  EXPECT_EQ(laying.role, kSecond);
  EXPECT_EQ(laying.turn, 3);
  EXPECT_EQ(laying.cards, to_set(parse_cards("Qd Qc")));
  EXPECT_EQ(laying.chip, 0);
  EXPECT_EQ(laying.free, 0b1110011U);
  EXPECT_EQ(laying.line, (Line{kNotYet, kNotYet, kStarter, kStarter, kNotYet, kNotYet, kNotYet}));
  EXPECT_EQ(laying.opposite, (std::array<int, kChips>{0, 0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(laying.outcome, Laying::kUnseen);
  EXPECT_EQ(hand.layings[0].outcome, Laying::kTaken);
  EXPECT_EQ(hand.layings[1].outcome, Laying::kLost);
}

TEST(SevenHandHand, KnowsTiesAndSeats) {
  const Hand hand = tied_at_first().hand();
  EXPECT_EQ(hand.line, (Line{kNobody, kSecond, kSecond, kSecond, kNotYet, kNotYet, kNotYet}));
  EXPECT_EQ(hand.layings[0].outcome, Laying::kTied);
  EXPECT_EQ(hand.layings[1].outcome, Laying::kTied);
  EXPECT_EQ(hand.points, -1) << "seat 1 began and lost";
  EXPECT_EQ(hand.three_adjacent(), 1);
}

TEST(SevenHandHand, KnowsHowTheLineStands) {
  const Laying laying = three_adjacent().hand().layings[7];  // the second player's king, which went to chip 5
  const auto chips_in = [&](ChipState state) {
    std::string text;
    for (int chip = 0; chip < kChips; ++chip)
      if (laying.is_free(chip) && is_in(state, laying, chip)) text += std::to_string(chip + 1);
    return text;
  };
  EXPECT_EQ(chips_in(kInMiddle), "5");
  EXPECT_EQ(chips_in(kAtEnds), "267");
  EXPECT_EQ(chips_in(kEmpty), "26");
  EXPECT_EQ(chips_in(kOpposed), "57");
  EXPECT_EQ(chips_in(kAgainstEqual), "57");
  EXPECT_EQ(chips_in(kAgainstFewer), "");
  EXPECT_EQ(chips_in(kAgainstMore), "");
  EXPECT_EQ(chips_in(kOpenBeside), "67");
  EXPECT_EQ(chips_in(kMoverBeside), "");
  EXPECT_EQ(chips_in(kNamerBeside), "25");
  EXPECT_EQ(chips_in(kMoverThreat), "");
  EXPECT_EQ(chips_in(kNamerThreat), "25");
  // The starter's five cards a turn later: chip 5 is the second player's now.
  const Laying fives = three_adjacent().hand().layings[8];
  EXPECT_TRUE(is_in(kMoverThreat, fives, 1));
  EXPECT_TRUE(is_in(kMoverBeside, fives, 1));
  EXPECT_TRUE(is_in(kNamerBeside, fives, 5));
  EXPECT_FALSE(is_in(kOpenBeside, fives, 5));
  EXPECT_FALSE(is_in(kMoverThreat, fives, 5));
}

TEST(SevenHandHand, ComparesNumbersWithWhatLiesThere) {
  Laying laying;
  laying.cards = to_set(parse_cards("As Ks Qs"));
  laying.opposite = {2, 3, 4, 0, 0, 0, 0};
  const ChipState states[] = {kAgainstFewer, kAgainstEqual, kAgainstMore};
  for (int s = 0; s < 3; ++s)
    for (int chip = 0; chip < 4; ++chip) EXPECT_EQ(is_in(states[s], laying, chip), s == chip) << s << ' ' << chip;
}

// One hand, so every figure is what was counted in it.
class OneHand : public testing::Test {
 protected:
  OneHand() {
    Tally tally;
    tally.add(0, three_adjacent().hand());
    f_ = tally.figures();
  }
  static void expect(const Estimate& estimate, double value, double count) {
    EXPECT_DOUBLE_EQ(estimate.value, value);
    EXPECT_DOUBLE_EQ(estimate.count, count);
  }
  Figures f_;
};

TEST_F(OneHand, CountsChips) {
  expect(f_.chips[2].cards, 1.5, 2);
  expect(f_.chips[2].turn, 1, 2);
  expect(f_.chips[2].used, 1, 2);
  expect(f_.chips[2].showdowns, 1, 1);
  expect(f_.chips[2].taken_by_second, 0, 1);
  expect(f_.chips[2].taken_by_starter, 1, 1);
  expect(f_.chips[2].tied, 0, 1);
  expect(f_.chips[2].win_rate, 1, 1);
  expect(f_.chips[4].turn, 3.5, 2);
  expect(f_.chips[4].taken_by_second, 1, 1);
  expect(f_.chips[4].win_rate, 0, 1);
  expect(f_.chips[0].used, 0.5, 2);
  expect(f_.chips[0].showdowns, 0, 1);
  expect(f_.chips[5].used, 0, 2);
  expect(f_.chips[5].cards, 0, 0);
  expect(f_.win_middle_ends, 2.0 / 3 - 1, 4);
}

TEST_F(OneHand, CountsTurns) {
  expect(f_.turns[0].cards, 1.5, 2);
  expect(f_.turns[1].cards, 2, 2);
  expect(f_.turns[0].numbers[0], 0.5, 2);
  expect(f_.turns[0].numbers[1], 0.5, 2);
  expect(f_.turns[0].numbers[2], 0, 2);
  expect(f_.turns[0].chips[2], 1, 2);
  expect(f_.turns[2].chips[0], 0.5, 2);
  expect(f_.turns[2].cards_at[0], 2, 1);
  expect(f_.turns[4].cards, 3, 2);
  expect(f_.turns[5].cards, 0, 0);
  // At 3, 4 and 5 eight cards in six groups, at 1, 2 and 7 nine in four.
  expect(f_.cards_middle_ends, 9.0 / 6 - 9.0 / 4, 10);
  expect(f_.turn_middle_ends, (1 + 1 + 2 + 2 + 3 + 4) / 6.0 - (3 + 4 + 5 + 5) / 4.0, 10);
  expect(f_.cards_late_early, 6.0 / 2 - (3 + 4 + 3) / 6.0, 8);
}

TEST_F(OneHand, CountsNaming) {
  // A single card could go to chip 5 with 7, 6, 5 and 4 chips to choose from, and went there twice.
  expect(f_.sent[0][4].rate, 0.5, 4);
  const double by_chance = 1.0 / 7 + 1.0 / 6 + 1.0 / 5 + 1.0 / 4;
  expect(f_.sent[0][4].chance, 2 / by_chance, by_chance);
  expect(f_.sent[4][1].rate, 1, 1);
  expect(f_.states[kNamerThreat].all.rate, 0.4, 5);
  expect(f_.states[kNamerThreat].few.rate, 0.4, 5);
  expect(f_.states[kNamerThreat].many.rate, 0, 0);
  expect(f_.states[kMoverThreat].all.rate, 0.5, 4);
  expect(f_.states[kMoverThreat].many.rate, 1, 1);
  expect(f_.states[kMoverThreat].many.chance, 3, 1.0 / 3);
  // Two pairs of cards that tell where cards are sent: opposed to the namer's, 3, 4, 5 and 2.
  EXPECT_DOUBLE_EQ(f_.states[kOpposed].all.rate.value * f_.states[kOpposed].all.rate.count, 4);
  EXPECT_DOUBLE_EQ(f_.sent_opposed_empty.value,
                   f_.states[kOpposed].all.chance.value - f_.states[kEmpty].all.chance.value);
  EXPECT_EQ(f_.middle_many_few.count, 0) << "many cards had no chip in the middle to go to";
}

TEST_F(OneHand, CountsResults) {
  expect(f_.win_by_middle[2], 1, 1);
  expect(f_.win_by_middle[1], 0, 1);
  expect(f_.win_by_middle[0], 0, 0);
  expect(f_.win_by_ends[1], 1, 1);
  expect(f_.win_by_ends[0], 0, 1);
  expect(f_.win_by_both[2][1], 1, 1);
  expect(f_.win_by_both[1][0], 0, 1);
  expect(f_.win_by_both[1][1], 0, 0);
  expect(f_.first_points, 1, 1);
  expect(f_.first_wins, 1, 1);
  expect(f_.ends.three_adjacent, 1, 1);
  expect(f_.ends.majority, 0, 1);
  expect(f_.ends.drawn, 0, 1);
  expect(f_.ends.three_with_fewer, 0, 1);
  expect(f_.ends.rows[1], 1, 1);
  expect(f_.ends.rows[0], 0, 1);
  expect(f_.ends.turns, 10, 1);
  expect(f_.ends.showdowns, 4, 1);
  expect(f_.ends.margins[2 - kLeastMargin], 1, 1);
}

// Four cards to the middle, two to an end, then the other way round.
TEST(SevenHandTally, ComparesManyWithFew) {
  ScriptedHand played("2s 2h 2d 2c As Ah Ad Ac", "3s 3h 3d 3c Ks Kh Kd Kc", 1);
  played.lay("2s 2h 2d 2c", 4).lay("3s 3h", 1);
  played.lay("As Ah", 3).lay("Ks Kh Kd Kc", 7);
  Tally tally;
  tally.add(0, played.hand());
  const Figures f = tally.figures();
  // Of many: three middle chips of seven, one named; three of six, none. Of few: three of seven, none; two of six, one.
  EXPECT_NEAR(f.states[kInMiddle].many.chance.value, 1 / (3.0 / 7 + 3.0 / 6), 1e-12);
  EXPECT_NEAR(f.states[kInMiddle].few.chance.value, 1 / (3.0 / 7 + 2.0 / 6), 1e-12);
  EXPECT_NEAR(f.middle_many_few.value, 1 / (3.0 / 7 + 3.0 / 6) - 1 / (3.0 / 7 + 2.0 / 6), 1e-12);
}

TEST(SevenHandTally, TakesADealAsOneObservation) {
  Tally together, apart;
  for (int i = 0; i < 24; ++i) {
    const Hand hand = i % 2 == 0 ? three_adjacent().hand() : tied_at_first().hand();
    together.add(i / 2, hand);
    apart.add(i, hand);
  }
  const Figures one = together.figures(), other = apart.figures();
  EXPECT_DOUBLE_EQ(one.first_points.value, other.first_points.value);
  EXPECT_DOUBLE_EQ(one.first_points.value, 0);
  EXPECT_FALSE(one.first_points.known()) << "every deal was won once";
  EXPECT_GT(other.first_points.ci95, 0.2);
  EXPECT_DOUBLE_EQ(one.chips[0].tied.value, 1);
  EXPECT_DOUBLE_EQ(one.ends.margins[3 - kLeastMargin].value, 0.5);
}

TEST(SevenHandTally, WhatWasNeverNamedHasAnInterval) {
  Tally tally;
  for (int deal = 0; deal < 20; ++deal) tally.add(deal, three_adjacent().hand());
  const Sending sending = tally.figures().sent[0][0];
  EXPECT_EQ(sending.chance.value, 0);
  EXPECT_NEAR(sending.rate.ci95, 1 - std::pow(0.05, 1.0 / 20), 1e-12);
  // The most likely share that would not have shown, in times as at random.
  EXPECT_NEAR(sending.chance.ci95, sending.rate.ci95 * sending.rate.count / sending.chance.count, 1e-12);
  EXPECT_GT(sending.chance.ci95, 0.1);
}

TEST(SevenHandTally, TheLastTurnIsNoChoice) {
  Hand hand;
  hand.turns = 1;
  hand.layings[0].cards = to_set(parse_cards("As"));
  hand.layings[0].chip = 3;
  hand.layings[0].free = 1U << 3;
  hand.layings[0].turn = 7;
  Tally tally;
  tally.add(0, hand);
  const Figures f = tally.figures();
  EXPECT_EQ(f.turns[6].chips[3].value, 1);
  EXPECT_EQ(f.sent[0][3].rate.count, 0);
  EXPECT_EQ(f.states[kInMiddle].all.rate.count, 0);
}

// Hands by how they end: three adjacent against four, a majority, a draw.
TEST(SevenHandTally, TellsEndsApart) {
  Hand fewer, most, drawn;
  fewer.line = {kSecond, kSecond, kStarter, kStarter, kStarter, kSecond, kSecond};
  fewer.points = 1;
  most.line = {kSecond, kSecond, kStarter, kStarter, kSecond, kSecond, kStarter};
  most.points = -1;
  drawn.line = {kSecond, kNobody, kStarter, kStarter, kSecond, kSecond, kStarter};
  Tally tally;
  tally.add(0, fewer);
  tally.add(1, most);
  tally.add(1, drawn);
  const Figures f = tally.figures();
  EXPECT_DOUBLE_EQ(f.ends.three_adjacent.value, 1.0 / 3);
  EXPECT_DOUBLE_EQ(f.ends.majority.value, 1.0 / 3);
  EXPECT_DOUBLE_EQ(f.ends.drawn.value, 1.0 / 3);
  EXPECT_EQ(f.ends.three_with_fewer.value, 1);
  EXPECT_EQ(f.ends.rows[2].value, 1);
  EXPECT_EQ(f.ends.margins[0].value, 0.5) << "one less";
  EXPECT_EQ(f.ends.margins[1 - kLeastMargin].value, 0.5) << "one more";
  EXPECT_EQ(f.ends.margins[0].count, 2) << "nobody wins a draw";
  EXPECT_DOUBLE_EQ(f.first_points.value, 0);
  EXPECT_DOUBLE_EQ(f.first_wins.value, 1.0 / 3);
  EXPECT_DOUBLE_EQ(f.first_win_rate.value, 0.5);
  EXPECT_EQ(f.win_by_both[3][0].value, 1);
  EXPECT_EQ(f.win_by_both[0][4].value, 0);
  // Two chips in the middle and one at the ends: lost once, drawn once.
  EXPECT_EQ(f.win_by_both[2][1].value, 0.25);
}

// A hand with these cards laid that was seen, for groups alone.
Laying group(const std::string& cards, Laying::Outcome outcome) {
  Laying laying;
  laying.cards = to_set(parse_cards(cards));
  laying.outcome = outcome;
  return laying;
}

TEST(SevenHandGroups, AreRankedAmongThoseOfTheStudy) {
  GroupTally tally;
  // Of four cards: four groups, a quarter each. Of one: the ace above the king.
  tally.add(0, group("2s 3h 4d 6c", Laying::kLost), -1);
  tally.add(0, group("2s 2h 4d 6c", Laying::kTaken), 1);
  tally.add(1, group("Ks Kh 4d 6c", Laying::kTied), -1);
  tally.add(1, group("As Ah Ad 6c", Laying::kTaken), 1);
  tally.add(1, group("Kd", Laying::kUnseen), -1);
  tally.add(2, group("Ac", Laying::kTaken), 2);
  Figures f;
  tally.read(f);
  for (int q = 0; q < kQuarters; ++q) EXPECT_DOUBLE_EQ(f.groups[3][static_cast<std::size_t>(q)].share.value, 1.0 / 6);
  EXPECT_EQ(f.groups[3][0].takes.value, 0);
  EXPECT_EQ(f.groups[3][2].takes.value, 0.5);
  EXPECT_EQ(f.groups[3][3].points.value, 1);
  // From weak to strong: 6 high, K, A, twos, kings, aces.
  EXPECT_NEAR(f.groups[3][0].strength.value, 0.5 / 6, 1e-12);
  EXPECT_NEAR(f.groups[3][3].strength.value, 5.5 / 6, 1e-12);
  EXPECT_NEAR(f.groups[3][3].beyond.value, 0.5 / 6, 1e-12);
  // A half of two, ties counting half: at 1/4 the king, at 3/4 the ace.
  EXPECT_EQ(f.groups[0][1].points.value, -1);
  EXPECT_EQ(f.groups[0][1].showdowns.value, 0);
  EXPECT_EQ(f.groups[0][1].takes.count, 0) << "never shown";
  EXPECT_EQ(f.groups[0][3].points.value, 2);
  EXPECT_EQ(f.classes[kManyWeak].points.value, -1);
  EXPECT_EQ(f.classes[kManyStrong].points.value, 1);
  EXPECT_EQ(f.classes[kFewStrong].points.value, 2);
  EXPECT_EQ(f.classes[kFewWeak].points.count, 0);
  EXPECT_EQ(f.points_few_many_strong.value, 1);
  EXPECT_EQ(f.points_many_few_weak.count, 0);
  EXPECT_NEAR(f.classes[kManyWeak].share.value, 1.0 / 6, 1e-12);
}

TEST(SevenHandGroups, ClassesAreFewAndManyWeakAndStrong) {
  EXPECT_EQ(class_of(1, 0), kFewWeak);
  EXPECT_EQ(class_of(2, 3), kFewStrong);
  EXPECT_EQ(class_of(3, 0), kGroupClasses);
  EXPECT_EQ(class_of(4, 0), kManyWeak);
  EXPECT_EQ(class_of(5, 3), kManyStrong);
  EXPECT_EQ(class_of(5, 1), kGroupClasses);
  EXPECT_EQ(class_of(2, 2), kGroupClasses);
}

}  // namespace
}  // namespace dealer::studies::seven_hand::seven_hand_figures_test
