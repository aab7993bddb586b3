#include "train/policy/league.h"

#include <gtest/gtest.h>

#include <vector>

#include "env/core/error.h"
#include "tests/support/error_message.h"

namespace dealer::league_test {
namespace {

using Layers = std::vector<PolicyNetwork::Layer>;

// Told apart by its only weight.
Layers self(float number) { return {{1, 1, {number}, {0}}}; }

LeagueSettings settings(LeagueSettings::Choice choice) { return {0.5, 3, 2, choice}; }

// Members 4, 6 and 8 of iterations 1 to 9: every second joins, three stay.
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

// Against the oldest the learner loses a unit an episode, against the newest it wins one.
TEST(League, ChoosesAsItIsTold) {
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

// Two are given and stay, before the newest two of its own.
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
  // A file of a league with fewer cannot be gone on with.
  League own({0.5, 2, 1, LeagueSettings::Choice::kUniform});
  own.consider(self(1), 1);
  own.save(file);
  EXPECT_NE(test::error_message<CheckpointError>([&] { after.load(file, self(0)); }).find("2 to 4"), std::string::npos);
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
  EXPECT_NE(test::error_message<CheckpointError>([&] { small.load(file, self(0)); }).find("0 to 2"), std::string::npos);
}

}  // namespace
}  // namespace dealer::league_test
