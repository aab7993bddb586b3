// Observing agents get all events visible to their seat, in order, once; agents are queried for many tables at once.
#include "tests/arena/testing.h"
#include "tests/support/coin_game.h"

namespace dealer::match_agents_test {
namespace {

using namespace test;

// The batches of events before each decision, and between others: an empty batch stands for a decision.
using Transcript = std::vector<std::vector<Event>>;
// Keyed by the agent's seed, which identifies deal and seat.
using Transcripts = std::map<std::uint64_t, Transcript>;

class Listening final : public RandomAgent {
 public:
  explicit Listening(Transcripts* observed) : observed_(observed) {}
  void reset(Seat seat, std::uint64_t seed) override {
    RandomAgent::reset(seat, seed);
    EXPECT_FALSE(observed_->contains(seed)) << "two episodes with one seed";
    seed_ = seed;
    (*observed_)[seed];
  }
  bool observes() const override { return true; }
  void on_events(std::span<const Event> events) override {
    EXPECT_FALSE(events.empty());
    (*observed_)[seed_].emplace_back(events.begin(), events.end());
  }
  Decision act(const Observation& observation) override {
    (*observed_)[seed_].emplace_back();
    return RandomAgent::act(observation);
  }

 private:
  Transcripts* observed_;
  std::uint64_t seed_ = 0;
};

// Replays one episode from its decisions: the events that the seat must observe, and when.
class Replay {
 public:
  Replay(const Game& game, Seat seat, std::uint64_t seed) : env_(game.new_env({.hold_hands = true})), seat_(seat) {
    env_->reset(seed);
  }
  void play(const PlayedHand& hand) {
    for (const PlayedDecision& each : hand.decisions) {
      if (each.seat == seat_) {
        on_events();
        transcript.emplace_back();
      }
      env_->step(each.decision);
    }
    ASSERT_TRUE(env_->hand_over());
    on_events();
    observed_ = 0;
    if (!env_->terminated()) env_->next_hand();
  }
  Transcript transcript;

 private:
  void on_events() {
    const std::vector<Event> all = env_->events(seat_);
    if (all.size() > observed_)
      transcript.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(observed_), all.end());
    observed_ = all.size();
  }
  std::unique_ptr<Env> env_;
  Seat seat_;
  std::size_t observed_ = 0;  // of the hand
};

class ObservedEvents : public testing::TestWithParam<const char*> {};

TEST_P(ObservedEvents, AreCompleteInOrderAndInTime) {
  Transcripts observed;
  MatchOptions options = match(GetParam(), {"random"}, 25);
  options.agents.push_back(agents_of<Listening>("listening", &observed));
  options.num_envs = 7;
  std::map<std::uint64_t, Replay> expected;
  std::int64_t endings = 0;
  options.describe = [&](const PlayedHand& hand) {
    const Seat seat = hand.agent_of_seat[0] == 1 ? 0 : 1;
    const std::uint64_t seed = derive(hand.seed ^ 0x6167656e74730000ULL, static_cast<std::uint64_t>(seat));
    expected.try_emplace(seed, *options.game, seat, hand.seed).first->second.play(hand);
    return std::string();
  };
  options.log = [](std::string_view) {};
  const MatchResult result = play_match(options);
  ASSERT_EQ(observed.size(), at(result.episodes));
  for (auto& [seed, replay] : expected) {
    EXPECT_EQ(observed.at(seed), replay.transcript);
    for (const std::vector<Event>& group : observed.at(seed))
      for (const Event& event : group) endings += event.kind == Event::Kind::kHandEnded ? 1 : 0;
  }
  EXPECT_EQ(endings, result.hands_played) << "the end of each hand is observed";
}

INSTANTIATE_TEST_SUITE_P(Games, ObservedEvents,
                         testing::Values("kuhn", "leduc", "mini_draw", "draw", "draw[episode=match,match_hands=6]",
                                         "draw[episode=match,stack=30,ante=10,min_bet=10,big_bet=20]",
                                         "holdem[limit=no_limit,episode=match,match_hands=4]", "ofc",
                                         "ofc[episode=match,match.hands=4]"));

// A game that counts the queries for its events.
class WatchedState : public CoinState {
 public:
  using Sampler = CoinSampler<WatchedState>;
  void events(std::vector<Event>& out) const {
    ++asked;
    CoinState::events(out);
  }
  inline static int asked = 0;
};

TEST(ObservedEvents, CostNothingWithoutObservers) {
  MatchOptions options;
  options.game = std::make_shared<TypedGame<WatchedState>>(GameId{"coin", "coin", "coin", "players: 2\n"}, CoinRules{},
                                                           "chips", true);
  options.agents.assign(2, make_agents("random", options.game));
  options.deals = 50;
  WatchedState::asked = 0;
  EXPECT_EQ(play_match(options).hands_played, 100);
  EXPECT_EQ(WatchedState::asked, 0);
  Transcripts observed;
  options.agents[0] = agents_of<Listening>("listening", &observed);
  play_match(options);
  EXPECT_EQ(observed.size(), 100U);
  EXPECT_GE(WatchedState::asked, 200);
}

TEST(ObservedEvents, AreForThoseWhoAskForThem) {
  MatchOptions options = match("kuhn", {"random"}, 20);
  class Deaf final : public RandomAgent {
    void on_events(std::span<const Event>) override { throw UsageError("not asked for"); }
  };
  options.agents.push_back(agents_of<Deaf>("deaf"));
  options.strict = true;
  EXPECT_EQ(play_match(options).deals, 20);
}

// The requests between two flushes, by the agents' seeds: each is one deal and seat.
using Question = std::multiset<std::uint64_t>;

// Random players that answer at flush(), in reverse order of requests.
class Noting final : public AgentBatch {
 public:
  Noting(int tables, std::multiset<Question>* questions, std::mutex* mutex)
      : agents_(static_cast<std::size_t>(tables)), questions_(questions), mutex_(mutex) {}
  void reset(int table, Seat seat, std::uint64_t seed) override {
    EXPECT_FALSE(asked_.contains(table));
    at(table).agent.reset(seat, seed);
    at(table).seed = seed;
  }
  void add(int table, const Observation& observation, Decision& decision) override {
    EXPECT_TRUE(asked_.emplace(table, std::pair(&observation, &decision)).second) << "asked twice";
  }
  void flush() override {
    EXPECT_FALSE(asked_.empty()) << "flushed for nothing";
    Question question;
    for (auto each = asked_.rbegin(); each != asked_.rend(); ++each) {
      const auto& [observation, decision] = each->second;
      *decision = at(each->first).agent.act(*observation);
      question.insert(at(each->first).seed);
    }
    asked_.clear();
    const std::lock_guard lock(*mutex_);
    questions_->insert(std::move(question));
  }

 private:
  struct One {
    RandomAgent agent;
    std::uint64_t seed = 0;
  };
  One& at(int table) { return agents_.at(static_cast<std::size_t>(table)); }
  std::vector<One> agents_;
  std::map<int, std::pair<const Observation*, Decision*>> asked_;
  std::multiset<Question>* questions_;
  std::mutex* mutex_;
};

struct Asked {
  std::multiset<Question> questions;
  std::set<int> tables;
  std::mutex mutex;

  AgentFactoryPtr agents(int tables_at_once) {
    return std::make_shared<FakeFactory>(
        "random", [] { return std::make_unique<RandomAgent>(); }, tables_at_once,
        [this](int count) {
          const std::lock_guard lock(mutex);
          tables.insert(count);
          return std::make_unique<Noting>(count, &questions, &mutex);
        });
  }
  std::size_t most() const {
    std::size_t size = 0;
    for (const Question& question : questions) size = std::max(size, question.size());
    return size;
  }
};

TEST(Batches, DecideAsSingleAgentsDo) {
  for (const char* game : {"kuhn", "draw[episode=match,match_hands=4]", "ofc[players=3]"}) {
    MatchOptions singles = match(game, {}, 100);
    for (int agent = 0; agent < singles.game->players(); ++agent)
      singles.agents.push_back(agents_of<RandomAgent>("random"));
    const auto expected = played(singles, 1, 1);
    Asked asked;
    MatchOptions options = singles;
    options.agents[0] = asked.agents(64);
    for (const int threads : {1, 3})
      for (const int num_envs : {0, 1, 10}) EXPECT_EQ(played(options, threads, num_envs), expected);
  }
}

TEST(Batches, WhoIsAskedTogetherIsPartOfTheMatch) {
  for (const char* game : {"leduc", "draw[episode=match,match_hands=4]"}) {
    std::vector<std::multiset<Question>> all;
    for (const int threads : {1, 2, 5}) {
      Asked asked;
      MatchOptions options = match(game, {"random"}, 300);
      options.agents.push_back(asked.agents(24));
      options.threads = threads;
      play_match(options);
      EXPECT_EQ(asked.tables, std::set<int>{24});
      EXPECT_GE(asked.most(), 12U);
      all.push_back(asked.questions);
    }
    EXPECT_EQ(all[1], all[0]);
    EXPECT_EQ(all[2], all[0]);
  }
}

// Kuhn poker: at every other table it sits in seat 0 and is asked first.
TEST(Batches, AllTablesAreUnderWayAtOnce) {
  Asked asked;
  MatchOptions options = match("kuhn", {"random"}, 64);
  options.agents.push_back(asked.agents(64));
  play_match(options);
  const std::size_t hands = 128;
  // With one table at a time there would be at least one flush per hand.
  EXPECT_LT(asked.questions.size(), hands / 8);
  EXPECT_GE(asked.most(), 32U);
}

TEST(Batches, HaveAsManyTablesAsTheAgentsLike) {
  Asked many, few;
  MatchOptions options = match("kuhn", {}, 64);
  options.agents = {few.agents(3), many.agents(20)};
  play_match(options);
  EXPECT_EQ(few.tables, std::set<int>{20});
  EXPECT_EQ(many.tables, std::set<int>{20});
  options.num_envs = 7;
  play_match(options);
  EXPECT_EQ(many.tables, (std::set<int>{7, 20}));
  // Not more tables than games.
  options.deals = 2;
  play_match(options);
  EXPECT_EQ(many.tables, (std::set<int>{4, 7, 20}));
}

}  // namespace
}  // namespace dealer::match_agents_test
