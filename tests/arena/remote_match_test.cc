// Bots of all kinds in matches: the failing one is named, loses by the rules, and the match continues.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <future>

#include "tests/agents/remote/bots.h"
#include "tests/arena/testing.h"

namespace dealer::test::remote_match_test {
namespace {

constexpr std::int64_t kDeals = 8;  // two games each

MatchResult play(const std::string& spec, int threads = 1, std::int64_t deals = kDeals) {
  MatchOptions options = match("leduc", {spec, "random"}, deals);
  options.threads = threads;
  return play_match(options);
}

std::int64_t hands(const MatchResult& result, FailureKind kind) { return result.agents[0].failures.hands[at(kind)]; }
std::string first(const MatchResult& result, FailureKind kind) { return result.agents[0].failures.first[at(kind)]; }
std::string warnings(const MatchResult& result) {
  std::string text;
  for (const std::string& line : result.agents[0].warnings) text += line + '\n';
  return text;
}

// A bot that never made a decision: the winnings of stand-in moves are not a result.
void expect_no_result(const std::string& spec, const std::string& why, int threads = 1) {
  const std::string error = error_message<AgentFailure>([&] { play(spec, threads); });
  EXPECT_TRUE(error.starts_with("agent '" + spec + "' made no playable decision; seat ")) << error;
  EXPECT_TRUE(has(error, why));
}

TEST(RemoteMatch, AGoodBotFailsNowhereAndPlaysTheSameOnAnyNumberOfThreads) {
  const Bots bots;
  const MatchResult one = play(bots.spec("good")), two = play(bots.spec("good"), 2);
  EXPECT_EQ(one.agents[0].failures.failed(), 0);
  EXPECT_EQ(warnings(one), "");
  EXPECT_EQ(without_time(one), without_time(two));
}

TEST(RemoteMatch, ABotThatIsNotThere) {
  expect_no_result("exec:/nowhere/bot --fast",
                   "seat 0 of deal 0: cannot start '/nowhere/bot': No such file or directory");
  expect_no_result("tcp:127.0.0.1:1", "cannot connect to 127.0.0.1:1: Connection refused");
  expect_no_result("ws:127.0.0.1:1", "ws:127.0.0.1:1: cannot connect");
}

TEST(RemoteMatch, ABotThatExitsSaysWithWhatStatusAndLastWords) {
  const Bots bots;
  expect_no_result(bots.spec("exits"), "it ended with status 3 and said 'no licence'");
  expect_no_result(bots.spec("crash"), "it ended with status 1 and said 'ValueError: my mistake'");
}

// Also at the tables without a pending request when it ended.
TEST(RemoteMatch, ALostConnectionSaysWhyAtEveryTable) {
  const Bots bots;
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    MatchOptions options = match("leduc", {bots.spec("crash"), "random"}, 8);
    options.seed = seed;
    options.duplicate = false;
    options.threads = 1;
    const std::string error = error_message<AgentFailure>([&] { play_match(options); });
    EXPECT_TRUE(has(error, "it ended with status 1 and said 'ValueError: my mistake'"));
  }
}

TEST(RemoteMatch, WrongGreetings) {
  const Bots bots;
  expect_no_result(bots.spec("silent", "[start_time=0.2]"), "silent: no hello from it in 0.2 seconds");
  expect_no_result(bots.spec("old"), "hello: protocol is 2; expected 1");
}

TEST(RemoteMatch, LateAnswersLoseTheHandAndAreNotTakenForTheNext) {
  const Bots bots;
  const auto start = std::chrono::steady_clock::now();
  const MatchResult result = play(bots.spec("slows", "[move_time=0.1]"));
  // At up to four tables its first answers are in time.
  EXPECT_GE(result.agents[0].failures.failed(), result.hands_played - 4);
  EXPECT_GT(hands(result, FailureKind::kLate), 0);
  EXPECT_TRUE(first(result, FailureKind::kLate).ends_with(": no answer in 0.1 seconds"))
      << first(result, FailureKind::kLate);
  expect_no_result(bots.spec("late", "[move_time=0.1]"), "no answer in 0.1 seconds");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST(RemoteMatch, ABotThatHangsIsStartedAnewThreeTimesAndThenGivenUp) {
  const Bots bots;
  const MatchResult result = play(bots.spec("dozes", "[move_time=0.05]"), 1, 40);
  EXPECT_EQ(result.deals, 40);
  EXPECT_GT(hands(result, FailureKind::kLate), 0);
  // Each of its four lives answers once.
  EXPECT_GE(result.agents[0].failures.failed() + result.agents[0].failures.forfeited, result.hands_played - 4);
  EXPECT_EQ(bots.starts(), 4);
}

// Three consecutive requests without an answer; an answer between them, or a new connection, resets the count.
TEST(RemoteMatch, TheThirdRequestWithoutAnAnswerEndsTheConnection) {
  const GamePtr game = make_game("leduc");
  const auto env = game->new_env();
  env->reset(1);
  const Observation seen = env->observe(env->current_player());
  const auto answers = [&](const Bots& bots, const std::string& behaviour) {
    return std::async(std::launch::async, [&, behaviour] {
      const auto agent = make_agents(bots.spec(behaviour, "[move_time=0.3]"), game)->make();
      std::string all;
      for (int request = 0; request < 4; ++request) {
        all += error_message<AgentError>([&] {
          agent->reset(seen.player, 1);
          agent->act(seen);
        });
        all += "; ";
      }
      return all;
    });
  };
  const Bots third, fourth;
  auto of_third = answers(third, "every3"), of_fourth = answers(fourth, "every4");
  const std::string late = "no answer in 0.3 seconds; ";
  EXPECT_EQ(of_third.get(), late + late + "(no error); " + late);
  EXPECT_EQ(third.starts(), 1);
  EXPECT_EQ(of_fourth.get(), late + late + "it hangs: 3 requests without an answer in 0.3 seconds; " + late);
  EXPECT_EQ(fourth.starts(), 2);
}

TEST(RemoteMatch, ABotThatNeverAnswersEndsTheMatchEarly) {
  const Bots bots;
  const std::string hangs = bots.spec("hangs", "[move_time=0.05]");
  for (const int threads : {1, 3}) {
    MatchOptions options = match("leduc", {"random", hangs}, 1'000'000'000);
    options.threads = threads;
    std::int64_t done = 0;
    options.progress = [&](std::int64_t deals) { done = deals; };
    std::string log;
    write_log(options, log);
    const std::string error = error_message<AgentFailure>([&] { play_match(options); });
    EXPECT_TRUE(error.starts_with("agent '" + hangs + "' made no playable decision; seat ")) << error;
    EXPECT_TRUE(has(error, "no answer in 0.05 seconds"));
    EXPECT_EQ(done, 0);
    EXPECT_EQ(log, "") << "such hands are none";
  }
}

TEST(RemoteMatch, ABotThatAnsweredOnceLosesTheOtherHands) {
  const Bots bots;
  const MatchResult result = play(bots.spec("tires"));
  EXPECT_EQ(result.deals, kDeals);
  EXPECT_GE(result.agents[0].failures.failed(), result.hands_played - 4);
  EXPECT_TRUE(result.agents[0].decided);
  EXPECT_EQ(result.agents[1].failures.failed(), 0);
  EXPECT_TRUE(
      has(first(result, FailureKind::kDisconnected), "it ended with status 1 and said 'ValueError: my mistake'"));
}

TEST(RemoteMatch, IllegalAndMalformedAnswers) {
  const Bots bots;
  expect_no_result(bots.spec("illegal"), "its index 63 is not legal; expected one of: check (1), bet (2)");
  expect_no_result(bots.spec("malformed"), "has 2 of index, text and amount; expected one");
}

TEST(RemoteMatch, FailuresAreCalledWhatTheyAre) {
  const Bots bots;
  const auto start = std::chrono::steady_clock::now();
  expect_no_result(bots.spec("closes"), "it closed its standard output");
  expect_no_result(bots.spec("nameless"), "answer: id is missing; expected a whole number from 0");
  expect_no_result(bots.spec("garbage", "[move_time=0.1]"), "no answer, but 'raise' is not a JSON object");
  MatchOptions options = match("leduc", {bots.spec("deafens"), "random"}, 2);
  options.num_envs = 1;
  options.threads = 1;
  const MatchResult deaf = play_match(options);
  EXPECT_TRUE(has(first(deaf, FailureKind::kDisconnected), "it closed its standard input"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(40));
}

// After three restarts nothing more fails: the rest is forfeited.
TEST(RemoteMatch, ForfeitedDealsAreCountedAsSuch) {
  const Bots bots;
  const MatchResult result = play(bots.spec("tires"), 1, 20);
  const FailureCounts& failures = result.agents[0].failures;
  EXPECT_GT(failures.forfeited, 0);
  EXPECT_GE(failures.failed() + failures.forfeited, result.hands_played - 4);
  EXPECT_LE(hands(result, FailureKind::kDisconnected), 16) << "of four lives at four tables";
  EXPECT_FALSE(has(first(result, FailureKind::kDisconnected), "given up"));
  EXPECT_EQ(result.counted_deals(), 0);
}

TEST(RemoteMatch, WhatCostsNoHandIsRemarkedOn) {
  const Bots bots;
  const auto expect = [&](const char* way, const Words& parts, std::int64_t deals = kDeals) {
    const MatchResult result = play(bots.spec(way), 1, deals);
    EXPECT_EQ(result.agents[0].failures.failed(), 0) << way;
    expect_parts(warnings(result), parts);
  };
  // More lines than allowed in a row, but between answers.
  expect("chatty", {"banner: 'thinking...' is not a JSON object ("}, 100);
  expect("banner", {"banner: 'Welcome to my bot' before its hello"});
  expect("twice", {"unasked: a second answer to request 1"});
  expect("ahead", {"unasked: an answer to request ", ", which was never sent"});
  expect("stays", {"bye: it was still running a second after the goodbye\n"});
  expect("shouts", {});
}

TEST(RemoteMatch, FloodsAndEndlessLinesEndTheConnection) {
  const Bots bots;
  const MatchResult flood = play(bots.spec("flood"));
  EXPECT_GT(hands(flood, FailureKind::kMalformed) + hands(flood, FailureKind::kDisconnected), 0);
  const std::string all = first(flood, FailureKind::kMalformed) + first(flood, FailureKind::kDisconnected);
  EXPECT_TRUE(has(all, "flood: more than 100 unsolicited lines"));
  expect_no_result(bots.spec("long"), "a line of more than 64 KiB: 'xxx");
  expect_no_result(bots.spec("pads"), "a line of more than 64 KiB: ");
  EXPECT_TRUE(has(first(play(bots.spec("leaves")), FailureKind::kDisconnected), "it said goodbye: 'supper'"));
}

TEST(RemoteMatch, MemoryIsLimited) {
  const Bots bots;
  expect_no_result(bots.spec("hog", "[memory=100]"), "MiB of memory; 100 are allowed");
}

TEST(RemoteMatch, WhatABotLeavesBehindIsGoneAfterTheMatch) {
  const Bots bots;
  const MatchResult result = play(bots.spec("forks"));
  EXPECT_EQ(result.agents[0].failures.failed(), 0);
  EXPECT_EQ(warnings(result), "processes: it left 1 running, ended now\n");
  const int child = bots.child();
  // It was killed, but may not have been reaped yet by its new parent.
  for (int wait = 0; wait < 500 && kill(child, 0) == 0; ++wait) {
    const std::string stat = read_bytes("/proc/" + std::to_string(child) + "/stat");
    if (contains(stat, ") Z ") || stat.empty()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_NE(kill(child, 0), 0) << "process " << child << " still runs";
}

TEST(RemoteMatch, NoBotIsAskedAtMoreTablesThanItPlays) {
  const Bots bots;
  // The other bot prefers four.
  MatchOptions options = match("leduc", {bots.spec("single"), bots.spec("good")}, kDeals);
  const MatchResult result = play_match(options);
  EXPECT_EQ(result.agents[0].failures.failed(), 0) << first(result, FailureKind::kDisconnected);
  options.num_envs = 2;
  EXPECT_EQ(error_message<UsageError>([&] { play_match(options); }),
            "num_envs of 2; agent '" + bots.spec("single") + "' plays at most 1 at once");
  options.agents[0] = make_agents(bots.spec("good"), options.game);
  options.num_envs = 4;
  EXPECT_EQ(play_match(options).agents[0].failures.failed(), 0);
}

TEST(RemoteMatch, ABotHasItsStandardDescriptorsAlone) {
  const Bots bots;
  // Open across exec, as descriptors of other libraries are.
  const int other = open("/dev/null", O_RDONLY);  // NOLINT(android-cloexec-open)
  const MatchResult result = play(bots.spec("counts"));
  close(other);
  EXPECT_EQ(result.agents[0].failures.failed(), 0) << first(result, FailureKind::kDisconnected);
}

TEST(RemoteMatch, AStrictMatchEndsAtTheFirstFailure) {
  MatchOptions options = match("leduc", {"exec:/nowhere/bot", "random"}, kDeals);
  options.strict = true;
  EXPECT_THROW(play_match(options), AgentFailure);
}

TEST(RemoteMatch, OneBotAloneAnswersToo) {
  const Bots bots;
  const GamePtr game = make_game("leduc");
  const std::unique_ptr<Agent> agent = make_agents(bots.spec("good"), game)->make();
  const auto env = game->new_env();
  env->reset(1);
  agent->reset(env->current_player(), 5);
  EXPECT_EQ(agent->act(env->observe(env->current_player())), Decision(env->legal_actions().front()));
  const std::unique_ptr<Agent> wrong = make_agents(bots.spec("illegal"), game)->make();
  wrong->reset(env->current_player(), 5);
  EXPECT_THROW(wrong->act(env->observe(env->current_player())), AgentError);
}

TEST(RemoteMatch, BadSpecsAreRefusedAtOnce) {
  const GamePtr game = make_game("leduc");
  const auto message = [&](const std::string& spec) {
    return error_message<UsageError>([&] { make_agents(spec, game); });
  };
  for (const char* spec : {"exec:", "exec"}) EXPECT_EQ(message(spec), "the command is missing; expected exec:COMMAND");
  EXPECT_EQ(message("exec:a 'b"), "command 'a 'b': a quote is never closed");
  EXPECT_EQ(message("tcp:here"), "'here' is not an address; expected HOST:PORT, the port 1 to 65535");
  EXPECT_EQ(message("ws:here"), "'here' is not an address; expected HOST:PORT or HOST:PORT/PATH, the port 1 to 65535");
  for (const char* spec : {"exec:a[move_tim=1]", "exec:a[move_time=0]"}) EXPECT_TRUE(has(message(spec), "move_time"));
  EXPECT_TRUE(has(message("tcp:h:1[memory=5]"), "memory"));
}

}  // namespace
}  // namespace dealer::test::remote_match_test
