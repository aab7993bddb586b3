// Agents are asked for many tables at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "agents/random_agent.h"
#include "tests/arena/match_support.h"

namespace dealer::match_batches_test {
namespace {

using test::Factory;
using test::match;
using test::played;

// The questions between two flushes, by the seeds of those who were asked: each is one deal and seat.
using Question = std::multiset<std::uint64_t>;

// Random players that answer when they are flushed, the last question first.
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
    return std::make_shared<Factory>(
        "random", [] { return std::make_unique<RandomAgent>(); },
        [this](int count) {
          const std::lock_guard lock(mutex);
          tables.insert(count);
          return std::make_unique<Noting>(count, &questions, &mutex);
        },
        tables_at_once);
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
      singles.agents.push_back(test::agents_of<RandomAgent>("random"));
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
  // A batch of one table at a time would be asked at least once a hand.
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
  // No more than there are games.
  options.deals = 2;
  play_match(options);
  EXPECT_EQ(many.tables, (std::set<int>{4, 7, 20}));
}

TEST(Batches, OfSingleAgentsAreAskedOneTableAtATime) {
  const GamePtr game = make_game("kuhn");
  EXPECT_EQ(make_agents("random", game)->tables_at_once(), 1);
}

}  // namespace
}  // namespace dealer::match_batches_test
