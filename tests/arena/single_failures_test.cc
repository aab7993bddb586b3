// Single failures: the match's reaction to each, and its messages.
#include "agents/give_up.h"
#include "agents/table_loop.h"
#include "tests/arena/testing.h"

namespace dealer::single_failures_test {
namespace {

using namespace test;

// Fails in one way at every decision, or at every one except the very first.
class Hopeless final : public Agent {
 public:
  explicit Hopeless(FailureKind kind, double* clock = nullptr, bool* begun = nullptr)
      : kind_(kind), clock_(clock), begun_(begun) {}
  void reset(Seat, std::uint64_t) override {}
  Decision act(const Observation& observation) override {
    // The stand-in's move in Kuhn poker.
    if (begun_ != nullptr && !std::exchange(*begun_, true)) return observation.legal_actions().front();
    if (kind_ == FailureKind::kError) throw std::runtime_error("no idea");
    if (kind_ == FailureKind::kIllegal) return 63;
    *clock_ += 3;
    return observation.legal_actions().back();
  }

 private:
  FailureKind kind_;
  double* clock_;
  bool* begun_;
};

// A bot whose hands are all folded by the stand-in after the first must not make others look strong.
TEST(Failure, IsNoStrengthOfTheOthers) {
  MatchOptions options = match("leduc", {"rule"}, 50);
  int decisions = 0;
  options.agents.push_back(fake_agents("dying", {.act = [&](const Observation& seen) {
                                         if (++decisions > 60) throw std::runtime_error("gone");
                                         return Decision(seen.legal_actions().back());
                                       }}));
  options.threads = options.num_envs = 1;
  const MatchResult result = play_match(options);
  const std::int64_t alive = result.counted_deals();
  EXPECT_GT(alive, 5);
  EXPECT_EQ(result.deals, 50);
  EXPECT_EQ(result.failed_deals, 50 - alive);
  // The result covers the deals before it died.
  MatchOptions whole = options;
  decisions = -1'000'000;
  whole.deals = alive;
  const MatchResult before = play_match(whole);
  EXPECT_EQ(before.failed_deals, 0);
  EXPECT_EQ(result.agents[0].points.sums(), before.agents[0].points.sums());
  for (std::size_t i = 0; i < before.agents[0].rates.size(); ++i)
    EXPECT_EQ(result.agents[0].rates[i].denominator, before.agents[0].rates[i].denominator);
  const nlohmann::json json = to_json(result);
  expect_members(json, {{"deals", 50}, {"failed_deals", 50 - alive}, {"mean", to_json(before)["mean"]}});
}

TEST(Failure, OfEveryDealMeasuresNothing) {
  MatchOptions options = match("kuhn", {"random"}, 40);
  bool begun = false;
  options.agents.push_back(agents_of<Hopeless>("hopeless", FailureKind::kError, nullptr, &begun));
  const nlohmann::json json = to_json(play_match(options));
  EXPECT_EQ(json["failed_deals"], 40);
  for (const char* name : {"mean", "ci95"}) EXPECT_EQ(json[name], nlohmann::json({nullptr, nullptr})) << name;
  for (const char* name : {"mean", "ci95", "los", "deals_to_decide"})
    EXPECT_TRUE(json["differences"][0][name].is_null()) << name;
  // A stopping rule based on an interval must not wait forever.
  begun = false;
  options.deals = 1'000'000'000;
  options.stopping.until = 0.01;
  const MatchResult result = play_match(options);
  EXPECT_TRUE(result.ended_early);
  EXPECT_LT(result.deals, 2000);
}

// Stand-in moves and forfeits are compared with another implementation in match_failures_test.cc.
TEST(Failure, GivesTheHandUp) {
  double seconds = 0;
  for (const FailureKind kind : {FailureKind::kError, FailureKind::kIllegal, FailureKind::kLate}) {
    MatchOptions options = match("kuhn", {"random"}, 40);
    bool begun = false;
    options.agents.push_back(agents_of<Hopeless>("hopeless", kind, &seconds, &begun));
    options.clock = [&] { return seconds; };
    options.move_time = 2.5;
    const MatchResult result = play_match(options);
    const FailureCounts& failures = result.agents[1].failures;
    EXPECT_EQ(result.agents[0].failures.failed(), 0);
    EXPECT_GE(failures.failed(), 79);
    EXPECT_EQ(failures.hands[at(kind)], failures.failed());
    EXPECT_EQ(failures.forfeited, 0);
    // The message is from the first deal, in whichever seating it came first.
    const std::string& first = failures.first[at(kind)];
    EXPECT_TRUE(first.ends_with(kind == FailureKind::kError ? " of deal 0: no idea"
                                : kind == FailureKind::kIllegal
                                    ? " of deal 0: action 63 is not legal; expected one of: 1, 2"
                                    : " of deal 0: it took 3 seconds; 2.5 are allowed"))
        << first;
  }
}

TEST(Failure, FoldsWhereItMayElseChecksElseCalls) {
  const auto expect = [](const std::string& spec, const Words& so_far, const std::string& stand_in) {
    const auto env = make_game(spec)->new_env();
    env->reset(3);
    for (const std::string& text : so_far) env->step(env->parse_decision(text));
    EXPECT_EQ(env->decision_to_string(give_up(*env)), stand_in) << spec;
  };
  expect("kuhn", {}, "check");
  expect("kuhn", {"bet"}, "fold");
  expect("draw", {}, "fold");
  expect("draw[open_fold=false]", {}, "check");
  expect("stud[bring_in=5]", {}, "bring in 5");  // it must be paid: the lowest action
  expect("draw", {"check", "check"}, "stand pat");
  expect("ofc", {}, make_game("ofc")->new_env()->action_to_string(0));
}

// The batch throws at every `n`-th question except the very first: the questions before it are answered.
AgentFactoryPtr breaking(int n) {
  return fake_batches("breaking", {.flush = [n, count = 0](std::span<const FakeBatch::Question> questions) mutable {
                        for (const FakeBatch::Question& each : questions) {
                          if (++count % n == 0 && count > 1) throw std::runtime_error("the network is down");
                          *each.decision = each.seen->legal_actions().back();
                        }
                      }});
}

TEST(Failure, OfAFlushIsThatOfAllTablesStillToBeAnswered) {
  MatchOptions options = match("kuhn", {"random"}, 4);
  options.agents.push_back(breaking(2));
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

// The batch takes two seconds to accept a question and ten to answer them all, except the very
// first, which it answers at once.
AgentFactoryPtr slow(double* clock) {
  return std::make_shared<FakeFactory>(
      "slow", [] { return nullptr; }, 64,
      [clock](int) {
        const auto begun = std::make_shared<bool>(false);
        return std::make_unique<FakeBatch>(
            FakeBatch::Functions{.add = [=](const Observation&) { *clock += *begun ? 2 : 0; },
                                 .flush =
                                     [=](std::span<const FakeBatch::Question> questions) {
                                       for (const auto& each : questions)
                                         *each.decision = each.seen->legal_actions().back();
                                       *clock += std::exchange(*begun, true) ? 10 : 0;
                                     }});
      });
}

TEST(Failure, ABatchsTimeCountsInEqualShares) {
  double clock = 0;
  MatchOptions options = match("kuhn", {"rule"}, 6);
  options.agents.push_back(slow(&clock));
  options.clock = [&] { return clock; };
  const auto late = [&](double move_time, int num_envs) {
    options.move_time = move_time;
    options.num_envs = num_envs;
    const MatchResult result = play_match(options);
    EXPECT_EQ(result.agents[0].failures.failed(), 0) << "that time is not its own";
    return result.agents[1].failures.hands[at(FailureKind::kLate)];
  };
  // Alone at the table every decision of the twelve hands, but the first, takes 12 seconds.
  EXPECT_EQ(late(11.9, 1), 11);
  EXPECT_EQ(late(12, 1), 0);
  // With four tables it has two hands at once: 2 + 10 / 2.
  for (const double move_time : {1.0, 4.9, 6.9}) EXPECT_EQ(late(move_time, 4), 10) << move_time;
  EXPECT_EQ(late(7, 4), 0);
  EXPECT_EQ(late(0, 4), 0);
}

TEST(Failure, OfAFlushConcernsItsOwnAgent) {
  MatchOptions options = match("kuhn", {}, 16);
  // When the first batch's flush throws, the other has not answered yet.
  options.agents = {breaking(1), breaking(1'000'000)};
  const MatchResult result = play_match(options);
  EXPECT_GE(result.agents[0].failures.failed(), result.hands_played - 1);
  EXPECT_EQ(result.agents[1].failures.failed(), 0);
}

TEST(Failure, OfAQuestionNeedsNoAnswer) {
  MatchOptions options = match("kuhn", {"random"}, 16);
  options.agents.push_back(
      fake_batches("closed", {.add = [](const Observation&) { throw std::runtime_error("closed"); }}));
  const std::string error = error_message<AgentFailure>([&] { play_match(options); });
  EXPECT_TRUE(error.starts_with("agent 'closed' made no playable decision; seat ")) << error;
  EXPECT_TRUE(error.ends_with(" of deal 0: closed")) << error;
}

// Fails in reset() except for the first `there` times, and must not be called afterwards.
class Absent final : public Agent {
 public:
  explicit Absent(int there) : there_(there) {}
  void reset(Seat, std::uint64_t) override {
    if (there_-- <= 0) throw std::runtime_error("no seat for me");
  }
  bool observes() const override { return true; }
  void on_events(std::span<const Event>) override { EXPECT_GE(there_, 0) << "told something"; }
  Decision act(const Observation& observation) override {
    EXPECT_GE(there_, 0) << "asked";
    return observation.legal_actions().front();
  }

 private:
  int there_;
};

TEST(Failure, OfSeatingForfeitsTheEpisode) {
  MatchOptions options = match("draw[episode=match,match_hands=10]", {"random"}, 10);
  options.agents.push_back(agents_of<Absent>("absent", 1));
  // One object plays all tables, one after the other.
  options.num_envs = options.threads = 1;
  const MatchResult result = play_match(options);
  EXPECT_EQ(result.agents[1].failures.hands[0], result.episodes - 1);
  EXPECT_GT(result.agents[1].failures.forfeited, 8 * (result.episodes - 1));
  EXPECT_LE(result.agents[1].failures.forfeited, 9 * (result.episodes - 1));
}

TEST(Failure, StopsAStrictMatchNamingWhoWhereAndWhat) {
  const auto refusal = [](const std::string& game, const AgentFactoryPtr& agent, int threads = 1) {
    MatchOptions options = match(game, {"random"}, 64);
    options.agents.push_back(agent);
    options.threads = threads;
    options.strict = true;
    return error_message<AgentFailure>([&] { play_match(options); });
  };
  for (const int threads : {1, 3}) {
    const std::string error = refusal("kuhn", agents_of<Hopeless>("hopeless", FailureKind::kError), threads);
    EXPECT_TRUE(error.starts_with("agent 'hopeless' in seat ") && error.ends_with(": no idea")) << error;
    EXPECT_TRUE(has(error, " of deal "));
  }
  EXPECT_EQ(refusal("ofc", agents_of<Hopeless>("hopeless", FailureKind::kIllegal)),
            "agent 'hopeless' in seat 1 of deal 0: action 63 is not legal; expected one of: 0, 1, 2");
  EXPECT_EQ(refusal("kuhn", agents_of<Absent>("absent", 0)), "agent 'absent' in seat 1 of deal 0: no seat for me");
}

// An agent that never decided has no result: all its winnings come from stand-in moves.
TEST(Failure, OfEveryDecisionEndsTheMatch) {
  double seconds = 0;
  for (const auto& [kind, what] : {std::pair(FailureKind::kError, "no idea"),
                                   {FailureKind::kIllegal, "action 63 is not legal; expected one of: "},
                                   {FailureKind::kLate, "it took 3 seconds; 2.5 are allowed"}})
    for (const int threads : {1, 3})
      for (const std::int64_t deals : {std::int64_t{1}, std::int64_t{1'000'000'000}}) {
        MatchOptions options = match("kuhn", {"random"}, deals);
        options.agents.push_back(agents_of<Hopeless>("hopeless", kind, &seconds));
        options.clock = [&] { return seconds; };
        options.move_time = kind == FailureKind::kLate ? 2.5 : 0;
        options.threads = kind == FailureKind::kLate ? 1 : threads;
        const std::string error = error_message<AgentFailure>([&] { play_match(options); });
        EXPECT_TRUE(error.starts_with("agent 'hopeless' made no playable decision; seat ")) << error;
        EXPECT_TRUE(has(error, std::string(" of deal 0: ") + what));
      }
}

TEST(Failure, OfWhoWasNeverAskedIsNone) {
  // An agent without failures may also have made no decision: for example if everybody is all-in.
  EXPECT_NO_THROW(expect_decisions("a", false, {}));
  FailureCounts failures;
  failures.count(FailureKind::kLate, "seat 0 of deal 3: late");
  failures.count(FailureKind::kError, "seat 1 of deal 3: gone");
  failures.count(FailureKind::kLate, "seat 0 of deal 4: late again");
  EXPECT_NO_THROW(expect_decisions("a", true, failures));
  EXPECT_EQ(error_message<AgentFailure>([&] { expect_decisions("a", false, failures); }),
            "agent 'a' made no playable decision; seat 0 of deal 3: late");
  FailureCounts all;
  all.merge(failures);
  all.merge({});
  EXPECT_EQ(error_message<AgentFailure>([&] { expect_decisions("a", false, all); }),
            "agent 'a' made no playable decision; seat 0 of deal 3: late");
  EXPECT_EQ(all.hands[at(FailureKind::kLate)], 2);
}

TEST(Failure, IsReportedInJson) {
  MatchOptions options = match("kuhn", {"random"}, 3);
  bool begun = false;
  options.agents.push_back(agents_of<Hopeless>("hopeless", FailureKind::kIllegal, nullptr, &begun));
  const nlohmann::json failures = to_json(play_match(options))["failures"];
  EXPECT_EQ(failures[0],
            nlohmann::json::parse(
                R"({"error":0,"illegal":0,"late":0,"malformed":0,"disconnected":0,"forfeited":0,"first":{}})"));
  expect_members(failures[1], {{"illegal", 5}, {"error", 0}});
  EXPECT_EQ(failures[1]["first"].size(), 1U);
  EXPECT_TRUE(has(failures[1]["first"]["illegal"].get<std::string>(), "action 63"));
}

TEST(Failure, MessagesAreCut) {
  MatchOptions options = match("kuhn", {"random"}, 1);
  options.agents.push_back(fake_agents(
      "chatty", {.reset = [](Seat, std::uint64_t) { throw std::runtime_error(std::string(100'000, 'x')); }}));
  const std::string error = error_message<AgentFailure>([&] { play_match(options); });
  EXPECT_TRUE(error.ends_with("xxx...")) << error;
  EXPECT_LT(error.size(), 600U);
}

}  // namespace
}  // namespace dealer::single_failures_test
