// Matches over the ACPC protocol: external bots at our tables, and our agents on external servers.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "agents/agent_error.h"
#include "agents/agent_registry.h"
#include "agents/remote/link.h"
#include "arena/match.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/games/poker/rules.h"
#include "tests/frontends/acpc/acpc_server.h"
#include "tests/support/error_message.h"
#include "tests/support/fake_agents.h"
#include "tests/support/texts.h"

namespace dealer::test::acpc_match_test {
namespace {

using remote::Clock;
using remote::Link;

constexpr const char* kVersion = "VERSION:2.0.0\r\n";

std::string port_of(const AgentFactory& agents) {
  const std::string spec = agents.spec().substr(0, agents.spec().find('['));
  return spec.substr(spec.find(':') + 1);
}

// A match of "random" against a connecting bot, which runs as `bot` in another thread.
MatchResult play_against(const std::string& game_spec, const std::string& options,
                         const std::function<void(const std::string& port)>& bot, std::int64_t deals = 20) {
  MatchOptions match;
  match.game = make_game(game_spec);
  match.agents = {make_agents("random", match.game), make_agents("acpc:0" + options, match.game)};
  match.deals = deals;
  match.threads = 4;
  std::thread thread([&, port = port_of(*match.agents[1])] { bot(port); });
  MatchResult result;
  std::exception_ptr failure;
  try {
    result = play_match(match);
  } catch (const AgentFailure&) {
    failure = std::current_exception();
  }
  match.agents.clear();
  thread.join();
  if (failure) std::rethrow_exception(failure);
  return result;
}

// Connects, greets and plays this way until it is done or the connection ends.
void as_bot(const std::string& port, const std::string& greeting, const std::function<void(Link&)>& play) {
  const auto link = remote::connect_tcp("127.0.0.1:" + port, {});
  try {
    link->send(greeting);
    play(*link);
  } catch (const AgentError&) {
    // True once it has ended.
  }
}

// A bot that first sends these lines and then answers every position alike, whether or not it is to act.
void answer_all(const std::string& port, const std::string& greeting, const std::string& answer) {
  as_bot(port, greeting, [&](Link& link) {
    for (;;) {
      std::string text = answer;
      const std::string line = line_of(link);
      if (const std::size_t at = text.find('%'); at != std::string::npos) text.replace(at, 1, line);
      link.send(text);
    }
  });
}

class BothEnds : public testing::TestWithParam<const char*> {};

// The last log line has the same chips on both sides; the client's log has every hand.
TEST_P(BothEnds, CountTheSameChips) {
  for (const std::string agent : {"random", "rule"}) {
    const GamePtr game = make_game(GetParam());
    AcpcResult client;
    std::int64_t logged = 0, hands = 0;
    const MatchResult match = play_against(
        GetParam(), "",
        [&](const std::string& port) {
          AcpcOptions options;
          options.server = "127.0.0.1:" + port;
          options.seed = 3;
          options.on_hand = [&](const AcpcHand& hand) {
            EXPECT_EQ(hand.hand, hands++);
            EXPECT_EQ(hand.line.substr(0, 6), "STATE:");
            logged += hand.net;
          };
          client = play_acpc(make_agents(agent, game), game, options);
        },
        200);
    EXPECT_EQ(client.hands, 400);
    EXPECT_EQ(hands, 400);
    EXPECT_EQ(match.hands_played, 400);
    EXPECT_EQ(client.strange, 0);
    EXPECT_EQ(client.failure, "");
    EXPECT_GT(client.decisions, 300);
    EXPECT_NE(client.chips, 0);
    EXPECT_EQ(client.chips, logged);
    EXPECT_EQ(static_cast<double>(client.chips), match.agents[1].points.numerator());
    EXPECT_EQ(match.agents[1].failures.failed(), 0);
    EXPECT_TRUE(match.agents[1].warnings.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Games, BothEnds, testing::Values(kLimit, kNoLimit));

TEST(AcpcBot, WhatItMayNotDoIsTakenAsTheirDealerTakesIt) {
  const auto warnings = [](const std::string& game, const std::string& answer) {
    const MatchResult result =
        play_against(game, "", [&](const std::string& port) { answer_all(port, kVersion, answer); });
    EXPECT_EQ(result.agents[1].failures.failed(), 0) << answer;
    std::string all;
    for (const std::string& warning : result.agents[1].warnings) all += warning + '\n';
    return all;
  };
  for (const auto& [game, answer, warning] :
       {std::tuple(kNoLimit, "%:r1", "illegal: 'r1'; 200 to 20000 are allowed: taken as 200"),
        {kNoLimit, "%:r-5", "200 to 20000 are allowed: taken as 200"},
        {kNoLimit, "%:r99999999999999999999", "200 to 20000 are allowed: taken as 20000"},
        {kNoLimit, "%:r", "malformed: 'r' is not an action; taken as a call"},
        {kNoLimit, "%:r999999", "200 to 20000 are allowed: taken as 20000"},
        {kLimit, "%:r", "illegal: 'r': no raise is allowed; taken as a call"},
        {kLimit, "%:f", "illegal: 'f': nothing is to be called; taken as a call"},
        {kLimit, "%:bet", "malformed: 'bet' is not an action; taken as a call"},
        // It answers everything, including mere notifications.
        {kLimit, "%:c", "unasked: an answer to another position"},
        {kLimit, "a:b\r\n%:c", "malformed: 'a' does not begin with MATCHSTATE: in 'a:b'"}})
    expect_parts(warnings(game, answer + std::string("\r\n")), {warning});
  expect_none(warnings(kNoLimit, "%:r +20000 \r\n"), {"malformed"});
  for (const char* good : {"%:call\r\n", "#GUI\r\n;x\r\n\r\n%:c\r\n"})
    expect_none(warnings(kLimit, good), {"malformed"});
}

// A bot that never answers has no result.
TEST(AcpcBot, WhoNeverAnswersEndsTheMatchAndIsNamed) {
  const auto expect = [](const std::string& options, const std::string& why, const auto& bot) {
    const std::string error = error_message<AgentFailure>([&] { play_against(kLimit, options, bot); });
    EXPECT_TRUE(error.starts_with("agent 'acpc:")) << error;
    EXPECT_NE(error.find("' made no playable decision; seat "), std::string::npos) << error;
    EXPECT_NE(error.find(why), std::string::npos) << error;
  };
  expect("[start_time=0.1]", "no bot has connected to port ", [](const std::string&) {});
  // It reads everything and sends nothing: after three times it counts as hanging.
  expect("[move_time=0.05,start_time=0.3]", "no answer in 0.05 seconds", [](const std::string& port) {
    as_bot(port, kVersion, [](Link& link) {
      while (!line_of(link).empty()) continue;
    });
  });
  expect("[start_time=0.3]", "the bot: it closed the connection",
         [](const std::string& port) { as_bot(port, kVersion, line_of); });
  expect("[start_time=0.3]", "flood: more than 100 unsolicited lines", [](const std::string& port) {
    std::string flood;
    for (int i = 0; i < 150; ++i) flood += "MATCHSTATE:0:99::TdAs|:c\r\n";
    answer_all(port, kVersion, flood);
  });
  // If none has come in time, none is waited for again.
  expect("[start_time=0.2]", "no bot has connected to port ", [](const std::string& port) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    try {
      answer_all(port, kVersion, "%:c\r\n");
    } catch (const AgentError&) {
    }
  });
}

// A lost bot may reconnect every time, and plays on.
TEST(AcpcBot, ComesBack) {
  const MatchResult result = play_against(kLimit, "", [](const std::string& port) {
    for (int life = 0; life < 3; ++life)
      as_bot(port, kVersion, [&](Link& link) {
        for (int lines = 0; life == 2 || lines < 30; ++lines) link.send(line_of(link) + ":c\r\n");
      });
  });
  EXPECT_GE(result.agents[1].failures.failed(), 1);
  EXPECT_LE(result.agents[1].failures.failed(), 2);
  EXPECT_EQ(result.hands_played, 40);
}

TEST(AcpcBot, IsGivenUp) {
  const auto hands_lost = [](const std::string& options, const std::function<void(const std::string&)>& bot) {
    return play_against(kLimit, options, bot).agents[1].failures;
  };
  const auto late = [](const FailureCounts& lost) { return lost.hands[static_cast<std::size_t>(FailureKind::kLate)]; };
  // Until it is asked, it answers: answers to notifications are ignored. Then it sends nothing, or only lines that are
  // no answer: comments, however many.
  for (const std::string& says : {std::string(), repeat("#\r\n", 10'000)}) {
    const FailureCounts lost = hands_lost("[move_time=0.05,start_time=0.3]", [&](const std::string& port) {
      as_bot(port, kVersion, [&](Link& link) {
        for (int lines = 0; lines < 2; ++lines) link.send(line_of(link) + ":c\r\n");
        for (;;) {
          if (says.empty() && line_of(link).empty()) return;
          link.send(says);
          if (!says.empty()) link.next_line(Clock::now());
        }
      });
    });
    EXPECT_EQ(late(lost), 3);
    EXPECT_GT(lost.hands[static_cast<std::size_t>(FailureKind::kDisconnected)], 30);
  }
  // It disconnects five times after two lines, and would then play.
  std::atomic<int> lives = 0;
  const FailureCounts left = hands_lost("[start_time=5]", [&](const std::string& port) {
    for (; lives < 7; ++lives) {
      try {
        as_bot(port, kVersion, [&](Link& link) {
          for (int lines = 0; lives > 4 || lines < 2; ++lines) {
            const std::string line = line_of(link);
            if (line.empty()) break;
            link.send(line + ":c\r\n");
          }
        });
      } catch (const AgentError&) {
        // The server no longer listens.
      }
    }
  });
  EXPECT_GT(left.failed(), 30);
}

// A port scanner, or a client with another protocol, is not a bot.
TEST(AcpcBot, OtherVisitorsCostNothing) {
  const MatchResult result = play_against(kLimit, "", [](const std::string& port) {
    for (int i = 0; i < 6; ++i) remote::connect_tcp("127.0.0.1:" + port, {});
    remote::connect_tcp("127.0.0.1:" + port, {})->send("GET / HTTP/1.1\r\n\r\n");
    answer_all(port, kVersion, "%:c\r\n");
  });
  EXPECT_EQ(result.agents[1].failures.failed(), 0);
  ASSERT_FALSE(result.agents[1].warnings.empty());
  EXPECT_EQ(result.agents[1].warnings[0], "visitor: a connection that was closed at once (7 times)");
}

TEST(AcpcBot, SilentVisitorsKeepNobodyWaiting) {
  const auto start = std::chrono::steady_clock::now();
  const MatchResult result = play_against(kLimit, "", [](const std::string& port) {
    std::vector<std::unique_ptr<remote::Link>> silent;
    for (int i = 0; i < 7; ++i) silent.push_back(remote::connect_tcp("127.0.0.1:" + port, {}));
    answer_all(port, kVersion, "%:c\r\n");
  });
  EXPECT_EQ(result.agents[1].failures.failed(), 0);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(8));
}

TEST(AcpcBot, AddressesAndPortsThatCannotBeAreRefused) {
  const GamePtr game = make_game(kLimit);
  const auto refusal = [&](const std::string& spec) { return error_message<Error>([&] { make_agents(spec, game); }); };
  const AgentFactoryPtr first = make_agents("acpc:0", game);
  EXPECT_EQ(first->spec(), "acpc:" + port_of(*first));
  EXPECT_EQ(refusal("acpc:" + port_of(*first)),
            "cannot listen at 127.0.0.1:" + port_of(*first) + ": Address already in use");
  for (const auto& [spec, message] :
       {std::pair("acpc:70000",
                  "cannot listen at 127.0.0.1:70000: a port is a number from 0 (any that is free) to 65535"),
        {"acpc:x", "a port is a number"},
        {"acpc:0[memory=3]", "unknown key 'memory'"},
        {"acpc", "the port is missing; expected acpc:PORT or acpc:HOST:PORT"},
        {"acpc:nowhere.invalid:80", "expected an address in numbers, as 127.0.0.1 or 0.0.0.0"}})
    EXPECT_NE(refusal(spec).find(message), std::string::npos) << refusal(spec);
  EXPECT_EQ(make_agents("acpc:127.0.0.1:0", game)->spec().substr(0, 15), "acpc:127.0.0.1:");
  for (const auto& [other, message] : {std::pair("holdem[ante=10]", "they need two blinds and no ante"),
                                       {"holdem", "they need open_fold=false and raises_per_round=3"},
                                       {"holdem[limit=no_limit]", "they need open_fold=false"}}) {
    const std::string error = error_message<UsageError>([&] { make_agents("acpc:0", make_game(other)); });
    EXPECT_TRUE(error.ends_with(message)) << error;
  }
}

TEST(AcpcClient, AnswersWhereItIsToActWithTheLineAsItCame) {
  AcpcServer server(
      "# a comment\r\n;GUI\r\n\r\nMATCHSTATE:1:7::|7c2d\r\nMATCHSTATE:1:7:c:|7c2d\r\nMATCHSTATE:1:7:cc/:|7c2d/3s5hJd"
      "\r\nMATCHSTATE:1:7:cc/c:|7c2d/3s5hJd\r\nMATCHSTATE:1:7:cc/cc/:|7c2d/3s5hJd/Qh\r\nMATCHSTATE:1:7:cc/cc/f:|7c2d/"
      "3s5hJd/Qh\r\n");
  // Folding with nothing to call is not in the protocol, but legal under our rules.
  EXPECT_NO_THROW(play_there(server, "holdem"));
  server.join();
  EXPECT_EQ(server.received, "VERSION:2.0.0\nMATCHSTATE:1:7::|7c2d:c\nMATCHSTATE:1:7:cc/c:|7c2d/3s5hJd:c\n");
}

TEST(AcpcClient, ServersThatEndTooEarlyOrSendSomethingElseAreFailures) {
  const auto failure = [](const std::string& lines, const std::string& game) {
    const AcpcServer server("MATCHSTATE:0:41::TdAs|\r\nMATCHSTATE:0:41:f:TdAs|\r\n" + lines);
    const AcpcResult result = play_there(server, game);
    EXPECT_EQ(result.hands, 1);
    EXPECT_EQ(result.chips, game == "holdem" ? 5 : 50);
    return replaced(result.failure, server.address(), "SERVER");
  };
  for (const auto& [lines, why] :
       {std::pair("", ""),
        {"MATCHSTATE:0:41:f:TdAs|\r\n", ""},
        {"MATCHSTATE:0:42::TdAs|\r\n", "SERVER: it closed the connection in the middle of hand 42"},
        {"hello\r\n", "SERVER: 'hello' does not begin with MATCHSTATE: in 'hello'"},
        {"MATCHSTATE:0:42:ffc:TdAs|\r\n", "SERVER: an action when nobody has one in 'MATCHSTATE:0:42:ffc:TdAs|'"},
        {"MATCHSTATE:0:42::TdAs||\r\n", "SERVER: 3 players; 'holdem' is a game of 2 in 'MATCHSTATE:0:42::TdAs||'"},
        {"MATCHSTATE:0:42::TdAs|\r\nMATCHSTATE:0:43::TdAs|\r\n",
         "SERVER: hand 43 begins in the middle of hand 42; is it another game than 'holdem'?"}})
    EXPECT_EQ(failure(lines, "holdem"), why);
  // With another stack than ours.
  const std::string no_limit = "holdem[limit=no_limit]";
  EXPECT_EQ(failure("MATCHSTATE:0:42:r15000:TdAs|\r\n", no_limit),
            "SERVER: a raise to 15000 in all, more than the stack of 10000 in 'MATCHSTATE:0:42:r15000:TdAs|'");
  for (const std::string next : {"MATCHSTATE:0:42::TdAs|", "MATCHSTATE:1:42:cr300:|7c2d", "MATCHSTATE:0:42:cr300:TdKs|",
                                 "MATCHSTATE:0:42:r300:TdAs|"})
    EXPECT_EQ(failure("MATCHSTATE:0:42:cr300:TdAs|\r\n" + next + "\r\n", no_limit),
              "SERVER: '" + next + "' does not continue the line before");
  const AcpcServer empty("");
  expect_parts(play_there(empty, "holdem").failure, {"it closed the connection before a hand was played"});
}

// An agent with on_events() observes every event once, whatever lines are sent.
TEST(AcpcClient, TellsEventsOnce) {
  const GamePtr game = make_game("holdem");
  std::vector<Event> observed;
  const AcpcServer server(
      "MATCHSTATE:1:7::|7c2d\r\nMATCHSTATE:1:7:c:|7c2d\r\nMATCHSTATE:1:7:c:|7c2d\r\nMATCHSTATE:1:7:cc/:|7c2d/3s5hJd\r\n"
      "MATCHSTATE:1:7:cc/f:|7c2d/3s5hJd\r\n");
  AcpcOptions options;
  options.server = server.address();
  const auto on_events = [&](std::span<const Event> events) {
    observed.insert(observed.end(), events.begin(), events.end());
  };
  play_acpc(fake_agents("listener", {.act = [](const Observation&) { return poker::kCall; }, .on_events = on_events}),
            game, options);
  const auto count = [&](Event::Kind kind) {
    return std::count_if(observed.begin(), observed.end(), [&](const Event& event) { return event.kind == kind; });
  };
  EXPECT_EQ(count(Event::Kind::kHandBegun), 1);
  EXPECT_EQ(count(Event::Kind::kDealt), 3);
  EXPECT_EQ(count(Event::Kind::kActed), 3);
  EXPECT_EQ(count(Event::Kind::kHandEnded), 1);
}

// Three raises of one player are impossible in `holdem[limit=no_limit]`: it checks and calls, and reports it.
TEST(AcpcClient, PlaysOnWhereTheRulesAreOthers) {
  AcpcServer server(
      "MATCHSTATE:1:0:r200r300r400r500r600r700:|7c2d\r\nMATCHSTATE:1:0:r200r300r400r500r600r700c/:|7c2d/3s5hJd\r\n"
      "MATCHSTATE:1:0:r200r300r400r500r600r700c/f:|7c2d/3s5hJd\r\nMATCHSTATE:0:1::TdAs|\r\nMATCHSTATE:0:1:f:TdAs|\r\n");
  const AcpcResult result = play_there(server, "holdem[limit=no_limit]");
  EXPECT_EQ(result.hands, 2);
  EXPECT_EQ(result.strange, 1);
  EXPECT_NE(result.first_strange.find("'r200r300r400r500r600r700' cannot be played by the rules of"),
            std::string::npos);
  // Its chips count, too.
  EXPECT_EQ(result.chips, 750);
  EXPECT_EQ(result.decisions, 0);
  server.join();
  EXPECT_EQ(server.received, "VERSION:2.0.0\nMATCHSTATE:1:0:r200r300r400r500r600r700:|7c2d:c\n");
}

TEST(AcpcClient, StopsWhenAskedTo) {
  const AcpcServer server("MATCHSTATE:0:0::TdAs|\r\n");
  const GamePtr game = make_game("holdem");
  AcpcOptions options;
  options.server = server.address();
  options.stop = [] { return true; };
  const AcpcResult result = play_acpc(make_agents("random", game), game, options);
  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(result.hands, 0);
}

}  // namespace
}  // namespace dealer::test::acpc_match_test
