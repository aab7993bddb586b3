#include "frontends/bot/bot_session.h"

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "agents/remote/protocol.h"
#include "env/core/error.h"
#include "env/core/random.h"
#include "env/core/registry.h"
#include "tests/frontends/bot/bot_server_support.h"
#include "tests/support/error_message.h"
#include "tests/support/fake_agents.h"
#include "tests/support/texts.h"

namespace dealer::test::bot_session_test {
namespace {

std::vector<Json> messages(const std::string& lines) {
  std::vector<Json> list;
  for (const std::string& line : lines_of(lines)) list.push_back(Json::parse(line));
  return list;
}

// Observes all events and plays by a hash of them, so that any difference shows.
AgentFactoryPtr listeners(const GamePtr& game) {
  const auto make = [game] {
    const auto observed = std::make_shared<std::string>();
    return std::make_unique<FakeAgent>(
        FakeAgent::Functions{.act =
                                 [observed](const Observation& observation) {
                                   const std::vector<Action> legal = observation.legal_actions();
                                   return legal[std::hash<std::string>{}(*observed) % legal.size()];
                                 },
                             .reset = [observed](Seat, std::uint64_t seed) { *observed = std::to_string(seed); },
                             .on_events =
                                 [observed, game](std::span<const Event> events) {
                                   for (const Event& event : events) *observed += to_json(event, *game).dump();
                                 }});
  };
  return std::make_shared<FakeFactory>("listener", make, 3);
}

// Plays by a hash of the observation, so that any different number shows.
AgentFactoryPtr watchers() {
  return fake_agents("watcher", {.act =
                                     [](const Observation& seen) {
                                       const std::vector<Action> legal = seen.legal_actions();
                                       const std::string_view bytes(reinterpret_cast<const char*>(seen.data.data()),
                                                                    seen.data.size() * sizeof(float));
                                       return legal[std::hash<std::string_view>{}(bytes) % legal.size()];
                                     },
                                 .on_events = [](std::span<const Event>) {}});
}

// A host with one table at the session, compared with the same agent without the protocol.
class Side {
 public:
  // Without `numbers` the host sends no observations: the session follows only the events.
  Side(const GamePtr& game, const AgentFactoryPtr& agents, bool numbers = true)
      : game_(game),
        agent_(agents->make()),
        session_(agents, game),
        env_(game->new_env({.hold_hands = true})),
        numbers_(numbers) {
    std::string line;
    remote::write_hello(*game, line);
    Json hello = Json::parse(line);
    if (!numbers) hello.erase("observation");
    hello_ = messages(answer_to(hello.dump() + '\n')).at(0);
    table_ = hello_["tables"].get<int>() - 1;
  }

  const Json& hello() const { return hello_; }

  // An episode with random players in the other seats; every decision of the two must be equal.
  void play(Seat seat, std::uint64_t seed) {
    env_->reset(seed);
    agent_->reset(seat, seed + 1);
    std::string out;
    remote::write_begin(table_, seat, seed + 1, out);
    EXPECT_EQ(answer_to(out), "");
    RandomStream rng(seed);
    EventCursor cursor;
    while (!env_->terminated()) {
      if (env_->hand_over()) {
        notify(seat, cursor);
        env_->next_hand();
        cursor = {};
        continue;
      }
      const std::vector<Action> legal = env_->legal_actions();
      Decision decision = legal[rng() % legal.size()];
      if (env_->current_player() == seat) {
        notify(seat, cursor);
        const Observation seen = env_->observe(seat);
        decision = agent_->act(seen);
        std::string request;
        remote::write_request({++id_, table_, 1, numbers_}, seen, *env_, request);
        const std::vector<Json> answers = messages(answer_to(request));
        ASSERT_EQ(answers.size(), 1U) << session_.problem();
        const Json expected = decision.is_amount() ? Json{{"type", "answer"}, {"id", id_}, {"amount", decision.amount}}
                                                   : Json{{"type", "answer"}, {"id", id_}, {"index", decision.action}};
        ASSERT_EQ(answers[0], expected);
      }
      env_->step(decision);
    }
    notify(seat, cursor);
  }

  std::string answer_to(const std::string& lines) {
    std::string out;
    for (const std::string& line : lines_of(lines)) session_.take(line, out);
    session_.answer(out);
    return out;
  }
  const BotSession& session() const { return session_; }

 private:
  void notify(Seat seat, EventCursor& cursor) {
    const std::vector<Event> events = env_->events(seat, cursor);
    cursor = env_->cursor();
    agent_->on_events(events);
    std::string out;
    remote::write_events(table_, events, *game_, out);
    EXPECT_EQ(answer_to(out), "");
  }

  GamePtr game_;
  std::unique_ptr<Agent> agent_;
  BotSession session_;
  std::unique_ptr<Env> env_;
  Json hello_;
  int table_ = 0;  // id of the last table
  std::uint64_t id_ = 0;
  bool numbers_;
};

TEST(BotSession, PlaysAsTheAgentDoesWithoutIt) {
  for (const std::string& name : game_names()) {
    SCOPED_TRACE(name);
    const GamePtr game = make_game(name);
    Side random(game, make_agents("random", game)), listener(game, listeners(game));
    expect_members(random.hello(),
                   {{"type", "hello"}, {"protocol", 1}, {"name", "random"}, {"numbers", true}, {"events", false}});
    expect_members(listener.hello(), {{"tables", 3}, {"events", true}});
    for (std::uint64_t seed = 0; seed < 6; ++seed)
      for (Side* side : {&random, &listener}) {
        side->play(static_cast<Seat>(seed) % game->players(), seed);
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

void expect_same_without_numbers(const std::vector<std::string>& games, std::uint64_t episodes) {
  for (const std::string& name : games) {
    SCOPED_TRACE(name);
    const GamePtr game = make_game(name);
    Side random(game, make_agents("random", game), false), listener(game, listeners(game), false),
        watcher(game, watchers(), false);
    expect_members(random.hello(), {{"numbers", false}, {"events", true}});
    for (std::uint64_t seed = 0; seed < episodes; ++seed)
      for (Side* side : {&random, &listener, &watcher}) {
        side->play(static_cast<Seat>(seed) % game->players(), seed);
        if (testing::Test::HasFailure()) return;
      }
  }
}

// With Fantasyland, matches, reshuffled stocks, side pots and transparent cards.
const std::vector<std::string> kMoreGames = {
    "ofc[players=3,episode=match,match.hands=2]",
    "ofc[episode=match,match.hands=3,fantasyland.cards=17,fantasyland.entry_pair=22]",
    "ofc[fantasyland.entry_pair=22]",
    "seven_hand[hands=3]",
    "draw[players=5,episode=match,match_hands=3]",
    "triple_draw[players=6]",
    "deuce_single_draw[players=4]",
    "stud[players=8]",
    "razz[players=3]",
    "holdem[limit=no_limit,players=10]",
    "holdem[limit=pot_limit,players=4,episode=match,match_hands=3]",
    "washizu[players=4]",
    "badugi[players=6]",
    "draw[deck=washizu_replace_random]"};

TEST(BotSession, PlaysTheSameWithoutNumbersAlongTheEvents) {
  expect_same_without_numbers(game_names(), 3);
  expect_same_without_numbers(kMoreGames, 3);
}

TEST(BotSessionThorough, PlaysTheSameWithoutNumbersAlongTheEvents) {
  expect_same_without_numbers(game_names(), 100);
  expect_same_without_numbers(kMoreGames, 100);
}

TEST(BotSession, GoodbyeEndsItAndUnknownMessagesDoNot) {
  const GamePtr game = make_game("kuhn");
  Side side(game, make_agents("random", game));
  EXPECT_EQ(side.answer_to("{\"type\":\"weather\",\"table\":\"none\"}\n{\"type\":\"error\",\"message\":\"late\"}\n"),
            "");
  EXPECT_FALSE(side.session().over());
  EXPECT_EQ(side.answer_to("{\"type\":\"bye\",\"reason\":\"\"}\n"), "");
  EXPECT_TRUE(side.session().over());
  EXPECT_EQ(side.session().problem(), "");
}

TEST(BotSession, WhatCannotBeUnderstoodEndsItWithOneLine) {
  const GamePtr game = make_game("leduc");
  const auto [begin, good] = bot_server::question(game);
  const auto changed = [&, begin = begin, good = good](const auto& change) {
    Json request = Json::parse(good);
    change(request);
    return begin + request.dump() + '\n';
  };
  struct Case {
    std::string lines, problem;
  };
  const std::vector<Case> cases = {
      {"hello\n", "'hello' is not a JSON object"},
      {"[]\n", "'[]' is not a JSON object"},
      {"{}\n", "type is missing; expected a text"},
      {"{\"type\":3}\n", "type is 3; expected a text"},
      {"{\"type\":\"hello\",\"protocol\":1,\"rules\":\"\"}\n", "a second hello"},
      {"{\"type\":\"begin\",\"table\":900,\"seat\":0,\"seed\":\"1\"}\n", "begin: table is 900; expected 0"},
      {"{\"type\":\"begin\",\"table\":-1,\"seat\":0,\"seed\":\"1\"}\n", "begin: table is -1; expected 0"},
      {"{\"type\":\"begin\",\"table\":0,\"seat\":2,\"seed\":\"1\"}\n", "begin: seat is 2; expected 0 to 1"},
      {"{\"type\":\"begin\",\"table\":0,\"seat\":0,\"seed\":\"1x\"}\n",
       "begin: seed is '1x'; expected a whole number from 0 to 18446744073709551615, as a number or a text"},
      {good, "request: table is 0; expected one that has begun"},
      {"{\"type\":\"events\",\"table\":0,\"events\":[]}\n", "events: table is 0; expected one that has begun"},
      {begin + good + good, "a second request of table 0 before the answer to the first"},
      {changed([](Json& r) { r.erase("numbers"); }),
       "request: there have been no events of this hand; without numbers they say what has happened"},
      {changed([](Json& r) { r["numbers"] = Json::array(); }), "request: numbers is an empty list; expected an object"},
      {changed([](Json& r) { r["numbers"].erase("paid"); }), "request: numbers.paid is missing; expected a list"},
      {changed([](Json& r) { r["numbers"]["hand"].push_back(0); }), "request: numbers.hand has 7 numbers; expected 6"},
      {changed([](Json& r) { r["numbers"]["hand"][2] = "x"; }), "request: numbers.hand[2] is 'x'; expected a number"},
      {changed([](Json& r) { r["numbers"]["hand"][2] = 1e30; }), "request: numbers: not an observation of this game"},
      {changed([](Json& r) { r["legal"].erase(0); }), "request: legal lacks 1 ('check'), which is legal"},
      {changed([](Json& r) { r["legal"] = Json::array(); }), "request: legal lacks 1 ('check'), which is legal"},
      {changed([](Json& r) { r["legal"] = "any"; }), "request: legal is 'any'; expected a list"},
      {changed([](Json& r) { r["legal"][0] = 3; }), "request: legal[0] is 3; expected an object"},
      {changed([](Json& r) { r["legal"][0]["index"] = 64; }), "request: legal[0].index is 64; expected one of 1, 2"},
      {changed([](Json& r) {
         r["legal"][1]["index"] = nullptr;
         r["legal"][1]["min"] = 2;
       }),
       "request: legal[1].index is null; expected a number"},
      {changed([](Json& r) {
         r["legal"][1]["index"] = nullptr;
         r["legal"][1].erase("text");
       }),
       "request: legal[1].text is missing; expected a text"},
      {changed([](Json& r) { r["id"] = "x"; }), "request: id is 'x'; expected a whole number from 0"},
      {changed([](Json& r) { r.erase("id"); }), "request: id is missing; expected a whole number from 0"},
      {changed([](Json& r) { r["seat"] = 1 - r["seat"].get<int>(); }), "request: seat is "},
  };
  for (const auto& [lines, problem] : cases) {
    SCOPED_TRACE(lines);
    // One table.
    Side side(game, make_agents("rule", game));
    const std::string out = side.answer_to(lines);
    EXPECT_TRUE(side.session().over());
    EXPECT_NE(side.session().problem().find(problem), std::string::npos) << side.session().problem();
    const std::vector<Json> answers = messages(out);
    ASSERT_FALSE(answers.empty());
    EXPECT_EQ(answers.back()["type"], "error");
    // No further answers.
    EXPECT_EQ(side.answer_to(begin + good), "");
  }
}

TEST(BotSession, OtherRulesAndProtocolsAreRefused) {
  const GamePtr game = make_game("leduc");
  std::string other;
  remote::write_hello(*make_game("kuhn"), other);
  const auto problem = [&](const std::string& line) {
    BotSession session(make_agents("random", game), game);
    std::string out;
    session.take(line, out);
    EXPECT_TRUE(session.over());
    return session.problem();
  };
  EXPECT_EQ(problem(other.substr(0, other.size() - 1)),
            "the host plays 'kuhn' by other rules than 'leduc', which this bot plays, such as 'game: kuhn'");
  const std::string hello = R"({"type":"hello","protocol":)";
  EXPECT_EQ(problem(hello + "2}"), "hello: protocol is 2; expected 1");
  // Nested so deeply that recursive parsing would overflow the stack.
  EXPECT_EQ(problem(hello + std::string(500'000, '[') + std::string(500'000, ']') + '}'),
            "hello: protocol is a list; expected 1");
  EXPECT_LE(problem(hello + R"(1,"rules":"","spec":")" + std::string(100'000, 'x') + "\"}").size(), 400U);
  EXPECT_EQ(problem(R"({"type":"begin","table":0,"seat":0,"seed":"1"})"), "'begin' before hello");
}

}  // namespace
}  // namespace dealer::test::bot_session_test
