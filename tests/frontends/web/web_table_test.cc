// Tables of the page without sockets: every game with a person, and hidden information.
#include "frontends/web/web_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <string>

#include "env/core/error.h"
#include "env/core/random.h"
#include "frontends/phh/hand_history.h"
#include "tests/frontends/web/web_sitting.h"

namespace dealer::test::web_table_test {
namespace {

using Json = nlohmann::json;

constexpr int kHands = 4;

// Every text in the document that is a card of the game.
void collect(const Json& json, const std::set<std::string>& deck, std::set<std::string>& found) {
  if (json.is_string() && deck.contains(json.get_ref<const std::string&>())) found.insert(json.get<std::string>());
  if (json.is_structured())
    for (const Json& each : json) collect(each, deck, found);
}

std::set<std::string> deck_of(const Game& game) {
  std::set<std::string> deck;
  for (CardId card = 0; card < game.num_cards(); ++card) deck.insert(game.card_to_string(card));
  return deck;
}

// Cards in the seat's own events and observation.
std::set<std::string> seen_by_seat(const Env& env, Seat seat, const std::set<std::string>& deck) {
  std::set<std::string> seen;
  for (const Event& event : env.events(seat)) collect(to_json(event, env.game()), deck, seen);
  collect(env.to_json(seat), deck, seen);
  return seen;
}

// Cards in the actions of a log; trumps have two digits in it.
void collect_log(const std::string& log, std::set<std::string>& found) {
  const std::regex action(R"((d dh p\d+|d db|p\d+ sd|p\d+ sm) (\S+)')");
  for (std::sregex_iterator at(log.begin(), log.end(), action), end; at != end; ++at)
    for (const std::string& card : phh::split_cards((*at)[2].str()))
      if (card != "??") found.insert(card.starts_with("t0") ? "t" + card.substr(2) : card);
}

std::vector<std::string> seats_with(int players, Seat me) {
  std::vector<std::string> seats(static_cast<std::size_t>(players), "random");
  seats[static_cast<std::size_t>(me)] = "me";
  return seats;
}

class EveryGame : public testing::TestWithParam<std::string> {};

TEST_P(EveryGame, TellsAPersonWhatItsSeatSeesAndNoOtherCard) {
  const GamePtr game = make_game(GetParam());
  const std::set<std::string> deck = deck_of(*game);
  for (Seat me = 0; me < game->players(); ++me) {
    Sitting sitting(setup_of(GetParam(), seats_with(game->players(), me), static_cast<std::uint64_t>(me) + 1));
    auto listener = std::make_shared<Listener>();
    std::set<std::string> allowed;
    int checked = 0;
    listener->on_send = [&](const std::string& lines) {
      allowed.merge(seen_by_seat(sitting.table->env(), me, deck));
      std::istringstream in(lines);
      for (std::string line; std::getline(in, line);) {
        Json message = Json::parse(line);
        if (message["type"] == "hello") continue;
        std::set<std::string> observed;
        collect(message, deck, observed);
        if (message.contains("log")) collect_log(message["log"], observed);
        for (const std::string& card : observed)
          EXPECT_TRUE(allowed.contains(card))
              << GetParam() << ", seat " << me << " was told of " << card << ": " << line;
        checked += static_cast<int>(observed.size());
      }
    };
    sitting.table->attach(0, listener);
    RandomStream rng(static_cast<std::uint64_t>(me));
    for (int hand = 0; hand < kHands; ++hand) {
      allowed.clear();
      if (hand > 0) sitting.table->take(0, {{"type", "next"}});
      for (sitting.settle(); listener->count("hand_over") == hand; sitting.settle()) {
        const Json request = listener->last("request");
        ASSERT_FALSE(request.is_null());
        sitting.table->take(0, {{"type", "advise"}, {"id", request["id"]}});
        sitting.table->take(0, answer_to(request, rng()));
      }
      EXPECT_EQ(listener->last("hand_over")["hands"], hand + 1);
    }
    EXPECT_GT(checked, 0);
    EXPECT_EQ(listener->count("error"), 0);
  }
}

// A reconnecting person gets the same messages for all cards that the seat cannot know.
TEST_P(EveryGame, SendsTheSameWhateverTheHiddenCardsAre) {
  const GamePtr game = make_game(GetParam());
  const Seat me = game->players() - 1;
  Sitting sitting(setup_of(GetParam(), seats_with(game->players(), me), 5));
  auto listener = sitting.sit();
  RandomStream rng(3);
  int compared = 0, changed = 0;
  for (int decision = 0; decision < 40; ++decision) {
    sitting.settle();
    if (listener->messages.back()["type"] == "hand_over") {
      sitting.table->take(0, {{"type", "next"}});
      continue;
    }
    const Json request = listener->last("request");
    Env& env = web::WebTableProbe::env(*sitting.table);
    // With resampled cards the table has no events of the hands before.
    if (env.hand_number() > 0) break;
    const std::unique_ptr<Env> real = env.clone();
    listener = sitting.sit();
    std::string observed = listener->text;
    std::string hidden = real->serialize();
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      env.sample_state(real->observe(me), seed);
      changed += env.serialize() != hidden ? 1 : 0;
      listener = sitting.sit();
      EXPECT_EQ(listener->text, observed) << GetParam();
      ++compared;
      env.assign(*real);
    }
    listener = sitting.sit();
    sitting.table->take(0, answer_to(request, rng()));
  }
  EXPECT_GT(compared, 0);
  EXPECT_GT(changed, 0);
}

INSTANTIATE_TEST_SUITE_P(WebTable, EveryGame, testing::ValuesIn(game_names()),
                         [](const auto& each) { return each.param; });

TEST(WebTable, GoesOnWhereItWasForWhoComesBack) {
  Sitting sitting(setup_of("ofc", {"me", "random"}));
  const auto before = sitting.sit();
  sitting.settle();
  for (int decision = 0; decision < 7; ++decision) {
    sitting.table->take(0, answer_to(before->last("request"), 1));
    sitting.settle();
  }
  Json events = Json::array();
  for (const Json& message : before->messages)
    if (message["type"] == "events") events.insert(events.end(), message["events"].begin(), message["events"].end());
  const auto after = sitting.sit();
  EXPECT_EQ(before->messages.back()["type"], "bye");
  EXPECT_FALSE(before->closed.empty());
  EXPECT_EQ(after->last("events")["events"], events);
  EXPECT_EQ(after->count("events"), 1);
  EXPECT_EQ(after->last("request"), before->last("request"));
  EXPECT_EQ(after->last("opened"), before->last("opened"));
  std::vector<std::string> order;
  for (const Json& message : after->messages) order.push_back(message["type"]);
  EXPECT_EQ(order, (std::vector<std::string>{"opened", "hello", "begin", "hand", "events", "position", "request"}));
  // The closed connection sends nothing further, and cannot displace a new one.
  sitting.table->detach(0, before.get());
  EXPECT_EQ(sitting.table->attached(), 1);
  sitting.table->take(0, answer_to(after->last("request"), 1));
  EXPECT_EQ(after->last("error"), nullptr);
}

TEST(WebTable, ShowsTheEndOfAHandToWhoComesBackThen) {
  Sitting sitting(setup_of("kuhn", {"me", "random"}));
  auto listener = sitting.sit();
  for (sitting.settle(); listener->last("hand_over").is_null(); sitting.settle())
    sitting.table->take(0, answer_to(listener->last("request"), 0));
  const Json result = listener->last("hand_over");
  listener = sitting.sit();
  EXPECT_EQ(listener->messages.back(), result);
  sitting.table->take(0, {{"type", "next"}});
  EXPECT_EQ(listener->last("hand")["number"], 2);
}

TEST(WebTable, SeatsTwoPeopleWhoSeeTheirOwnCardsAlone) {
  Sitting sitting(setup_of("holdem[players=3]", {"guest", "random", "me"}));
  sitting.table->attach(1, std::make_shared<Listener>());
  const auto host = sitting.sit(1), guest = sitting.sit(0);
  EXPECT_EQ(host->last("opened")["seat"], 2);
  EXPECT_EQ(guest->last("opened")["seat"], 0);
  EXPECT_EQ(host->last("presence"), (Json{{"type", "presence"}, {"seat", 0}, {"here", true}}));
  for (const auto& [person, seat] : {std::pair(host, 2), std::pair(guest, 0)})
    for (const Json& player : person->last("position")["position"]["players"])
      EXPECT_EQ(player["cards"].size(), player["seat"] == seat ? 2U : 0U);
  // Each person answers for their own seat.
  for (int decision = 0; decision < 200 && host->last("hand_over").is_null(); ++decision) {
    sitting.settle();
    const Seat to_act = sitting.table->env().current_player();
    if (to_act < 0) break;
    const auto& acts = to_act == 2 ? host : guest;
    const int place = to_act == 2 ? 1 : 0;
    EXPECT_THROW(sitting.table->take(1 - place, answer_to(acts->last("request"), 1)), UsageError);
    sitting.table->take(place, answer_to(acts->last("request"), 1));
  }
  ASSERT_FALSE(guest->last("hand_over").is_null());
  EXPECT_EQ(guest->last("hand_over")["won"], host->last("hand_over")["won"]);
  sitting.table->detach(0, guest.get());
  EXPECT_EQ(host->last("presence"), (Json{{"type", "presence"}, {"seat", 0}, {"here", false}}));
}

TEST(WebTable, GivesTheKeysOfGuestsToTheOpenerAlone) {
  web::TableSetup setup = setup_of("holdem[players=3]", {"guest", "guest", "me"});
  setup.opener = 2;
  Sitting sitting(std::move(setup));
  const auto guest = sitting.sit(0), opener = sitting.sit(2);
  EXPECT_EQ(guest->last("opened")["guests"], Json::array());
  EXPECT_EQ(opener->last("opened")["guests"], (Json{{{"seat", 0}, {"key", "key 0"}}, {{"seat", 1}, {"key", "key 1"}}}));
  EXPECT_EQ(opener->last("opened")["names"], (Json{"host", "guest", "guest 2"}));
}

TEST(WebTable, KeepsARequestOpenAfterAWrongAnswer) {
  Sitting sitting(setup_of("holdem", {"me", "random"}));
  const auto person = sitting.sit();
  sitting.settle();
  const Json request = person->last("request");
  const std::uint64_t id = request["id"];
  for (const Json& wrong : std::vector<Json>{{{"type", "answer"}, {"id", id}, {"index", 63}},
                                             {{"type", "answer"}, {"id", id}, {"index", -1}},
                                             {{"type", "answer"}, {"id", id}, {"index", 1e30}},
                                             {{"type", "answer"}, {"id", id}, {"amount", 999'999'999}},
                                             {{"type", "answer"}, {"id", id}, {"text", "win"}},
                                             {{"type", "answer"}, {"id", id}},
                                             {{"type", "answer"}, {"id", id + 1}, {"index", 0}},
                                             {{"type", "answer"}, {"index", 0}},
                                             {{"type", "next"}},
                                             {{"type", "review"}},
                                             {{"type", "pause"}},
                                             {{"type", "advise"}, {"id", id + 7}},
                                             {{"type", "dance"}},
                                             {{"type", 3}}})
    EXPECT_THROW(sitting.table->take(0, wrong), UsageError) << wrong;
  EXPECT_EQ(person->last("request"), request);
  sitting.table->take(0, {{"type", "answer"}, {"id", id}, {"text", request["legal"][0]["text"]}});
  sitting.settle();
  EXPECT_TRUE(person->last("request") != request || !person->last("hand_over").is_null());
}

TEST(WebTable, MovesTheButtonAndAddsUpTheScores) {
  Sitting sitting(setup_of("ofc", {"me", "random"}));
  const auto person = sitting.sit();
  std::vector<double> scores = {0, 0};
  Seat dealer = -1;
  for (int hand = 0; hand < 3; ++hand) {
    if (hand > 0) sitting.table->take(0, {{"type", "next"}});
    EXPECT_EQ(person->last("hand")["scores"], scores);
    if (hand > 0) {
      EXPECT_EQ(person->last("hand")["dealer"], 1 - dealer);
    }
    dealer = person->last("hand")["dealer"];
    for (sitting.settle(); person->count("hand_over") == hand; sitting.settle())
      sitting.table->take(0, answer_to(person->last("request"), 2));
    for (std::size_t seat = 0; seat < 2; ++seat) scores[seat] += person->last("hand_over")["won"][seat].get<double>();
    EXPECT_EQ(person->last("hand_over")["scores"], scores);
  }
}

TEST(WebTable, EndsAfterTheHandsAskedFor) {
  web::TableSetup setup = setup_of("kuhn", {"me", "random"});
  setup.hands = 1;
  Sitting sitting(std::move(setup));
  const auto person = sitting.sit();
  for (sitting.settle(); person->last("hand_over").is_null(); sitting.settle())
    sitting.table->take(0, answer_to(person->last("request"), 0));
  EXPECT_EQ(person->last("hand_over")["last"], true);
  EXPECT_THROW(sitting.table->take(0, {{"type", "next"}}), UsageError);
}

TEST(WebTable, EndsForEverybodyWhenAPersonLeaves) {
  Sitting sitting(setup_of("holdem[players=3]", {"guest", "random", "me"}));
  const auto replaced = sitting.sit(1), leaver = sitting.sit(1), other = sitting.sit(0);
  EXPECT_FALSE(sitting.table->leave(1, replaced.get()));
  EXPECT_EQ(other->last("bye"), nullptr);
  EXPECT_TRUE(sitting.table->leave(1, leaver.get()));
  EXPECT_EQ(other->messages.back(), (Json{{"type", "bye"}, {"reason", "guest has left"}, {"left", 2}}));
  EXPECT_FALSE(other->closed.empty());
  EXPECT_EQ(sitting.table->attached(), 0);
  EXPECT_EQ(sitting.sit(0)->messages.back()["type"], "bye");
}

TEST(WebTable, StaysForTheOthersAfterTheLastHand) {
  web::TableSetup setup = setup_of("kuhn", {"me", "guest"});
  setup.hands = 1;
  Sitting sitting(std::move(setup));
  const auto host = sitting.sit(0), guest = sitting.sit(1);
  for (sitting.settle(); host->last("hand_over").is_null(); sitting.settle()) {
    const Seat to_act = sitting.table->env().current_player();
    sitting.table->take(to_act, answer_to((to_act == 0 ? host : guest)->last("request"), 0));
  }
  EXPECT_FALSE(sitting.table->leave(0, host.get()));
  EXPECT_EQ(guest->last("bye"), nullptr);
  EXPECT_EQ(guest->messages.back(), (Json{{"type", "presence"}, {"seat", 0}, {"here", false}}));
}

TEST(WebTable, IsWatchedAtThePaceAskedForWithAllCardsOrOneSeats) {
  for (const Viewer view : {kOmniscient, Viewer{1}}) {
    web::TableSetup setup = setup_of("holdem[players=3]", {"rule:caller", "rule:caller", "rule:caller"});
    setup.pace = 250;
    setup.view = view;
    Sitting sitting(std::move(setup));
    const auto watcher = sitting.sit();
    EXPECT_EQ(watcher->last("opened")["seat"], nullptr);
    sitting.settle(3);
    EXPECT_EQ(watcher->count("events"), 4);
    EXPECT_EQ(sitting.waits.back(), 250);
    for (const Json& player : watcher->last("position")["position"]["players"])
      EXPECT_EQ(player["cards"].size(), view == kOmniscient || player["seat"] == view ? 2U : 0U);
    EXPECT_EQ(watcher->last("position").contains("legal"), view == kOmniscient);
    sitting.table->take(0, {{"type", "pace"}, {"ms", 40}});
    sitting.settle(2);
    EXPECT_EQ(sitting.waits.back(), 40);
    sitting.table->take(0, {{"type", "pause"}});
    sitting.settle();
    const int events = watcher->count("events");
    EXPECT_EQ(sitting.waiting(), 0U);
    sitting.table->take(0, {{"type", "step"}});
    sitting.settle();
    EXPECT_EQ(watcher->count("events"), events + 1);
    sitting.table->take(0, {{"type", "resume"}});
    EXPECT_THROW(sitting.table->take(0, {{"type", "step"}}), UsageError);
    sitting.settle(60);
    EXPECT_GT(watcher->count("events"), events + 1);
    // Hands continue without a "next" message; nothing happens without connections.
    EXPECT_GT(watcher->last("hand")["number"], 1);
    sitting.table->detach(0, watcher.get());
    sitting.settle();
    const int hands = watcher->count("hand");
    EXPECT_EQ(sitting.waiting(), 0U);
    const auto again = sitting.sit();
    sitting.settle(60);
    EXPECT_GT(again->count("hand"), 1);
    EXPECT_EQ(watcher->count("hand"), hands);
  }
}

TEST(WebTable, LogsWhatSomebodySaw) {
  Sitting betting(setup_of("holdem", {"me", "random"}));
  const auto better = betting.sit();
  for (betting.settle(); better->last("hand_over").is_null(); betting.settle())
    betting.table->take(0, answer_to(better->last("request"), 0));
  EXPECT_NE(better->last("hand_over")["log"].get<std::string>().find("????"), std::string::npos);
  web::TableSetup setup = setup_of("ofc", {"random", "random"});
  setup.hands = 1;
  Sitting watched(std::move(setup));
  const auto watcher = watched.sit();
  watched.settle();
  EXPECT_NE(watcher->last("hand_over")["log"].get<std::string>().find("_seed"), std::string::npos);
  // The seed of a hand of moves reveals its hidden cards.
  Sitting played(setup_of("ofc", {"me", "random"}));
  const auto person = played.sit();
  for (played.settle(); person->last("hand_over").is_null(); played.settle())
    played.table->take(0, answer_to(person->last("request"), 0));
  EXPECT_FALSE(person->last("hand_over").contains("log"));
}

}  // namespace
}  // namespace dealer::test::web_table_test
