// The agents of a tournament, how they are made, and rejected ones.
#include "tests/arena/knockout/support.h"

namespace dealer::knockout::agents_test {
namespace {

using namespace test;

TEST(KnockoutAgents, TheTrainedAgentOfTheGamePlays) {
  for (const char* game : {"holdem", "holdem[limit=no_limit]", "draw", "lowball", "triple_draw", "stud", "razz",
                           "stud_hi_lo", "court_tarot", "washizu", "ofc"}) {
    SCOPED_TRACE(game);
    Options options = knockout_of(game, {"default", "rule"}, 4, 1);
    options.table_size = 2;
    options.raise_every = 3;
    const Result result = play(options);
    EXPECT_EQ(result.tournaments, 1);
    EXPECT_EQ(result.agents[0].failures.failed(), 0);
  }
  Options options = knockout_of("holdem", {"default", "rule"}, 4, 1);
  options.table_size = 3;
  const std::string message = error_message<UsageError>([&] { play(options); });
  EXPECT_TRUE(
      message.starts_with("agent 'default' cannot play this tournament, in which tables of 2, 3 players occur; at one "
                          "of 3: agent 'default' does not play 'holdem[players=3]'; agents: "))
      << message;
}

TEST(KnockoutAgents, OneMakerServesAllWhoAreAlike) {
  Words made;
  Options options = knockout_of("holdem", {"random", "random", "rule"}, 6, 1);
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
  // Except in its first hand.
  class Thrower final : public RandomAgent {
    void reset(Seat seat, std::uint64_t seed) override {
      if (std::exchange(begun_, true)) throw std::runtime_error("no seat");
      RandomAgent::reset(seat, seed);
    }
    bool begun_ = false;
  };
  Options options = knockout_of("ofc", {"a", "b"}, 4, 1);
  options.make = [](const std::string& spec, const GamePtr&) { return agents_of<Thrower>(spec); };
  options.hands = 30;
  const Result result = play(options);
  EXPECT_EQ(result.undecided, 2);
  EXPECT_EQ(result.rounds, 60);
  EXPECT_EQ(result.failed_tournaments, 1);
  EXPECT_EQ(result.agents[0].place.count, 0) << "all boards foul, nobody pays, and nobody has played";
  EXPECT_EQ(result.agents[0].failures.failed(), 4) << "once for each entry in each seating";
}

// Stand-in moves are not a result: nothing is written, and earlier tournaments are kept.
TEST(KnockoutAgents, OneThatNeverDecidesEndsTheTournament) {
  bool there = false;
  const TempFolder folder;
  Options options = knockout_of("holdem", {"absent", "random"}, 4, 2);
  options.stack = 300;
  options.folder = folder / "t";
  enter(options, fake_agents("absent", {.reset = [&](Seat, std::uint64_t) {
                               if (!there) throw std::runtime_error("no seat");
                             }}));
  const auto message = [&] { return error_message<AgentFailure>([&] { play(options); }); };
  for (const int threads : {1, 3}) {
    options.threads = threads;
    const std::string error = message();
    EXPECT_TRUE(error.starts_with("agent 'absent' made no playable decision; table ")) << error;
    EXPECT_TRUE(error.ends_with(" of tournament 0: no seat")) << error;
    EXPECT_FALSE(has(read_bytes(folder / "t/tournaments.txt"), "failures"));
  }
  there = true;
  EXPECT_EQ(play(options).tournaments, 2);
  // It played in those, and is unavailable when more are requested.
  there = false;
  options.tournaments = 4;
  EXPECT_TRUE(message().ends_with(" of tournament 2: no seat"));
  there = true;
  EXPECT_EQ(play(options).agents[0].failures.failed(), 0);
}

TEST(KnockoutAgents, RefusesWhatCannotBePlayed) {
  const auto refusal = [](const Options& options) { return error_message<UsageError>([&] { play(options); }); };
  const std::tuple<const char*, int, int, const char*> cases[] = {{"ofc", 5, 1, "a multiple of 2"},
                                                                  {"ofc", 0, 1, "expected 4 to 256"},
                                                                  {"ofc", 4, 0, "tournaments"},
                                                                  {"seven_hand", 4, 1, "'seven_hand'"}};
  for (const auto& [game, players, tournaments, why] : cases)
    EXPECT_TRUE(has(refusal(knockout_of(game, {"random", "rule"}, players, tournaments)), why));
  EXPECT_TRUE(has(refusal(knockout_of("ofc", {"random"}, 4, 1)), "two or more"));
  // A network for two players, where three play, too.
  const std::string trained = data_path("models/holdem.safetensors").string();
  Options options = knockout_of("holdem", {trained, "random"}, 4, 1);
  options.table_size = 3;
  const std::string message = refusal(options);
  EXPECT_TRUE(has(message, "tables of 2, 3 players occur; at one of 3:"));
  EXPECT_TRUE(has(message, trained));
  options.table_size = 2;
  EXPECT_EQ(play(options).tournaments, 1);
}

}  // namespace
}  // namespace dealer::knockout::agents_test
