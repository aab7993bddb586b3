#include "tests/arena/testing.h"

namespace dealer::arena_match_test {
namespace {

using namespace test;

struct Mirror {
  const char* game;
  const char* agent;
  int deals;
};

std::ostream& operator<<(std::ostream& out, const Mirror& mirror) {
  return out << mirror.agent << " at " << mirror.game;
}

class AgainstItself : public testing::TestWithParam<Mirror> {};

// All agents have equal figures, too.
TEST_P(AgainstItself, APolicyHasExactlyZero) {
  const auto& [game, agent, deals] = GetParam();
  const int players = make_game(game)->players();
  const MatchResult result = play_match(match(game, Words(at(players), agent), deals));
  EXPECT_GE(result.hands_played, result.episodes);
  EXPECT_EQ(result.episodes, deals * (players == 2 ? 2 : 6));
  for (const AgentResult& each : result.agents) {
    EXPECT_EQ(each.mean(), 0);
    EXPECT_EQ(each.ci95(), 0);
    for (std::size_t i = 0; i < each.rates.size(); ++i)
      EXPECT_EQ(each.rates[i].numerator, result.agents[0].rates[i].numerator) << each.rates[i].name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Agents, AgainstItself,
    testing::Values(Mirror{"ofc", "random", 200}, Mirror{"ofc", "rule", 100}, Mirror{"ofc", "rule:expert", 60},
                    Mirror{"ofc[players=3]", "random", 60}, Mirror{"ofc[players=3]", "rule:expert", 20},
                    Mirror{"ofc[episode=hand]", "rule", 30}, Mirror{"ofc[episode=match,match.hands=5]", "random", 20},
                    Mirror{"ofc[episode=match,match.hands=5]", "rule:expert", 10},
                    Mirror{"ofc[players=3,episode=match,match.hands=4]", "rule", 4}, Mirror{"draw", "rule", 20},
                    Mirror{"holdem[limit=no_limit]", "rule", 20}, Mirror{"stud_hi_lo", "rule", 20}));

// A mean of whole points may be zero by chance; its interval is not, so the two never look like one policy.
TEST(MatchThorough, OfDifferentPoliciesIsNeverExactlyZero) {
  using Pair = std::array<const char*, 3>;
  for (const auto& [game, a, b] :
       {Pair{"kuhn", "rule", "default"}, Pair{"leduc", "rule", "default"}, Pair{"draw", "rule", "rule:tight"},
        Pair{"stud", "rule:loose", "rule:caller"}, Pair{"ofc", "rule:bold", "rule:careful"},
        Pair{"ofc", "default", "default[caution=1]"},
        Pair{"holdem[limit=no_limit]", "default", "default[temperature=1.1]"}, Pair{"seven_hand", "default", "rule"}}) {
    SCOPED_TRACE(std::string(game) + ' ' + a + ' ' + b);
    const MatchResult result = play_match(match(game, {a, b}, 50));
    for (const AgentResult& agent : result.agents) EXPECT_GT(agent.ci95(), 0);
  }
}

// The bounds are five standard errors or more from the results of long matches: 6.1 points per hand for the heuristic
// agent, 9.6 for the others; random play fouls 68% of hands.
TEST(Match, EveryHandWrittenPlayerBeatsRandomByFar) {
  for (const char* style : {"rule", "rule:expert", "rule:careful", "rule:bold"}) {
    const MatchResult result = play_match(match("ofc", {style, "random"}, 300));
    const AgentResult& rule = result.agents[0];
    EXPECT_GT(rule.mean(), 3) << style;
    EXPECT_EQ(rule.mean(), -result.agents[1].mean());
    EXPECT_EQ(rule.ci95(), result.agents[1].ci95());
    EXPECT_GT(result.agents[1].rate("foul_rate"), 0.5);
  }
}

// In long matches by 4.1 points per hand. The expert fouls
// 21% of hands, the other 28%; 16% and 7% reach Fantasyland.
TEST(Match, TheExpertBeatsTheRulesOfThumb) {
  const MatchResult result = play_match(match("ofc", {"rule:expert", "rule"}, 600));
  const AgentResult& expert = result.agents[0];
  EXPECT_GT(expert.mean(), 2.5 * expert.ci95());
  EXPECT_LT(expert.rate("foul_rate"), 0.28);
  EXPECT_GT(expert.rate("fantasyland_rate"), 0.1);
  EXPECT_LT(result.agents[1].rate("foul_rate"), 0.35);
  EXPECT_GT(result.agents[1].rate("fantasyland_rate"), 0.03);
}

// Decisions of single agents do not depend on the batch: so the number of tables does not matter either.
TEST(Match, DependsNeitherOnTheThreadsNorOnTheTables) {
  for (const auto& options : {match("ofc[players=3]", {"rule", "random", "rule:expert"}, 40),
                              match("draw[episode=match,match_hands=5]", {"random", "random"}, 200),
                              match("leduc", {"rule", "random"}, 500)}) {
    const auto one = played(options, 1, 1);
    EXPECT_GT(one.second.size(), 1000U);
    for (const int threads : {1, 2, 5})
      for (const int num_envs : {0, 3, 64}) EXPECT_EQ(played(options, threads, num_envs), one);
  }
}

TEST(Match, TheSeedDecidesTheDeals) {
  MatchOptions options = match("ofc", {"rule", "random"}, 20);
  const std::string first = without_time(play_match(options));
  EXPECT_EQ(without_time(play_match(options)), first);
  options.seed = 12;
  EXPECT_NE(play_match(options).agents[0].mean(), nlohmann::json::parse(first)["mean"][0]);
}

TEST(Match, SeatingsAreFair) {
  EXPECT_EQ(seatings(2), (std::vector<std::vector<int>>{{0, 1}, {1, 0}}));
  EXPECT_EQ(seatings(3).size(), 6U);
  for (const int players : {2, 3, 4, 10}) {
    const auto all = seatings(players);
    EXPECT_EQ(std::set<std::vector<int>>(all.begin(), all.end()).size(), all.size());
    for (int seat = 0; seat < players; ++seat) {
      std::vector<std::size_t> times(at(players));
      for (const auto& seating : all) ++times[at(seating[at(seat)])];
      for (const std::size_t t : times) EXPECT_EQ(t, all.size() / at(players));
    }
  }
}

TEST(Match, WithoutDuplicatesSeatingsTakeTurns) {
  MatchOptions options = match("ofc", {"random", "random"}, 10);
  options.duplicate = false;
  std::string text;
  options.describe = [](const PlayedHand& hand) { return std::to_string(hand.agent_of_seat[0]); };
  options.log = [&](std::string_view more) { text += more; };
  const MatchResult result = play_match(options);
  EXPECT_EQ(result.episodes, 10);
  EXPECT_EQ(text, "0101010101");
}

// Replayed from its seed with the reported decisions, every hand has the same text, events and points.
void check_replayable(MatchOptions options, int at_least) {
  SCOPED_TRACE(options.game->spec());
  options.num_envs = 8;
  const std::size_t players = options.agents.size();
  std::vector<double> total(players);
  std::int64_t hands = 0;
  std::map<std::pair<std::int64_t, int>, std::unique_ptr<Env>> tables;
  options.describe = [&](const PlayedHand& hand) {
    ++hands;
    std::vector<double> points(players), before(players);
    std::unique_ptr<Env>& env = tables[{hand.deal, hand.seating}];
    if (hand.hand == 0) {
      env = options.game->new_env({.hold_hands = true});
      env->reset(hand.seed);
    } else {
      before = env->returns();
      env->next_hand();
    }
    for (const PlayedDecision& taken : hand.decisions) {
      EXPECT_EQ(env->current_player(), taken.seat);
      EXPECT_EQ(env->parse_decision(taken.text), taken.decision);
      env->step(taken.decision);
    }
    EXPECT_TRUE(env->hand_over());
    for (std::size_t s = 0; s < players; ++s) points[s] = env->returns()[s] - before[s];
    EXPECT_EQ(points, hand.points);
    EXPECT_EQ(env->events(kOmniscient), std::vector<Event>(hand.events.begin(), hand.events.end()));
    for (std::size_t s = 0; s < players; ++s) total[at(hand.agent_of_seat[s])] += points[s];
    return std::string();
  };
  options.log = [](std::string_view) {};
  const MatchResult result = play_match(options);
  EXPECT_EQ(hands, result.hands_played);
  EXPECT_GT(hands, at_least);
  for (std::size_t a = 0; a < players; ++a) EXPECT_EQ(result.agents[a].mean(), total[a] / static_cast<double>(hands));
}

TEST(Match, PlayedHandsCanBeReplayed) {
  check_replayable(match("ofc", {"rule:expert", "rule:bold"}, 40), 80);
  check_replayable(match("leduc", {"rule", "random"}, 40), 79);
  check_replayable(match("holdem[limit=no_limit,players=3]", {"rule", "random", "random"}, 20), 119);
  // Here the ante sometimes takes a player's last chip, so that there are no decisions in the hand.
  check_replayable(match("draw[episode=match,stack=30,ante=10,min_bet=10,big_bet=20]", {"random", "random"}, 40), 100);
}

TEST(Match, AStoppedOneIsTheShorterMatch) {
  for (const int threads : {1, 3})
    for (const int num_envs : {1, 20}) {
      std::atomic<int> decisions = 0;
      // Chains differ much in length: deals finish out of order.
      MatchOptions options = match("ofc", {"rule:expert"}, 3000);
      register_random_agent("impatient", [&] { ++decisions; });
      options.agents.push_back(make_agents("impatient", options.game));
      options.threads = threads;
      options.num_envs = num_envs;
      options.stop = [&] { return decisions >= 4000; };
      std::int64_t last = 0;
      options.progress = [&](std::int64_t done) {
        EXPECT_GT(done, last);
        last = done;
      };
      std::string log;
      write_log(options, log);
      const MatchResult result = play_match(options);
      EXPECT_TRUE(result.interrupted);
      EXPECT_EQ(result.deals, last);
      EXPECT_GT(result.deals, 0);  // the number of complete deals depends on the threads
      // Every table makes at most one more decision.
      EXPECT_LE(decisions, 4000 + num_envs * threads);
      MatchOptions shorter = options;
      shorter.deals = result.deals;
      shorter.stop = {};
      shorter.progress = {};
      nlohmann::json json = nlohmann::json::parse(without_time(result));
      json["interrupted"] = false;
      EXPECT_EQ(played(shorter, 1, 1), std::pair(json.dump(), log));
    }
}

TEST(Match, StoppedAtOnceItHasNoResult) {
  MatchOptions options = match("ofc", {"random", "random"}, 10);
  options.stop = [] { return true; };
  const MatchResult result = play_match(options);
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.deals, 0);
  EXPECT_TRUE(to_json(result)["mean"][0].is_null());
  EXPECT_TRUE(to_json(result)["ci95"][0].is_null());
}

TEST(Match, TellsProgress) {
  MatchOptions options = match("ofc", {"random", "random"}, 100);
  std::vector<std::int64_t> observed;
  options.progress = [&](std::int64_t done) { observed.push_back(done); };
  EXPECT_FALSE(play_match(options).interrupted);
  EXPECT_EQ(observed, (std::vector<std::int64_t>{16, 32, 48, 64, 80, 96, 100}));
  // Four games for each of twenty tables.
  observed.clear();
  options.num_envs = 20;
  play_match(options);
  EXPECT_EQ(observed, (std::vector<std::int64_t>{40, 80, 100}));
}

TEST(Match, JsonHasTheContractsFields) {
  const nlohmann::json json = to_json(play_match(match("ofc", {"rule", "random"}, 3)));
  expect_members(json, {{"game", "ofc"},
                        {"agents", {"rule", "random"}},
                        {"hands", 3},
                        {"deals", 3},
                        {"interrupted", false},
                        {"unit", "points/hand"}});
  EXPECT_GE(json["hands_played"], 6);
  EXPECT_GT(json["seconds"], 0);
  for (const char* list : {"mean", "ci95", "stats"}) EXPECT_EQ(json[list].size(), 2U) << list;
  for (const auto& stats : json["stats"]) EXPECT_TRUE(stats["foul_rate"].is_number());
  EXPECT_THROW(play_match(match("ofc", {"random", "random"}, 2)).agents[0].rate("foul"), UsageError);
  // Random play has not been in Fantasyland in three deals: the rate of staying there is unknown.
  EXPECT_TRUE(json["stats"][1]["fantasyland_stay_rate"].is_null());
}

TEST(Match, OneDealTellsNoInterval) {
  EXPECT_TRUE(to_json(play_match(match("ofc", {"rule", "random"}, 1)))["ci95"][0].is_null());
}

TEST(Match, RefusesWhatCannotBePlayed) {
  const auto expect = [](const std::string& game, int deals, const std::string& why, int threads = 1, int num_envs = 0,
                         double move_time = 0) {
    MatchOptions options = match(game, {"rule", "random"}, deals);
    options.threads = threads;
    options.num_envs = num_envs;
    options.move_time = move_time;
    EXPECT_EQ(error_message<UsageError>([&] { play_match(options); }), why);
  };
  expect("ofc[players=3]", 1, "2 agents given; 'ofc[players=3]' is a game of 3 players");
  expect("ofc", 0, "0 deals; expected at least 1");
  expect("ofc", 1, "-1 threads; expected 0 (all) or more", -1);
  expect("ofc", 1, "num_envs of -1; expected 0 (chosen by the agents) to 4096", 1, -1);
  expect("ofc", 1, "num_envs of 4097; expected 0 (chosen by the agents) to 4096", 1, 4097);
  expect("ofc", 1, "a move time of -1; expected seconds, or 0 (no limit)", 1, 0, -1);
  expect("ofc", 1, "a move time of inf; expected seconds, or 0 (no limit)", 1, 0, INFINITY);
}

// The events that an agent observed when it was seated, and its seed.
struct Seating {
  int agent;
  Seat seat;
  std::uint64_t seed;
  auto operator<=>(const Seating&) const = default;
};
// The seeds of a single-threaded match in episode order: [deal][seating] lists the events of the seats.
std::vector<std::vector<std::vector<Seating>>> seeds_of(const std::string& game, int deals, std::uint64_t seed) {
  std::vector<Seating> seen;
  MatchOptions options = match(game, {}, deals);
  options.seed = seed;
  const auto players = at(options.game->players());
  for (int a = 0; a < options.game->players(); ++a)
    options.agents.push_back(fake_agents("noting", {.reset = [a, &seen](Seat seat, std::uint64_t s) {
                                           seen.push_back({a, seat, s});
                                         }}));
  play_match(options);
  const std::size_t tables = seatings(options.game->players()).size();
  EXPECT_EQ(seen.size(), at(deals) * tables * players);
  std::vector<std::vector<std::vector<Seating>>> observed(at(deals));
  auto next = seen.begin();
  for (auto& deal : observed)
    for (std::size_t table = 0; table < tables; ++table, next += static_cast<std::ptrdiff_t>(players))
      deal.emplace_back(next, next + static_cast<std::ptrdiff_t>(players));
  return observed;
}

// A random player with the same seed in every deal would repeat its decisions; with different seeds in the two seatings
// of a deal it would not be the same player there.
TEST(Match, AnAgentsSeedDependsOnDealAndSeatAlone) {
  for (const char* game : {"leduc", "ofc[players=3]"}) {
    std::set<std::uint64_t> seeds;
    const auto observed = seeds_of(game, 40, 11);
    for (const auto& deal : observed) {
      std::map<Seat, std::uint64_t> of_seat;
      for (const auto& table : deal)
        for (const Seating& each : table) EXPECT_EQ(of_seat.emplace(each.seat, each.seed).first->second, each.seed);
      for (const auto& [seat, seed] : of_seat) EXPECT_TRUE(seeds.insert(seed).second) << "the same seed twice";
    }
    EXPECT_EQ(observed, seeds_of(game, 40, 11));
    for (const auto& deal : seeds_of(game, 40, 12))
      for (const Seating& each : deal[0]) EXPECT_FALSE(seeds.contains(each.seed)) << "the seed of another match";
  }
}

}  // namespace
}  // namespace dealer::arena_match_test
