// The agent against an opponent that answers its policy.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>

#include "agents/agent_registry.h"
#include "agents/random_agent.h"
#include "arena/match.h"
#include "arena/studies/run.h"
#include "arena/studies/seven_hand/responses.h"
#include "arena/studies/seven_hand/study.h"
#include "arena/studies/seven_hand/tally.h"
#include "env/core/error.h"
#include "env/core/registry.h"
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
  Responses() : config_(Config::parse("agent: random", "test")), study_(make_study(config_, game_)) {}

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
  EXPECT_EQ(responder_of("default[temperature=0.5]", game_, 9),
            "default[temperature=0.5,simulations=9,weighted=agent,playouts=agent,depth=1]");
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
  const auto without_marks = [&](const std::string& file) {
    std::string kept;
    std::istringstream text(read_bytes(folder_ / file));
    for (std::string line; std::getline(text, line);)
      if (!line.starts_with("deals ")) kept += line + '\n';
    return kept;
  };
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
  EXPECT_EQ(without_marks("parts"), without_marks("one"));
}

// All figures again, by looking at every hand for every figure.
TEST_F(Responses, FiguresAreWhatASlowCountFinds) {
  constexpr std::int64_t kDeals = 12, kAnswered = 9;
  ASSERT_TRUE(play_responses(place("random"), make_agents("rule", game_), *study_, kAnswered, folder_ / "r"));
  const std::vector<Answered> answered = read("r", kAnswered);
  ASSERT_TRUE(play_responses(place("random"), make_agents("random", game_), *study_, kDeals, folder_ / "self"));
  const std::vector<Answered> self = read("self", kDeals);
  Tally tally;
  std::size_t a = 0, s = 0;
  for (std::int64_t deal = 0; deal < kDeals; ++deal) {
    for (; s < self.size() && self[s].deal == deal; ++s) tally.add(deal, self[s].hand);
    for (; a < answered.size() && answered[a].deal == deal; ++a)
      tally.add_response(deal, answered[a].hand, answered[a].responder);
  }
  const Figures figures = tally.figures();
  const ResponseFigures& f = figures.responses;

  // [of the games with the responder or not]: values by name of the figure.
  std::map<std::string, std::vector<double>> seen[2];
  std::vector<Laying> laid;
  for (const Answered& each : self)
    for (int i = 0; i < each.hand.turns; ++i) laid.push_back(each.hand.layings[static_cast<std::size_t>(i)]);
  const auto class_name = [&](const Laying& laying) -> std::string {
    double weaker = 0, of = 0;
    for (const Laying& other : laid) {
      if (other.count() != laying.count()) continue;
      const HandRank x = evaluate(other.cards), y = evaluate(laying.cards);
      weaker += x < y ? 1 : x == y ? 0.5 : 0;
      ++of;
    }
    const double place = weaker / of;
    const bool few = laying.count() <= 2, many = laying.count() >= 4;
    if (place < 0.25) return few ? "few_weak" : many ? "many_weak" : "";
    if (place >= 0.75) return few ? "few_strong" : many ? "many_strong" : "";
    return "";
  };
  const auto look = [&](const Hand& hand, int responder) {
    auto& into = seen[responder >= 0 ? 1 : 0];
    for (int i = 0; i < hand.turns; ++i) {
      const Laying& laying = hand.layings[static_cast<std::size_t>(i)];
      const int k = laying.count() - 1, t = laying.turn - 1;
      if (laying.role != responder) {
        into[fmt::format("sent {} {}", k, laying.chip)].push_back(hand.points_of(laying.role));
        into[fmt::format("turn {} {}", t, k)].push_back(hand.points_of(laying.role));
        into[class_name(laying)].push_back(hand.points_of(laying.role));
        int free = 0;
        for (int c = 0; c < kChips; ++c) free += laying.is_free(c) ? 1 : 0;
        for (int c = 0; c < kChips && free > 1; ++c) {
          if (!laying.is_free(c)) continue;
          into[fmt::format("named {} {}", k, c)].push_back(c == laying.chip ? 1 : 0);
          if (c < 2 || c > 4 || k == 2) continue;
          into[k > 2 ? "many" : "few"].push_back(c == laying.chip ? 1 : 0);
          into[k > 2 ? "many chance" : "few chance"].push_back(1.0 / free);
        }
      }
      if (laying.role == responder || responder < 0) {
        into["cards"].push_back(k + 1);
        for (int n = 0; n < kMostLaid; ++n) into[fmt::format("laid {} {}", t, n)].push_back(n == k ? 1 : 0);
      }
    }
  };
  for (const Answered& each : self) look(each.hand, -1);
  double points = 0, wins = 0;
  for (const Answered& each : answered) {
    look(each.hand, each.responder);
    points += each.hand.points_of(1 - each.responder);
    wins += each.hand.win(1 - each.responder);
  }
  const auto sum = [&](int games, const std::string& key) {
    double total = 0;
    for (const double value : seen[games][key]) total += value;
    return total;
  };
  const auto mean = [&](int games, const std::string& key) {
    const auto n = static_cast<double>(seen[games][key].size());
    return n > 0 ? sum(games, key) / n : 0;
  };
  int differences = 0;
  const auto expect = [&](const Estimate& mean_of, const Estimate& less, const std::string& key) {
    EXPECT_NEAR(mean_of.value, mean(1, key), 1e-9) << key;
    EXPECT_EQ(mean_of.count, static_cast<double>(seen[1][key].size())) << key;
    if (seen[0][key].empty() || seen[1][key].empty()) return;
    EXPECT_NEAR(less.value, mean(1, key) - mean(0, key), 1e-9) << key;
    ++differences;
  };
  EXPECT_EQ(f.hands, 2 * kAnswered);
  EXPECT_NEAR(f.points.value, points / (2 * kAnswered), 1e-12);
  EXPECT_NEAR(f.win_rate.value, wins / (2 * kAnswered), 1e-12);
  for (std::size_t k = 0; k < kMostLaid; ++k) {
    for (std::size_t c = 0; c < kChips; ++c) {
      expect(f.sent[k][c].points, f.sent[k][c].less, fmt::format("sent {} {}", k, c));
      expect(f.named[k][c].rate, f.named[k][c].less, fmt::format("named {} {}", k, c));
    }
    for (std::size_t t = 0; t < kTurns; ++t) {
      expect(f.turns[t][k].points, f.turns[t][k].less, fmt::format("turn {} {}", t, k));
      expect(f.laid[t][k].rate, f.laid[t][k].less, fmt::format("laid {} {}", t, k));
    }
  }
  for (int g = 0; g < kGroupClasses; ++g) {
    const Fare& fare = f.classes[static_cast<std::size_t>(g)];
    expect(fare.points, fare.less, std::string(name_of(static_cast<GroupClass>(g))));
  }
  EXPECT_NEAR(f.cards.value, mean(1, "cards") - mean(0, "cards"), 1e-9);
  for (const std::string key : {"many", "few"}) {
    const auto ratio = [&](int games) { return sum(games, key) / sum(games, key + " chance"); };
    EXPECT_NEAR((key == "many" ? f.middle_many : f.middle_few).value, ratio(1) - ratio(0), 1e-9) << key;
  }
  EXPECT_GT(differences, 100);
  // What belongs to the games against itself does not hear of the others.
  EXPECT_EQ(figures.first_points.count, static_cast<double>(self.size()));
}

const std::vector<std::string> kSmall = {"agent=random", "deals=10",      "tries=70",
                                         "responses=12", "simulations=3", "threads=1"};

// A study with all its parts, stopped again and again, on one thread and on two.
TEST_F(Responses, TheStudyGoesOnWhereItWasStopped) {
  const auto files = [&](const char* name) {
    std::string text;
    for (const char* file : {"config.yaml", "games.txt", "tries.txt", "responses.txt", "results.json", "report.html"})
      text += read_bytes(folder_ / name / file);
    return text;
  };
  run_study(read_study("seven_hand", kSmall), folder_ / "whole");
  std::vector<std::string> two = kSmall;
  two.back() = "threads=2";
  run_study(read_study("seven_hand", two), folder_ / "two");
  EXPECT_EQ(files("two"), files("whole"));
  int parts = 0;
  for (bool interrupted = true; interrupted; ++parts) {
    ASSERT_LT(parts, 60);
    std::atomic<int> asked = 0;
    interrupted = run_study(read_study("seven_hand", kSmall), folder_ / "parts",
                            {.progress = {}, .stop = [&] { return ++asked > 400; }})
                      .interrupted;
  }
  EXPECT_GT(parts, 3);
  EXPECT_EQ(read_bytes(folder_ / "parts/results.json"), read_bytes(folder_ / "whole/results.json"));
  const auto json = nlohmann::json::parse(read_bytes(folder_ / "whole/results.json"));
  const auto& responses = json["figures"]["responses"];
  EXPECT_EQ(responses["responder"], "random[simulations=3,weighted=agent,playouts=agent]");
  EXPECT_EQ(responses["hands"], 24) << "more deals than those of the games against itself";
  EXPECT_EQ(json["hands"], 20);
  EXPECT_EQ(json["figures"]["first_move"]["points"]["n"], 20);
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
