// The story of a hand: written out for hands played by hand, and what must hold for any.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "tests/env/games/small/table.h"
#include "tests/env/harness/random_play.h"

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

std::vector<Event> events_of(const State& state) {
  std::vector<Event> events;
  state.events(events);
  return events;
}

Lines story(const Table& table, Viewer viewer) {
  Lines lines;
  for (const Event& event : seen_by(events_of(table.state()), viewer)) lines.push_back(line_of(event, table.rules()));
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

class SmallStories : public testing::TestWithParam<const char*> {
 protected:
  GamePtr game_ = make_game(GetParam());
  const Rules& rules_ = as_small(*game_)->rules();
};

// Calls f(state) at every position of random hands.
template <class F>
void play_hands(const Rules& rules, int hands, F&& f) {
  RandomStream rng(3);
  for (int hand = 0; hand < hands; ++hand) {
    State state;
    state.reset(rules, static_cast<std::uint64_t>(hand));
    f(state);
    while (state.current_player() != kTerminal) {
      state.apply(test::random_action(state.legal_mask(), rng));
      f(state);
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST_P(SmallStories, OnlyGrow) {
  std::vector<Event> before;
  play_hands(rules_, test::repetitions(1000), [&](const State& state) {
    const std::vector<Event> now = events_of(state);
    if (now.size() >= before.size() && !before.empty() && before.back().kind != Event::Kind::kHandEnded) {
      ASSERT_TRUE(std::equal(before.begin(), before.end(), now.begin()));
    }
    before = now;
    ASSERT_EQ(now.back().kind == Event::Kind::kHandEnded, state.current_player() == kTerminal);
  });
}

// A spectator can keep the books.
TEST_P(SmallStories, AddUpChipByChip) {
  const std::int64_t most = rules_.options().most_chips();
  play_hands(rules_, test::repetitions(1000), [&](const State& state) {
    if (state.current_player() != kTerminal) return;
    std::vector<std::int64_t> chips, bet(kSeats);
    std::int64_t pot = 0;
    int street = 0;
    for (const Event& event : seen_by(events_of(state), kSpectator)) {
      const auto seat = static_cast<std::size_t>(event.seat);
      if (event.street != street) bet.assign(kSeats, 0);
      street = event.street;
      switch (event.kind) {
        case Event::Kind::kHandBegun:
          chips = event.values;
          ASSERT_EQ(chips, std::vector<std::int64_t>(kSeats, most));
          break;
        case Event::Kind::kActed:
          ASSERT_EQ(event.total, bet[seat] += event.amount);
          [[fallthrough]];
        case Event::Kind::kPosted:
          chips[seat] -= event.amount;
          pot += event.amount;
          ASSERT_EQ(event.all_in, chips[seat] == 0);
          break;
        case Event::Kind::kReturned:
        case Event::Kind::kWon:
          ASSERT_GT(event.amount, 0);
          chips[seat] += event.amount;
          pot -= event.amount;
          break;
        case Event::Kind::kHandEnded:
          ASSERT_EQ(pot, 0);
          for (std::size_t s = 0; s < kSeats; ++s) {
            ASSERT_EQ(chips[s], most + event.values[s]);
            ASSERT_EQ(event.values[s], static_cast<std::int64_t>(state.return_of(static_cast<Seat>(s))));
          }
          break;
        default:
          break;
      }
    }
  });
}

TEST_P(SmallStories, TellASeatNothingItMayNotKnow) {
  RandomStream rng(7);
  int different = 0;
  std::vector<float> seen(static_cast<std::size_t>(game_->observation_spec().size()));
  play_hands(rules_, test::repetitions(400), [&](const State& state) {
    for (Seat seat = 0; seat < kSeats; ++seat) {
      state.observe(seat, seen.data());
      State::Sampler sampler(rules_, seen);
      const State other = sampler.draw(rng);
      ASSERT_EQ(seen_by(events_of(other), seat), seen_by(events_of(state), seat));
      ASSERT_EQ(seen_by(events_of(other), kSpectator), seen_by(events_of(state), kSpectator));
      different += events_of(other) == events_of(state) ? 0 : 1;
    }
  });
  EXPECT_GT(different, 100);
}

INSTANTIATE_TEST_SUITE_P(Games, SmallStories,
                         testing::Values("kuhn[cards=5,raises=3]", "leduc", "mini_draw",
                                         "mini_draw_single[ranks=7,suits=1]", "mini_draw[ranks=4,suits=3,hand=3]"));

}  // namespace
}  // namespace dealer::small::events_test
