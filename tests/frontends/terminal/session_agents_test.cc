// Events observed by the agents at the person's table, and failures of agents.
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <set>
#include <stdexcept>

#include "tests/env/harness/random_play.h"
#include "tests/frontends/terminal/sitting.h"
#include "tests/support/fake_agents.h"

namespace dealer::terminal::session_agents_test {
namespace {

Sat sit(const GamePtr& game, const AgentFactoryPtr& opponents, const AgentFactoryPtr& adviser, std::uint64_t seed,
        int hands, const std::string& input) {
  return test::sit(game, session_options(game, opponents, adviser, seed, hands), input);
}

// ---- Events.

// A decision, and all events of the episode that its seat had observed before.
struct Decided {
  Seat seat;
  Decision decision;
  std::vector<Event> observed;
};

struct Record {
  std::vector<Decided> decisions;
  std::vector<std::vector<Event>> hands;  // events observed by the agents at the end of each hand
};

// Plays at random and records the events it observes.
AgentFactoryPtr observing_agents(Record& record) {
  struct Own {
    Seat seat = 0;
    RandomStream rng{0};
    std::vector<Event> observed;
  };
  return make_factory("observing", [&record] {
    const auto own = std::make_shared<Own>();
    FakeAgent::Functions functions;
    functions.reset = [own](Seat seat, std::uint64_t seed) { *own = {seat, RandomStream(seed), {}}; };
    functions.on_events = [own, &record](std::span<const Event> events) {
      EXPECT_FALSE(events.empty());
      own->observed.insert(own->observed.end(), events.begin(), events.end());
      const Event::Kind last = events.back().kind;
      if (last == Event::Kind::kHandEnded || last == Event::Kind::kMatchEnded) record.hands.push_back(own->observed);
    };
    functions.act = [own, &record](const Observation& observation) {
      EXPECT_EQ(observation.player, own->seat);
      record.decisions.push_back({own->seat, random_action(observation.legal_mask, own->rng), own->observed});
      return record.decisions.back().decision;
    };
    return std::make_unique<FakeAgent>(functions);
  });
}

class ObservingAgents : public testing::TestWithParam<const char*> {};

// The same episodes without a session: the events observed before each decision are those of its seat.
TEST_P(ObservingAgents, ObserveEverythingBeforeTheyDecide) {
  constexpr int kHands = 7;
  const GamePtr game = make_game(GetParam());
  Record record;
  const AgentFactoryPtr agents = observing_agents(record);
  const Sat sat = sit(game, agents, agents, 5, kHands, repeat(kTake, 600));
  ASSERT_EQ(sat.hands, kHands);
  ASSERT_FALSE(record.decisions.empty());

  const std::unique_ptr<Env> env = game->new_env({.hold_hands = true, .keep_events = true});
  Dealing dealing(*env, 5);
  std::size_t hands = 0;
  dealing.episode();
  const auto finish = [&] {
    for (Seat seat = 0; seat < game->players(); ++seat) {
      ASSERT_LT(hands, record.hands.size());
      ASSERT_EQ(record.hands[hands++], env->events(seat)) << "the end of a hand";
    }
  };
  for (const Decided& decided : record.decisions) {
    while (env->hand_over()) {
      finish();
      if (env->terminated())
        dealing.episode();
      else
        env->next_hand();
    }
    ASSERT_EQ(env->current_player(), decided.seat);
    ASSERT_EQ(env->events(decided.seat), decided.observed);
    env->step(decided.decision);
  }
  finish();
  EXPECT_EQ(hands, static_cast<std::size_t>(kHands * game->players()));
}

INSTANTIATE_TEST_SUITE_P(Games, ObservingAgents,
                         testing::Values("leduc", "mini_draw", "kuhn", "ofc", "ofc[players=3]", "washizu[players=3]",
                                         "holdem[limit=no_limit,players=4,episode=match,stack=400]"));

// Planned decisions that were not played appear in no later event.
TEST(ObservingAdvisers, ObserveWhatWasPlayedWhateverWasHinted) {
  for (const char* spec : {"ofc", "mini_draw"}) {
    SCOPED_TRACE(spec);
    const GamePtr game = make_game(spec);
    const auto observed = [&](const std::string& typed) {
      std::vector<Event> all;
      FakeAgent::Functions functions;
      functions.reset = [&](Seat, std::uint64_t) { all.clear(); };
      functions.on_events = [&](std::span<const Event> events) { all.insert(all.end(), events.begin(), events.end()); };
      EXPECT_EQ(sit(game, make_agents("rule", game), fake_agents("first", functions), 5, 3, repeat(typed, 60)).hands,
                3);
      return all;
    };
    const std::vector<Event> played = observed("take\ny\n\n");
    ASSERT_FALSE(played.empty());
    EXPECT_EQ(observed("hint\nhint\ntake\ny\n\n"), played);
  }
}

// An adviser may remember what it has decided: after a planned turn it begins the episode again.
TEST(ObservingAdvisers, ForgetATurnThatWasOnlyPlanned) {
  const GamePtr game = make_game("ofc");
  int resets = 0;
  FakeAgent::Functions functions;
  functions.reset = [&](Seat, std::uint64_t) { ++resets; };
  functions.on_events = [](std::span<const Event>) {};
  sit(game, make_agents("rule", game), fake_agents("first", functions), 5, 1, "hint\nquit\n");
  EXPECT_EQ(resets, 2);
  sit(game, make_agents("rule", game), fake_agents("first", functions), 5, 1, "hint\nhint\nquit\n");
  EXPECT_EQ(resets, 5);
}

// Also in a turn of several decisions.
TEST(ObservingAdvisers, DrawAgainWhenTheyAreAskedAgain) {
  const GamePtr game = make_game("ofc");
  Record record;
  const std::string drawn = "take sampled\n" + repeat("undo\n", 5);
  sit(game, make_agents("rule", game), observing_agents(record), 5, 1, repeat(drawn, 8) + "quit\n");
  std::set<std::vector<Action>> turns;
  ASSERT_EQ(record.decisions.size(), 40U);
  for (std::size_t i = 0; i < 40; i += 5) {
    std::vector<Action> turn;
    for (std::size_t j = i; j < i + 5; ++j) turn.push_back(record.decisions[j].decision.action);
    turns.insert(turn);
  }
  EXPECT_GT(turns.size(), 4U);
}

// ---- Failures.

// Calls and checks, except at its n-th decision overall, from 0, where it acts as given.
struct Faults {
  std::function<Decision(int decision)> act;
  std::function<void(int episode)> reset;
  std::function<void(int times)> on_events;
  int decisions = 0, episodes = 0, times = 0;
  int ends = 0;  // hands whose end it observed
};

AgentFactoryPtr faulty(Faults& faults) {
  FakeAgent::Functions functions;
  functions.reset = [&](Seat, std::uint64_t) {
    if (faults.reset) faults.reset(faults.episodes++);
  };
  if (faults.on_events)
    functions.on_events = [&](std::span<const Event> events) {
      for (const Event& event : events) faults.ends += event.kind == Event::Kind::kHandEnded ? 1 : 0;
      faults.on_events(faults.times++);
    };
  functions.act = [&](const Observation& observation) {
    const Decision chosen = faults.act ? faults.act(faults.decisions++) : Decision();
    return chosen == Decision() ? Decision(observation.legal_actions().back()) : chosen;
  };
  functions.explain = [](const Observation&) -> std::string { throw std::runtime_error("no words"); };
  return fake_agents("faulty", functions);
}

Sat sit_with(Faults& faults, int hands, const std::string& game = "leduc") {
  const GamePtr table = make_game(game);
  return sit(table, faulty(faults), drawing_agents(), 3, hands, repeat(kTake, 100));
}

TEST(FailingAgents, LoseTheHandAndPlayTheNext) {
  Faults faults;
  faults.act = [](int decision) -> Decision {
    if (decision == 0) throw std::runtime_error("the network is gone\nand more of it");
    return {};
  };
  const Sat sat = sit_with(faults, 6);
  EXPECT_EQ(sat.hands, 6);
  expect_parts(sat.text, {"faulty failed: the network is gone; stand-in moves are played for it to the end of the "
                          "hand\n"});
  EXPECT_EQ(count(sat.text, "failed"), 1);
  EXPECT_GT(faults.decisions, 3) << "it is asked again in the next hand";
  EXPECT_EQ(sat.error, "");
}

TEST(FailingAgents, AreNotAskedAgainInTheHand) {
  Faults faults;
  faults.act = [](int) -> Decision { throw 7; };
  const Sat sat = sit_with(faults, 8);
  EXPECT_EQ(sat.hands, 8);
  EXPECT_EQ(count(sat.text, "faulty failed: it threw something that is not a std::exception; "), faults.decisions)
      << sat.text;
  EXPECT_LE(faults.decisions, 8);
  // The first legal action: it checks, and folds to a bet.
  expect_parts(sat.text, {"faulty folds"});
  expect_none(sat.text, {"faulty calls", "faulty bets", "faulty raises"});
  EXPECT_GT(count(sat.text, "faulty checks") + count(sat.text, "faulty folds"), faults.decisions)
      << "it is asked once a hand and moves more often";
  EXPECT_EQ(sat.error, "agent 'faulty' made no playable decision; it threw something that is not a std::exception");
}

TEST(FailingAgents, ObserveHowTheHandEndsThatTheyGaveUp) {
  Faults faults;
  faults.act = [](int) -> Decision { throw std::runtime_error("gone"); };
  faults.on_events = [](int) {};
  expect_parts(sit_with(faults, 5).text, {"faulty failed: gone; "});
  EXPECT_EQ(faults.ends, 5);
}

// A missing bot, for instance: its opponents have had no opponent.
TEST(FailingAgents, WhoNeverDecidesIsAnErrorInTheEnd) {
  Faults absent;
  absent.reset = [](int) { throw std::runtime_error("cannot start './bot'"); };
  const Sat sat = sit_with(absent, 2);
  EXPECT_EQ(sat.hands, 2);
  EXPECT_EQ(sat.error, "agent 'faulty' made no playable decision; cannot start './bot'");
  Faults lawless;
  lawless.act = [](int) { return Decision(Action{17}); };
  EXPECT_TRUE(
      sit_with(lawless, 2)
          .error.starts_with("agent 'faulty' made no playable decision; action 17 is not legal; expected one of: "));
  // An adviser plays no decisions.
  Faults mute;
  mute.act = [](int) -> Decision { throw std::runtime_error("out of ideas"); };
  const GamePtr game = make_game("leduc");
  EXPECT_EQ(sit(game, make_agents("random", game), faulty(mute), 3, 0, "hint\nquit\n").error, "");
}

TEST(FailingAgents, IllegalDecisionsAreNamed) {
  for (const auto& [decision, message] :
       {std::pair(Decision(Action{17}), "action 17 is not legal; expected one of: "),
        std::pair(Decision::bet_to(5), "an amount of 5 is not legal: no amount may be named now;"),
        std::pair(Decision(Action{-3}), "action -3 is not legal; expected one of: ")}) {
    Faults faults;
    faults.act = [&, decision = decision](int n) { return n == 1 ? decision : Decision(); };
    const Sat sat = sit_with(faults, 4);
    EXPECT_EQ(sat.hands, 4);
    EXPECT_EQ(count(sat.text, std::string("faulty failed: ") + message), 1) << sat.text;
  }
}

TEST(FailingAgents, WhoCannotBeginSitsTheEpisodeOut) {
  Faults faults;
  faults.act = [](int) { return Decision(); };
  faults.reset = [](int episode) {
    if (episode == 0) throw std::runtime_error("not ready");
  };
  const Sat sat = sit_with(faults, 12, "washizu[players=2]");
  EXPECT_EQ(sat.hands, 12);
  const std::string failed = "faulty failed: not ready; stand-in moves are played for it to the end of the episode\n";
  EXPECT_EQ(count(sat.text, failed), 1) << sat.text;
  EXPECT_GT(faults.episodes, 1);
  EXPECT_GT(faults.decisions, 0) << "it plays the next episode";
  // In the first hand it only folds.
  const std::string first = sat.text.substr(0, sat.text.find("The match is over"));
  expect_parts(first, {"faulty folds"});
  expect_none(first, {"faulty calls", "faulty raises", "faulty bets"});
}

TEST(FailingAgents, ForfeitTheEpisodeAfterThreeFailedHands) {
  Faults faults;
  faults.reset = [](int) {};
  faults.act = [](int) -> Decision { throw std::runtime_error("gone"); };
  const Sat sat = sit_with(faults, 5, "washizu[players=2]");
  EXPECT_EQ(count(sat.text, "faulty failed: gone; stand-in moves are played for it to the end of the hand\n"), 2);
  EXPECT_EQ(count(sat.text, "faulty failed: gone; stand-in moves are played for it to the end of the episode\n"), 1);
  EXPECT_EQ(faults.decisions, 3);
  EXPECT_EQ(faults.episodes, 1);
}

// Whoever is gone (AgentGone) has failed before; the person still has to know who plays.
TEST(FailingAgents, WhoIsGoneIsNamed) {
  Faults faults;
  faults.act = [](int) { return Decision(); };
  faults.reset = [](int episode) {
    if (episode == 1) throw AgentGone(FailureKind::kDisconnected, "given up after 3 losses");
  };
  const Sat sat = sit_with(faults, 2, "kuhn");
  EXPECT_EQ(count(sat.text,
                  "faulty failed: it is gone after earlier failures; stand-in moves are played for it to "
                  "the end of the episode\n"),
            1)
      << sat.text;
  EXPECT_EQ(faults.episodes, 2);
}

TEST(FailingAgents, ExceptionsInOnEventsCount) {
  Faults faults;
  faults.act = [](int) { return Decision(); };
  // In one hand it observes events before its first decision; the second time later in the hand or at its end.
  faults.on_events = [](int times) {
    if (times == 1) throw std::runtime_error("deaf");
  };
  const Sat sat = sit_with(faults, 3);
  EXPECT_EQ(sat.hands, 3);
  EXPECT_EQ(count(sat.text, "faulty failed: deaf; "), 1) << sat.text;
  EXPECT_GT(faults.times, 3) << "it hears the hands after that";
}

TEST(FailingAgents, AnAdviserGivesNoHints) {
  Faults faults;
  const GamePtr game = make_game("leduc");
  const auto advised = [&](const std::string& input) {
    return sit(game, make_agents("random", game), faulty(faults), 3, 0, input + "quit\n").text;
  };
  faults.act = [](int) -> Decision { throw std::runtime_error("out of ideas"); };
  const std::string text = advised("hint\nhint\ntake\ncheck\n\nscore\n");
  expect_parts(text, {"faulty failed: out of ideas; no hints to the end of the hand\n", "you check\n"});
  EXPECT_EQ(count(text, "there is no hint: the adviser has failed in this hand\n"), 3) << text;
  EXPECT_EQ(faults.decisions, 1);
  // An adviser without reasons, and illegal advice.
  faults.act = nullptr;
  expect_parts(advised("hint\n"),
               {"faulty would play: bet\n", "faulty failed: no words; no hints to the end of the hand\n"});
  faults.act = [](int) { return Decision(Action{17}); };
  expect_parts(advised("hint\n"), {"faulty failed: action 17 is not legal; expected one of: "});
}

}  // namespace
}  // namespace dealer::terminal::session_agents_test
