// The agent against an opponent that answers its policy.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>

#include "agents/agent_registry.h"
#include "agents/random_agent.h"
#include "arena/match.h"
#include "arena/studies/run.h"
#include "arena/studies/seven_hand/responses.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "tests/arena/studies/store_support.h"
#include "tests/support/error_message.h"
#include "tests/support/temp_folder.h"

namespace dealer::studies::seven_hand::seven_hand_responses_test {
namespace {

using test::error_message;
using test::read_bytes;

struct Answered {
  std::int64_t deal;
  Hand hand;
  int responder;
};

class Responses : public testing::Test {
 protected:
  Responses()
      : config_(Config::parse("agent: random", "test")),
        study_(study_kinds().find("seven_hand")->second.make(config_, game_)) {}

  StudyContext place(const std::string& agent, int threads = 1) const {
    return {{}, game_, make_agents(agent, game_), 7, threads, {}, {}};
  }
  std::vector<Answered> read(const std::string& file, std::int64_t deals) const {
    std::vector<Answered> all;
    read_responses(folder_ / file, game_, *study_, 7, deals, [&](std::int64_t deal, const Hand& hand, int responder) {
      all.push_back({deal, hand, responder});
    });
    return all;
  }
  GamePtr game_ = make_game("seven_hand");
  Config config_;
  std::unique_ptr<Study> study_;
  test::TempFolder folder_;
};

TEST_F(Responses, TheResponderIsTheAgentWithSearch) {
  EXPECT_EQ(responder_of("rule", game_, 30), "rule[simulations=30,weighted=agent,playouts=agent]");
  EXPECT_EQ(responder_of("default", game_, 30), "default[simulations=30,weighted=agent,playouts=agent,depth=1]");
}

// With rule in the place of the responder against random: who is who, and who got what.
TEST_F(Responses, BothHaveTheSameCardsAndTurns) {
  ASSERT_TRUE(play_responses(place("random"), make_agents("rule", game_), *study_, 12, folder_ / "r"));
  const std::vector<Answered> all = read("r", 12);
  ASSERT_EQ(all.size(), 24U);
  double points = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].deal, static_cast<std::int64_t>(i / 2));
    EXPECT_EQ(all[i].responder, i % 2 == 0 ? kSecond : kStarter);
    points += all[i].hand.points_of(all[i].responder);
    // The first cards that are laid in the first turn are of the same eight, whoever plays them.
    if (i % 2 == 1) {
      EXPECT_LE(size(all[i].hand.layings[0].cards | all[i - 1].hand.layings[0].cards), 8);
      EXPECT_EQ(all[i].hand.layings[0].role, kStarter);
    }
  }
  EXPECT_GT(points, 18) << "rule wins 99.5% against random";
}

TEST_F(Responses, ThreadsAndStopsChangeNothing) {
  const AgentFactoryPtr responder = make_agents("rule", game_);
  ASSERT_TRUE(play_responses(place("random"), responder, *study_, 30, folder_ / "one"));
  ASSERT_TRUE(play_responses(place("random", 2), responder, *study_, 30, folder_ / "two"));
  EXPECT_EQ(read_bytes(folder_ / "one"), read_bytes(folder_ / "two"));
  StudyContext stopped = place("random");
  int parts = 0;
  for (bool whole = false; !whole; ++parts) {
    ASSERT_LT(parts, 50);
    std::atomic<int> asked = 0;
    stopped.stop = [&] { return ++asked > 1500; };
    whole = play_responses(stopped, responder, *study_, 30, folder_ / "parts");
  }
  EXPECT_GT(parts, 1);
  EXPECT_EQ(test::without_ends(read_bytes(folder_ / "parts")), test::without_ends(read_bytes(folder_ / "one")));
}

const std::vector<std::string> kSmall = {"agent=random", "deals=10",      "tries=70",
                                         "responses=12", "simulations=3", "threads=1"};

TEST_F(Responses, TheStudyTellsWhoAnswers) {
  const auto json = run_study(read_study("seven_hand", kSmall), folder_ / "a").results;
  const auto& responses = json["figures"]["responses"];
  EXPECT_EQ(responses["responder"], "random[simulations=3,weighted=agent,playouts=agent]");
  EXPECT_EQ(responses["hands"], 24) << "more deals than those of the games against itself";
  EXPECT_EQ(json["hands"], 20);
  EXPECT_EQ(json["figures"]["first_move"]["points"]["n"], 20) << "what is of these does not count the others";
}

TEST_F(Responses, BothPartsMayBeLeftOut) {
  std::vector<std::string> words = {"agent=random", "deals=4", "tries=0", "responses=0"};
  const auto json = run_study(read_study("seven_hand", words), folder_ / "none").results["figures"];
  EXPECT_TRUE(json["advice"].is_null());
  EXPECT_TRUE(json["responses"].is_null());
  EXPECT_FALSE(std::filesystem::exists(folder_ / "none/tries.txt"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "none/responses.txt"));
}

// Plays at random and does not say so.
class Silent final : public RandomAgent {
 public:
  std::optional<std::vector<double>> policy(const Observation&) override { return std::nullopt; }
};

TEST_F(Responses, RefusesWhatCannotBe) {
  const auto refusal = [](const std::vector<std::string>& words) {
    return error_message<UsageError>([&] { read_study("seven_hand", words); });
  };
  EXPECT_EQ(
      refusal({"agent=search[simulations=5]", "responses=0", "tries=1"}),
      "override 'tries=1': tries: agent 'search[simulations=5]' searches, so that its policy is not known; expected "
      "an agent that tells its policy, or tries: 0 and responses: 0");
  register_agent_kind("silent", {.make =
                                     [](const Spec& spec, const GamePtr&) {
                                       return make_factory(to_string(spec), [] { return std::make_unique<Silent>(); });
                                     },
                                 .plays = {},
                                 .what = "tells no policy",
                                 .recognises = {}});
  EXPECT_EQ(refusal({"agent=silent", "responses=1"}),
            "override 'responses=1': responses: agent 'silent' does not say with which probability it does what; "
            "networks, solutions and random players do; expected an agent that tells its policy, or tries: 0 and "
            "responses: 0");
  EXPECT_EQ(refusal({"responses=-1"}),
            "override 'responses=-1': responses: -1 is not allowed; expected an integer from 0 to 10000000");
  EXPECT_EQ(refusal({"simulations=0"}),
            "override 'simulations=0': simulations: 0 is not allowed; expected an integer from 1 to 100000000");
  EXPECT_NE(refusal({"response=5"}).find("unknown key 'response'; did you mean 'responses'?"), std::string::npos);
  EXPECT_NO_THROW(read_study("seven_hand", {"agent=search[simulations=5]", "responses=0", "tries=0"}));
}

}  // namespace
}  // namespace dealer::studies::seven_hand::seven_hand_responses_test
