// The figures of a match against figures worked out by hand and true means known from the game tree; matches in parts,
// and those in which an agent has several seats.
#include "env/core/student_t.h"
#include "tests/arena/testing.h"

namespace dealer::match_figures_test {
namespace {

using namespace test;

MatchOptions match_of(const char* game, const std::string& agents, std::int64_t deals) {
  MatchOptions options = match(game, {}, deals);
  for (const char agent : agents)
    options.agents.push_back(agent == 'F' ? fake_agents("folds")
                                          : fake_agents("shoves", {.act = [](const Observation& seen) {
                                                          return seen.legal_actions().back();
                                                        }}));
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
  EXPECT_EQ(json["bb_per_100_ci95"], nlohmann::json({nullptr, nullptr, nullptr})) << "three deals alike";
  const auto difference = [](int a, int b, int mean) {
    return nlohmann::json({{"a", a},
                           {"b", b},
                           {"mean", mean},
                           {"ci95", mean == 0 ? nlohmann::json(0) : nlohmann::json()},
                           {"variance", mean == 0 ? nlohmann::json(0) : nlohmann::json()},
                           {"los", mean == 0 ? nlohmann::json(0.5) : nlohmann::json()},
                           {"deals_to_decide", nullptr}});
  };
  EXPECT_EQ(json["differences"], nlohmann::json({difference(0, 1, 0), difference(0, 2, -150), difference(1, 2, -150)}));
}

// Without duplicates: the player that goes all-in wins 10 chips from the small blind and 5 from the big one, so that
// the difference is 20 in half of the hands and 10 in the others.
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
  // In chips, and in big blinds of 10 chips per 100 hands.
  EXPECT_NEAR(json["mean"][1], mean / 2, 1e-9);
  EXPECT_NEAR(json["ci95"][1], ci95 / 2, 1e-9);
  EXPECT_NEAR(json["bb_per_100"][1], 10 * mean / 2, 1e-9);
  EXPECT_NEAR(json["bb_per_100_ci95"][1], 10 * ci95 / 2, 1e-9);
}

// In episodes of several hands a difference counts all of them.
TEST(MatchFigures, DifferencesAreForOneHand) {
  const MatchResult result = play_match(match("ofc", {"rule", "random"}, 40));
  ASSERT_GT(result.hands_played, result.episodes);
  EXPECT_NEAR(result.differences[0].points.ratio(), result.agents[0].mean() - result.agents[1].mean(), 1e-9);
}

std::string log_of(MatchOptions options) {
  std::string text;
  write_log(options, text);
  play_match(options);
  return text;
}

TEST(MatchParts, AreTheWhole) {
  MatchOptions whole = match("kuhn", {"random", "rule"}, 50);
  MatchOptions first = match("kuhn", {"random", "rule"}, 21), second = match("kuhn", {"random", "rule"}, 29);
  second.first_deal = 21;
  second.threads = 2;
  EXPECT_EQ(log_of(first) + log_of(second), log_of(whole));
  std::int64_t done = 0;
  second.progress = [&](std::int64_t deals) { done = deals; };
  EXPECT_EQ(play_match(second).deals, 29);
  EXPECT_EQ(done, 29);
  second.first_deal = -1;
  EXPECT_EQ(error_message<UsageError>([&] { play_match(second); }), "first deal -1; expected 0 or more");
}

TEST(MatchParts, DealFromTheGivenSeeds) {
  MatchOptions plain = match("kuhn", {"random", "random"}, 8), same = plain, other = plain;
  std::vector<int> seatings_dealt(2);
  same.deal = [](Env& env, std::uint64_t seed, int) { env.reset(seed); };
  other.deal = [&](Env& env, std::uint64_t, int seating) {
    ++seatings_dealt[at(seating)];
    env.reset(5);
  };
  EXPECT_EQ(log_of(same), log_of(plain));
  std::vector<std::vector<std::vector<CardId>>> dealt;  // by hand
  other.describe = [&](const PlayedHand& hand) {
    dealt.emplace_back();
    for (const Event& event : hand.events)
      if (event.kind == Event::Kind::kDealt) dealt.back().push_back(event.cards);
    return std::string("x");
  };
  other.log = [](std::string_view) {};
  play_match(other);
  EXPECT_EQ(seatings_dealt, (std::vector<int>{8, 8}));
  EXPECT_EQ(dealt.at(0).size(), 2U);
  EXPECT_EQ(dealt, decltype(dealt)(16, dealt[0]));
}

MatchOptions planned(const std::string& game, const Words& agents, std::int64_t deals,
                     std::vector<std::vector<int>> plan) {
  MatchOptions options = match(game, agents, deals);
  options.seating_plan = std::move(plan);
  return options;
}

// The same tables as with one agent per seat: of the six seatings of a, b and another b, three and their duplicates.
TEST(MatchSeating, IsThatOfSoManyAgents) {
  const MatchResult two =
      play_match(planned("ofc[players=3]", {"rule", "random"}, 30, {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}}));
  const MatchResult three = play_match(match("ofc[players=3]", {"rule", "random", "random"}, 30));
  EXPECT_EQ(two.deals, 30);
  EXPECT_EQ(2 * two.hands_played, three.hands_played);
  EXPECT_DOUBLE_EQ(two.agents[0].mean(), three.agents[0].mean());
  EXPECT_NEAR(two.agents[1].mean(), three.agents[1].mean() + three.agents[2].mean(), 1e-12);
  EXPECT_NEAR(two.agents[0].mean() + two.agents[1].mean(), 0, 1e-12);
  EXPECT_DOUBLE_EQ(two.agents[0].rate("foul_rate"), three.agents[0].rate("foul_rate"));
  EXPECT_DOUBLE_EQ(two.agents[1].rate("foul_rate"),
                   (three.agents[1].rate("foul_rate") + three.agents[2].rate("foul_rate")) / 2);
}

// One policy under two names scores exactly zero against itself, whichever sits alone.
TEST(MatchSeating, OfOnePolicyIsExactlyZero) {
  const MatchResult result = play_match(planned("ofc[players=3]", {"rule", "rule"}, 20,
                                                {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
  EXPECT_EQ(result.differences[0].points.ratio(), 0);
  EXPECT_EQ(result.differences[0].points.half_width95(), 0);
}

TEST(MatchSeating, DoesNotDependOnThreadsAndTables) {
  const MatchOptions options =
      planned("washizu[players=4]", {"rule", "random"}, 40, {{0, 1, 1, 1}, {1, 1, 0, 1}, {1, 0, 0, 0}});
  const auto one = played(options, 1, 1), many = played(options, 3, 8);
  EXPECT_EQ(one, many);
  // Every decision was requested from the agent of that seat, which knows its seat.
  EXPECT_GT(std::count(one.second.begin(), one.second.end(), '\n'), 100);
}

TEST(MatchSeating, RefusesWhatIsNoSeating) {
  const auto refusal = [](std::vector<std::vector<int>> plan) {
    return error_message<UsageError>([&] { play_match(planned("kuhn", {"rule", "random"}, 2, std::move(plan))); });
  };
  const std::string rest = "; expected 2 numbers of agents from 0 to 1";
  EXPECT_EQ(refusal({{0, 1}, {0}}), "the seating [0]" + rest);
  EXPECT_EQ(refusal({{0, 2}}), "the seating [0, 2]" + rest);
  EXPECT_EQ(refusal({{-1, 0}}), "the seating [-1, 0]" + rest);
}

class MatchIntervals : public testing::Test {
 protected:
  static constexpr int kMatches = 1000;

  // The fraction of matches with independent cards whose interval covers the true mean.
  double covered(MatchOptions options) {
    const tabular::GameTree tree(*options.game);
    const auto rule = make_agents("rule", options.game)->make();
    const double mean = mean_against(tree, tabular::policy_of(tree, *rule), tabular::uniform_policy(tree));
    EXPECT_GT(mean, 0.5);
    int count = 0;
    for (int i = 0; i < kMatches; ++i) {
      options.seed = static_cast<std::uint64_t>(i);
      const AgentResult agent = play_match(options).agents[0];
      count += std::abs(agent.mean() - mean) <= agent.ci95() ? 1 : 0;
    }
    return static_cast<double>(count) / kMatches;
  }
};

TEST_F(MatchIntervals, CoverTheTrueMean) {
  for (const bool duplicate : {true, false}) {
    MatchOptions options = match("leduc", {"rule", "random"}, 100);
    options.duplicate = duplicate;
    const double share = covered(options);
    EXPECT_NEAR(share, 0.95, 0.02) << duplicate;
  }
}

// Optional stopping costs little coverage.
TEST_F(MatchIntervals, CoverItWhereTheyEndTheMatch) {
  MatchOptions options = match("leduc", {"rule", "random"}, 100'000);
  options.stopping.until = 0.25;
  const double share = covered(options);
  EXPECT_NEAR(share, 0.95, 0.02);
}

}  // namespace
}  // namespace dealer::match_figures_test
