// The story of hands played by hand, written out. What must hold of any is in the shared harness.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/env/games/small/table.h"

namespace dealer::small::events_test {
namespace {

using Table = test::SmallTable;
using Lines = std::vector<std::string>;

std::string line_of(const Event& event, const Rules& rules) {
  std::vector<std::string> cards;
  for (const CardId card : event.cards) cards.push_back(rules.to_string(Card{card}));
  const std::string faces = event.cards.size() == static_cast<std::size_t>(event.count)
                                ? fmt::format("{}", fmt::join(cards, " "))
                                : std::to_string(event.count);
  const std::string name(name_of(event));
  switch (event.kind) {
    case Event::Kind::kHandBegun:
    case Event::Kind::kHandEnded:
      return fmt::format("{} {} {}", name, event.hand, fmt::join(event.values, ","));
    case Event::Kind::kPosted:
      return fmt::format("{} {} {}", event.seat, event.what, event.amount);
    case Event::Kind::kActed:
      return fmt::format("{}: {} {} {} {}{}", event.street, event.seat, event.what, event.amount, event.total,
                         event.all_in ? " all-in" : "");
    case Event::Kind::kReturned:
      return fmt::format("{}: {} {} {}", event.street, event.seat, name, event.amount);
    case Event::Kind::kWon:
      return fmt::format("{}: {} {} {} {}", event.street, event.seat, name, event.amount, event.what);
    default:
      return fmt::format("{}: {} {} {} {}", event.street, event.seat, name, faces, event.what);
  }
}

Lines story(const Table& table, Viewer viewer) {
  std::vector<Event> events;
  table.state().events(events);
  Lines lines;
  for (const Event& event : seen_by(events, viewer)) lines.push_back(line_of(event, table.rules()));
  return lines;
}

TEST(SmallEvents, OfAKuhnHandThatIsFolded) {
  Table table("kuhn");
  table.give("Ks").give("Qs").play("cbf");
  const Lines all = {"hand_begun 0 2,2",    "0 ante 1",           "1 ante 1",
                     "0: 0 dealt Ks down",  "0: 1 dealt Qs down", "0: 0 check 0 0",
                     "0: 1 bet 1 1 all-in", "0: 0 fold 0 0",      "0: 1 returned 1",
                     "0: 1 won 2 ",         "hand_ended 0 -1,1"};
  EXPECT_EQ(story(table, kOmniscient), all);
  Lines mine = all, spectator = all;
  mine[4] = spectator[4] = "0: 1 dealt 1 down";
  EXPECT_EQ(story(table, 0), mine);
  spectator[3] = "0: 0 dealt 1 down";
  EXPECT_EQ(story(table, kSpectator), spectator);
}

TEST(SmallEvents, OfALeducHandWithABoardAndAShowdown) {
  Table table("leduc");
  table.give("Ks").give("Qs").play("brc").give("Qh").play("cbc");
  const Lines all = {"hand_begun 0 13,13",
                     "0 ante 1",
                     "1 ante 1",
                     "0: 0 dealt Ks down",
                     "0: 1 dealt Qs down",
                     "0: 0 bet 2 2",
                     "0: 1 raise 4 4",
                     "0: 0 call 2 4",
                     "1: -1 dealt Qh board",
                     "1: 0 check 0 0",
                     "1: 1 bet 4 4",
                     "1: 0 call 4 4",
                     "1: 0 shown Ks king high",
                     "1: 1 shown Qs pair of queens",
                     "1: 1 won 18 pair of queens",
                     "hand_ended 0 -9,9"};
  EXPECT_EQ(story(table, kOmniscient), all);
  // Shown to everybody.
  EXPECT_EQ(story(table, kSpectator)[12], "1: 0 shown Ks king high");
  EXPECT_EQ(story(table, 1)[3], "0: 0 dealt 1 down");
}

TEST(SmallEvents, EqualHandsShareThePot) {
  Table table("leduc");
  table.give("Ks").give("Kh").play("cc").give("Qh").play("cc");
  const Lines all = story(table, kOmniscient);
  EXPECT_EQ(Lines(all.end() - 3, all.end()),
            (Lines{"1: 0 won 1 king high", "1: 1 won 1 king high", "hand_ended 0 0,0"}));
}

TEST(SmallEvents, HideWhatIsDiscardedUntilTheDrawIsOverAndItsFacesForEver) {
  Table table("mini_draw");
  table.give("Js Ks").give("Jh Kh").play("cc");
  const Lines before = story(table, 0);
  table.play("t");
  EXPECT_EQ(story(table, 0), before);
  EXPECT_EQ(story(table, kOmniscient).size(), before.size());
  table.play("k").give("Qh").play("kk");
  Lines mine = before;
  for (const char* line : {"1: 0 discarded Js ", "1: 0 drew Qh ", "1: 1 discarded  "}) mine.emplace_back(line);
  EXPECT_EQ(story(table, 0), mine);
  for (const Viewer viewer : {1, kSpectator}) {
    const Lines other = story(table, viewer);
    EXPECT_EQ(Lines(other.end() - 3, other.end()), (Lines{"1: 0 discarded 1 ", "1: 0 drew 1 ", "1: 1 discarded  "}));
  }
}

}  // namespace
}  // namespace dealer::small::events_test
