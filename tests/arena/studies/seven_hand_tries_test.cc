// Turns of 7-Hand Poker that are tried in every way, and what the choices are worth.
#include <gtest/gtest.h>

#include "agents/agent.h"
#include "arena/studies/lines_file.h"
#include "arena/studies/seven_hand/advice.h"
#include "arena/studies/seven_hand/tries.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/games/seven_hand/game.h"
#include "tests/support/error_message.h"
#include "tests/support/temp_folder.h"

namespace dealer::studies::seven_hand::seven_hand_tries_test {
namespace {

using dealer::seven_hand::kFirstChip;
using dealer::seven_hand::State;
using test::read_bytes;

class Tries : public testing::Test {
 protected:
  StudyContext place(const std::string& agent, int threads = 1) const {
    return {folder_ / "", game_, make_agents(agent, game_), 7, threads, {}, {}};
  }
  std::vector<Tried> read(const std::string& file) const {
    std::vector<Tried> all;
    LinesFile::read(folder_ / file, kTriesUnit, [&](std::string_view line) {
      all.push_back(read_tried(line).value());
      return true;
    });
    return all;
  }
  GamePtr game_ = make_game("seven_hand");
  test::TempFolder folder_;
};

TEST_F(Tries, ALineTellsAllOfThem) {
  Tried tried;
  tried.number = 12;
  tried.turn = tried.laying.turn = 3;
  tried.laid = {1.0, -1.0, 0.0, std::nullopt, std::nullopt};
  tried.laying.role = kSecond;
  tried.laying.cards = 7;
  tried.laying.line = {kNotYet, kNobody, kStarter, kSecond, kNotYet, kNotYet, kNotYet};
  tried.laying.opposite = {5, 0, 0, 0, 1, 0, 0};
  tried.named = {1.0, std::nullopt, std::nullopt, std::nullopt, -1.0, 0.0, std::nullopt};
  const std::string line = line_of(tried);
  EXPECT_EQ(line, "12 3 1 -1 0 - - 1 3 -1 -2 0 1 -1 -1 -1 5 0 0 0 1 0 0 1 - - - -1 0 -\n");
  const auto again = read_tried(line.substr(0, line.size() - 1));
  ASSERT_TRUE(again);
  EXPECT_EQ(line_of(*again), line);
  EXPECT_EQ(again->laying.free, 0b0110001U);
  EXPECT_EQ(again->laying.turn, 3);
  for (const std::string& bad : {line.substr(0, line.size() - 3), line.substr(0, line.size() - 1) + " 1",
                                 "x" + line.substr(2, line.size() - 3), std::string()})
    EXPECT_FALSE(read_tried(bad)) << bad;
}

// rule does the same in the same position, so what it wins behind every chip can be played again by its agents, one
// decision after the other.
TEST_F(Tries, ArePlayedToTheEndByTheAgent) {
  ASSERT_TRUE(try_turns(place("rule"), 20, folder_ / "tries.txt"));
  const auto& rules = dealer::seven_hand::as_seven_hand(*game_)->rules();
  const auto agent = make_agents("rule", game_)->make();
  const auto act = [&](State& state) {
    Observation seen;
    seen.player = state.current_player();
    seen.legal_mask = state.legal_mask();
    seen.data.resize(static_cast<std::size_t>(game_->observation_spec().size()));
    state.observe(seen.player, seen.data.data());
    agent->reset(seen.player, 0);
    state.apply_and_hold(agent->act(seen).action);
  };
  int named = 0, turns = 0;
  for (const Tried& tried : read("tries.txt")) {
    State state;
    state.reset(rules, derive(derive(7, 0x54524945), static_cast<std::uint64_t>(tried.number)));
    const Seat starter = 1 - state.dealer(), mover = tried.laying.role == kStarter ? starter : 1 - starter;
    while (state.mover() != mover || state.finished_turns(mover) + 1 != tried.turn) act(state);
    EXPECT_EQ(std::count_if(tried.laid.begin(), tried.laid.end(), [](const auto& value) { return value.has_value(); }),
              std::min(5, size(state.hand(mover))));
    const int before = state.turns();
    while (!state.naming() && state.turns() == before) act(state);
    ++turns;
    if (!state.naming()) continue;
    EXPECT_EQ(tried.laying.count(), size(state.picked()));
    for (int chip = 0; chip < kChips; ++chip) {
      const auto c = static_cast<std::size_t>(chip);
      EXPECT_EQ(tried.named[c].has_value(), (state.legal_mask() >> (kFirstChip + chip) & 1) != 0);
      EXPECT_EQ(tried.laying.opposite[c], tried.named[c] ? size(state.laid(1 - mover, chip)) : 0);
      if (!tried.named[c]) continue;
      State played = state;
      played.apply_and_hold(kFirstChip + chip);
      while (!played.hand_over()) act(played);
      EXPECT_EQ(*tried.named[c], played.return_of(1 - mover)) << tried.number << ' ' << chip;
      ++named;
    }
    // What rule lays itself is one of the numbers tried.
    State played = state;
    act(played);
    while (!played.hand_over()) act(played);
    EXPECT_EQ(tried.laid[static_cast<std::size_t>(size(state.picked()) - 1)], played.return_of(mover));
  }
  EXPECT_GT(turns, 12);
  EXPECT_GT(named, 40);
}

TEST_F(Tries, ThreadsAndStopsChangeNothing) {
  ASSERT_TRUE(try_turns(place("random"), 200, folder_ / "one"));
  ASSERT_TRUE(try_turns(place("random", 3), 200, folder_ / "three"));
  EXPECT_EQ(read_bytes(folder_ / "one"), read_bytes(folder_ / "three"));
  StudyContext stopped = place("random");
  int asked = 0;
  stopped.stop = [&] { return ++asked > 2; };
  EXPECT_FALSE(try_turns(stopped, 200, folder_ / "parts"));
  EXPECT_LT(read_bytes(folder_ / "parts").size(), read_bytes(folder_ / "one").size());
  ASSERT_TRUE(try_turns(place("random"), 200, folder_ / "parts"));
  EXPECT_EQ(read_bytes(folder_ / "parts"), read_bytes(folder_ / "one"));
  test::write_bytes(folder_ / "bad", "1 2 3\ntries 5\n");
  EXPECT_TRUE(test::error_message<FileError>([&] {
                count_tries(folder_ / "bad");
              }).ends_with("bad:1: this is no line of the study; start again in another folder"));
}

}  // namespace
}  // namespace dealer::studies::seven_hand::seven_hand_tries_test
