#include "frontends/bot/bot_session.h"

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "agents/remote/protocol.h"
#include "env/core/random.h"
#include "env/core/registry.h"
#include "tests/support/fake_agents.h"

namespace dealer::bot_session_test {
namespace {

using Json = nlohmann::json;

std::vector<Json> messages(const std::string& lines) {
  std::vector<Json> list;
  for (std::size_t begin = 0, end = 0; (end = lines.find('\n', begin)) != std::string::npos; begin = end + 1)
    list.push_back(Json::parse(lines.substr(begin, end - begin)));
  return list;
}

// Hears everything and plays what a hash of it says, so that one event more or less shows.
AgentFactoryPtr listeners(const GamePtr& game) {
  const auto make = [game] {
    const auto heard = std::make_shared<std::string>();
    return std::make_unique<test::FakeAgent>(
        test::FakeAgent::Functions{.act =
                                       [heard](const Observation& observation) {
                                         const std::vector<Action> legal = observation.legal_actions();
                                         return legal[std::hash<std::string>{}(*heard) % legal.size()];
                                       },
                                   .reset = [heard](Seat, std::uint64_t seed) { *heard = std::to_string(seed); },
                                   .hear =
                                       [heard, game](std::span<const Event> events) {
                                         for (const Event& event : events)
                                           *heard += to_json(event, *game).dump() + std::to_string(event.hand);
                                       }});
  };
  return std::make_shared<test::FakeFactory>("listener", make, 3);
}

// A host with one table at the session, next to the same agent without the protocol.
class Side {
 public:
  Side(const GamePtr& game, const AgentFactoryPtr& agents)
      : game_(game), agent_(agents->make()), session_(agents, game), env_(game->new_env({.hold_hands = true})) {
    std::string line;
    remote::write_hello(*game, line);
    hello_ = messages(told(line)).at(0);
    table_ = hello_["tables"].get<int>() - 1;
  }

  const Json& hello() const { return hello_; }

  // An episode with random players in the other seats; every decision of the two must be the same.
  void play(Seat seat, std::uint64_t seed) {
    env_->reset(seed);
    agent_->reset(seat, seed + 1);
    std::string out;
    remote::write_begin(table_, seat, seed + 1, out);
    EXPECT_EQ(told(out), "");
    RandomStream rng(seed);
    EventCursor heard;
    while (!env_->terminated()) {
      if (env_->hand_over()) {
        tell(seat, heard);
        env_->next_hand();
        heard = {};
        continue;
      }
      const std::vector<Action> legal = env_->legal_actions();
      Decision decision = legal[rng() % legal.size()];
      if (env_->current_player() == seat) {
        tell(seat, heard);
        const Observation seen = env_->observe(seat);
        decision = agent_->act(seen);
        std::string request;
        remote::write_request({++id_, table_, 1, true}, seen, *env_, request);
        const std::vector<Json> answers = messages(told(request));
        ASSERT_EQ(answers.size(), 1U);
        const Json expected = decision.is_amount() ? Json{{"type", "answer"}, {"id", id_}, {"amount", decision.amount}}
                                                   : Json{{"type", "answer"}, {"id", id_}, {"index", decision.action}};
        ASSERT_EQ(answers[0], expected);
      }
      env_->step(decision);
    }
    tell(seat, heard);
  }

  std::string told(const std::string& lines) {
    std::string out;
    for (std::size_t begin = 0, end = 0; (end = lines.find('\n', begin)) != std::string::npos; begin = end + 1)
      session_.take(std::string_view(lines).substr(begin, end - begin), out);
    session_.answer(out);
    return out;
  }
  const BotSession& session() const { return session_; }

 private:
  void tell(Seat seat, EventCursor& heard) {
    const std::vector<Event> events = env_->events(seat, heard);
    heard = env_->cursor();
    agent_->hear(events);
    std::string out;
    remote::write_events(table_, events, *game_, out);
    EXPECT_EQ(told(out), "");
  }

  GamePtr game_;
  std::unique_ptr<Agent> agent_;
  BotSession session_;
  std::unique_ptr<Env> env_;
  Json hello_;
  int table_ = 0;  // the last one
  std::uint64_t id_ = 0;
};

TEST(BotSession, PlaysAsTheAgentDoesWithoutIt) {
  for (const std::string& name : game_names()) {
    SCOPED_TRACE(name);
    const GamePtr game = make_game(name);
    Side rule(game, make_agents("random", game));
    EXPECT_EQ(rule.hello()["type"], "hello");
    EXPECT_EQ(rule.hello()["protocol"], 1);
    EXPECT_EQ(rule.hello()["name"], "random");
    EXPECT_EQ(rule.hello()["numbers"], true);
    EXPECT_EQ(rule.hello()["events"], false);
    Side listener(game, listeners(game));
    EXPECT_EQ(listener.hello()["tables"], 3);
    EXPECT_EQ(listener.hello()["events"], true);
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const auto seat = static_cast<Seat>(seed) % game->players();
      rule.play(seat, seed);
      listener.play(seat, seed);
      if (HasFailure()) return;
    }
  }
}

TEST(BotSession, HandWrittenPlayersPlayAsWithoutItAndNameAmounts) {
  for (const char* name : {"holdem[limit=no_limit]", "stud", "draw", "ofc", "seven_hand", "leduc"}) {
    SCOPED_TRACE(name);
    const GamePtr game = make_game(name);
    Side side(game, make_agents("rule", game));
    for (std::uint64_t seed = 0; seed < 10; ++seed) side.play(static_cast<Seat>(seed % 2), seed);
  }
}

TEST(BotSession, GoodbyeEndsItAndUnknownMessagesDoNot) {
  const GamePtr game = make_game("kuhn");
  Side side(game, make_agents("random", game));
  EXPECT_EQ(side.told("{\"type\":\"weather\",\"table\":\"none\"}\n{\"type\":\"error\",\"message\":\"late\"}\n"), "");
  EXPECT_FALSE(side.session().over());
  EXPECT_EQ(side.told("{\"type\":\"bye\",\"reason\":\"\"}\n"), "");
  EXPECT_TRUE(side.session().over());
  EXPECT_EQ(side.session().problem(), "");
}

TEST(BotSession, WhatCannotBeUnderstoodEndsItWithOneLine) {
  const GamePtr game = make_game("leduc");
  const auto env = game->new_env();
  env->reset(1);
  const Seat seat = env->current_player();
  std::string begin, good;
  remote::write_begin(0, seat, 1, begin);
  remote::write_request({1, 0, 1, true}, env->observe(seat), *env, good);
  const auto changed = [&](const auto& change) {
    Json request = Json::parse(good);
    change(request);
    return begin + request.dump() + '\n';
  };
  struct Case {
    std::string lines, problem;
  };
  const std::vector<Case> cases = {
      {"hello\n", "'hello' is no JSON object"},
      {"[]\n", "'[]' is no JSON object"},
      {"{}\n", "malformed message: '{}'"},
      {"{\"type\":3}\n", "malformed message: '{\"type\":3}'"},
      {"{\"type\":\"hello\",\"protocol\":1,\"rules\":\"\"}\n", "a second hello"},
      {"{\"type\":\"begin\",\"table\":900,\"seat\":0,\"seed\":\"1\"}\n", "table 900; expected 0 to 0"},
      {"{\"type\":\"begin\",\"table\":-1,\"seat\":0,\"seed\":\"1\"}\n", "table -1; expected 0 to 0"},
      {"{\"type\":\"begin\",\"table\":0,\"seat\":2,\"seed\":\"1\"}\n", "begin: seat 2; expected 0 to 1"},
      {"{\"type\":\"begin\",\"table\":0,\"seat\":0,\"seed\":\"1x\"}\n", "begin: seed '1x' is no number"},
      {good, "table 0 has not begun"},
      {"{\"type\":\"events\",\"table\":0,\"events\":[]}\n", "table 0 has not begun"},
      {begin + good + good, "a second request of table 0 before the answer to the first"},
      {changed([](Json& r) { r.erase("numbers"); }), "malformed message"},
      {changed([](Json& r) { r["numbers"].begin()->push_back(0); }), "has not"},
      {changed([](Json& r) { (*r["numbers"].begin())[0] = "x"; }), "malformed message"},
      {changed([](Json& r) { (*r["numbers"].begin())[0] = 1e30; }), ""},
      {changed([](Json& r) { r["legal"].erase(0); }), "request: its legal choices are not those of the position"},
      {changed([](Json& r) { r["legal"] = Json::array(); }), "request: its legal choices"},
      {changed([](Json& r) { r["legal"][0]["index"] = 64; }), "request: index 64; expected 0 to 2"},
      {changed([](Json& r) { r["id"] = "1"; }), "malformed message"},
  };
  for (const auto& [lines, problem] : cases) {
    SCOPED_TRACE(lines);
    // One table.
    Side side(game, make_agents("rule", game));
    const std::string out = side.told(lines);
    EXPECT_TRUE(side.session().over());
    EXPECT_NE(side.session().problem().find(problem), std::string::npos) << side.session().problem();
    const std::vector<Json> answers = messages(out);
    ASSERT_FALSE(answers.empty());
    EXPECT_EQ(answers.back()["type"], "error");
    // Nothing is answered any more.
    EXPECT_EQ(side.told(begin + good), "");
  }
}

TEST(BotSession, OtherRulesAndProtocolsAreRefused) {
  const GamePtr game = make_game("leduc");
  std::string other, out;
  remote::write_hello(*make_game("kuhn"), other);
  BotSession session(make_agents("random", game), game);
  session.take(std::string_view(other).substr(0, other.size() - 1), out);
  EXPECT_TRUE(session.over());
  EXPECT_EQ(session.problem(), "the host plays 'kuhn' by other rules than 'leduc', which this bot plays");
  BotSession newer(make_agents("random", game), game);
  newer.take(R"({"type":"hello","protocol":2})", out);
  EXPECT_EQ(newer.problem(), "the host speaks protocol 2; expected 1");
  // So deep that whoever takes it apart by recursion ends with it.
  BotSession deep(make_agents("random", game), game);
  const std::string nested = std::string(500'000, '[') + std::string(500'000, ']');
  deep.take(R"({"type":"hello","protocol":)" + nested + '}', out);
  EXPECT_EQ(deep.problem(), "the host speaks protocol 'array'; expected 1");
  BotSession loud(make_agents("random", game), game);
  loud.take(R"({"type":"hello","protocol":1,"rules":"","spec":")" + std::string(100'000, 'x') + "\"}", out);
  EXPECT_LE(loud.problem().size(), 400U);
  BotSession silent(make_agents("random", game), game);
  silent.take(R"({"type":"begin","table":0,"seat":0,"seed":"1"})", out);
  EXPECT_EQ(silent.problem(), "'begin' before hello");
}

}  // namespace
}  // namespace dealer::bot_session_test
