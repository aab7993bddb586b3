// What hints lead with, and what `take` plays: of agents that mix, what they do most often.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "tests/frontends/terminal/sitting.h"

namespace dealer::terminal::session_hint_test {
namespace {

// Mixes by probabilities that come of what it sees, often several equal ones.
class Mixing final : public Agent {
 public:
  void reset(Seat, std::uint64_t seed) override { rng_ = RandomStream(seed); }
  Decision act(const Observation& observation) override {
    auto rest = static_cast<double>(rng_.uniform());
    const std::vector<double> chance = *policy(observation);
    const std::vector<Action> legal = observation.legal_actions();
    for (std::size_t i = 0; i < legal.size(); ++i)
      if ((rest -= chance[i]) < 0) return legal[i];
    return legal.back();
  }
  std::optional<std::vector<double>> policy(const Observation& observation) override {
    std::uint64_t seen = 0;
    for (const float number : observation.data) seen = mix64(seen + static_cast<std::uint64_t>(8 * number) + 1);
    RandomStream rng(seen);
    std::vector<double> chance(observation.legal_actions().size());
    double sum = 0;
    for (double& each : chance) sum += each = rng.below(4) + 1;
    for (double& each : chance) each /= sum;
    return chance;
  }

 private:
  RandomStream rng_{0};
};

struct Hinted {
  std::string text;
  std::vector<phh::HandPlayed> hands;
};

Hinted sit_with_hints(const GamePtr& game, const AgentFactoryPtr& adviser, int hands, const std::string& input) {
  SessionOptions options = test::session_options(game, make_agents("random", game), adviser, 7, hands);
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
  const Hinted hinted =
      sit_with_hints(game, agents, hands, test::repeat(test::kTake, static_cast<std::size_t>(60 * hands)));
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
  const AgentFactoryPtr mixing = make_factory("mixing", [] { return std::make_unique<Mixing>(); });
  // Amounts, discards, and turns of several decisions: cards of a laying, then of a placement.
  for (const char* game : {"leduc", "holdem[limit=no_limit]", "holdem[players=3]", "draw", "stud", "seven_hand", "ofc"})
    EXPECT_GT(expect_likeliest(game, mixing, 12), 12);
}

TEST(SessionHints, LeadWithTheLikeliestOfTrainedAgents) {
  // A mixture, networks, one that lays card by card, and a solution.
  for (const char* game : {"holdem[limit=no_limit]", "draw", "seven_hand", "leduc"})
    EXPECT_GT(expect_likeliest(game, make_agents("default", make_game(game)), 10), 10);
}

// The same whenever it is asked, and the first of the probabilities below.
TEST(SessionHints, SayTheSameAgain) {
  const GamePtr game = make_game("holdem[limit=no_limit]");
  const AgentFactoryPtr mixing = make_factory("mixing", [] { return std::make_unique<Mixing>(); });
  const std::string text = sit_with_hints(game, mixing, 0, "hint\nhint\nhint\nhint\nhint\nhint\nquit\n").text;
  const auto rest_of = [&](std::size_t at) { return text.substr(at, text.find_first_of(",\n", at) - at); };
  const std::string leads = "mixing would play: ", mixes = "mixing plays: ";
  const std::string first = rest_of(text.find(leads) + leads.size());
  int times = 0;
  for (std::size_t at = text.find(leads); at != std::string::npos; at = text.find(leads, at + 1), ++times)
    EXPECT_EQ(rest_of(at + leads.size()), first);
  EXPECT_EQ(times, 6);
  ASSERT_NE(text.find(mixes), std::string::npos) << text;
  EXPECT_TRUE(rest_of(text.find(mixes) + mixes.size()).starts_with(first + ' ')) << text;
}

TEST(SessionHints, AgentsWithoutAPolicyGoOnAsBefore) {
  class Silent final : public Agent {
   public:
    void reset(Seat, std::uint64_t) override {}
    Decision act(const Observation& observation) override { return observation.legal_actions().back(); }
  };
  const GamePtr game = make_game("leduc");
  const AgentFactoryPtr silent = make_factory("silent", [] { return std::make_unique<Silent>(); });
  const std::string text = sit_with_hints(game, silent, 0, "hint\nquit\n").text;
  EXPECT_NE(text.find("silent would play: bet\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("silent plays: "), std::string::npos) << text;
}

}  // namespace
}  // namespace dealer::terminal::session_hint_test
