// Agents that listen hear all that their seat may see, in order, once.
#include <gtest/gtest.h>

#include <map>
#include <variant>

#include "agents/random_agent.h"
#include "env/core/error.h"
#include "tests/arena/match_support.h"
#include "tests/support/coin_game.h"

namespace dealer::match_events_test {
namespace {

using test::match;

// What an agent was told before it decided, and before it was told again: nothing stands for a decision.
using Transcript = std::vector<std::vector<Event>>;
// By the agent's seed, which tells deal and seat.
using Transcripts = std::map<std::uint64_t, Transcript>;

class Listening final : public RandomAgent {
 public:
  explicit Listening(Transcripts* heard) : heard_(heard) {}
  void reset(Seat seat, std::uint64_t seed) override {
    RandomAgent::reset(seat, seed);
    EXPECT_FALSE(heard_->contains(seed)) << "two episodes with one seed";
    seed_ = seed;
    (*heard_)[seed];
  }
  bool hears() const override { return true; }
  void hear(std::span<const Event> events) override {
    EXPECT_FALSE(events.empty());
    (*heard_)[seed_].emplace_back(events.begin(), events.end());
  }
  Decision act(const Observation& observation) override {
    (*heard_)[seed_].emplace_back();
    return RandomAgent::act(observation);
  }

 private:
  Transcripts* heard_;
  std::uint64_t seed_ = 0;
};

// Of one episode, from its decisions: what the seat must hear, and when.
class Replay {
 public:
  Replay(const Game& game, Seat seat, std::uint64_t seed) : env_(game.new_env({.hold_hands = true})), seat_(seat) {
    env_->reset(seed);
  }
  void play(const PlayedHand& hand) {
    for (const PlayedDecision& each : hand.decisions) {
      if (each.seat == seat_) {
        hear();
        transcript.emplace_back();
      }
      env_->step(each.decision);
    }
    ASSERT_TRUE(env_->hand_over());
    hear();
    heard_ = 0;
    if (!env_->terminated()) env_->next_hand();
  }
  Transcript transcript;

 private:
  void hear() {
    const std::vector<Event> all = env_->events(seat_);
    if (all.size() > heard_) transcript.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(heard_), all.end());
    heard_ = all.size();
  }
  std::unique_ptr<Env> env_;
  Seat seat_;
  std::size_t heard_ = 0;  // of the hand
};

class Hearing : public testing::TestWithParam<const char*> {};

TEST_P(Hearing, IsCompleteInOrderAndInTime) {
  Transcripts heard;
  MatchOptions options = match(GetParam(), {"random"}, 25);
  options.agents.push_back(test::agents_of<Listening>("listening", &heard));
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
  ASSERT_EQ(heard.size(), static_cast<std::size_t>(result.episodes));
  for (auto& [seed, replay] : expected) {
    EXPECT_EQ(heard.at(seed), replay.transcript);
    for (const std::vector<Event>& group : heard.at(seed))
      for (const Event& event : group) endings += event.kind == Event::Kind::kHandEnded ? 1 : 0;
  }
  EXPECT_EQ(endings, result.hands_played) << "the end of each hand is heard";
}

INSTANTIATE_TEST_SUITE_P(Games, Hearing,
                         testing::Values("kuhn", "leduc", "mini_draw", "draw", "draw[episode=match,match_hands=6]",
                                         "draw[episode=match,stack=30,ante=10,min_bet=10,big_bet=20]",
                                         "holdem[limit=no_limit,episode=match,match_hands=4]", "ofc",
                                         "ofc[episode=match,match.hands=4]"));

// Does not want to know.
class Deaf final : public RandomAgent {
 public:
  void hear(std::span<const Event>) override { throw UsageError("not asked for"); }
};

// A game that counts how often its events are asked for.
class WatchedState : public test::CoinState {
 public:
  class Sampler {
   public:
    Sampler(const Rules& rules, std::span<const float> observation) : inner_(rules, observation) {}
    WatchedState draw(RandomStream& rng) {
      WatchedState state;
      static_cast<CoinState&>(state) = inner_.draw(rng);
      return state;
    }

   private:
    CoinState::Sampler inner_;
  };
  void events(std::vector<Event>& out) const {
    ++asked;
    CoinState::events(out);
  }
  inline static int asked = 0;
};

TEST(Hearing, CostsNothingWhereNobodyHears) {
  MatchOptions options;
  options.game = std::make_shared<TypedGame<WatchedState>>(GameId{"coin", "coin", "coin", "players: 2\n"},
                                                           test::CoinRules{}, "chips", true);
  options.agents.assign(2, make_agents("random", options.game));
  options.deals = 50;
  WatchedState::asked = 0;
  EXPECT_EQ(play_match(options).hands_played, 100);
  EXPECT_EQ(WatchedState::asked, 0);
  Transcripts heard;
  options.agents[0] = test::agents_of<Listening>("listening", &heard);
  play_match(options);
  EXPECT_EQ(heard.size(), 100U);
  EXPECT_GE(WatchedState::asked, 200);
}

TEST(Hearing, IsForThoseWhoWantTo) {
  MatchOptions options = match("kuhn", {"random"}, 20);
  options.agents.push_back(test::agents_of<Deaf>("deaf"));
  options.strict = true;
  EXPECT_EQ(play_match(options).deals, 20);
}

}  // namespace
}  // namespace dealer::match_events_test
