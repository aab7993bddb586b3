#include "train/policy/league.h"

#include "tests/support/testing.h"

namespace dealer::league_test {
namespace {

using Layers = std::vector<PolicyNetwork::Layer>;

// Identified by its only weight.
Layers self(float number) { return {{1, 1, {number}, {0}}}; }

LeagueSettings settings(LeagueSettings::Choice choice) { return {0.5, 3, 2, choice}; }

// Members 4, 6 and 8 of iterations 1 to 9: every second one joins, three are kept.
League league_of(LeagueSettings::Choice choice) {
  League league(settings(choice));
  for (std::int64_t i = 1; i <= 9; ++i) league.consider(self(static_cast<float>(i)), i);
  return league;
}

TEST(League, KeepsTheNewest) {
  const League league = league_of(LeagueSettings::Choice::kUniform);
  for (std::size_t m = 0; m < 3; ++m) EXPECT_EQ(league.layers(m)[0].weight[0], static_cast<float>(4 + 2 * m));
  League none({0, 3, 2, LeagueSettings::Choice::kUniform});
  none.consider(self(1), 2);
  EXPECT_TRUE(none.empty()) << "without a share of the tables";
}

// The learner loses a unit an episode against the oldest, and wins one against the newest.
TEST(League, ChoosesByItsWeights) {
  const auto counts = [](LeagueSettings::Choice choice) {
    League league = league_of(choice);
    league.record(0, 10, -20);
    league.record(2, 10, 20);
    std::vector<int> count(3);
    RandomStream rng(1);
    for (int i = 0; i < 9000; ++i) ++count[league.choose(rng, 2)];
    return count;
  };
  EXPECT_EQ(counts(LeagueSettings::Choice::kLatest), (std::vector<int>{0, 0, 9000}));
  for (const int n : counts(LeagueSettings::Choice::kUniform)) EXPECT_NEAR(n, 3000, 200);
  // e : 1 : 1 / e
  const std::vector<int> prioritised = counts(LeagueSettings::Choice::kPrioritised);
  EXPECT_NEAR(prioritised[0], 9000 * 0.6652, 200);
  EXPECT_NEAR(prioritised[1], 9000 * 0.2447, 200);
  EXPECT_NEAR(prioritised[2], 9000 * 0.0900, 200);
}

// The first result counts fully, each later one moves the average by a tenth of the way, also after loading.
TEST(League, KeepsARunningResult) {
  League league = league_of(LeagueSettings::Choice::kPrioritised);
  const auto expect = [&](double first, bool met) {
    TensorFile file;
    league.save(file);
    const auto& results = file.get<double>("league.results", {3, 2});
    EXPECT_DOUBLE_EQ(results[0], first);
    EXPECT_EQ(results[1], met ? 1 : 0);
    for (std::size_t other = 2; other < 6; ++other) EXPECT_EQ(results[other], 0) << "nobody met them";
  };
  league.record(0, 0, 0);
  expect(0, false);
  league.record(0, 10, 20);
  expect(2, true);
  league.record(0, 5, 40);
  expect(2.6, true);
  league.record(0, 0, 0);
  expect(2.6, true);
  TensorFile file;
  league.save(file);
  league = league_of(LeagueSettings::Choice::kPrioritised);
  league.load(file, self(0));
  league.record(0, 1, -7.4);
  expect(1.6, true);
}

// Results are clipped at five units, so that every member keeps a positive probability.
TEST(League, ChoosesAmongAllWhateverTheResults) {
  League league = league_of(LeagueSettings::Choice::kPrioritised);
  league.record(0, 1, -1e6);
  league.record(1, 1, -1e6);
  league.record(2, 1, 1e6);
  std::vector<int> count(3);
  RandomStream rng(2);
  for (int i = 0; i < 4000; ++i) ++count[league.choose(rng, 1)];
  EXPECT_NEAR(count[0], 2000, 150);
  EXPECT_NEAR(count[1], 2000, 150);
}

// Two given ones stay, followed by the newest two past selves.
TEST(League, ThoseGivenStay) {
  LeagueSettings two{0.5, 2, 1, LeagueSettings::Choice::kUniform, {"a", "b"}};
  League league(two);
  league.add_given(self(100));
  league.add_given(self(200));
  EXPECT_FALSE(league.empty());
  const auto numbers = [](const League& all, std::size_t count) {
    std::vector<float> found;
    for (std::size_t m = 0; m < count; ++m) found.push_back(all.layers(m)[0].weight[0]);
    return found;
  };
  for (std::int64_t i = 1; i <= 5; ++i) league.consider(self(static_cast<float>(i)), i);
  EXPECT_EQ(numbers(league, 4), (std::vector<float>{100, 200, 4, 5}));
  TensorFile file;
  league.save(file);
  League after(two);
  after.load(file, self(0));
  after.consider(self(6), 6);
  EXPECT_EQ(numbers(after, 4), (std::vector<float>{100, 200, 5, 6}));
  // A file of a league with fewer members is rejected.
  League own({0.5, 2, 1, LeagueSettings::Choice::kUniform});
  own.consider(self(1), 1);
  own.save(file);
  EXPECT_TRUE(test::refuses<CheckpointError>("2 to 4", [&] { after.load(file, self(0)); }));
}

TEST(League, GoesOnFromAFile) {
  League before = league_of(LeagueSettings::Choice::kPrioritised);
  before.record(1, 5, 40);
  TensorFile file, again;
  before.save(file);
  League after(settings(LeagueSettings::Choice::kPrioritised));
  after.load(file, self(0));
  after.save(again);
  EXPECT_EQ(again.tensors, file.tensors);
  League small({0.5, 2, 2, LeagueSettings::Choice::kUniform});
  EXPECT_TRUE(test::refuses<CheckpointError>("0 to 2", [&] { small.load(file, self(0)); }));
}

}  // namespace
}  // namespace dealer::league_test
