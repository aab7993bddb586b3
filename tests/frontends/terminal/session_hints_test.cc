// The contents of hints, and the decisions played by `take`.
#include <gtest/gtest.h>

#include <functional>
#include <regex>

#include "env/core/error.h"
#include "tests/frontends/terminal/sitting.h"
#include "tests/support/fake_agents.h"

namespace dealer::terminal::session_hints_test {
namespace {

// Mixes by probabilities derived from the observation, often with ties.
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

using Values = std::function<ActionValues(const Env& begun, std::span<const Decision> played)>;

Hinted sit_with_hints(const GamePtr& game, const AgentFactoryPtr& adviser, int hands, const std::string& input,
                      const Values& values = {}) {
  SessionOptions options = session_options(game, make_agents("random", game), adviser, 7, hands);
  options.values = values;
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

// Deals the hands again and checks every decision of the person; returns their number.
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
  // A mixture, networks, an agent that lays card by card, and a solution.
  for (const char* game : {"holdem[limit=no_limit]", "draw", "seven_hand", "leduc"})
    EXPECT_GT(expect_likeliest(game, make_agents("default", make_game(game)), 10), 10);
}

// The same every time, and the first of the choices below.
TEST(SessionHints, SayTheSameAgain) {
  const GamePtr game = make_game("holdem[limit=no_limit]");
  const std::string text = sit_with_hints(game, mixing_agents(), 0, repeat("hint\n", 6) + "quit\n").text;
  const std::string leads = "mixing would play: ";
  const std::size_t begin = text.find(leads) + leads.size();
  const std::string first = text.substr(begin, text.find('\n', begin) - begin);
  EXPECT_EQ(count(text, leads + first + '\n'), 6) << text;
  std::smatch choice;
  ASSERT_TRUE(std::regex_search(text, choice, std::regex("\n +\\d+%  (.*)\n"))) << text;
  EXPECT_EQ(choice[1], first) << text;
}

// Bets rarely and checks otherwise; `calls` counts its decisions.
AgentFactoryPtr seldom_betting(int& calls) {
  const auto policy = [](const Observation& observation) {
    std::vector<double> chance(observation.legal_actions().size());
    chance.front() = 0.75;
    chance.back() += 0.25;
    return chance;
  };
  const auto act = [&calls](const Observation& observation) -> Decision {
    ++calls;
    return observation.legal_actions().back();
  };
  return fake_agents("seldom", {.act = act, .policy = policy});
}

TEST(SessionHints, TellProbabilitiesAndValuesOfEveryChoice) {
  int calls = 0;
  std::vector<std::string> asked;
  const Values values = [&](const Env& begun, std::span<const Decision> played) {
    const std::unique_ptr<Env> env = begun.clone();
    std::string words;
    for (const Decision& decision : played) {
      words += env->decision_to_string(decision) + ' ';
      env->step(decision);
    }
    asked.push_back(words);
    ActionValues observed;
    observed.method = "exact";
    observed.choices = {{{begun.legal_actions().front()}, "", -12.25, 0, 0}};
    return observed;
  };
  const GamePtr game = make_game("leduc");
  const std::string text = sit_with_hints(game, seldom_betting(calls), 0, "hint\ncheck\nhint\nquit\n", values).text;
  expect_parts(text,
               {"seldom would play: check\n",
                "\n 75%  -12.25  check\n 25%       -  bet\nchips won or lost in the hand, +- standard error; "
                "exact values of seldom\n'take' plays this; 'take sampled' draws a choice by its probabilities\n"});
  ASSERT_EQ(asked.size(), 2U) << text;
  EXPECT_EQ(asked[0], "check ") << "the adviser's own decision";
  EXPECT_TRUE(asked[1].starts_with("check ") && asked[1].size() > asked[0].size()) << "all decisions: " << asked[1];
  const Values refusing = [](const Env&, std::span<const Decision>) -> ActionValues { throw UsageError("too late"); };
  expect_parts(sit_with_hints(game, seldom_betting(calls), 0, "hint\nquit\n", refusing).text,
               {"\n 75%  check\n 25%  bet\nno values: too late\n"});
}

TEST(SessionHints, ShowOnlySomeOfManyChoices) {
  const auto even = [](const Observation& observation) {
    const std::size_t all = observation.legal_actions().size();
    return std::vector<double>(all, 1.0 / static_cast<double>(all));
  };
  const std::string text =
      sit_with_hints(make_game("draw"), fake_agents("even", {.policy = even}), 0, repeat("hint\nk\nc\n", 4) + "quit\n")
          .text;
  EXPECT_TRUE(std::regex_search(text, std::regex("(\n +3%  [ds][^\n]*){10}\n 69%  22 other choices together\n")))
      << text;
}

TEST(SessionHints, ASampledChoiceIsTheOneThatTheAdviserDraws) {
  int calls = 0;
  const GamePtr game = make_game("leduc");
  expect_parts(sit_with_hints(game, seldom_betting(calls), 0, "take\nquit\n").text, {"> you check\n"});
  EXPECT_EQ(calls, 0);
  for (const char* typed : {"take sampled\nquit\n", "take s\nquit\n"})
    expect_parts(sit_with_hints(game, seldom_betting(calls), 0, typed).text, {"> you bet 2\n"});
  EXPECT_EQ(calls, 2);
  expect_parts(sit_with_hints(game, seldom_betting(calls), 0, "ta\nquit\n").text, {"> you check\n"});
}

TEST(SessionHints, AgentsWithoutAPolicyGoOnAsBefore) {
  const auto last = [](const Observation& observation) { return Decision(observation.legal_actions().back()); };
  const std::string text =
      sit_with_hints(make_game("leduc"), fake_agents("silent", {.act = last}), 0, "hint\nquit\n").text;
  expect_parts(text, {"silent would play: bet\n", "\nsilent gives neither probabilities nor values\n"});
  expect_none(text, {"silent plays: ", "%  bet", "take sampled"});
}

}  // namespace
}  // namespace dealer::terminal::session_hints_test
