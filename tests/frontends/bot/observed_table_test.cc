// Events sent by hosts with their own engine, and the errors for impossible ones.
#include "frontends/bot/observed_table.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "agents/remote/protocol.h"
#include "env/core/random.h"
#include "env/core/registry.h"
#include "frontends/bot/bot_session.h"
#include "tests/support/fake_agents.h"
#include "tests/support/texts.h"

namespace dealer::test::told_table_test {
namespace {

// A session that follows the events of one hand, and its answer to the first request.
class Followed {
 public:
  // Plays these decisions; the viewer is then the seat to act.
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

  // The error after changing the events, then the request; empty if it answers.
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
    // Answers name choices as the request does.
    if (!session.over()) {
      const Json answer = Json::parse(lines_of(out).back());
      EXPECT_EQ(answer.contains("text"), request["legal"][0].value("index", Json()).is_null()) << answer;
    }
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

TEST(ObservedTable, WrongEventsAreNamedWithFieldAndValue) {
  const Followed draw("draw", 3, {"check", "check", "stand pat", "stand pat", "bet 20"});
  ASSERT_EQ(draw.of_events([](Json&) {}), "");
  const auto changed = [&](int event, const char* key, const Json& value) {
    return draw.of_events([&](Json& events) { events[static_cast<std::size_t>(event)][key] = value; });
  };
  const auto erased = [&](int event, const char* key) {
    return draw.of_events([&](Json& events) { events[static_cast<std::size_t>(event)].erase(key); });
  };
  // Errors found before playing.
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
  // Errors under the rules.
  const std::string hand = "request: event ";
  EXPECT_EQ(changed(0, "stacks", {1000, 990}),
            hand + "0 of the hand ('hand_begun'): stacks is [1000, 990]; expected 1000 for every seat");
  EXPECT_EQ(changed(1, "amount", 5), hand + "1 of the hand ('posted'): amount is 5; expected 10");
  EXPECT_EQ(changed(1, "what", "small_blind"),
            hand + "1 of the hand ('posted'): what is 'small_blind'; expected 'ante'");
  EXPECT_EQ(changed(3, "count", 6), hand + "3 of the hand ('dealt'): " +
                                        (draw.seat() == draw.events()[3]["seat"]
                                             ? fmt::format("cards is [{}]; expected all 6 cards of its own seat",
                                                           fmt::join(draw.events()[3]["cards"].get<Words>(), ", "))
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

TEST(ObservedTable, TheLastEventIsTheLastBeforeTheRequest) {
  const Json returned = {{"event", "returned"}, {"seat", 0}, {"street", 0}, {"amount", 5}};
  for (const char* name : {"draw", "holdem", "stud", "kuhn", "mini_draw", "seven_hand", "ofc"}) {
    SCOPED_TRACE(name);
    const Followed hand(name, 3, {});
    const std::size_t last = hand.events().size() - 1;
    EXPECT_EQ(
        hand.of_events([](Json& events) { events.erase(events.size() - 1); }),
        "request: the events of the hand end with " + std::to_string(last - 1) + ", 'dealt'; expected 'dealt' next");
    EXPECT_EQ(hand.of_events([&](Json& events) { events.push_back(returned); }),
              "request: event " + std::to_string(last + 1) +
                  " of the hand ('returned'): event is 'returned'; expected none: seat " + std::to_string(hand.seat()) +
                  " is to act");
  }
}

// Another kind of event with its own fields: the error is not about missing fields.
TEST(ObservedTable, TheKindOfAnEventIsComparedFirst) {
  for (const char* name : {"draw", "kuhn"}) {
    const Followed hand(name, 3, {});
    EXPECT_EQ(hand.of_events([](Json& events) {
      events[1] = {{"event", "mucked"}, {"seat", 0}, {"street", 0}, {"count", 0}};
    }),
              "request: event 1 of the hand ('mucked'): event is 'mucked'; expected 'posted'");
  }
}

TEST(ObservedTable, AHandBeginsWithItsBeginning) {
  const Followed kuhn("kuhn", 3, {});
  const Json ends[] = {{{"event", "hand_ended"}, {"hand", 0}, {"net", {1, -1}}, {"odd_chips", 0}},
                       {{"event", "match_ended"}, {"net", {1, -1}}, {"winners", {0}}}};
  for (const Json& end : ends)
    EXPECT_EQ(kuhn.of_events([&](Json& events) { events = Json::array({end}); }),
              "the first event of a hand is '" + end["event"].get<std::string>() + "'; expected hand_begun")
        << end;
}

// No further requests.
TEST(ObservedTable, AHandThatIsOverHasNoRequests) {
  for (const auto& [name, bet, last] : {std::tuple{"draw", "bet 10", "fold"}, {"holdem", "raise to 20", "fold"}}) {
    SCOPED_TRACE(name);
    const Followed hand(name, 3, {bet});
    const GamePtr game = make_game(name);
    const auto env = game->new_env({.hold_hands = true});
    env->reset(3);
    env->step(env->parse_decision(bet));
    env->step(env->parse_decision(last));
    std::string line;
    remote::write_events(0, env->events(hand.seat()), *game, line);
    const Json ended = Json::parse(line)["events"];
    ASSERT_EQ(ended.back()["event"], "hand_ended");
    EXPECT_EQ(hand.of_events([&](Json& events) { events = ended; }), "request: the hand is over");
  }
}

TEST(ObservedTable, WrongRequestsAreNamedWithFieldAndValue) {
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
  // Without action numbers their texts identify them.
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

TEST(ObservedTable, RangesOfAmountsAreThoseOfTheRules) {
  const Followed hand("holdem[limit=no_limit]", 3, {"raise to 300"});
  std::size_t at = 0;
  Json range;
  hand.of_request([&](Json& r) {
    while (!r["legal"][at]["index"].is_null()) ++at;
    range = r["legal"][at];
  });
  for (const char* key : {"min", "max", "step"}) {
    const int right = range[key].get<int>();
    EXPECT_EQ(hand.of_request([&](Json& r) { r["legal"][at][key] = right + 1; }),
              fmt::format("request: legal[{}].{} is {}; expected {}", at, key, right + 1, right));
  }
  EXPECT_EQ(hand.of_request([&](Json& r) { r["legal"].erase(at); }),
            "request: legal lacks the range " + range["min"].dump() + " to " + range["max"].dump() + ", index null");
  // If there is an index, it gives the choice; if there is neither number nor index, the text.
  EXPECT_EQ(hand.of_request([&](Json& r) { r["legal"][0]["min"] = 5; }), "");
  const std::string texts = hand.of_request([&](Json& r) { r["legal"][at].erase("min"); });
  EXPECT_TRUE(texts.starts_with(fmt::format("request: legal[{}].text is 'raise to'; expected one of 'fold', ", at)))
      << texts;
  const Followed fixed("leduc", 3, {});
  EXPECT_EQ(fixed.of_request([&](Json& r) { r["legal"].push_back(range); }),
            "request: legal[2].index is null; expected a number: no amount may be named now");
  // A single amount is one of the choices: hosts need not send it as a range.
  EXPECT_EQ(Followed("draw", 3, {}).of_request([](Json& r) {
    std::erase_if(r["legal"].get_ref<Json::array_t&>(), [](const Json& choice) { return choice["index"].is_null(); });
  }),
            "");
}

TEST(ObservedTable, PositionsAreComparedAsDeepAsOurs) {
  const Followed draw("draw", 3, {});
  const auto seat = static_cast<std::size_t>(draw.seat());
  const auto changed = [&](const auto& change) {
    return draw.of_request([&](Json& r) { change(r["position"]["players"]); });
  };
  const auto expect_refused = [&](const std::string& problem, const std::string& what) {
    EXPECT_EQ(problem.substr(0, what.size()), what);
  };
  expect_refused(changed([](Json& players) { players[1] = 5; }), "request: position.players[1] is 5; expected {");
  expect_refused(changed([](Json& players) { players.erase(1); }), "request: position.players is a list; expected [");
  expect_refused(changed([](Json& players) {
                   players = {{"0", players[0]}, {"1", players[1]}};
                 }),
                 "request: position.players is an object; expected [");
  expect_refused(changed([](Json& players) { players[1]["folded"] = true; }),
                 "request: position.players[1].folded is true; expected false");
  EXPECT_EQ(changed([](Json& players) { players[1]["folded"] = false; }), "");
  // Cards in any order.
  EXPECT_EQ(changed([&](Json& players) {
              Json& cards = players[seat]["cards"];
              std::reverse(cards.begin(), cards.end());
            }),
            "");
  expect_refused(changed([&](Json& players) {
                   Json& cards = players[seat]["cards"];
                   cards[0] = cards[1];
                 }),
                 "request: position.players[" + std::to_string(seat) + "].cards is a list; expected [");
}

// Hosts in typed languages send null for every field without a value.
TEST(ObservedTable, NullIsAsIfTheFieldWereMissing) {
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
  EXPECT_EQ(Json::parse(lines_of(out).at(0))["numbers"], false);
}

TEST(ObservedTable, AHandHasAnEnd) {
  const Followed draw("draw", 3, {});
  const std::string problem = draw.of_events([](Json& events) {
    const Json last = events.back();
    while (events.size() <= 4096) events.push_back(last);
  });
  EXPECT_EQ(problem, "a hand has more than 4096 events");
}

TEST(ObservedTable, EveryFieldOfAnEventThatMattersIsLookedAt) {
  // Any number changed by one is rejected, except where our table does not need it.
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

}  // namespace
}  // namespace dealer::test::told_table_test
