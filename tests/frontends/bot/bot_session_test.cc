#include "frontends/bot/bot_session.h"

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agents/remote/protocol.h"
#include "env/core/error.h"
#include "env/core/random.h"
#include "env/core/registry.h"
#include "frontends/bot/web_origin.h"
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

// Hears everything and plays what a hash of it says, so that one event more or less shows.
AgentFactoryPtr listeners(const GamePtr& game) {
  const auto make = [game] {
    const auto heard = std::make_shared<std::string>();
    return std::make_unique<FakeAgent>(
        FakeAgent::Functions{.act =
                                 [heard](const Observation& observation) {
                                   const std::vector<Action> legal = observation.legal_actions();
                                   return legal[std::hash<std::string>{}(*heard) % legal.size()];
                                 },
                             .reset = [heard](Seat, std::uint64_t seed) { *heard = std::to_string(seed); },
                             .hear =
                                 [heard, game](std::span<const Event> events) {
                                   for (const Event& event : events) *heard += to_json(event, *game).dump();
                                 }});
  };
  return std::make_shared<FakeFactory>("listener", make, 3);
}

// A host with one table at the session, next to the same agent without the protocol.
class Side {
 public:
  // Without `numbers` the host knows nothing of our observations: the session follows the events alone.
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
    hello_ = messages(told(hello.dump() + '\n')).at(0);
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
        remote::write_request({++id_, table_, 1, numbers_}, seen, *env_, request);
        const std::vector<Json> answers = messages(told(request));
        ASSERT_EQ(answers.size(), 1U) << session_.problem();
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
    for (const std::string& line : lines_of(lines)) session_.take(line, out);
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
    Side random(game, make_agents("random", game), false), listener(game, listeners(game), false);
    expect_members(random.hello(), {{"numbers", false}, {"events", true}});
    for (std::uint64_t seed = 0; seed < episodes; ++seed)
      for (Side* side : {&random, &listener}) {
        side->play(static_cast<Seat>(seed) % game->players(), seed);
        if (testing::Test::HasFailure()) return;
      }
  }
}

// With Fantasyland, matches, stocks that are shuffled again, side pots and transparent cards.
const std::vector<std::string> kMoreGames = {
    "ofc[players=3,episode=match,match.hands=2]",
    "ofc[episode=match,match.hands=3,fantasyland.cards=17,fantasyland.entry_pair=22]",
    "ofc[fantasyland.entry_pair=22]",
    "seven_hand[hands=2]",
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
      {"{}\n", "type is missing; expected a text"},
      {"{\"type\":3}\n", "type is 3; expected a text"},
      {"{\"type\":\"hello\",\"protocol\":1,\"rules\":\"\"}\n", "a second hello"},
      {"{\"type\":\"begin\",\"table\":900,\"seat\":0,\"seed\":\"1\"}\n", "begin: table is 900; expected 0"},
      {"{\"type\":\"begin\",\"table\":-1,\"seat\":0,\"seed\":\"1\"}\n", "begin: table is -1; expected 0"},
      {"{\"type\":\"begin\",\"table\":0,\"seat\":2,\"seed\":\"1\"}\n", "begin: seat is 2; expected 0 to 1"},
      {"{\"type\":\"begin\",\"table\":0,\"seat\":0,\"seed\":\"1x\"}\n",
       "begin: seed is '1x'; expected a text of digits"},
      {good, "request: table is 0; expected one that has begun"},
      {"{\"type\":\"events\",\"table\":0,\"events\":[]}\n", "events: table is 0; expected one that has begun"},
      {begin + good + good, "a second request of table 0 before the answer to the first"},
      {changed([](Json& r) { r.erase("numbers"); }),
       "request: there have been no events of this hand; without numbers they say what has happened"},
      {changed([](Json& r) { r["numbers"] = Json::array(); }), "request: numbers is an empty list; expected an object"},
      {changed([](Json& r) { r["numbers"].erase("paid"); }), "request: numbers.paid is missing; expected a list"},
      {changed([](Json& r) { r["numbers"]["hand"].push_back(0); }), "request: numbers.hand has 7 numbers; expected 6"},
      {changed([](Json& r) { r["numbers"]["hand"][2] = "x"; }), "request: numbers.hand[2] is 'x'; expected a number"},
      {changed([](Json& r) { r["numbers"]["hand"][2] = 1e30; }), "request: numbers: no observation of this game"},
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
            "the host plays 'kuhn' by other rules than 'leduc', which this bot plays");
  const std::string hello = R"({"type":"hello","protocol":)";
  EXPECT_EQ(problem(hello + "2}"), "hello: protocol is 2; expected 1");
  // So deep that whoever takes it apart by recursion ends with it.
  EXPECT_EQ(problem(hello + std::string(500'000, '[') + std::string(500'000, ']') + '}'),
            "hello: protocol is a list; expected 1");
  EXPECT_LE(problem(hello + R"(1,"rules":"","spec":")" + std::string(100'000, 'x') + "\"}").size(), 400U);
  EXPECT_EQ(problem(R"({"type":"begin","table":0,"seat":0,"seed":"1"})"), "'begin' before hello");
}

// A session that follows the events of one hand, and what it says of the first request.
class Followed {
 public:
  // Plays these decisions; the viewer is who is to act then.
  Followed(const std::string& game, std::uint64_t seed, const std::vector<std::string>& decisions)
      : game_(make_game(game)) {
    const auto env = game_->new_env();
    env->reset(seed);
    for (const std::string& text : decisions) env->step(env->parse_decision(text));
    seat_ = env->current_player();
    std::string line, request;
    remote::write_events(0, env->events(seat_), *game_, line);
    events_ = Json::parse(line)["events"];
    remote::write_request({1, 0, 1, false}, env->observe(seat_), *env, request);
    request_ = Json::parse(request);
  }
  const Json& events() const { return events_; }
  Seat seat() const { return seat_; }

  // Where the events, then the request, are changed like that; empty when it answers.
  template <class F>
  std::string problem(const F& change) const {
    Json events = events_, request = request_;
    change(events, request);
    BotSession session(make_agents("random", game_), game_);
    std::string out;
    session.take(Json{{"type", "hello"}, {"protocol", 1}, {"spec", game_->spec()}}.dump(), out);
    session.take(Json{{"type", "begin"}, {"table", 0}, {"seat", seat_}, {"seed", 7}}.dump(), out);
    session.take(Json{{"type", "events"}, {"table", 0}, {"events", events}}.dump(), out);
    session.take(request.dump(), out);
    session.answer(out);
    EXPECT_EQ(session.over(), out.find("\"answer\"") == std::string::npos);
    return session.problem();
  }
  template <class F>
  std::string of_events(const F& change) const {
    return problem([&](Json& events, Json&) { change(events); });
  }
  template <class F>
  std::string of_request(const F& change) const {
    return problem([&](Json&, Json& request) { change(request); });
  }

 private:
  GamePtr game_;
  Seat seat_ = 0;
  Json events_, request_;
};

TEST(BotSession, WrongEventsAreNamedWithFieldAndValue) {
  const Followed draw("draw", 3, {"check", "check", "stand pat", "stand pat", "bet 20"});
  ASSERT_EQ(draw.of_events([](Json&) {}), "");
  const auto changed = [&](int event, const char* key, const Json& value) {
    return draw.of_events([&](Json& events) { events[static_cast<std::size_t>(event)][key] = value; });
  };
  const auto erased = [&](int event, const char* key) {
    return draw.of_events([&](Json& events) { events[static_cast<std::size_t>(event)].erase(key); });
  };
  // What is read before it is played.
  EXPECT_TRUE(changed(1, "event", "paid").starts_with("events: events[1].event is 'paid'; expected one of hand_b"));
  EXPECT_EQ(changed(1, "seat", 2), "events: events[1].seat is 2; expected 0 to 1");
  EXPECT_EQ(changed(1, "amount", "ten"), "events: events[1].amount is 'ten'; expected 0 to 2147483647");
  EXPECT_EQ(erased(1, "all_in"), "events: events[1].all_in is missing; expected true or false");
  EXPECT_EQ(changed(3, "cards", {"As", "1s"}),
            "events: events[3].cards[1] is '1s'; expected a card of 'draw', as '2s'");
  EXPECT_EQ(changed(3, "count", 300), "events: events[3].count is 300; expected 0 to 52");
  EXPECT_EQ(changed(0, "stacks", {1000}), "events: events[0].stacks has 1 numbers; expected 2, one a seat");
  EXPECT_EQ(draw.of_events([](Json& events) { events[2] = 5; }), "events: events[2] is 5; expected an object");
  EXPECT_EQ(draw.of_events([](Json& events) { events.erase(0); }),
            "the first event of a hand is 'posted'; expected hand_begun");
  // What the rules say.
  const std::string hand = "request: event ";
  EXPECT_EQ(changed(0, "stacks", {1000, 990}),
            hand + "0 of the hand ('hand_begun'): stacks is [1000, 990]; expected 1000 for every seat");
  EXPECT_EQ(changed(1, "amount", 5), hand + "1 of the hand ('posted'): amount is 5; expected 10");
  EXPECT_EQ(changed(1, "what", "small_blind"),
            hand + "1 of the hand ('posted'): what is 'small_blind'; expected 'ante'");
  EXPECT_EQ(changed(3, "count", 6), hand + "3 of the hand ('dealt'): " +
                                        (draw.seat() == draw.events()[3]["seat"]
                                             ? "cards is " +
                                                   [&] {
                                                     std::string list;
                                                     for (const Json& card : draw.events()[3]["cards"])
                                                       list += (list.empty() ? "" : ", ") + card.get<std::string>();
                                                     return "[" + list + "]";
                                                   }() +
                                                   "; expected all 6 cards of its own seat"
                                             : "count is 6; expected 5"));
  EXPECT_EQ(changed(5, "action", "raise"), hand + "5 of the hand ('acted'): total is 0; expected chips");
  EXPECT_EQ(changed(5, "action", "jump"),
            hand + "5 of the hand ('acted'): action is 'jump'; expected fold, check, call, bet, raise or complete");
  EXPECT_TRUE(changed(7, "count", 1).find(" of the hand ('discarded'):") != std::string::npos);
  EXPECT_EQ(changed(9, "total", 30), hand + "9 of the hand ('acted'): total is 30; expected 20");
  EXPECT_EQ(changed(9, "amount", 30), hand + "9 of the hand ('acted'): amount is 30; expected 20");
  EXPECT_EQ(draw.of_events([](Json& events) { events.erase(9); }),
            "request: seat " + std::to_string(1 - draw.seat()) + " is to act, not seat " + std::to_string(draw.seat()));
  EXPECT_EQ(draw.of_events([](Json& events) { events.erase(1); }), hand + "1 of the hand ('posted'): seat is " +
                                                                       draw.events()[2]["seat"].dump() + "; expected " +
                                                                       draw.events()[1]["seat"].dump());
}

TEST(BotSession, WrongRequestsAreNamedWithFieldAndValue) {
  const Followed draw("draw", 3, {"check", "check", "stand pat", "stand pat", "bet 20"});
  EXPECT_EQ(draw.of_request([](Json& r) { r.erase("position"); }), "");
  EXPECT_EQ(draw.of_request([](Json& r) { r["position"] = {{"sky", "grey"}, {"pot", 40.0}}; }), "");
  EXPECT_EQ(draw.of_request([](Json& r) { r["position"]["pot"] = 50; }), "request: position.pot is 50; expected 40");
  EXPECT_EQ(draw.of_request([](Json& r) { r["position"]["players"][1]["chips"] = "all"; }).substr(0, 55),
            "request: position.players[1].chips is 'all'; expected 9");
  EXPECT_EQ(draw.of_request([](Json& r) { r["position"] = 3; }), "request: position is 3; expected an object");
  EXPECT_EQ(draw.of_request([](Json& r) { r["legal"].erase(1); }),
            "request: legal lacks 1 ('call 20'), which is legal");
  EXPECT_EQ(draw.of_request([](Json& r) { r["legal"][1]["index"] = 9; }),
            "request: legal[1].index is 9; expected one of 0, 1, 2");
  // Without numbers of the actions their texts tell them.
  EXPECT_EQ(draw.of_request([](Json& r) {
    for (Json& choice : r["legal"]) choice.erase("index");
  }),
            "");
  EXPECT_EQ(draw.of_request([](Json& r) {
    for (Json& choice : r["legal"]) choice.erase("index");
    r["legal"][1]["text"] = "pay";
  }),
            "request: legal[1].text is 'pay'; expected one of 'fold', 'call 20', 'raise to 40'");
}

// Hosts in typed languages write null for every field that they have no value for.
TEST(BotSession, NullIsAsIfTheFieldWereMissing) {
  const auto fill = [](Json& object, std::initializer_list<const char*> keys) {
    for (const char* key : keys)
      if (!object.contains(key)) object[key] = nullptr;
  };
  for (const auto& [game, decisions] :
       {std::pair<const char*, Words>{"draw", {"check", "check", "stand pat", "stand pat", "bet 20"}},
        {"holdem[limit=no_limit]", {"raise to 300"}},
        {"ofc", {}}}) {
    SCOPED_TRACE(game);
    const Followed hand(game, 3, decisions);
    EXPECT_EQ(hand.problem([&](Json& events, Json& request) {
      for (Json& event : events) {
        if (event.contains("cards")) fill(event, {"places"});
        fill(event, {"slot", "what", "taken_out", "odd_chips", "half"});
      }
      for (Json& choice : request["legal"]) fill(choice, {"min", "max", "step"});
      request["numbers"] = request["position"] = request["seat"] = nullptr;
    }),
              "");
    const auto by_text = [&](Json& events, Json& request) {
      for (Json& choice : request["legal"]) choice["index"] = nullptr;
      events.back()["slot"] = nullptr;
    };
    EXPECT_EQ(hand.problem(by_text), "");
  }
  const GamePtr leduc = make_game("leduc");
  BotSession session(make_agents("random", leduc), leduc);
  std::string out;
  session.take(R"({"type":"hello","protocol":1,"spec":"leduc","rules":null,"observation":null})", out);
  EXPECT_EQ(session.problem(), "");
  EXPECT_EQ(messages(out).at(0)["numbers"], false);
}

TEST(BotSession, AHandHasAnEnd) {
  const Followed draw("draw", 3, {});
  const std::string problem = draw.of_events([](Json& events) {
    const Json last = events.back();
    while (events.size() <= 4096) events.push_back(last);
  });
  EXPECT_EQ(problem, "a hand has more than 4096 events");
}

TEST(BotSession, EveryFieldOfAnEventThatMattersIsLookedAt) {
  // Whatever is changed by one is refused, but for what a table of ours does not need.
  for (const char* name :
       {"holdem[limit=no_limit,players=3]", "stud", "triple_draw[players=3]", "leduc", "mini_draw"}) {
    SCOPED_TRACE(name);
    const GamePtr game = make_game(name);
    for (std::uint64_t seed = 0; seed < 2; ++seed) {
      const auto env = game->new_env();
      env->reset(seed);
      RandomStream rng(seed);
      std::vector<std::string> decisions;
      for (int i = 0; i < 7; ++i) {
        const std::vector<Action> legal = env->legal_actions();
        const Action action = legal[rng() % legal.size()];
        const auto next = env->clone();
        Step step;
        next->step(action, step);
        if (step.hands_finished > 0 || next->hand_over()) break;
        decisions.push_back(env->action_to_string(action));
        env->step(action);
      }
      const Followed hand(name, seed, decisions);
      ASSERT_EQ(hand.of_events([](Json&) {}), "");
      for (std::size_t i = 0; i < hand.events().size(); ++i)
        for (const auto& [key, value] : hand.events()[i].items()) {
          if (!value.is_number() || key == "hand") continue;
          const std::string problem = hand.of_events([&](Json& events) { events[i][key] = value.get<int>() + 1; });
          EXPECT_NE(problem, "") << i << ' ' << hand.events()[i].dump() << " with another " << key;
        }
    }
  }
}

// Which web pages may connect to a bot that listens.

using Header = std::optional<std::string>;

// A server at 192.168.1.5:7000, and one at all addresses that was reached there.
class WebOriginTest : public testing::Test {
 protected:
  static bool accepts(const Header& origin, const Header& host, const std::string& listening = "192.168.1.5",
                      const std::vector<std::string>& allowed = {"https://lab.example", "http://page.local:8000"},
                      const std::string& reached = "192.168.1.5", std::uint16_t port = 7000) {
    return WebOriginPolicy(listening, allowed).refusal(origin, host, reached, port).empty();
  }
};

TEST_F(WebOriginTest, ProgramsSendNoOrigin) {
  for (const Header& host : {Header("192.168.1.5:7000"), Header("any.example"), Header("?"), Header()})
    EXPECT_TRUE(accepts(std::nullopt, host));
  EXPECT_FALSE(accepts("", "localhost:7000")) << "an empty one is one";
}

TEST_F(WebOriginTest, PagesOfTheServerItself) {
  for (const std::string name : {"192.168.1.5", "localhost", "127.0.0.1", "127.9.9.9", "[::1]"})
    EXPECT_TRUE(accepts("http://" + name + ":7000", name + ":7000")) << name;
  for (const auto& [origin, host] : std::vector<std::pair<std::string, std::string>>{
           {"http://localhost:7001", "localhost:7000"},      // another program of this machine
           {"http://localhost:7001", "localhost:7001"},      // another port than the server's
           {"https://localhost:7000", "localhost:7000"},     // the server has no TLS
           {"http://127.0.0.1:7000", "localhost:7000"},      // another name
           {"http://localhost", "localhost:7000"},           // port 80
           {"http://localhost:7000", "localhost"},           //
           {"http://192.168.1.6:7000", "192.168.1.6:7000"},  // another address
           {"http://evil.example:7000", "evil.example:7000"},
           {"http://localhost.evil.example:7000", "localhost.evil.example:7000"},
           {"http://127.0.0.1.evil.example:7000", "127.0.0.1.evil.example:7000"},
           {"http://evil.example", "localhost:7000"},
           {"null", "localhost:7000"}})
    EXPECT_FALSE(accepts(origin, host)) << origin << " at " << host;
}

TEST_F(WebOriginTest, LetterCaseAndSpelling) {
  EXPECT_TRUE(accepts("HTTP://LocalHost:7000", "LOCALHOST:7000"));
  EXPECT_TRUE(accepts("http://[0:0:0:0:0:0:0:1]:7000", "[::1]:7000"));
  EXPECT_TRUE(accepts("http://[2001:DB8::1]:7000", "[2001:db8:0::1]:7000", "2001:db8::1", {}, "2001:db8::1"));
  EXPECT_TRUE(accepts("http://192.168.1.5:7000", "192.168.1.5:7000", "::", {}, "::ffff:192.168.1.5"));
  EXPECT_TRUE(accepts("http://[fe80::1]:7000", "[fe80::1]:7000", "fe80::1%2", {}, "fe80::1%2"));
  EXPECT_TRUE(accepts("HTTPS://LAB.Example", "localhost:7000"));
  EXPECT_TRUE(accepts("https://lab.example", "localhost:7000", "::1", {"HTTPS://LAB.Example"}));
}

TEST_F(WebOriginTest, DefaultPorts) {
  for (const auto& [origin, host, accepted] : {std::tuple("http://localhost", "localhost", true),
                                               {"http://localhost:80", "localhost", true},
                                               {"http://localhost", "localhost:80", true},
                                               {"http://[::1]", "[::1]", true},
                                               {"https://lab.example", "localhost", true},
                                               {"http://lab.example", "localhost", false},
                                               {"https://localhost", "localhost", false},
                                               {"https://localhost:80", "localhost", false}})
    EXPECT_EQ(accepts(origin, host, "127.0.0.1", {"https://lab.example:443"}, "127.0.0.1", 80), accepted) << origin;
}

TEST_F(WebOriginTest, AllServersAtAllAddressesAreAtTheOneReached) {
  EXPECT_TRUE(accepts("http://10.0.0.7:7000", "10.0.0.7:7000", "0.0.0.0", {}, "10.0.0.7"));
  EXPECT_FALSE(accepts("http://10.0.0.8:7000", "10.0.0.8:7000", "0.0.0.0", {}, "10.0.0.7"));
}

TEST_F(WebOriginTest, AllowedPages) {
  for (const std::string host : {"localhost:7000", "192.168.1.5:7000", "10.9.9.9:9999", "[::1]", "lab.example",
                                 "LAB.example:9999", "page.local:7000"}) {
    EXPECT_TRUE(accepts("https://lab.example", host)) << host;
    EXPECT_TRUE(accepts("http://page.local:8000", host)) << host;
    for (const std::string origin : {"http://lab.example", "https://lab.example:444", "https://lab.example/",
                                     "https://www.lab.example", "http://page.local", "https://lab.example, x"})
      EXPECT_FALSE(accepts(origin, host)) << origin << " at " << host;
  }
}

TEST_F(WebOriginTest, NamesThatOthersGaveThisMachine) {
  for (const Header& host : {Header(), Header(""), Header("evil.example"), Header("evil.example:7000"), Header(":7000"),
                             Header("localhost:"), Header("localhost:0"), Header("localhost:70000"),
                             Header("localhost:7000x"), Header("localhost:7000, localhost:7000"), Header("a@localhost"),
                             Header("[::1"), Header("[::1]7000"), Header("[127.0.0.1]:7000"), Header("::1")})
    EXPECT_FALSE(accepts("https://lab.example", host)) << host.value_or("none");
}

TEST_F(WebOriginTest, SaysWhy) {
  const auto refusal = [](const Header& origin, const Header& host) {
    return WebOriginPolicy("127.0.0.1", {}).refusal(origin, host, "127.0.0.1", 7000);
  };
  EXPECT_EQ(refusal("http://a", {}), "a page of 'http://a' has named no host");
  EXPECT_EQ(refusal("http://a", "a:7000"), "'a:7000' is no name of this server; expected its IP address or localhost");
  EXPECT_EQ(refusal("http://a\x1b", "localhost:7000"),
            "pages of 'http://a\\x1b' may not connect; --allow-origin allows an origin");
}

TEST_F(WebOriginTest, WellFormedOrigins) {
  const auto parsed = [](std::string_view text) {
    const std::optional<WebOrigin> origin = parse_web_origin(text);
    return origin ? origin->scheme + ' ' + origin->host + ' ' + std::to_string(origin->port) : "none";
  };
  EXPECT_EQ(parsed("http://a"), "http a 80");
  EXPECT_EQ(parsed("https://a-b.c_d.example:65535"), "https a-b.c_d.example 65535");
  EXPECT_EQ(parsed("https://[2001:DB8:0::1]"), "https 2001:db8::1 443");
  EXPECT_EQ(parsed("chrome-extension://abcdef"), "chrome-extension abcdef 0");
  for (const std::string& text :
       split("|null|*|a|a:80|http:|http:/a|http://|://a|1http://a|http://a/|http://a:80/x|http://a:|http://a:0|"
             "http://a:65536|http://a:-1|http://a:+1|http://u@a|http://*.a|http://a b| http://a|http://a |http://[::1|"
             "http://[::g]|http://[a]|http://[::1%1]|http://[::1]a|http://::1|http://a?b|http://a#b|http://\xc3\xa4|"
             "http://a,http://b",
             "|"))
    EXPECT_EQ(parsed(text), "none") << text;
  EXPECT_EQ(error_message<UsageError>([] {
              WebOriginPolicy("127.0.0.1", {"http://a", "b/"});
            }),
            "'b/' is no origin of web pages; expected SCHEME://HOST or SCHEME://HOST:PORT, as http://localhost:8000");
}

}  // namespace
}  // namespace dealer::test::bot_session_test
