// Which agents play, how they are made, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "agents/random_agent.h"
#include "arena/knockout/knockout.h"
#include "env/core/data_dir.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "tests/arena/match_support.h"
#include "tests/support/error_message.h"
#include "tests/support/temp_folder.h"

namespace dealer::knockout::agents_test {
namespace {

using test::error_message;

Options knockout(const std::string& game, std::vector<std::string> agents, int players, std::int64_t tournaments) {
  Options options;
  options.game = make_game(game);
  options.agents = std::move(agents);
  options.players = players;
  options.tournaments = tournaments;
  options.seed = 4;
  return options;
}

TEST(KnockoutAgents, TheTrainedAgentOfTheGamePlays) {
  for (const char* game : {"holdem", "holdem[limit=no_limit]", "draw", "lowball", "triple_draw", "stud", "razz",
                           "stud_hi_lo", "court_tarot", "washizu", "ofc"}) {
    SCOPED_TRACE(game);
    Options options = knockout(game, {"default", "rule"}, 4, 1);
    options.table_size = 2;
    options.raise_every = 3;
    const Result result = play(options);
    EXPECT_EQ(result.tournaments, 1);
    EXPECT_EQ(result.agents[0].failures.failed(), 0);
  }
  Options options = knockout("holdem", {"default", "rule"}, 4, 1);
  options.table_size = 3;
  const std::string message = error_message<UsageError>([&] { play(options); });
  EXPECT_EQ(message.find("agent 'default' cannot play this tournament, in which tables of 2, 3 players occur; at one "
                         "of 3: agent 'default' does not play 'holdem[players=3]'; agents: "),
            0U)
      << message;
}

TEST(KnockoutAgents, OneMakerServesAllWhoAreAlike) {
  std::vector<std::string> made;
  Options options = knockout("holdem", {"random", "random", "rule"}, 6, 1);
  options.make = [&](const std::string& spec, const GamePtr& game) {
    made.push_back(spec + ' ' + game->spec());
    return make_agents(spec, game);
  };
  bool begun = false;
  options.begin = [&](const Kept& kept) { begun = !made.empty() && kept.tournaments == 0; };
  play(options);
  EXPECT_TRUE(begun) << "after all has been checked";
  const std::size_t count = made.size();
  std::sort(made.begin(), made.end());
  made.erase(std::unique(made.begin(), made.end()), made.end());
  EXPECT_EQ(made.size(), count);
  EXPECT_GT(count, 8U);
}

TEST(KnockoutAgents, TwoWhoFailDoNotPlayForEver) {
  // But for its first hand.
  class Thrower final : public RandomAgent {
   public:
    void reset(Seat seat, std::uint64_t seed) override {
      if (std::exchange(begun_, true)) throw std::runtime_error("no seat");
      RandomAgent::reset(seat, seed);
    }

   private:
    bool begun_ = false;
  };
  Options options = knockout("ofc", {"a", "b"}, 4, 1);
  options.make = [](const std::string& spec, const GamePtr&) { return test::agents_of<Thrower>(spec); };
  options.hands = 30;
  const Result result = play(options);
  EXPECT_EQ(result.undecided, 2);
  EXPECT_EQ(result.rounds, 60);
  EXPECT_EQ(result.agents[0].place.value, 2.5) << "all boards foul, nobody pays";
  EXPECT_EQ(result.agents[0].failures.failed(), 4) << "once for each entry in each seating";
}

// What stand-in moves come to is no result: nothing is written of it, and what was played before stays.
TEST(KnockoutAgents, OneThatNeverDecidesEndsTheTournament) {
  static bool there = false;
  class Absent final : public RandomAgent {
   public:
    void reset(Seat seat, std::uint64_t seed) override {
      if (!there) throw std::runtime_error("no seat");
      RandomAgent::reset(seat, seed);
    }
  };
  const test::TempFolder folder;
  Options options = knockout("holdem", {"absent", "random"}, 4, 2);
  options.stack = 300;
  options.folder = folder / "t";
  options.make = [](const std::string& spec, const GamePtr& game) {
    return spec == "absent" ? test::agents_of<Absent>(spec) : make_agents(spec, game);
  };
  const auto message = [&] { return error_message<AgentFailure>([&] { play(options); }); };
  for (const int threads : {1, 3}) {
    options.threads = threads;
    const std::string error = message();
    EXPECT_TRUE(error.starts_with("agent 'absent' made no decision that could be played; table ")) << error;
    EXPECT_TRUE(error.ends_with(" of tournament 0: no seat")) << error;
    EXPECT_EQ(test::read_bytes(folder / "t/tournaments.txt").find("failures"), std::string::npos);
  }
  there = true;
  EXPECT_EQ(play(options).tournaments, 2);
  // It played in those, and is gone when more are wanted.
  there = false;
  options.tournaments = 4;
  EXPECT_TRUE(message().ends_with(" of tournament 2: no seat"));
  there = true;
  EXPECT_EQ(play(options).agents[0].failures.failed(), 0);
}

TEST(KnockoutAgents, RefusesWhatCannotBePlayed) {
  const auto refusal = [](Options options) { return error_message<UsageError>([&] { play(options); }); };
  EXPECT_NE(refusal(knockout("ofc", {"random"}, 4, 1)).find("two or more"), std::string::npos);
  EXPECT_NE(refusal(knockout("ofc", {"random", "rule"}, 5, 1)).find("a multiple of 2"), std::string::npos);
  EXPECT_NE(refusal(knockout("ofc", {"random", "rule"}, 0, 1)).find("expected 4 to 256"), std::string::npos);
  EXPECT_NE(refusal(knockout("ofc", {"random", "rule"}, 4, 0)).find("tournaments"), std::string::npos);
  EXPECT_NE(refusal(knockout("seven_hand", {"random", "rule"}, 4, 1)).find("'seven_hand'"), std::string::npos);
  // A network for two players, where three sit down, too.
  const std::string trained = data_path("models/holdem.safetensors").string();
  Options options = knockout("holdem", {trained, "random"}, 4, 1);
  options.table_size = 3;
  const std::string message = refusal(options);
  EXPECT_NE(message.find("tables of 2, 3 players occur; at one of 3:"), std::string::npos) << message;
  EXPECT_NE(message.find(trained), std::string::npos);
  options.table_size = 2;
  EXPECT_EQ(play(options).tournaments, 1);
}

}  // namespace
}  // namespace dealer::knockout::agents_test
