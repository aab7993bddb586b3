// Hands to read: their events, a line each, as a viewer sees them.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "env/core/registry.h"
#include "env/games/poker/game.h"
#include "tests/env/games/poker/random_rules.h"
#include "tests/env/games/poker/table.h"
#include "tests/env/harness/random_play.h"

namespace dealer::poker::event_lines_test {
namespace {

using Kind = Event::Kind;

std::string line_of(const GameRules& rules, const Event& event) {
  std::string text = std::string(name_of(event));
  if (event.seat >= 0) text += fmt::format(" {}", event.seat);
  if (event.kind == Kind::kMatchEnded) text += fmt::format(" winners {:b}", event.seats);
  if (!event.half.empty()) text += fmt::format(" {}", event.half);
  if (!event.what.empty()) text += " " + event.what;
  if (event.amount > 0) text += fmt::format(" {}", event.amount);
  if (event.total > event.amount) text += fmt::format(" to {}", event.total);
  if (event.all_in) text += " all-in";
  if (event.pot > 0) text += fmt::format(" pot {}", event.pot);
  if (event.count > 0 || event.kind == Kind::kDiscarded) text += fmt::format(" {}", event.count);
  if (!event.cards.empty()) text += ": " + rules.deck->to_string(event.cards);
  if (!event.values.empty()) text += fmt::format(" {}", fmt::join(event.values, " "));
  return text;
}

// The events as the viewer sees them, a line each, from that street on.
std::vector<std::string> lines(const State& state, Viewer viewer, int street = 0) {
  std::vector<std::string> told;
  for (const Event& event : story(state))
    if (const std::optional<Event> seen = seen_by(event, viewer); seen && seen->street >= street)
      told.push_back(line_of(state.rules(), *seen));
  return told;
}

using Lines = std::vector<std::string>;

TEST(PokerEvents, TellASidePot) {
  const GameRules rules = rules_of(
      "procedure: holdem\nplayers: 3\nlimit: no_limit\nmin_bet: 10\nblinds: [5, 10]\nepisode: match\nmatch_hands: 5\n");
  GivenHand hand(rules, {"Ks Kd", "As Ad", "Qs Qd"}, "Kc 7d 7h 2s 3c");
  hand.chips({1500, 50, 1450}).bets(0, 0, 100).bets(0, 1, 0).bets(0, 2, 0).bets(1, 2, 200).bets(1, 0, 0);
  const State state = hand.bets(2, 2, 0).bets(2, 0, 0).bets(3, 2, 0).bets(3, 0, 0).play();
  EXPECT_EQ(lines(state, 2),
            (Lines{"hand_begun 0 1500 50 1450", "posted 1 small_blind 5", "posted 2 big_blind 10", "dealt 1 down 2",
                   "dealt 2 down 2: Qd Qs", "dealt 0 down 2", "acted 0 raise 100", "acted 1 call 45 to 50 all-in",
                   "acted 2 call 90 to 100", "dealt board 3: Kc 7d 7h", "acted 2 bet 200", "acted 0 call 200",
                   "dealt board 1: 2s", "acted 2 check", "acted 0 check", "dealt board 1: 3c", "acted 2 check",
                   "acted 0 check",
                   // Somebody is all-in: everybody shows, from the first to act of the last round on.
                   "shown 2 two pair, queens and sevens 2: Qd Qs", "shown 0 full house, kings over sevens 2: Kd Ks",
                   "shown 1 two pair, aces and sevens 2: Ad As", "won 0 full house, kings over sevens 150",
                   "won 0 full house, kings over sevens 500 pot 1", "hand_ended 350 -50 -300"}));
}

TEST(PokerEvents, TellWhatGoesBackAndWhoPostsShort) {
  const GameRules rules = rules_of(
      "procedure: holdem\nplayers: 2\nlimit: no_limit\nmin_bet: 10\nblinds: [5, 10]\nante: 2\nepisode: match\n");
  const State state = GivenHand(rules, {"Ks Kd", "As Ad"}, "Kc 7d 7h 2s 3c").chips({1991, 9}).bets(0, 0, 0).play();
  EXPECT_EQ(lines(state, kSpectator),
            (Lines{"hand_begun 0 1991 9", "posted 1 ante 2", "posted 0 ante 2", "posted 0 small_blind 5",
                   "posted 1 big_blind 7 all-in", "dealt 1 down 2", "dealt 0 down 2", "acted 0 call 2 to 7",
                   "dealt board 3: Kc 7d 7h", "dealt board 1: 2s", "dealt board 1: 3c",
                   "shown 1 two pair, aces and sevens 2: Ad As", "shown 0 full house, kings over sevens 2: Kd Ks",
                   "won 0 full house, kings over sevens 18", "hand_ended 9 -9", "match_ended winners 1 1000 -1000"}));
  State other = GivenHand(rules, {"Ks Kd", "As Ad"}).chips({1700, 300}).play();
  other.bet_to_and_hold(1698);
  other.apply_and_hold(kCall);
  const Lines told = lines(other, kSpectator);
  const auto call = std::find(told.begin(), told.end(), "acted 1 call 288 to 298 all-in");
  ASSERT_NE(call, told.end());
  EXPECT_EQ(*(call - 1), "acted 0 raise 1693 to 1698 all-in");
  EXPECT_EQ(*(call + 1), "returned 0 1400");
}

TEST(PokerEvents, TellNothingOfTheHandsWhenAllFold) {
  const GameRules rules = rules_of("procedure: draw\nplayers: 3\n");
  State state = GivenHand(rules, {"2c 4d 6h 8s Tc", "Ks Kd 5h 7s 9c", "As Ad 3h 6s 9d"}).play();
  for (const Action action : {kCall, kFirstBet, kFold, kFold}) state.apply_and_hold(action);
  EXPECT_EQ(lines(state, kSpectator),
            (Lines{"hand_begun 0 1000 1000 1000", "posted 1 ante 10", "posted 2 ante 10", "posted 0 ante 10",
                   "dealt 1 down 5", "dealt 2 down 5", "dealt 0 down 5", "acted 1 check", "acted 2 bet 10",
                   "acted 0 fold", "acted 1 fold", "won 2 40", "hand_ended -10 -10 20"}));
}

TEST(PokerEvents, TellDrawsAndWhoShowsInWhichOrder) {
  const GameRules rules = rules_of("procedure: draw\nplayers: 4\n");
  GivenHand hand(rules, {"2c 4d 6h 8s Tc", "Ks Kd 5h 7s 9c", "As Ad 3h 6s 9d", "Qs Qd 2h 6d 9h Jc 4c"});
  for (const Seat seat : {1, 2, 3, 0}) hand.bets(0, seat, 0).discards(seat, seat == 3 ? "2h 6d" : "");
  hand.bets(1, 1, 0).bets(1, 2, 20).bets(1, 3, 40).bets(1, 0, 0).bets(1, 1, 0).bets(1, 2, 0);
  const State state = hand.play();
  const Lines own = lines(state, 3, 1), others = lines(state, 2, 1);
  EXPECT_EQ(Lines(own.begin(), own.begin() + 5),
            (Lines{"discarded 1 0", "discarded 2 0", "discarded 3 2: 6d 2h", "drew 3 2: Jc 4c", "discarded 0 0"}));
  EXPECT_EQ(Lines(others.begin(), others.begin() + 5),
            (Lines{"discarded 1 0", "discarded 2 0", "discarded 3 2", "drew 3 2", "discarded 0 0"}));
  // The last to raise shows first; who cannot win mucks.
  EXPECT_EQ(Lines(others.begin() + 5, others.end()),
            (Lines{"acted 1 check", "acted 2 bet 20", "acted 3 raise 40", "acted 0 call 40", "acted 1 call 40",
                   "acted 2 call 20 to 40", "shown 3 one pair, queens 5: Qd Qs Jc 9h 4c", "mucked 0 5",
                   "shown 1 one pair, kings 5: Kd Ks 9c 7s 5h", "shown 2 one pair, aces 5: Ad As 9d 6s 3h",
                   "won 2 one pair, aces 200", "hand_ended -50 -50 150 -50"}));
}

TEST(PokerEvents, TellTheBringInAndBothHalves) {
  const GameRules rules =
      rules_of("procedure: stud\nplayers: 2\nlow: eight_or_better\nante: 5\nmin_bet: 10\nbring_in: 3\n");
  GivenHand hand(rules, {"Ks Kd Kh Qs Qd 9c 8h", "As 2d 3h 4c 6s Jc Jd"});
  hand.bets(0, 1, 0).bets(0, 0, 10).bets(0, 1, 0);
  for (int round = 1; round < 5; ++round) hand.bets(round, 0, 0).bets(round, 1, 0);
  const State state = hand.play();
  EXPECT_EQ(lines(state, 0), (Lines{"hand_begun 0 1000 1000",
                                    "posted 1 ante 5",
                                    "posted 0 ante 5",
                                    "dealt 1 down 2",
                                    "dealt 1 up 1: 3h",
                                    "dealt 0 down 2: Kd Ks",
                                    "dealt 0 up 1: Kh",
                                    "posted 1 bring_in 3",
                                    "acted 0 complete 10",
                                    "acted 1 call 7 to 10",
                                    "dealt 1 up 1: 4c",
                                    "dealt 0 up 1: Qs",
                                    "acted 0 check",
                                    "acted 1 check",
                                    "dealt 1 up 1: 6s",
                                    "dealt 0 up 1: Qd",
                                    "acted 0 check",
                                    "acted 1 check",
                                    "dealt 1 up 1: Jc",
                                    "dealt 0 up 1: 9c",
                                    "acted 0 check",
                                    "acted 1 check",
                                    "dealt 1 down 1",
                                    "dealt 0 down 1: 8h",
                                    "acted 0 check",
                                    "acted 1 check",
                                    "shown 0 full house, kings over queens 7: Kd Kh Ks Qd Qs 9c 8h",
                                    "shown 1 one pair, jacks; low 6-4-3-2-A 7: As Jc Jd 6s 4c 3h 2d",
                                    "won 0 high full house, kings over queens 15",
                                    "won 1 low 6-4-3-2-A 15",
                                    "hand_ended 0 0"}));
}

TEST(PokerEvents, TellOddChipsAndSharedMatches) {
  const GameRules rules = rules_of(
      "procedure: draw\nplayers: 3\nante: 1\nodd_chips: discard\nepisode: match\nmatch_hands: 1\nshow_all: false\n");
  State state = GivenHand(rules, {"2c 4d 6h 8s Tc", "Ks Kd 5h 7s 9c", "Kh Kc 5s 7h 9d"}).play();
  while (!state.hand_over()) state.apply_and_hold(state.drawing() ? rules.first_discard() : kCall);
  const Lines told = lines(state, kSpectator);
  EXPECT_EQ(Lines(told.end() - 7, told.end()),
            (Lines{"shown 1 one pair, kings 5: Kd Ks 9c 7s 5h", "shown 2 one pair, kings 5: Kc Kh 9d 7h 5s",
                   "mucked 0 5", "won 1 one pair, kings 1", "won 2 one pair, kings 1", "hand_ended 1 -1 0 0",
                   "match_ended winners 110 -1 0 0"}));
}

// Everybody sees Washizu cards, wherever they are dealt, drawn or discarded, and no other hidden card.
TEST(PokerEvents, WashizuCardsAreOpen) {
  for (const char* mix : {"replace_suit", "replace_random", "add"}) {
    const GameRules rules =
        rules_of(fmt::format("procedure: draw\nplayers: 4\nlimit: washizu\nstack: 20\nwashizu: {}\njokers: 1\n", mix));
    RandomStream rng(5);
    int open = 0, hidden = 0;
    for (int hand = 0; hand < test::repetitions(200); ++hand) {
      State state;
      state.reset_and_hold(rules, rng.bits64());
      while (!state.hand_over()) state.apply_and_hold(test::random_action(state.legal_mask(), rng));
      const std::vector<Event> events = story(state);
      ASSERT_EQ(events.front().cards.size(), std::string_view(mix) == "replace_random" ? 13U : 0U);
      for (const CardId card : events.front().cards)
        for (Seat seat = 0; seat < 4; ++seat)
          ASSERT_EQ(std::count(state.cards(seat).begin(), state.cards(seat).end(), card), 0);
      for (const Event& event : events) {
        if (event.kind != Kind::kDealt && event.kind != Kind::kDrew && event.kind != Kind::kDiscarded) continue;
        for (const Viewer viewer : {kSpectator, 0, 1, 2, 3}) {
          const std::optional<Event> seen = seen_by(event, viewer);
          ASSERT_TRUE(seen);
          ASSERT_EQ(seen->count, static_cast<int>(event.cards.size()));
          std::vector<CardId> expected = event.cards;
          if (viewer != event.seat) std::erase_if(expected, [&](CardId card) { return rules.is_opaque(card); });
          ASSERT_EQ(seen->cards, expected);
          open += viewer == kSpectator ? static_cast<int>(expected.size()) : 0;
          hidden += viewer == kSpectator ? static_cast<int>(event.cards.size() - expected.size()) : 0;
        }
      }
    }
    EXPECT_GT(open, test::repetitions(200));
    EXPECT_GT(hidden, test::repetitions(200));
  }
}

}  // namespace
}  // namespace dealer::poker::event_lines_test
