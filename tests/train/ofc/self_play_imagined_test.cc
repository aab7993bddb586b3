// Self-play for imagined values of Fantasyland.
#include <set>

#include "agents/ofc/features.h"
#include "env/core/error.h"
#include "tests/agents/ofc/ofc_support.h"
#include "tests/support/testing.h"
#include "train/ofc/self_play.h"

namespace dealer::ofc::self_play_imagined_test {
namespace {

SelfPlaySettings some_tables(int tables, std::uint64_t seed) {
  SelfPlaySettings settings;
  settings.tables = tables;
  settings.last_turn_draws = 0;
  settings.epsilon = 0;
  settings.seed = seed;
  return settings;
}

// The stake of a last turn is royalties and rows, whole numbers, and the imagined value of the front that entered.
TEST(ImaginedValues, AreWhatTheTablesPlayFor) {
  const auto game = test::game_of<Game>("ofc_progressive[fantasyland.entry_pair=22]");
  ValueModel model;
  model.net = ValueNet({8, 4}, {}, kFantasylandFeatures);
  SelfPlaySettings settings = some_tables(1, 9);
  settings.fantasyland_inputs = true;
  settings.imagined_share = 1;
  SelfPlay play(game, settings);
  std::set<double> imagined;
  EntryValues before{};
  int entered = 0, against_fantasyland = 0;
  for (int turn = 0; turn < 30'000; ++turn) {
    play.clear();
    play.run(turn == 0 ? 0 : 1, model, {});
    const ChainValues chain = *play.chain_of(0);
    ASSERT_TRUE(play.boards().empty());
    for (const ChainStep& step : play.chain_steps()) ASSERT_TRUE(step.explored);
    EntryValues values;
    for (std::size_t front = 0; front < values.size(); ++front)
      values[front] = chain(game->rules().scoring.bonus.fantasyland_cards[front], 0, false);
    if (play.samples().empty()) before = values;
    for (std::size_t i = 0; i < play.samples().size(); ++i) {
      const TdSample& sample = play.samples()[i];
      FeatureList expected;
      add_fantasyland_features(before, 0, expected);
      for (const Feature feature : expected.active())
        ASSERT_EQ(std::count(sample.list.active().begin(), sample.list.active().end(), feature), 1);
      against_fantasyland += sample.list.active().back() >= kOtherCardsBase ? 1 : 0;
      if (i % kStreets != kStreets - 1) continue;
      const double stake = static_cast<double>(sample.target[0] * kValueScale);
      const auto off = [&](double value) { return std::abs(stake - value - std::round(stake - value)); };
      const double least = std::min({off(before[0]), off(before[1]), off(before[2]), off(before[3])});
      EXPECT_LT(sample.target[2] > 0 ? least : off(0), 1e-4);
      entered += sample.target[2] > 0 ? 1 : 0;
    }
    imagined.insert(values[0]);
    before = values;
  }
  EXPECT_GT(imagined.size(), 100U);
  EXPECT_GT(entered, 20);
  EXPECT_GT(against_fantasyland, 20);
}

TEST(ImaginedValues, AreFlatOrGrowWithTheFront) {
  RandomStream rng(3);
  int flat = 0, usual = 0;
  constexpr int kDraws = 4000;
  for (int i = 0; i < kDraws; ++i) {
    const EntryValues values = draw_entry_values(rng);
    ASSERT_TRUE(std::is_sorted(values.begin(), values.end()));
    ASSERT_TRUE(values.front() >= 0 && values.back() <= kEntryValues - 1);
    if (values.front() != values.back()) continue;
    ++flat;
    usual += values[0] >= 8 && values[0] <= 11 ? 1 : 0;
  }
  EXPECT_NEAR(flat, kDraws / 2, 150);
  EXPECT_NEAR(usual, kDraws / 4 + kDraws / 4 * 3 / 47, 150);
}

TEST(ImaginedValues, AreSavedWithTheTables) {
  const auto game = test::game_of<Game>("ofc_progressive");
  const ValueModel model = *test::shipped_model();
  SelfPlaySettings settings = some_tables(4, 10);
  settings.imagined_share = 0.5;
  SelfPlay whole(game, settings), half(game, settings);
  whole.run(40, model, {});
  const std::vector<std::uint8_t> bytes = whole.save();
  half.load(bytes);
  EXPECT_EQ(half.save(), bytes);
  whole.clear();
  whole.run(60, model, {});
  half.run(60, model, {});
  EXPECT_EQ(half.save(), whole.save());
  std::vector<std::uint8_t> broken = bytes;
  broken.back() = 2;
  EXPECT_NE(test::error_message<CheckpointError>([&] { half.load(broken); }).find("out of range"), std::string::npos);
}

}  // namespace
}  // namespace dealer::ofc::self_play_imagined_test
