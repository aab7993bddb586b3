// Whole tournaments: played and skipped deals, interruption and resumption, failing agents.
#include "arena/tournament/run.h"

#include "tests/arena/testing.h"

namespace dealer::tournament::run_test {
namespace {

using namespace test;

class Tournament : public testing::Test {
 protected:
  static Job job(const std::string& game, const Words& agents, std::int64_t deals) {
    Job job;
    job.game = make_game(game);
    for (const std::string& agent : agents) job.participants.push_back(make_participant(agent, job.game));
    job.deals = deals;
    job.seed = 3;
    return job;
  }
  fs::path at(const std::string& name) const { return folder_ / name; }
  std::string results(const std::string& name) const { return read_bytes(at(name) / "results.json"); }

  // Resumes and returns the number of deals played.
  std::int64_t play(const Job& job, const std::string& name) {
    std::int64_t played = 0;
    Hooks hooks;
    hooks.begin = [&](std::int64_t missing) { missing_ = missing; };
    hooks.progress = [&](std::int64_t done) { played = done; };
    outcome_ = run_tournament(job, at(name), hooks);
    EXPECT_FALSE(outcome_.interrupted);
    return played;
  }
  const AgentStanding& agent(const std::string& name) const {
    const auto& agents = outcome_.results.agents;
    return *std::find_if(agents.begin(), agents.end(), [&](const AgentStanding& a) { return a.name == name; });
  }

  const TempFolder folder_;
  Outcome outcome_;
  std::int64_t missing_ = -1;
};

TEST_F(Tournament, PlaysEveryPairAndReports) {
  EXPECT_EQ(play(job("leduc", {"random", "default", "rule"}, 100), "a"), 300);
  EXPECT_EQ(missing_, 300);
  EXPECT_EQ(outcome_.pairs, 3);
  EXPECT_EQ(outcome_.finished, 3);
  const Results& results = outcome_.results;
  EXPECT_EQ(results.agents[2].name, "random");
  EXPECT_TRUE(results.has_nash);
  // A pair is a match of its agents with the pair's own deals.
  MatchOptions match = test::match("leduc", {"default", "random"}, 100);
  match.seed = pair_seed(3, "random", "default");
  const MatchResult direct = play_match(match);
  int d = 0;
  while (results.agents[static_cast<std::size_t>(d)].name != "default") ++d;
  const studies::Estimate points = between(results, d, 2);
  EXPECT_DOUBLE_EQ(points.value, direct.agents[0].mean());
  EXPECT_DOUBLE_EQ(points.ci95, direct.agents[0].ci95());
  EXPECT_EQ(points.count, static_cast<double>(direct.hands_played));
  EXPECT_EQ(between(results, 2, d).value, -points.value);
  const Json json = Json::parse(this->results("a"));
  expect_members(json, {{"game", "leduc"}, {"unit", "chips/hand"}, {"hands", results.hands()}});
  EXPECT_EQ(json["agents"][2]["spec"], "random");
  EXPECT_EQ(json["nash"].size(), 3U);
  EXPECT_EQ(xml_fault(read_bytes(outcome_.report)), "");
}

TEST_F(Tournament, WhatIsMissingIsPlayed) {
  const auto expect = [&](const char* folder, const Words& agents, std::int64_t deals, std::int64_t played) {
    EXPECT_EQ(play(job("kuhn", agents, deals), folder), played) << folder << ' ' << deals;
  };
  expect("a", {"random", "rule"}, 80, 80);
  const std::string before = results("a");
  expect("a", {"random", "rule"}, 80, 0);
  EXPECT_EQ(results("a"), before);
  // An agent and more deals are added; the order of names changes no points.
  expect("a", {"default", "random", "rule"}, 80, 160);
  expect("b", {"default", "random", "rule"}, 80, 240);
  EXPECT_EQ(results("a"), results("b"));
  expect("a", {"default", "random", "rule"}, 200, 360);
  expect("c", {"random", "rule", "default"}, 200, 600);
  EXPECT_EQ(results("a"), results("c"));
  expect("a", {"random", "rule"}, 10, 0);  // existing pairs
}

TEST_F(Tournament, AGauntletPlaysTheFirst) {
  Job gauntlet = job("leduc", {"rule", "random", "default"}, 50);
  gauntlet.format = Format::kGauntlet;
  EXPECT_EQ(play(gauntlet, "a"), 100);
  EXPECT_FALSE(outcome_.results.has_nash);
  EXPECT_EQ(outcome_.results.pairs.size(), 2U);
  EXPECT_TRUE(agent("default").rating.known);
  EXPECT_TRUE(nlohmann::json::parse(results("a"))["nash"].is_null());
  // The missing pair is played in a round robin.
  EXPECT_EQ(play(job("leduc", {"rule", "random", "default"}, 50), "a"), 50);
  EXPECT_TRUE(outcome_.results.has_nash);
}

TEST_F(Tournament, StoppedItGoesOn) {
  const Job whole = job("leduc", {"random", "rule", "default"}, 150);
  play(whole, "b");
  int stops = 0;
  for (bool interrupted = true; interrupted; ++stops) {
    ASSERT_LT(stops, 100);
    int left = 300;
    Hooks hooks;
    hooks.stop = [&left] { return --left < 0; };
    const Outcome outcome = run_tournament(whole, at("a"), hooks);
    interrupted = outcome.interrupted;
    EXPECT_EQ(fs::exists(at("a") / "results.json"), !interrupted);
    EXPECT_EQ(outcome.finished == outcome.pairs, !interrupted);
  }
  EXPECT_GT(stops, 3);
  EXPECT_EQ(results("a"), results("b"));
}

TEST_F(Tournament, DoesNotDependOnThreads) {
  Job one = job("ofc", {"random", "rule", "rule:bold"}, 40);
  play(one, "a");
  one.threads = 3;
  play(one, "b");
  EXPECT_EQ(results("a"), results("b"));
}

TEST_F(Tournament, PairsAreKnownWellEnough) {
  Job job = this->job("leduc", {"random", "rule"}, 100'000);
  job.until = 0.3;
  const std::int64_t played = play(job, "a");
  EXPECT_EQ(missing_, 0) << "nobody knows";
  EXPECT_LE(half_width95(outcome_.results.pairs[0].points), 0.3);
  EXPECT_EQ(played, end_of_piece(played - 1)) << "looked at between pieces";
  // The previous piece was not enough.
  std::int64_t before = 0;
  while (end_of_piece(before) < played) before = end_of_piece(before);
  play(this->job("leduc", {"random", "rule"}, before), "b");
  EXPECT_GT(half_width95(outcome_.results.pairs[0].points), 0.3);
  // Full agreement does not end a pair before the interval is known, nor within a piece where it was interrupted.
  for (const std::int64_t first : {50, 110}) {
    const std::string folder = "c" + std::to_string(first);
    Job same = this->job("kuhn", {"rule", "default"}, first);
    same.until = 100;
    EXPECT_EQ(play(same, folder), first);
    same.deals = 100'000;
    EXPECT_EQ(play(same, folder), 128 - first);
  }
}

// Three agents at three-player tables: one copy of one agent and two of the other, and vice versa.
TEST_F(Tournament, AtLargerTablesOneSitsAlone) {
  EXPECT_EQ(play(job("ofc[players=3]", {"random", "rule"}, 30), "a"), 30);
  const studies::Estimate points = between(outcome_.results, 0, 1);
  EXPECT_EQ(outcome_.results.agents[0].name, "rule");
  const auto lone = [](const Words& agents) {
    MatchOptions match = test::match("ofc[players=3]", agents, 30);
    match.seed = pair_seed(3, "random", "rule");
    return play_match(match);
  };
  const MatchResult rule = lone({"rule", "random", "random"}), random = lone({"random", "rule", "rule"});
  const double wins = rule.agents[0].points.numerator(), loses = random.agents[0].points.numerator();
  EXPECT_NEAR(points.value,
              (wins - loses) / 2 / (rule.agents[0].points.denominator() + random.agents[0].points.denominator()) * 2,
              1e-9);
}

TEST_F(Tournament, AnAgentThatFailsStopsItsPairsOnly) {
  Job job = this->job("kuhn", {"random", "rule"}, 400);
  // It throws after 500 decisions, while `fails` is true.
  static std::atomic<bool> fails = true;
  static std::atomic<int> decisions = 0;
  Participant failing;
  failing.name = failing.spec = "failing";
  failing.factory = random_agents("failing", [](const Observation&) {
    if (fails && ++decisions > 500) throw std::runtime_error("the network is down");
  });
  job.participants.insert(job.participants.begin(), failing);
  play(job, "a");
  const Results& results = outcome_.results;
  EXPECT_EQ(outcome_.finished, 3);
  EXPECT_EQ(results.failed(), 2);
  std::int64_t kept = 0;
  for (const PairResult& pair : results.pairs) {
    const bool with = results.agents[static_cast<std::size_t>(pair.points.a)].name == "failing" ||
                      results.agents[static_cast<std::size_t>(pair.points.b)].name == "failing";
    EXPECT_EQ(pair.failure.empty(), !with);
    if (!with) {
      EXPECT_EQ(pair.deals, 400);
      continue;
    }
    EXPECT_TRUE(has(pair.failure, "the network is down"));
    EXPECT_EQ(pair.failed, "failing");
    kept = std::max(kept, pair.deals);
  }
  EXPECT_GT(kept, 0) << "the pieces before it failed";
  EXPECT_LT(kept, 400);
  EXPECT_FALSE(results.has_nash);
  for (const AgentStanding& agent : results.agents)
    EXPECT_EQ(agent.failed_pairs, agent.name == "failing" ? 2 : 0) << agent.name;
  EXPECT_EQ(xml_fault(read_bytes(outcome_.report)), "");
  // The pair is retried.
  fails = false;
  play(job, "a");
  EXPECT_EQ(outcome_.results.failed(), 0);
  EXPECT_TRUE(outcome_.results.has_nash);
  play(job, "b");
  EXPECT_EQ(this->results("a"), this->results("b"));
}

TEST_F(Tournament, RefusesMisuse) {
  const auto refusal = [&](const Job& job) { return error_message<UsageError>([&] { run_tournament(job, at("a")); }); };
  EXPECT_EQ(refusal(job("kuhn", {"random"}, 10)), "agent 'random' alone given; a tournament needs two agents or more");
  EXPECT_EQ(refusal(job("kuhn", {}, 10)), "no agent given; a tournament needs two agents or more");
  EXPECT_EQ(refusal(job("kuhn", {"rule", "random", "rule"}, 10)),
            "agent 'rule' is given twice; an agent plays under one name");
  EXPECT_EQ(refusal(job("kuhn", {"rule", "random"}, 1)), "1 deal for each pair; expected 2 or more");
  EXPECT_FALSE(fs::exists(at("a")));
}

TEST(Participants, KnowTheFileTheyWereLoadedFrom) {
  const GamePtr game = make_game("kuhn");
  const Participant solution = make_participant("default", game);
  ASSERT_FALSE(solution.file.empty());
  EXPECT_EQ(solution.digest, digest_of(solution.file));
  // At a table with other chips the solution does not play.
  const GamePtr court = make_game("court_tarot[players=2]"), chips = make_game("court_tarot[players=2,stack=200]");
  const GamePtr no_limit = make_game("holdem[limit=no_limit]"),
                short_stacks = make_game("holdem[limit=no_limit,stack=2000]");
  for (const auto& [trained, table, file] : {std::tuple(court, court, "buckets_court_tarot.safetensors"),
                                             {court, chips, "court_tarot_heads_up.safetensors"},
                                             {no_limit, no_limit, "mixture_holdem_no_limit.yaml"},
                                             {no_limit, short_stacks, "holdem_no_limit.safetensors"}})
    EXPECT_EQ(file_of("default", *trained, *table).filename(), file);
  // The digest includes a mixture's members.
  const TempFolder folder;
  for (const char* name : {"a.safetensors", "b.safetensors"}) write_bytes(folder / name, name);
  write_bytes(folder / "m.yaml", "game: draw\nmixture: [a.safetensors, b.safetensors]\n");
  const std::string before = digest_of(folder / "m.yaml");
  EXPECT_TRUE(before.starts_with("77 bytes, crc32c ")) << before;
  write_bytes(folder / "b.safetensors", "B.safetensors");
  EXPECT_NE(digest_of(folder / "m.yaml"), before);
  const Participant rule = make_participant("rule", game);
  EXPECT_TRUE(rule.file.empty());
  EXPECT_EQ(rule.digest, "");
  // The error comes from making the agent.
  EXPECT_TRUE(has(error_message<UsageError>([&] { make_participant("defualt", game); }), "did you mean 'default'?"));
}

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

// With these seatings half the difference equals the points of a two-player match.
TEST(TournamentPlan, HalfTheDifferenceIsWhatOneWins) {
  MatchOptions plain = match("leduc", {"rule", "random"}, 40), planned = plain;
  planned.seating_plan = pair_seatings(2);
  const MatchResult one = play_match(plain), other = play_match(planned);
  EXPECT_EQ(one.agents[0].mean(), other.agents[0].mean());
  EXPECT_EQ(one.agents[0].mean(), other.differences[0].points.ratio() / 2);
}

}  // namespace
}  // namespace dealer::tournament::run_test
