// What agents at the person's table hear, and what happens when they fail.
#include <gtest/gtest.h>

#include <functional>
#include <optional>
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

// ---- Hearing.

// A decision, and everything its seat had heard of the episode before.
struct Decided {
  Seat seat;
  Decision decision;
  std::vector<Event> heard;
};

struct Record {
  std::vector<Decided> decisions;
  std::vector<std::vector<Event>> hands;  // what the agents heard when a hand was over, one after the other
};

// Plays at random and writes down what it hears.
AgentFactoryPtr hearing_agents(Record& record) {
  struct Own {
    Seat seat = 0;
    RandomStream rng{0};
    std::vector<Event> heard;
  };
  return make_factory("hearing", [&record] {
    const auto own = std::make_shared<Own>();
    FakeAgent::Functions functions;
    functions.reset = [own](Seat seat, std::uint64_t seed) { *own = {seat, RandomStream(seed), {}}; };
    functions.hear = [own, &record](std::span<const Event> events) {
      EXPECT_FALSE(events.empty());
      own->heard.insert(own->heard.end(), events.begin(), events.end());
      const Event::Kind last = events.back().kind;
      if (last == Event::Kind::kHandEnded || last == Event::Kind::kMatchEnded) record.hands.push_back(own->heard);
    };
    functions.act = [own, &record](const Observation& observation) {
      EXPECT_EQ(observation.player, own->seat);
      record.decisions.push_back({own->seat, random_action(observation.legal_mask, own->rng), own->heard});
      return record.decisions.back().decision;
    };
    return std::make_unique<FakeAgent>(functions);
  });
}

class Hearers : public testing::TestWithParam<const char*> {};

// The same episodes without a session: what was heard before each decision is what the seat had seen.
TEST_P(Hearers, HearEverythingBeforeTheyDecide) {
  constexpr int kHands = 7;
  const GamePtr game = make_game(GetParam());
  Record record;
  const AgentFactoryPtr agents = hearing_agents(record);
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
    ASSERT_EQ(env->events(decided.seat), decided.heard);
    env->step(decided.decision);
  }
  finish();
  EXPECT_EQ(hands, static_cast<std::size_t>(kHands * game->players()));
}

INSTANTIATE_TEST_SUITE_P(Games, Hearers,
                         testing::Values("leduc", "mini_draw", "kuhn", "ofc", "ofc[players=3]", "washizu[players=3]",
                                         "holdem[limit=no_limit,players=4,episode=match,stack=400]"));

// ---- Failing.

// Calls and checks, except where it does what is given: at its n-th decision of all, from 0.
struct Faults {
  std::function<Decision(int decision)> act;
  std::function<void(int episode)> reset;
  std::function<void(int times)> hear;
  int decisions = 0, episodes = 0, times = 0;
  int ends = 0;  // of hands that it heard
};

AgentFactoryPtr faulty(Faults& faults) {
  FakeAgent::Functions functions;
  functions.reset = [&](Seat, std::uint64_t) {
    if (faults.reset) faults.reset(faults.episodes++);
  };
  if (faults.hear)
    functions.hear = [&](std::span<const Event> events) {
      for (const Event& event : events) faults.ends += event.kind == Event::Kind::kHandEnded ? 1 : 0;
      faults.hear(faults.times++);
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
  expect_parts(sat.text, {"faulty failed: the network is gone; its first legal action is played to the end of the "
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
  EXPECT_EQ(count(sat.text, "faulty failed: an unknown error; "), faults.decisions) << sat.text;
  EXPECT_LE(faults.decisions, 8);
  // The first legal action: it checks, and folds to a bet.
  expect_parts(sat.text, {"faulty folds"});
  expect_none(sat.text, {"faulty calls", "faulty bets", "faulty raises"});
  EXPECT_GT(count(sat.text, "faulty checks") + count(sat.text, "faulty folds"), faults.decisions)
      << "it is asked once a hand and moves more often";
  EXPECT_EQ(sat.error, "agent 'faulty' made no decision that could be played: an unknown error");
}

TEST(FailingAgents, HearHowTheHandEndsThatTheyGaveUp) {
  Faults faults;
  faults.act = [](int) -> Decision { throw std::runtime_error("gone"); };
  faults.hear = [](int) {};
  expect_parts(sit_with(faults, 5).text, {"faulty failed: gone; "});
  EXPECT_EQ(faults.ends, 5);
}

// A bot that is not there, say: whoever played against it has played against nobody.
TEST(FailingAgents, WhoNeverDecidesIsAnErrorInTheEnd) {
  Faults absent;
  absent.reset = [](int) { throw std::runtime_error("cannot start './bot'"); };
  const Sat sat = sit_with(absent, 2);
  EXPECT_EQ(sat.hands, 2);
  EXPECT_EQ(sat.error, "agent 'faulty' made no decision that could be played: cannot start './bot'");
  Faults lawless;
  lawless.act = [](int) { return Decision(Action{17}); };
  EXPECT_TRUE(
      sit_with(lawless, 2)
          .error.starts_with(
              "agent 'faulty' made no decision that could be played: action 17 is not legal; expected one of: "));
  // An adviser plays nothing.
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
  const std::string failed = "faulty failed: not ready; its first legal action is played to the end of the episode\n";
  EXPECT_EQ(count(sat.text, failed), 1) << sat.text;
  EXPECT_GT(faults.episodes, 1);
  EXPECT_GT(faults.decisions, 0) << "it plays the next episode";
  // In the first it only folds.
  const std::string first = sat.text.substr(0, sat.text.find("The match is over"));
  expect_parts(first, {"faulty folds"});
  expect_none(first, {"faulty calls", "faulty raises", "faulty bets"});
}

TEST(FailingAgents, WhatTheyThrowWhenTheyHearCounts) {
  Faults faults;
  faults.act = [](int) { return Decision(); };
  // Of a hand it hears before its first decision; the second time later in the hand or at its end.
  faults.hear = [](int times) {
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
  // An adviser who cannot say why, and advice that is not legal.
  faults.act = nullptr;
  expect_parts(advised("hint\n"),
               {"faulty would play: bet\n", "faulty failed: no words; no hints to the end of the hand\n"});
  faults.act = [](int) { return Decision(Action{17}); };
  expect_parts(advised("hint\n"), {"faulty failed: action 17 is not legal; expected one of: "});
}

// What hints lead with, and what `take` plays: of agents that mix, what they do most often.

// Mixes by probabilities that come of what it sees, often several equal ones.
AgentFactoryPtr mixing_agents() {
  const auto policy = [](const Observation& observation) {
    std::uint64_t seen = 0;
    for (const float number : observation.data) seen = mix64(seen + static_cast<std::uint64_t>(8 * number) + 1);
    RandomStream rng(seen);
    std::vector<double> chance(observation.legal_actions().size());
    double sum = 0;
    for (double& each : chance) sum += each = rng.below(4) + 1;
    for (double& each : chance) each /= sum;
    return chance;
  };
  const auto act = [policy, rng = RandomStream(1)](const Observation& observation) mutable -> Decision {
    auto rest = static_cast<double>(rng.uniform());
    const std::vector<double> chance = policy(observation);
    const std::vector<Action> legal = observation.legal_actions();
    for (std::size_t i = 0; i < legal.size(); ++i)
      if ((rest -= chance[i]) < 0) return legal[i];
    return legal.back();
  };
  return fake_agents("mixing", {.act = act, .policy = policy});
}

struct Hinted {
  std::string text;
  std::vector<phh::HandPlayed> hands;
};

Hinted sit_with_hints(const GamePtr& game, const AgentFactoryPtr& adviser, int hands, const std::string& input) {
  SessionOptions options = session_options(game, make_agents("random", game), adviser, 7, hands);
  Hinted hinted;
  options.log = [&](const phh::HandPlayed& hand, const std::vector<std::string>&) { hinted.hands.push_back(hand); };
  hinted.text = test::sit(game, std::move(options), input).text;
  return hinted;
}

Action decision_of(const Env& env, const std::string& words) {
  for (const Action action : env.legal_actions())
    if (env.action_to_string(action) == words) return action;
  return kNoAction;
}

// Deals the hands again and looks at every decision of the person; how many there were.
int expect_likeliest(const std::string& spec, const AgentFactoryPtr& agents, int hands) {
  SCOPED_TRACE(spec + ' ' + agents->spec());
  const GamePtr game = make_game(spec);
  const Hinted hinted = sit_with_hints(game, agents, hands, repeat(kTake, static_cast<std::size_t>(60 * hands)));
  EXPECT_EQ(static_cast<int>(hinted.hands.size()), hands);
  const std::unique_ptr<Agent> agent = agents->make();
  agent->reset(0, 99);
  const std::unique_ptr<Env> env = game->new_env();
  int decisions = 0;
  for (const phh::HandPlayed& hand : hinted.hands) {
    env->reset(hand.seed);
    for (const auto& [seat, words] : hand.moves) {
      if (seat == 0) {
        const std::vector<double> policy = agent->policy(env->observe(0)).value();
        const auto most = std::max_element(policy.begin(), policy.end()) - policy.begin();
        EXPECT_EQ(words, env->action_to_string(env->legal_actions()[static_cast<std::size_t>(most)]));
        ++decisions;
      }
      const Action action = decision_of(*env, words);
      EXPECT_NE(action, kNoAction) << words;
      if (action == kNoAction) return decisions;
      env->step(action);
    }
  }
  return decisions;
}

TEST(SessionHints, LeadWithTheLikeliest) {
  // Amounts, discards, and turns of several decisions: cards of a laying, then of a placement.
  for (const char* game : {"leduc", "holdem[limit=no_limit]", "holdem[players=3]", "draw", "stud", "seven_hand", "ofc"})
    EXPECT_GT(expect_likeliest(game, mixing_agents(), 12), 12);
}

TEST(SessionHints, LeadWithTheLikeliestOfTrainedAgents) {
  // A mixture, networks, one that lays card by card, and a solution.
  for (const char* game : {"holdem[limit=no_limit]", "draw", "seven_hand", "leduc"})
    EXPECT_GT(expect_likeliest(game, make_agents("default", make_game(game)), 10), 10);
}

// The same whenever it is asked, and the first of the probabilities below.
TEST(SessionHints, SayTheSameAgain) {
  const GamePtr game = make_game("holdem[limit=no_limit]");
  const std::string text = sit_with_hints(game, mixing_agents(), 0, repeat("hint\n", 6) + "quit\n").text;
  const std::string leads = "mixing would play: ", mixes = "mixing plays: ";
  const std::string first = leads + text.substr(text.find(leads) + leads.size(), 4);
  EXPECT_EQ(count(text, leads), 6) << text;
  EXPECT_EQ(count(text, first), 6) << text;
  expect_parts(text, {mixes + first.substr(leads.size())});
}

TEST(SessionHints, AgentsWithoutAPolicyGoOnAsBefore) {
  const auto last = [](const Observation& observation) { return Decision(observation.legal_actions().back()); };
  const std::string text =
      sit_with_hints(make_game("leduc"), fake_agents("silent", {.act = last}), 0, "hint\nquit\n").text;
  expect_parts(text, {"silent would play: bet\n"});
  expect_none(text, {"silent plays: "});
}

}  // namespace
}  // namespace dealer::terminal::session_agents_test
