#include <gtest/gtest.h>

#include <set>

#include "arena/tournament/run.h"
#include "tests/arena/match_support.h"

namespace dealer::tournament::plan_test {
namespace {

using Pairs = std::vector<std::pair<int, int>>;
using Seatings = std::vector<std::vector<int>>;

TEST(TournamentPlan, WhoPlaysWhom) {
  EXPECT_EQ(pairs_of(Format::kRoundRobin, 4), (Pairs{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}));
  EXPECT_EQ(pairs_of(Format::kGauntlet, 4), (Pairs{{0, 1}, {0, 2}, {0, 3}}));
  EXPECT_EQ(pairs_of(Format::kGauntlet, 0), Pairs());
  EXPECT_EQ(name_of(Format::kRoundRobin), "round_robin");
  EXPECT_EQ(name_of(Format::kGauntlet), "gauntlet");
}

TEST(TournamentPlan, OneSitsAloneInEverySeat) {
  EXPECT_EQ(pair_seatings(2), (Seatings{{0, 1}, {1, 0}}));
  EXPECT_EQ(pair_seatings(3), (Seatings{{0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
  EXPECT_EQ(pair_seatings(6).size(), 12U);
}

TEST(TournamentPlan, EveryPairHasItsDeals) {
  EXPECT_EQ(pair_seed(1, "a", "b"), pair_seed(1, "b", "a"));
  std::set<std::uint64_t> seeds;
  for (const auto& [a, b] : std::vector<std::pair<const char*, const char*>>{
           {"a", "b"}, {"a", "c"}, {"b", "c"}, {"ab", "c"}, {"a", "bc"}, {"", "abc"}})
    for (const std::uint64_t seed : {0U, 1U}) seeds.insert(pair_seed(seed, a, b));
  EXPECT_EQ(seeds.size(), 12U);
}

TEST(TournamentPlan, PiecesGrow) {
  std::vector<std::int64_t> ends;
  for (std::int64_t deals = 0; deals < 2000; deals = ends.back()) ends.push_back(end_of_piece(deals));
  EXPECT_EQ(ends, (std::vector<std::int64_t>{64, 128, 256, 512, 640, 768, 960, 1152, 1408, 1728, 2112}));
  EXPECT_EQ(end_of_piece(63), 64);
  EXPECT_EQ(end_of_piece(64), 128);
  EXPECT_EQ(end_of_piece(700), 768) << "also from where it was stopped";
  std::int64_t last = 0;
  for (std::int64_t deals = 0; deals < 1'000'000; deals = end_of_piece(deals)) last = end_of_piece(deals) - deals;
  EXPECT_EQ(last, 16'384);
}

// With these seatings the half of the difference is what a match for two counts.
TEST(TournamentPlan, HalfTheDifferenceIsWhatOneWins) {
  MatchOptions plain = test::match("leduc", {"rule", "random"}, 40), planned = plain;
  planned.seating_plan = pair_seatings(2);
  const MatchResult one = play_match(plain), other = play_match(planned);
  EXPECT_EQ(one.agents[0].mean(), other.agents[0].mean());
  EXPECT_EQ(one.agents[0].mean(), other.differences[0].points.ratio() / 2);
}

}  // namespace
}  // namespace dealer::tournament::plan_test
