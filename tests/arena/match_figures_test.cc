// What a match says of two agents, against figures that can be worked out by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>

#include "tests/arena/match_support.h"

namespace dealer::match_figures_test {
namespace {

// Always takes the first or the last of the legal actions: folds, or goes all-in.
class Always final : public Agent {
 public:
  explicit Always(bool last) : last_(last) {}
  void reset(Seat, std::uint64_t) override {}
  Decision act(const Observation& observation) override {
    const std::vector<Action> legal = observation.legal_actions();
    return last_ ? legal.back() : legal.front();
  }

 private:
  bool last_;
};

MatchOptions match_of(const char* game, const std::string& agents, std::int64_t deals) {
  MatchOptions options = test::match(game, {}, deals);
  for (const char agent : agents)
    options.agents.push_back(test::agents_of<Always>(agent == 'F' ? "folds" : "shoves", agent != 'F'));
  return options;
}

// Two who fold and one who goes all-in, once in each of the six seatings. From the button the third wins both blinds,
// 150, from the small blind the big one, 100, from the big blind the small one, 50, each of them twice: 600 in six
// hands. The blinds are lost in turns.
TEST(MatchFigures, EverybodyAgainstEverybodyElse) {
  const MatchResult result = play_match(match_of("holdem[limit=no_limit,players=3]", "FFA", 3));
  ASSERT_EQ(result.hands_played, 18);
  EXPECT_EQ(result.agents[0].mean(), -50);
  EXPECT_EQ(result.agents[1].mean(), -50);
  EXPECT_EQ(result.agents[2].mean(), 100);
  const auto json = to_json(result);
  EXPECT_EQ(json["bb_per_100"], nlohmann::json({-50, -50, 100}));
  EXPECT_EQ(json["bb_per_100_ci95"], nlohmann::json({0, 0, 0}));
  const auto difference = [](int a, int b, int mean) {
    return nlohmann::json({{"a", a}, {"b", b}, {"mean", mean}, {"ci95", 0}, {"variance", 0}});
  };
  EXPECT_EQ(json["differences"], nlohmann::json({difference(0, 1, 0), difference(0, 2, -150), difference(1, 2, -150)}));
}

// Without duplicates: whoever goes all-in wins 10 chips from the small blind and 5 from the big one, so that the
// difference is 20 in so many hands and 10 in the others.
TEST(MatchFigures, TheVarianceOfTheDifference) {
  constexpr int kHands = 40;
  MatchOptions options = match_of("holdem[limit=no_limit,min_bet=10,stack=500]", "FA", kHands);
  options.duplicate = false;
  options.describe = [](const PlayedHand& hand) {
    return std::to_string(std::abs(std::lround(hand.points[0]))) + '\n';
  };
  std::string log;
  options.log = [&log](std::string_view more) { log += more; };
  const MatchResult result = play_match(options);
  std::istringstream lines(log);
  int big = 0;
  for (std::string line; std::getline(lines, line);) big += line == "10" ? 1 : 0;
  ASSERT_GT(big, 0);
  ASSERT_LT(big, kHands);
  const double mean = (20.0 * big + 10.0 * (kHands - big)) / kHands;
  const double variance = 10.0 * 10.0 * big * (kHands - big) / (kHands * (kHands - 1.0));
  const double ci95 = student_t975(kHands - 1) * std::sqrt(variance / kHands);
  const auto json = to_json(result);
  ASSERT_EQ(json["differences"].size(), 1U);
  const auto& difference = json["differences"][0];
  EXPECT_NEAR(difference["mean"], -mean, 1e-9);
  EXPECT_NEAR(difference["variance"], variance, 1e-6);
  EXPECT_NEAR(difference["ci95"], ci95, 1e-9);
  // In chips, and in big blinds of 10 chips for 100 hands.
  EXPECT_NEAR(json["mean"][1], mean / 2, 1e-9);
  EXPECT_NEAR(json["ci95"][1], ci95 / 2, 1e-9);
  EXPECT_NEAR(json["bb_per_100"][1], 10 * mean / 2, 1e-9);
  EXPECT_NEAR(json["bb_per_100_ci95"][1], 10 * ci95 / 2, 1e-9);
}

// Of episodes of several hands a difference counts all of them.
TEST(MatchFigures, DifferencesAreForOneHand) {
  const MatchResult result = play_match(test::match("ofc", {"rule", "random"}, 40));
  ASSERT_GT(result.hands_played, result.episodes);
  EXPECT_NEAR(result.differences[0].points.ratio(), result.agents[0].mean() - result.agents[1].mean(), 1e-9);
}

}  // namespace
}  // namespace dealer::match_figures_test
