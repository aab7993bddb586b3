// Agents that throw, decide illegally or come too late: the match goes on by the rule in arena/match_failures.h.
#include "arena/match_failures.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>

#include "agents/random_agent.h"
#include "tests/arena/match_support.h"
#include "tests/support/error_message.h"

namespace dealer {
namespace {

using test::agents_of;
using test::error_message;
using test::Factory;
using test::match;
using test::played;

// Plays at random, and now and then does what no agent may. What it does follows from its seed alone.
class Unreliable final : public RandomAgent {
 public:
  // How often in a thousand calls it fails.
  explicit Unreliable(std::uint32_t often, bool listens = true) : often_(often), listens_(listens) {}

  void reset(Seat seat, std::uint64_t seed) override {
    RandomAgent::reset(seat, seed);
    rng_ = RandomStream(seed, 1);
    if (often_ > 0 && rng_.below(1000) < 100) throw std::runtime_error("no seat for me");
  }
  bool hears() const override { return listens_; }
  void hear(std::span<const Event>) override {
    if (rng_.below(1000) < often_ / 4) throw std::runtime_error("too loud");
  }
  Decision act(const Observation& observation) override {
    const Decision fair = RandomAgent::act(observation);
    if (rng_.below(1000) >= often_) return fair;
    constexpr Amount kMost = std::numeric_limits<Amount>::max();
    switch (rng_.below(9)) {
      case 0:
        throw std::runtime_error("no idea");
      case 1:
        throw 42;
      case 2:
        return -2;
      case 3:
        return 64;
      case 4:
        return std::numeric_limits<Action>::min();
      case 5:  // one that does exist, but is not legal now
        return legal_actions_but(observation.legal_mask);
      case 6:
        return Decision::bet_to(observation.amounts.low - 1);
      case 7:
        return Decision::bet_to(observation.amounts.empty() ? 1 : std::min(observation.amounts.high, kMost - 1) + 1);
      default:
        return {};
    }
  }

 private:
  static Action legal_actions_but(LegalMask mask) {
    Action action = 0;
    while (action < kMaxActions && (mask >> action & 1) != 0) ++action;
    return action;
  }
  std::uint32_t often_;
  bool listens_;
  RandomStream rng_;
};

// The match as the rule tells it, a game after the other, an agent at a time.
class Reference {
 public:
  explicit Reference(const MatchOptions& options) : options_(options) {
    const std::size_t agents = options.agents.size();
    points.resize(agents);
    failures.resize(agents);
  }

  void play() {
    for (std::int64_t deal = 0; deal < options_.deals; ++deal)
      for (const auto& seating : seatings(options_.game->players())) play(deal, seating);
  }

  std::vector<double> points;
  std::vector<FailureCounts> failures;
  std::int64_t hands = 0;
  std::string log;

 private:
  struct Sitting {
    std::unique_ptr<Agent> agent;
    int failed_hands = 0;
    bool given_up = false;
    std::vector<Event> heard;
  };

  void count(std::size_t agent, FailureKind kind, Sitting& sitting) {
    if (sitting.given_up) return;
    sitting.given_up = true;
    ++sitting.failed_hands;
    ++failures[agent].hands[static_cast<std::size_t>(kind)];
  }
  void hear(const Env& env, Seat seat, std::size_t agent, Sitting& sitting) {
    if (!sitting.agent->hears()) return;
    const std::vector<Event> all = env.events(seat);
    const auto before = static_cast<std::ptrdiff_t>(sitting.heard.size());
    const std::vector<Event> fresh(all.begin() + before, all.end());
    sitting.heard = all;
    if (fresh.empty()) return;
    try {
      sitting.agent->hear(fresh);
    } catch (...) {
      count(agent, FailureKind::kError, sitting);
    }
  }
  std::optional<Decision> decide(const Env& env, Seat seat, std::size_t agent, Sitting& sitting) {
    if (sitting.given_up) return std::nullopt;
    hear(env, seat, agent, sitting);
    if (sitting.given_up) return std::nullopt;
    try {
      const Decision decision = sitting.agent->act(env.observe(seat));
      const std::vector<Action> legal = env.legal_actions();
      const bool fine = decision.is_amount() ? env.amount_range().contains(decision.amount)
                                             : std::count(legal.begin(), legal.end(), decision.action) > 0;
      if (fine) return decision;
      count(agent, FailureKind::kIllegal, sitting);
    } catch (...) {
      count(agent, FailureKind::kError, sitting);
    }
    return std::nullopt;
  }
  static Decision stand_in(const Env& env) {
    std::set<std::string> legal;
    for (const Choice& choice : env.choices()) legal.insert(choice.text);
    const auto starts_with = [&](const std::string& word) -> std::optional<std::string> {
      for (const std::string& text : legal)
        if (text.starts_with(word)) return text;
      return std::nullopt;
    };
    for (const char* word : {"fold", "check", "call"})
      if (const auto text = starts_with(word)) return env.parse_action(*text);
    return env.legal_actions().front();
  }

  void play(std::int64_t deal, const std::vector<int>& seating) {
    const std::uint64_t seed = derive(options_.seed, static_cast<std::uint64_t>(deal));
    const auto env = options_.game->new_env({.hold_hands = true});
    env->reset(seed);
    std::vector<Sitting> sittings(seating.size());
    const auto agent_at = [&](Seat seat) { return static_cast<std::size_t>(seating[static_cast<std::size_t>(seat)]); };
    for (Seat seat = 0; seat < options_.game->players(); ++seat) {
      Sitting& sitting = sittings[static_cast<std::size_t>(seat)];
      sitting.agent = options_.agents[agent_at(seat)]->make();
      try {
        sitting.agent->reset(seat, derive(seed ^ 0x6167656e74730000ULL, static_cast<std::uint64_t>(seat)));
      } catch (...) {
        count(agent_at(seat), FailureKind::kError, sitting);
        sitting.failed_hands = 3;
      }
    }
    for (;;) {
      std::vector<bool> forfeits;
      for (const Sitting& sitting : sittings) forfeits.push_back(sitting.given_up && env->hands_finished() > 0);
      while (!env->hand_over()) {
        const Seat seat = env->current_player();
        const auto decision = decide(*env, seat, agent_at(seat), sittings[static_cast<std::size_t>(seat)]);
        const Decision played = decision ? *decision : stand_in(*env);
        log += fmt::format(" {} {}", seat, env->decision_to_string(played));
        env->step(played);
      }
      ++hands;
      log += '\n';
      for (Seat seat = 0; seat < options_.game->players(); ++seat) {
        Sitting& sitting = sittings[static_cast<std::size_t>(seat)];
        if (forfeits[static_cast<std::size_t>(seat)]) {
          ++failures[agent_at(seat)].forfeited;
          continue;
        }
        if (sitting.failed_hands < 3) hear(*env, seat, agent_at(seat), sitting);
        sitting.given_up = sitting.failed_hands >= 3;
        sitting.heard.clear();
      }
      if (env->terminated()) break;
      env->next_hand();
    }
    const std::vector<double> returns = env->returns();
    for (Seat seat = 0; seat < options_.game->players(); ++seat)
      points[agent_at(seat)] += returns[static_cast<std::size_t>(seat)];
  }

  const MatchOptions& options_;
};

// The first line in which two texts differ.
std::string difference(const std::string& got, const std::string& expected) {
  std::istringstream a(got), b(expected);
  std::string x, y;
  for (int line = 1; a || b; ++line) {
    std::getline(a, x);
    std::getline(b, y);
    if (x != y || !a != !b) return fmt::format("line {}: {} instead of {}", line, x, y);
  }
  return "";
}

struct Fuzz {
  const char* game;
  int deals;
  std::uint32_t often;
};
std::ostream& operator<<(std::ostream& out, const Fuzz& fuzz) { return out << fuzz.game << ", " << fuzz.often; }

class Failures : public testing::TestWithParam<Fuzz> {};

TEST_P(Failures, AreDealtWithAsTheRuleSays) {
  MatchOptions options = match(GetParam().game, {}, GetParam().deals);
  for (int agent = 0; agent < options.game->players(); ++agent)
    options.agents.push_back(agents_of<Unreliable>("unreliable", agent == 1 ? 0U : GetParam().often, agent != 2));
  Reference expected(options);
  expected.play();
  ASSERT_GT(expected.failures[0].hands[0], 0);
  ASSERT_GT(expected.failures[0].hands[1], 0);
  std::vector<std::pair<std::string, std::string>> all;
  for (const int num_envs : {1, 5, 64}) {
    options.num_envs = num_envs;
    std::string log;
    options.describe = [](const PlayedHand& hand) {
      std::string line;
      for (const PlayedDecision& each : hand.decisions) line += fmt::format(" {} {}", each.seat, each.text);
      return line + '\n';
    };
    options.log = [&](std::string_view text) { log += text; };
    const MatchResult result = play_match(options);
    EXPECT_EQ(difference(log, expected.log), "");
    EXPECT_EQ(result.hands_played, expected.hands);
    double sum = 0;
    for (std::size_t a = 0; a < options.agents.size(); ++a) {
      const AgentResult& agent = result.agents[a];
      sum += agent.points.numerator();
      EXPECT_EQ(agent.points.numerator(), expected.points[a]);
      EXPECT_EQ(agent.failures.hands, expected.failures[a].hands) << a;
      EXPECT_EQ(agent.failures.forfeited, expected.failures[a].forfeited) << a;
    }
    EXPECT_EQ(sum, 0);
    EXPECT_EQ(result.agents[1].failures.failed(), 0);
    for (const int threads : {1, 3}) all.push_back(played(options, threads, num_envs));
    EXPECT_EQ(all.back(), all[all.size() - 2]);
  }
}

INSTANTIATE_TEST_SUITE_P(Games, Failures,
                         testing::Values(Fuzz{"kuhn", 300, 300}, Fuzz{"leduc", 200, 100}, Fuzz{"mini_draw", 200, 100},
                                         Fuzz{"draw[episode=match,match_hands=12]", 60, 60},
                                         Fuzz{"holdem[limit=no_limit,players=3,episode=match,match_hands=8]", 30, 100},
                                         Fuzz{"stud[limit=pot_limit]", 100, 100},
                                         Fuzz{"draw[limit=no_limit,open_fold=false]", 100, 100},
                                         Fuzz{"washizu", 20, 60}, Fuzz{"ofc", 60, 40},
                                         Fuzz{"ofc[players=3,episode=match,match.hands=8]", 10, 20}));

// Fails in one way at every decision.
class Hopeless final : public Agent {
 public:
  explicit Hopeless(FailureKind kind, double* clock = nullptr) : kind_(kind), clock_(clock) {}
  void reset(Seat, std::uint64_t) override {}
  Decision act(const Observation& observation) override {
    if (kind_ == FailureKind::kError) throw std::runtime_error("no idea");
    if (kind_ == FailureKind::kIllegal) return 63;
    *clock_ += 3;
    return observation.legal_actions().back();
  }

 private:
  FailureKind kind_;
  double* clock_;
};

// Kuhn poker: seat 0 of a hopeless player checks, and folds to a bet; seat 1 checks behind, and folds to a bet.
TEST(Failure, GivesTheHandUp) {
  double seconds = 0;
  for (const FailureKind kind : {FailureKind::kError, FailureKind::kIllegal, FailureKind::kLate}) {
    MatchOptions options = match("kuhn", {"random"}, 40);
    options.agents.push_back(agents_of<Hopeless>("hopeless", kind, &seconds));
    options.clock = [&] { return seconds; };
    options.move_time = 2.5;
    std::string log;
    test::write_log(options, log);
    const MatchResult result = play_match(options);
    const FailureCounts& failures = result.agents[1].failures;
    EXPECT_EQ(result.agents[0].failures.failed(), 0);
    EXPECT_EQ(failures.failed(), 80);
    EXPECT_EQ(failures.hands[static_cast<std::size_t>(kind)], 80);
    EXPECT_EQ(failures.forfeited, 0);
    // The first is that of the first deal, in whichever seating it came first.
    const std::string& first = failures.first[static_cast<std::size_t>(kind)];
    EXPECT_TRUE(first.ends_with(kind == FailureKind::kError ? " of deal 0: no idea"
                                : kind == FailureKind::kIllegal
                                    ? " of deal 0: action 63 is not legal; expected one of: 1, 2"
                                    : " of deal 0: it took 3 seconds; 2.5 are allowed"))
        << first;
    int folds = 0;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
      const int hopeless = line.find("/1/0") == std::string::npos ? 1 : 0;
      const std::string seat = std::to_string(hopeless);
      const bool bet = line.find(' ' + std::to_string(1 - hopeless) + " bet") != std::string::npos;
      EXPECT_EQ(line.find(' ' + seat + " fold") != std::string::npos, bet) << line;
      EXPECT_EQ(line.find(' ' + seat + " bet"), std::string::npos) << line;
      EXPECT_EQ(line.find(' ' + seat + " call"), std::string::npos) << line;
      folds += bet ? 1 : 0;
    }
    EXPECT_GT(folds, 20);
  }
}

TEST(Failure, FoldsWhereItMayElseChecksElseCalls) {
  const auto stand_in = [](const std::string& spec, const std::vector<std::string>& so_far) {
    const auto env = make_game(spec)->new_env();
    env->reset(3);
    for (const std::string& text : so_far) env->step(env->parse_decision(text));
    return env->decision_to_string(give_up(*env));
  };
  EXPECT_EQ(stand_in("kuhn", {}), "check");
  EXPECT_EQ(stand_in("kuhn", {"bet"}), "fold");
  EXPECT_EQ(stand_in("draw", {}), "fold");
  EXPECT_EQ(stand_in("draw[open_fold=false]", {}), "check");
  // The bring-in must be paid: the lowest action.
  EXPECT_EQ(stand_in("stud[bring_in=5]", {}), "bring in 5");
  EXPECT_EQ(stand_in("draw", {"check", "check"}), "stand pat");
  EXPECT_EQ(stand_in("ofc", {}), make_game("ofc")->new_env()->action_to_string(0));
}

// A batch that answers when it is flushed, and throws there at every `n`-th question: those before it are answered.
class Breaking final : public AgentBatch {
 public:
  explicit Breaking(int n) : n_(n) {}
  void reset(int, Seat, std::uint64_t) override {}
  void add(int, const Observation& observation, Decision& decision) override {
    questions_.emplace_back(observation.legal_actions().back(), &decision);
  }
  void flush() override {
    const auto questions = std::exchange(questions_, {});
    for (const auto& [action, decision] : questions) {
      if (++count_ % n_ == 0) throw std::runtime_error("the network is down");
      *decision = action;
    }
  }

 private:
  int n_, count_ = 0;
  std::vector<std::pair<Action, Decision*>> questions_;
};

TEST(Failure, OfAFlushIsThatOfAllTablesStillToBeAnswered) {
  MatchOptions options = match("kuhn", {"random"}, 4);
  options.agents.push_back(std::make_shared<Factory>(
      "breaking", [] { return nullptr; }, [](int) { return std::make_unique<Breaking>(2); }, 64));
  options.num_envs = 8;
  const MatchResult result = play_match(options);
  // Its first questions are those of seat 0, at four tables; one is answered. Of the four as seat 1 it is the same.
  // After a check that was bet at it is asked once more, about the one hand that it has not given up.
  const FailureCounts& failures = result.agents[1].failures;
  EXPECT_EQ(failures.hands[0], failures.failed());
  EXPECT_GE(failures.failed(), 6);
  EXPECT_LE(failures.failed(), 7);
  EXPECT_TRUE(failures.first[0].ends_with(" of deal 0: the network is down") ||
              failures.first[0].ends_with(" of deal 1: the network is down"))
      << failures.first[0];
}

// Takes two seconds to take note of a question and ten to answer them all.
class Slow final : public AgentBatch {
 public:
  explicit Slow(double* clock) : clock_(clock) {}
  void reset(int, Seat, std::uint64_t) override {}
  void add(int, const Observation& observation, Decision& decision) override {
    *clock_ += 2;
    decision = observation.legal_actions().back();
  }
  void flush() override { *clock_ += 10; }

 private:
  double* clock_;
};

TEST(Failure, ABatchsTimeCountsInEqualShares) {
  double clock = 0;
  MatchOptions options = match("kuhn", {"rule"}, 2);
  const auto slow = std::make_shared<Factory>(
      "slow", [] { return nullptr; }, [&](int) { return std::make_unique<Slow>(&clock); }, 64);
  options.agents.push_back(slow);
  options.clock = [&] { return clock; };
  const auto late = [&](double move_time, int num_envs) {
    options.move_time = move_time;
    options.num_envs = num_envs;
    return play_match(options).agents[1].failures.hands[static_cast<std::size_t>(FailureKind::kLate)];
  };
  // Alone at the table every decision takes 12 seconds.
  EXPECT_EQ(late(11.9, 1), 4);
  EXPECT_EQ(late(12, 1), 0);
  // At four tables it is asked about two hands at once: 2 + 10 / 2.
  EXPECT_EQ(late(6.9, 4), 4);
  EXPECT_EQ(late(0, 4), 0);
}

TEST(Failure, OfAFlushConcernsItsOwnAgent) {
  const auto breaking = [](int n) {
    return std::make_shared<Factory>(
        "breaking", [] { return nullptr; }, [n](int) { return std::make_unique<Breaking>(n); }, 64);
  };
  MatchOptions options = match("kuhn", {}, 16);
  // When the first one's flush throws, the other has not answered yet.
  options.agents = {breaking(1), breaking(1'000'000)};
  const MatchResult result = play_match(options);
  EXPECT_EQ(result.agents[0].failures.failed(), result.hands_played);
  EXPECT_EQ(result.agents[1].failures.failed(), 0);
}

// Takes no questions.
class Closed final : public AgentBatch {
 public:
  void reset(int, Seat, std::uint64_t) override {}
  void add(int, const Observation&, Decision&) override { throw std::runtime_error("closed"); }
  void flush() override { ADD_FAILURE() << "asked for answers to no question"; }
};

TEST(Failure, OfAQuestionNeedsNoAnswer) {
  MatchOptions options = match("kuhn", {"random"}, 16);
  options.agents.push_back(std::make_shared<Factory>(
      "closed", [] { return nullptr; }, [](int) { return std::make_unique<Closed>(); }, 64));
  EXPECT_EQ(play_match(options).agents[1].failures.failed(), 32);
}

// Is not there when it is seated, and must be left alone from then on.
class Absent final : public Agent {
 public:
  void reset(Seat, std::uint64_t) override { throw std::runtime_error("no seat for me"); }
  bool hears() const override { return true; }
  void hear(std::span<const Event>) override { ADD_FAILURE() << "told something"; }
  Decision act(const Observation&) override {
    ADD_FAILURE() << "asked";
    return 0;
  }
};

TEST(Failure, OfSeatingForfeitsTheEpisode) {
  MatchOptions options = match("draw[episode=match,match_hands=10]", {"random"}, 10);
  options.agents.push_back(agents_of<Absent>("absent"));
  const MatchResult result = play_match(options);
  EXPECT_EQ(result.agents[1].failures.hands[0], result.episodes);
  EXPECT_EQ(result.agents[1].failures.forfeited, result.hands_played - result.episodes);
  EXPECT_GT(result.agents[1].failures.forfeited, 0);
}

TEST(Failure, StopsAStrictMatchNamingWhoWhereAndWhat) {
  const auto refusal = [](const std::string& game, const AgentFactoryPtr& agent, int threads) {
    MatchOptions options = match(game, {"random"}, 64);
    options.agents.push_back(agent);
    options.threads = threads;
    options.strict = true;
    return error_message<AgentFailure>([&] { play_match(options); });
  };
  for (const int threads : {1, 3}) {
    const std::string error = refusal("kuhn", agents_of<Hopeless>("hopeless", FailureKind::kError), threads);
    EXPECT_TRUE(error.starts_with("agent 'hopeless' in seat ")) << error;
    EXPECT_TRUE(error.ends_with(": no idea")) << error;
    EXPECT_NE(error.find(" of deal "), std::string::npos) << error;
  }
  EXPECT_EQ(refusal("ofc", agents_of<Hopeless>("hopeless", FailureKind::kIllegal), 1),
            "agent 'hopeless' in seat 1 of deal 0: action 63 is not legal; expected one of: 0, 1, 2");
  EXPECT_EQ(refusal("kuhn", agents_of<Absent>("absent"), 1), "agent 'absent' in seat 1 of deal 0: no seat for me");
}

TEST(Failure, OfThreeHandsForfeitsTheEpisode) {
  MatchOptions options = match("ofc[episode=match,match.hands=10]", {"random"}, 10);
  options.agents.push_back(agents_of<Hopeless>("hopeless", FailureKind::kError));
  const MatchResult result = play_match(options);
  EXPECT_EQ(result.agents[1].failures.hands[0], 3 * result.episodes);
  EXPECT_EQ(result.agents[1].failures.forfeited, result.hands_played - 3 * result.episodes);
  EXPECT_GT(result.agents[1].failures.forfeited, 0);
}

TEST(Failure, IsToldInJson) {
  MatchOptions options = match("kuhn", {"random"}, 3);
  options.agents.push_back(agents_of<Hopeless>("hopeless", FailureKind::kIllegal));
  const nlohmann::json failures = to_json(play_match(options))["failures"];
  EXPECT_EQ(failures[0], nlohmann::json::parse(R"({"error":0,"illegal":0,"late":0,"forfeited":0,"first":{}})"));
  EXPECT_EQ(failures[1]["illegal"], 6);
  EXPECT_EQ(failures[1]["error"], 0);
  EXPECT_EQ(failures[1]["first"].size(), 1U);
  EXPECT_NE(failures[1]["first"]["illegal"].get<std::string>().find("action 63"), std::string::npos);
}

TEST(Failure, MessagesAreCut) {
  class Chatty final : public Agent {
   public:
    void reset(Seat, std::uint64_t) override { throw std::runtime_error(std::string(100'000, 'x')); }
    Decision act(const Observation&) override { return 0; }
  };
  MatchOptions options = match("kuhn", {"random"}, 1);
  options.agents.push_back(agents_of<Chatty>("chatty"));
  EXPECT_LT(play_match(options).agents[1].failures.first[0].size(), 500U);
}

}  // namespace
}  // namespace dealer
