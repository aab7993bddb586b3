// Turns of 7-Hand Poker that are tried in every way, and what the choices are worth.
#include <gtest/gtest.h>

#include <map>

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

// Every figure counted again from the lines, in another way.
TEST_F(Tries, AdviceIsTheMeanOfWhatIsMoreThanTheMean) {
  ASSERT_TRUE(try_turns(place("random"), 150, folder_ / "tries.txt"));
  std::map<std::string, std::vector<double>> worth;
  const std::vector<Tried> all = read("tries.txt");
  for (const Tried& tried : all) {
    double sum = 0, n = 0;
    for (const auto& value : tried.laid)
      if (value) sum += *value, ++n;
    for (std::size_t k = 0; k < kMostLaid && n > 1; ++k)
      if (tried.laid[k]) worth[fmt::format("n {} {}", tried.turn - 1, k)].push_back(*tried.laid[k] - sum / n);
    double chips = 0, free = 0;
    for (const auto& value : tried.named)
      if (value) chips += *value, ++free;
    const int k = tried.laying.count() - 1;
    for (int c = 0; c < kChips && free > 1; ++c) {
      const auto& value = tried.named[static_cast<std::size_t>(c)];
      if (!value) continue;
      const double more = *value - chips / free;
      worth[fmt::format("c {} {}", k, c)].push_back(more);
      if (tried.laying.opposite[static_cast<std::size_t>(c)] > 0) worth[fmt::format("opposed {}", k)].push_back(more);
      const bool middle = c >= 2 && c <= 4;
      if (k >= 3) worth[middle ? "many middle" : "many ends"].push_back(more);
      if (k <= 1) worth[middle ? "few middle" : "few ends"].push_back(more);
      worth[tried.laying.opposite[static_cast<std::size_t>(c)] > 0 ? "opposed" : "empty"].push_back(more);
    }
    for (int k2 = 0; k2 < kMostLaid && n > 1; ++k2)
      if (const auto& value = tried.laid[static_cast<std::size_t>(k2)]; value && k2 != 2 && tried.turn != 4)
        worth[fmt::format("{} {}", k2 > 2 ? "many" : "few", tried.turn < 4 ? "early" : "late")].push_back(*value -
                                                                                                          sum / n);
  }
  const auto mean = [&](const std::string& key) {
    double sum = 0;
    for (const double each : worth[key]) sum += each;
    return worth[key].empty() ? 0 : sum / static_cast<double>(worth[key].size());
  };
  const AdviceFigures advice = count_tries(folder_ / "tries.txt");
  const auto expect = [&](const Estimate& figure, const std::string& key) {
    EXPECT_NEAR(figure.value, mean(key), 1e-9) << key;
    EXPECT_EQ(figure.count, static_cast<double>(worth[key].size())) << key;
  };
  EXPECT_EQ(advice.tries, static_cast<std::int64_t>(all.size()));
  for (std::size_t t = 0; t < kTurns; ++t)
    for (std::size_t k = 0; k < kMostLaid; ++k) expect(advice.numbers[t][k], fmt::format("n {} {}", t, k));
  for (std::size_t k = 0; k < kMostLaid; ++k) {
    for (std::size_t c = 0; c < kChips; ++c) expect(advice.chips[k][c], fmt::format("c {} {}", k, c));
    expect(advice.states[kOpposed][k], fmt::format("opposed {}", k));
  }
  EXPECT_NEAR(advice.middle_ends_many.value, mean("many middle") - mean("many ends"), 1e-9);
  EXPECT_NEAR(advice.middle_ends_few.value, mean("few middle") - mean("few ends"), 1e-9);
  EXPECT_NEAR(advice.opposed_empty.value, mean("opposed") - mean("empty"), 1e-9);
  EXPECT_NEAR(advice.many_few_early.value, mean("many early") - mean("few early"), 1e-9);
  EXPECT_NEAR(advice.many_few_late.value, mean("many late") - mean("few late"), 1e-9);
  EXPECT_GT(worth["many late"].size(), 20U);
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
