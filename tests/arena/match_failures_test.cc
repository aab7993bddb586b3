// Agents that throw, decide illegally or come too late: the match continues by the rule in agents/table_loop.h.
#include "agents/table_loop.h"
#include "tests/arena/testing.h"

namespace dealer::match_failures_test {
namespace {

using namespace test;

// Plays randomly, and sometimes violates the agent interface. Its behaviour is a function of its seed.
class Unreliable final : public RandomAgent {
 public:
  // The number of failures per thousand calls.
  explicit Unreliable(std::uint32_t often, bool listens = true) : often_(often), listens_(listens) {}

  void reset(Seat seat, std::uint64_t seed) override {
    RandomAgent::reset(seat, seed);
    rng_ = RandomStream(seed, 1);
    if (often_ > 0 && rng_.below(1000) < 100) throw std::runtime_error("no seat for me");
  }
  bool observes() const override { return listens_; }
  void on_events(std::span<const Event>) override {
    if (rng_.below(1000) < often_ / 4) throw std::runtime_error("too loud");
  }
  Decision act(const Observation& observation) override {
    const Decision fair = RandomAgent::act(observation);
    if (rng_.below(1000) >= often_) return fair;
    constexpr Amount kMost = std::numeric_limits<Amount>::max();
    const std::uint32_t way = rng_.below(9);
    if (way == 0) throw std::runtime_error("no idea");
    if (way == 1) throw 42;
    Action illegal = 0;  // an existing action that is illegal here
    while (illegal < kMaxActions && (observation.legal_mask >> illegal & 1) != 0) ++illegal;
    const AmountRange& amounts = observation.amounts;
    const Decision wrong[] = {-2,
                              64,
                              std::numeric_limits<Action>::min(),
                              illegal,
                              Decision::bet_to(amounts.low - 1),
                              Decision::bet_to(amounts.empty() ? 1 : std::min(amounts.high, kMost - 1) + 1),
                              {}};
    return wrong[way - 2];
  }

 private:
  std::uint32_t often_;
  bool listens_;
  RandomStream rng_;
};

// A reference implementation of the rule: one game after the other, one agent at a time.
class Reference {
 public:
  explicit Reference(const MatchOptions& options) : options_(options) {
    const std::size_t agents = options.agents.size();
    points.resize(agents);
    failures.resize(agents);
  }

  void play() {
    for (std::int64_t deal = 0; deal < options_.deals; ++deal) {
      const std::vector<double> before = points;
      const std::int64_t failed = failed_hands(), played = hands;
      for (const auto& seating : seatings(options_.game->players())) play(deal, seating);
      // A deal with a failure in any of its seatings does not count.
      if (failed_hands() == failed) {
        hands_that_count += hands - played;
      } else {
        ++failed_deals;
        points = before;
      }
    }
  }

  std::vector<double> points;
  std::vector<FailureCounts> failures;
  std::int64_t hands = 0, hands_that_count = 0, failed_deals = 0;
  std::string log;

 private:
  struct Sitting {
    std::unique_ptr<Agent> agent;
    int failed_hands = 0;
    bool given_up = false;
    std::vector<Event> observed;
  };

  std::int64_t failed_hands() const {
    std::int64_t sum = 0;
    for (const FailureCounts& counts : failures) sum += counts.failed();
    return sum;
  }
  void count(std::size_t agent, FailureKind kind, Sitting& sitting) {
    if (sitting.given_up) return;
    sitting.given_up = true;
    ++sitting.failed_hands;
    ++failures[agent].hands[at(kind)];
  }
  void on_events(const Env& env, Seat seat, std::size_t agent, Sitting& sitting) {
    if (!sitting.agent->observes()) return;
    const std::vector<Event> all = env.events(seat);
    const auto before = static_cast<std::ptrdiff_t>(sitting.observed.size());
    const std::vector<Event> fresh(all.begin() + before, all.end());
    sitting.observed = all;
    if (fresh.empty()) return;
    try {
      sitting.agent->on_events(fresh);
    } catch (...) {
      count(agent, FailureKind::kError, sitting);
    }
  }
  std::optional<Decision> decide(const Env& env, Seat seat, std::size_t agent, Sitting& sitting) {
    if (sitting.given_up) return std::nullopt;
    on_events(env, seat, agent, sitting);
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
    for (const std::string word : {"fold", "check", "call"})
      for (const std::string& text : legal)
        if (text.starts_with(word)) return env.parse_action(text);
    return env.legal_actions().front();
  }

  void play(std::int64_t deal, const std::vector<int>& seating) {
    const std::uint64_t seed = derive(options_.seed, static_cast<std::uint64_t>(deal));
    const auto env = options_.game->new_env({.hold_hands = true});
    env->reset(seed);
    std::vector<Sitting> sittings(seating.size());
    const auto agent_at = [&](Seat seat) { return at(seating[at(seat)]); };
    for (Seat seat = 0; seat < options_.game->players(); ++seat) {
      Sitting& sitting = sittings[at(seat)];
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
        const auto decision = decide(*env, seat, agent_at(seat), sittings[at(seat)]);
        const Decision played = decision ? *decision : stand_in(*env);
        log += fmt::format(" {} {}", seat, env->decision_to_string(played));
        env->step(played);
      }
      ++hands;
      log += '\n';
      for (Seat seat = 0; seat < options_.game->players(); ++seat) {
        Sitting& sitting = sittings[at(seat)];
        if (forfeits[at(seat)]) {
          ++failures[agent_at(seat)].forfeited;
          continue;
        }
        if (sitting.failed_hands < 3) on_events(*env, seat, agent_at(seat), sitting);
        sitting.given_up = sitting.failed_hands >= 3;
        sitting.observed.clear();
      }
      if (env->terminated()) break;
      env->next_hand();
    }
    const std::vector<double> returns = env->returns();
    for (Seat seat = 0; seat < options_.game->players(); ++seat) points[agent_at(seat)] += returns[at(seat)];
  }

  const MatchOptions& options_;
};

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
  ASSERT_GT(expected.failed_deals, 0);
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
    EXPECT_EQ(lines_of(log), lines_of(expected.log));
    EXPECT_EQ(result.hands_played, expected.hands);
    EXPECT_EQ(result.failed_deals, expected.failed_deals);
    EXPECT_EQ(result.agents[0].points.denominator(), static_cast<double>(expected.hands_that_count));
    EXPECT_EQ(result.agents[0].points.clusters(), result.counted_deals());
    for (std::size_t a = 0; a < options.agents.size(); ++a) {
      const AgentResult& agent = result.agents[a];
      EXPECT_EQ(agent.points.numerator(), expected.points[a]);
      EXPECT_EQ(agent.failures.hands, expected.failures[a].hands) << a;
      EXPECT_EQ(agent.failures.forfeited, expected.failures[a].forfeited) << a;
    }
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

}  // namespace
}  // namespace dealer::match_failures_test
