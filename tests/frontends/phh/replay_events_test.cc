// What is told of a hand that was played again: all that its history says, up to what is wrong with it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "env/games/poker/game.h"
#include "frontends/phh/poker_cards.h"
#include "frontends/phh/replay.h"

namespace dealer::phh::replay_events_test {
namespace {

// A hand that p2 wins on the turn, as other programs write it: `third` is dealt to p3, who folds.
HandHistory hand(const std::string& third, const std::string& turn_bet = "p2 cbr 4", const char* after = "p1 f") {
  return parse_hand(fmt::format(R"(variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200, 200, 200]
actions = ['d dh p1 AsKh', 'd dh p2 QsQd', 'd dh p3 {}', 'p3 f', 'p1 cc', 'p2 cc', 'd db Qh3d4h', 'p1 cbr 2', 'p2 cc',
  'd db 5c', 'p1 cc', '{}', '{}']
finishing_stacks = [196, 204, 200]
)",
                                third, turn_bet, after),
                    "x");
}

struct Checked {
  std::string problems;
  std::vector<std::string> deals, acts;  // "p3 7c2d" or "board 5c"; "p3 fold"
};

Checked check(const HandHistory& history) {
  Replayer replayer;
  Checked checked;
  for (const Problem& problem : replayer.check(history)) checked.problems += problem.message + '\n';
  const Deck& deck = *poker::as_poker(*replayer.game())->rules().deck;
  for (const Event& event : replayer.events()) {
    const std::string who = event.seat < 0 ? "board" : fmt::format("p{}", event.seat + 1);
    if (event.kind == Event::Kind::kDealt) {
      std::string cards;
      for (const CardId card : event.cards) cards += card_text(deck, card);
      checked.deals.push_back(who + ' ' + cards);
    }
    if (event.kind == Event::Kind::kActed) checked.acts.push_back(who + ' ' + event.what);
  }
  return checked;
}

using Texts = std::vector<std::string>;
const Texts kActs = {"p3 fold", "p1 call", "p2 check", "p1 bet", "p2 call", "p1 check"};
const Texts kDeals = {"p1 AsKh", "p2 QdQs", "p3 7c2d", "board Qh4h3d", "board 5c"};

Texts with(Texts texts, const Texts& more) {
  texts.insert(texts.end(), more.begin(), more.end());
  return texts;
}

TEST(ReplayEvents, TellTheWholeHand) {
  const Checked checked = check(hand("7c2d"));
  EXPECT_EQ(checked.problems, "");
  EXPECT_EQ(checked.deals, kDeals);
  EXPECT_EQ(checked.acts, with(kActs, {"p2 bet", "p1 fold"}));
}

// No card stands there that nobody named, neither all of a hand nor the other one.
TEST(ReplayEvents, TellNoCardThatTheHistoryDoesNot) {
  for (const auto& [told, seen] : {std::pair{"????", "p3 "}, {"7c??", "p3 7c"}}) {
    const Checked checked = check(hand(told));
    EXPECT_EQ(checked.problems, "");
    ASSERT_EQ(checked.deals.size(), kDeals.size());
    EXPECT_EQ(checked.deals[2], seen);
    EXPECT_EQ(checked.deals[1], kDeals[1]);
  }
}

// The unknown cards are none of those that come later in the hand, whichever these are.
TEST(ReplayEvents, UnknownCardsAreNoneThatAreNamed) {
  const char* const ranks = "23456789TJQKA";
  for (const char* rank = ranks; *rank != '\0'; ++rank)
    for (const char suit : {'s', 'h', 'd', 'c'}) {
      const std::string card = {*rank, suit};
      HandHistory history = hand("????");
      const auto named = [&](const HandAction& action) {
        return std::find(action.cards.begin(), action.cards.end(), card) != action.cards.end();
      };
      if (std::any_of(history.actions.begin(), history.actions.end(), named)) continue;
      history.actions[9].cards = {card};  // the turn
      const Checked checked = check(history);
      EXPECT_EQ(checked.problems, "");
      EXPECT_EQ(checked.deals.back(), "board " + card);
    }
}

// The hand is seen as it was before the first action that cannot be.
TEST(ReplayEvents, GoUpToWhatIsWrong) {
  Checked checked = check(hand("7c2d", "p2 cbr 400"));
  EXPECT_NE(checked.problems, "");
  EXPECT_EQ(checked.deals, kDeals);
  EXPECT_EQ(checked.acts, kActs);
  checked = check(hand("7c2d", "p2 cbr 4", "p2 f"));
  EXPECT_EQ(checked.problems, "'p2 f': out of turn; p1 is to act\n");
  EXPECT_EQ(checked.acts, with(kActs, {"p2 bet"}));
}

TEST(ReplayEvents, AreNoneWhereNothingCouldBePlayed) {
  const Checked checked = check(hand("AsKh"));
  EXPECT_EQ(checked.problems, "'d dh p3 AsKh': As is dealt twice\n");
  EXPECT_TRUE(checked.deals.empty() && checked.acts.empty());
}

TEST(ReplayEvents, BettingGamesHaveNoMoves) {
  const Checked checked = check(hand("7c2d", "p2 m bet 4"));
  EXPECT_EQ(checked.problems, "'p2 m bet 4': a betting game has no moves; expected cbr, cc, f, sd, sm or pb\n");
  EXPECT_EQ(checked.acts, kActs);
}

}  // namespace
}  // namespace dealer::phh::replay_events_test
