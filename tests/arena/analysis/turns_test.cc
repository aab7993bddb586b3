// From the decisions of a hand to turns and what their seats knew.
#include "arena/analysis/turns.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/arena/analysis/analysis_support.h"

namespace dealer::analysis::turns_test {
namespace {

using test::record;

TEST(Turns, OfOfcAreWholeStreets) {
  for (const RecordedHand& hand : record("ofc", {"random"}, 20, 3)) {
    std::map<Seat, int> streets;
    for (const Turn& turn : turns_of(hand)) {
      EXPECT_EQ(turn.street, streets[turn.seat]++);
      EXPECT_EQ(turn.question.seen.player, turn.seat);
      EXPECT_LE(turn.question.chosen.size(), turn.street == 0 ? 5U : 3U);
      EXPECT_FALSE(turn.text.empty());
    }
    EXPECT_EQ(streets[0], 5);
    EXPECT_EQ(streets[1], 5);
  }
}

TEST(Turns, OfAFantasylandHandAreOneBesideTheStreetsOfTheOther) {
  bool seen = false;
  for (const RecordedHand& hand : record("ofc", {"rule"}, 40, 5, true)) {
    std::map<Seat, int> count;
    std::map<Seat, std::size_t> most;
    for (const Turn& turn : turns_of(hand)) {
      ++count[turn.seat];
      most[turn.seat] = std::max(most[turn.seat], turn.question.chosen.size());
    }
    for (const auto& [seat, turns] : count)
      if (turns == 1 && most[seat] > 5) {
        seen = true;
        EXPECT_TRUE(count[1 - seat] == 5 || count[1 - seat] == 1);
      }
  }
  EXPECT_TRUE(seen);
}

TEST(Turns, OfSevenHandEndWithTheCardsLaid) {
  for (const RecordedHand& hand : record("seven_hand", {"random"}, 10, 3))
    for (const Turn& turn : turns_of(hand)) {
      const bool names = turn.question.choices.front().kind == "name";
      if (names) {
        EXPECT_EQ(turn.question.chosen.size(), 1U);
      }
      for (std::size_t i = 0; i + 1 < turn.question.chosen.size(); ++i)
        EXPECT_LT(turn.question.chosen[i].action, turn.question.chosen[i + 1].action) << "cards in order, then stop";
    }
}

TEST(Turns, KeepWhatOthersThrewAwayToThemselves) {
  int others = 0, own = 0;
  for (const RecordedHand& hand : record("draw", {"rule"}, 30, 9))
    for (const Turn& turn : turns_of(hand))
      for (const PastDecision& past : turn.question.before) {
        if (past.seat == turn.seat) {
          EXPECT_EQ(past.seen.size(), turn.question.seen.data.size());
          own += past.drawing ? 1 : 0;
          continue;
        }
        EXPECT_TRUE(past.seen.empty());
        if (past.drawing) {
          ++others;
          EXPECT_EQ(past.decision, Decision());
        } else {
          EXPECT_NE(past.decision, Decision());
        }
      }
  EXPECT_GT(others, 10);
  EXPECT_GT(own, 10);
}

TEST(Turns, SayWhatWasChosenAndSeen) {
  const std::vector<RecordedHand> hands = record("leduc", {"random"}, 1, 2);
  const std::vector<Turn> turns = turns_of(hands.front());
  ASSERT_FALSE(turns.empty());
  const auto env = hands.front().table->clone();
  for (const Turn& turn : turns) {
    EXPECT_EQ(turn.text, env->decision_to_string(turn.question.chosen.front()));
    EXPECT_EQ(turn.table, env->to_string(turn.seat));
    EXPECT_EQ(turn.forced, env->legal_actions().size() == 1);
    EXPECT_EQ(turn.question.seen.data, env->observe(turn.seat).data);
    env->step(turn.question.chosen.front());
  }
  EXPECT_TRUE(env->hand_over());
}

}  // namespace
}  // namespace dealer::analysis::turns_test
