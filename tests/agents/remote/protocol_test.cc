#include "agents/remote/protocol.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <thread>

#include "agents/agent_error.h"
#include "agents/remote/link.h"
#include "agents/remote/process_group.h"
#include "tests/support/testing.h"

namespace dealer::remote::protocol_test {
namespace {

using Json = nlohmann::json;

Json message_of(const std::string& line) {
  EXPECT_TRUE(line.ends_with('\n')) << line;
  EXPECT_EQ(line.find('\n'), line.size() - 1) << line;
  return Json::parse(line);
}

TEST(Protocol, HelloTellsTheGame) {
  const GamePtr game = make_game("holdem[limit=no_limit]");
  std::string line;
  write_hello(*game, line);
  const Json hello = message_of(line);
  EXPECT_EQ(hello["type"], "hello");
  EXPECT_EQ(hello["protocol"], 1);
  EXPECT_EQ(hello["game"], "holdem");
  EXPECT_EQ(hello["options"], Json::parse(R"({"limit":"no_limit"})"));
  EXPECT_EQ(hello["spec"], game->spec());
  EXPECT_EQ(hello["rules"], game->id().rules);
  EXPECT_EQ(hello["players"], 2);
  EXPECT_EQ(hello["actions"], game->num_actions());
  EXPECT_EQ(hello["unit"], "chips");
  int size = 0;
  for (const Json& part : hello["observation"]) {
    EXPECT_EQ(part["offset"], size);
    int product = 1;
    for (const Json& extent : part["shape"]) product *= extent.get<int>();
    size += product;
  }
  EXPECT_EQ(size, game->observation_spec().size());
}

TEST(Protocol, ARequestHasWhatTheSeatMayDoAndSee) {
  const GamePtr game = make_game("holdem[limit=no_limit]");
  const auto env = game->new_env();
  env->reset(4);
  env->step(env->parse_decision("call 50"));
  const Seat seat = env->current_player();
  const Observation seen = env->observe(seat);
  std::string line;
  write_request({17, 3, 2.5, true}, seen, *env, line);
  const Json request = message_of(line);
  EXPECT_EQ(request["type"], "request");
  EXPECT_EQ(request["id"], 17);
  EXPECT_EQ(request["table"], 3);
  EXPECT_EQ(request["seat"], seat);
  EXPECT_EQ(request["deadline"], 2.5);
  EXPECT_EQ(request["legal"], env->to_json(seat)["legal"]);
  EXPECT_EQ(request["position"], env->to_json(seat)["table"]);
  std::vector<float> numbers;
  for (const ObservationPart& part : game->observation_spec().parts())
    for (const Json& number : request["numbers"][part.name]) numbers.push_back(number.get<float>());
  EXPECT_EQ(numbers, seen.data);

  line.clear();
  write_request({17, 3, 0, false}, seen, *env, line);
  EXPECT_TRUE(message_of(line)["deadline"].is_null());
  EXPECT_FALSE(message_of(line).contains("numbers"));
}

TEST(Protocol, SeedsAreTextSinceManyLanguagesReadLargeNumbersInexactly) {
  std::string line;
  write_begin(2, 1, 18446744073709551615U, line);
  EXPECT_EQ(message_of(line), Json::parse(R"({"type":"begin","table":2,"seat":1,"seed":"18446744073709551615"})"));
}

TEST(Protocol, HelloOfABot) {
  const BotHello small = read_hello(R"({"type":"hello","protocol":1})");
  EXPECT_EQ(small.name, "");
  EXPECT_EQ(small.tables, 1);
  EXPECT_TRUE(small.events);
  EXPECT_FALSE(small.numbers);
  const BotHello full =
      read_hello(R"({"type":"hello","protocol":1,"name":"n","tables":256,"events":false,"numbers":true,"more":[]})");
  EXPECT_EQ(full.name, "n");
  EXPECT_EQ(full.tables, 256);
  EXPECT_FALSE(full.events);
  EXPECT_TRUE(full.numbers);
}

TEST(Protocol, WrongHelloesAreNamed) {
  const auto message = [](const std::string& line) {
    try {
      read_hello(line);
    } catch (const AgentError& error) {
      EXPECT_EQ(error.kind(), FailureKind::kMalformed);
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message(R"({"type":"hello"})"), "hello: protocol is missing; expected 1");
  EXPECT_EQ(message(R"({"type":"hello","protocol":4294967297})"), "hello: protocol is 4294967297; expected 1");
  EXPECT_EQ(message(R"({"type":"hello","protocol":"one"})"), "hello: protocol is 'one'; expected 1");
  EXPECT_EQ(message(R"({"type":"hello","protocol":1.5})"), "hello: protocol is 1.5; expected 1");
  EXPECT_EQ(message(R"({"type":"hello","protocol":1,"tables":257})"), "hello: tables is 257; expected 1 to 256");
  EXPECT_EQ(message(R"({"type":"hello","protocol":1,"tables":0})"), "hello: tables is 0; expected 1 to 256");
  EXPECT_EQ(message(R"({"type":"hello","protocol":1,"events":1})"), "hello: events is 1; expected true or false");
  EXPECT_EQ(message(R"({"type":"hello","protocol":)" + std::string(30'000, '[') + std::string(30'000, ']') + '}'),
            "hello: protocol is a list; expected 1");
  EXPECT_EQ(message(R"({"type":"hello","protocol":1,"name":2})"), "hello: name is 2; expected a text");
}

TEST(Protocol, AnswersByIndexTextAndAmount) {
  const Answer index = read_answer(R"({"type":"answer","id":7,"index":3})");
  EXPECT_TRUE(index.is_answer && index.decided && !index.by_text);
  EXPECT_EQ(index.id, 7U);
  EXPECT_EQ(index.decision, Decision(3));
  const Answer amount = read_answer(R"({"type":"answer","id":8,"amount":250})");
  EXPECT_TRUE(amount.decided);
  EXPECT_EQ(amount.decision, Decision::bet_to(250));
  const Answer text = read_answer(R"( {"id":9,"text":"raise to 40","type":"answer","why":"a feeling"} )");
  EXPECT_TRUE(text.decided && text.by_text);
  EXPECT_EQ(text.text, "raise to 40");
}

// Some languages have only one number type, or write numbers in various ways.
TEST(Protocol, WholeNumbersMayBeWrittenAsOtherLanguagesDo) {
  for (const char* line : {R"({"type":"answer","id":"7","index":3})", R"({"type":"answer","id":7.0,"index":3.0})",
                           R"({"type":"answer","id":7e0,"index":"3"})"}) {
    const Answer answer = read_answer(line);
    EXPECT_TRUE(answer.is_answer && answer.decided) << line << answer.problem;
    EXPECT_EQ(answer.id, 7U) << line;
    EXPECT_EQ(answer.decision, Decision(3)) << line;
  }
  EXPECT_EQ(read_answer(R"({"type":"answer","id":8,"amount":200.0})").decision, Decision::bet_to(200));
  EXPECT_EQ(read_hello(R"({"type":"hello","protocol":1.0,"tables":"4"})").tables, 4);
}

// Programs that write every field of a type write null for missing values.
TEST(Protocol, NullIsAsIfTheFieldWereMissing) {
  const Answer index = read_answer(R"({"type":"answer","id":7,"index":3,"text":null,"amount":null})");
  EXPECT_TRUE(index.decided && !index.by_text) << index.problem;
  EXPECT_EQ(index.decision, Decision(3));
  const Answer text = read_answer(R"({"type":"answer","id":7,"index":null,"text":"call 2","amount":null})");
  EXPECT_TRUE(text.decided && text.by_text) << text.problem;
  const Answer amount = read_answer(R"({"type":"answer","id":7,"index":null,"text":null,"amount":250})");
  EXPECT_EQ(amount.decision, Decision::bet_to(250)) << amount.problem;
  EXPECT_TRUE(test::has(read_answer(R"({"type":"answer","id":7,"index":null})").problem,
                        "has 0 of index, text and amount; expected one"));
  EXPECT_FALSE(read_answer(R"({"index":null})").attempted);
  const BotHello hello =
      read_hello(R"({"type":"hello","protocol":1,"name":null,"tables":null,"events":null,"numbers":null})");
  EXPECT_EQ(hello.name, "");
  EXPECT_EQ(hello.tables, 1);
  EXPECT_TRUE(hello.events);
  EXPECT_FALSE(hello.numbers);
}

TEST(Protocol, WhatIsNoAnswerSaysWhy) {
  for (const char* line : {"", "x", "[]", "3", "{", R"({"id":7,"index":3})", R"({"type":"answer","index":3})",
                           R"({"type":"answer","id":-7,"index":3})", R"({"type":"answer","id":"x","index":3})",
                           R"({"type":"answer","id":7.5,"index":3})", R"({"type":7})", "\xff\xfe"}) {
    const Answer answer = read_answer(line);
    EXPECT_FALSE(answer.is_answer) << line;
    EXPECT_FALSE(answer.problem.empty()) << line;
  }
  for (const char* line : {R"({"type":"answer","id":7})", R"({"type":"answer","id":7,"index":3,"amount":3})",
                           R"({"type":"answer","id":7,"index":-1})", R"({"type":"answer","id":7,"index":1e30})",
                           R"({"type":"answer","id":7,"index":4294967296})", R"({"type":"answer","id":7,"index":"3x"})",
                           R"({"type":"answer","id":7,"amount":2.5})", R"({"type":"answer","id":7,"text":3})"}) {
    const Answer answer = read_answer(line);
    EXPECT_TRUE(answer.is_answer) << line;
    EXPECT_FALSE(answer.decided) << line;
    EXPECT_FALSE(answer.problem.empty()) << line;
  }
  // Lines meant to be an answer, and others.
  EXPECT_TRUE(read_answer(R"({"type":"answer","index":3})").attempted);
  EXPECT_TRUE(read_answer(R"({"index":3})").attempted);
  EXPECT_FALSE(read_answer(R"({"type":"log","text":"thinking"})").attempted);
  EXPECT_FALSE(read_answer("raise").attempted);
  EXPECT_EQ(read_answer(R"({"type":"answer","index":3})").problem,
            "answer: id is missing; expected a whole number from 0");
  EXPECT_EQ(read_answer(R"({"type":"answer","id":7,"index":true})").problem,
            "answer: index is true; expected a whole number from 0");
  // The deepest nesting that fits in a line.
  EXPECT_FALSE(read_answer(std::string(kMaxBotLine, '[')).is_answer);
}

TEST(Protocol, TextsNameChoicesAndAmounts) {
  const std::vector<Choice> choices = {{0, "fold", "fold", {}, {}},
                                       {4, "raise to 40", "raise", {}, {40, 40, 1}},
                                       {kNoAction, "raise to", "raise", {}, {40, 900, 1}}};
  Decision decision;
  EXPECT_TRUE(find_decision(choices, "fold", decision));
  EXPECT_EQ(decision, Decision(0));
  EXPECT_TRUE(find_decision(choices, "raise to 40", decision));
  EXPECT_EQ(decision, Decision(4));
  EXPECT_TRUE(find_decision(choices, "raise to 77", decision));
  EXPECT_EQ(decision, Decision::bet_to(77));
  for (const char* text : {"", "Fold", "raise to", "raise to ", "raise to x", "raise to 77 ", "raise to77", "bet 77"})
    EXPECT_FALSE(find_decision(choices, text, decision)) << text;
}

TEST(Protocol, Addresses) {
  EXPECT_EQ(parse_address("example.org:80").host, "example.org");
  EXPECT_EQ(parse_address("[::1]:65535").host, "::1");
  EXPECT_EQ(parse_address("h:1/a/b", true).path, "/a/b");
  EXPECT_EQ(parse_address("h:1", true).path, "/");
  EXPECT_EQ(parse_address("127.0.0.1:0", false, 0).port, "0");
  EXPECT_EQ(host_and_port("example.org", "80"), "example.org:80");
  EXPECT_EQ(host_and_port("::1", "80"), "[::1]:80");
  for (const char* text : {"", "h", "h:", ":80", "h:0", "h:65536", "h:x", "h:1x", "h:1/a", "a b:1", "[]:1"})
    EXPECT_THROW(parse_address(text), ParseError) << text;
}

TEST(Protocol, CommandsAreSplitWithoutAShell) {
  EXPECT_NO_THROW(check_command(R"(a "b c" 'd "e' \"f)"));
  EXPECT_THROW(check_command(""), ParseError);
  EXPECT_THROW(check_command("   "), ParseError);
  EXPECT_THROW(check_command("a 'b"), ParseError);
}

// Other programs may end while the system is queried about them.
TEST(ProcessGroup, LooksOnWhileProcessesEnd) {
  const pid_t leader = ::fork();
  ASSERT_GE(leader, 0);
  if (leader == 0) {
    ::setpgid(0, 0);
    for (;;) ::pause();
  }
  ::setpgid(leader, leader);
  std::atomic<bool> over = false;
  std::thread others([&] {
    while (!over) {
      const pid_t child = ::fork();
      if (child == 0) ::_exit(0);
      if (child > 0) ::waitpid(child, nullptr, 0);
    }
  });
  {
    ProcessGroup group(leader, ProcessGroup::mark(0));
    for (int i = 0; i < 500; ++i) EXPECT_GT(group.memory(), 0U);
  }
  over = true;
  others.join();
  EXPECT_NE(::kill(leader, 0), 0);
}

}  // namespace
}  // namespace dealer::remote::protocol_test
