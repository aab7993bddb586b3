#include "frontends/terminal/chances_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>

#include "env/core/random.h"
#include "env/core/registry.h"

namespace dealer::terminal {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::unique_ptr<Env> table(const std::string& spec, std::uint64_t seed, const std::vector<std::string>& actions = {}) {
  std::unique_ptr<Env> env = make_game(spec)->new_env({.hold_hands = true});
  env->reset(seed);
  for (const std::string& action : actions) env->step(env->parse_decision(action));
  return env;
}

// In Kuhn poker the king beats both other cards, the queen one of them, the jack none.
TEST(ChancesText, KuhnIsKnown) {
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto env = table("kuhn", seed);
    const std::string text = ChancesText(env->game()).text(*env), table_text = env->to_string(0);
    const std::string end = " of the pot is yours on average if all stay in\n";
    const int expected = contains(table_text, "hand K") ? 100 : contains(table_text, "hand J") ? 0 : 50;
    EXPECT_NEAR(std::stoi(text), expected, expected == 50 ? 4 : 0) << text;
    EXPECT_TRUE(text.ends_with(end)) << text;
    seen.insert(table_text.substr(table_text.find("hand "), 6));
  }
  EXPECT_EQ(seen.size(), 3U);
}

TEST(ChancesText, ACallHasItsPrice) {
  const auto env = table("holdem[limit=no_limit]", 1);
  const std::string text = ChancesText(env->game()).text(*env);
  EXPECT_TRUE(contains(text, "% of the pot is yours on average if all stay in; calling 50 pays from 25% on\n")) << text;
  EXPECT_EQ(text, ChancesText(env->game()).text(*env)) << "the same position";
}

TEST(ChancesText, TheBestDiscardsAndStandingPatAreTold) {
  const auto env = table("draw", 3, {"check", "check"});
  const std::string text = ChancesText(env->game()).text(*env);
  EXPECT_GE(std::count(text.begin(), text.end(), '\n'), 4);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 5);
  EXPECT_TRUE(text.starts_with("discard ")) << text;
  EXPECT_TRUE(contains(text, "% of the pot; ")) << text;
  EXPECT_TRUE(contains(text, "stand pat: ")) << text;
  EXPECT_TRUE(contains(text, "one pair ")) << text;
}

TEST(ChancesText, EveryBettingGameHasChancesAtEveryDecision) {
  for (const std::string& name : game_names()) {
    const auto env = table(name, 5);
    const ChancesText chances(env->game());
    RandomStream rng(9);
    for (int n = 0; n < 12; ++n) {
      if (env->terminated()) env->reset(rng());
      if (env->hand_over()) env->next_hand();
      if (env->hand_over()) continue;
      EXPECT_EQ(chances.text(*env).empty(), name == "ofc") << name;
      const std::vector<Action> legal = env->legal_actions();
      env->step(legal[rng.below(static_cast<std::uint32_t>(legal.size()))]);
    }
  }
}

TEST(PolicyText, LikelyActionsComeFirst) {
  const auto env = table("holdem[limit=no_limit]", 1);  // fold, call 50, raise to 200, 300, 500 or 10000
  EXPECT_EQ(policy_text(*env, "net", {0.25, 0.7, 0.05, 0, 0, 0.001}),
            "net plays: call 50 70%, fold 25%, raise to 200 5%\n");
  EXPECT_EQ(policy_text(*env, "net", {0, 1, 0, 0, 0, 0}), "") << "that is the advice itself";
  EXPECT_EQ(policy_text(*env, "net", {0.5, 0.5}), "") << "of another position";
}

}  // namespace
}  // namespace dealer::terminal
