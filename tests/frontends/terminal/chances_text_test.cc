#include "frontends/terminal/betting/chances_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <sstream>
#include <string>

#include "env/core/random.h"
#include "env/core/registry.h"
#include "frontends/terminal/event_text.h"
#include "tests/frontends/terminal/sitting.h"

namespace dealer::terminal::chances_text_test {
namespace {

using test::contains;

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

// 10 into 70 need an eighth, as much as the pot a third.
TEST(ChancesText, ThePriceOfACallIsNotRoundedDown) {
  const auto price = [](const std::string& spec, const std::vector<std::string>& actions) {
    const auto env = table(spec, 1, actions);
    const std::string text = ChancesText(env->game()).text(*env);
    return text.substr(text.find("; ") + 2);
  };
  EXPECT_EQ(price("draw[players=6]", {"bet 10"}), "calling 10 pays from 12.5% on\n");
  EXPECT_EQ(price("draw[players=2]", {"bet 10"}), "calling 10 pays from 25% on\n");
  EXPECT_EQ(price("holdem[limit=no_limit]", {"call 50", "check", "bet 200"}), "calling 200 pays from 33.4% on\n");
}

// A king ties with the other one, a fifth of all, and against a jack or a queen loses to that card on the board, in one
// case of four: 1/5 of 1/2 and 4/5 of 3/4 are 0.7.
TEST(ChancesText, HalfOfASplitPotCounts) {
  for (std::uint64_t seed = 0;; ++seed) {
    ASSERT_LT(seed, 50U);
    const auto env = table("leduc", seed);
    if (!contains(env->to_string(0), "hand K")) continue;
    EXPECT_NEAR(std::stoi(ChancesText(env->game()).text(*env)), 70, 4);
    return;
  }
}

TEST(ChancesText, WithNothingToCallThereIsNoPrice) {
  const auto env = table("holdem[limit=no_limit]", 1, {"call 50"});
  EXPECT_TRUE(ChancesText(env->game()).text(*env).ends_with(" on average if all stay in\n"));
}

// Who throws half of a pair away has less than who keeps it.
TEST(ChancesText, EachDecisionOfASmallDrawHasItsOwn) {
  for (std::uint64_t seed = 0;; ++seed) {
    ASSERT_LT(seed, 50U);
    const auto env = table("mini_draw_single", seed);
    const std::string hand = env->to_string(0);
    const std::size_t at = hand.find("hand ") + 5;
    if (hand[at] != hand[at + 3]) continue;
    const std::string text = ChancesText(env->game()).text(*env);
    const std::size_t second = text.find('\n') + 1;
    const auto share = [&](std::size_t from) { return std::stoi(text.substr(text.find(": ", from) + 2)); };
    EXPECT_GT(share(0), share(second) + 20) << text;
    return;
  }
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
  EXPECT_FALSE(contains(text, "<1%")) << text;
}

// Whichever hands are the better ones: a flush comes more often than a straight, when both are drawn to.
TEST(ChancesText, WhatAHandBecomesMostOftenStandsFirst) {
  for (const char* spec : {"draw", "lowball"})
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
      const auto env = table(spec, seed, {"check", "check"});
      std::istringstream lines(ChancesText(env->game()).text(*env));
      for (std::string line; std::getline(lines, line);) {
        int before = 100;
        for (std::size_t at = line.find('%', line.find(';')); at != std::string::npos; at = line.find('%', at + 1)) {
          const std::size_t number = line.rfind(' ', at) + 1;
          const int share = line[number] == '<' ? 0 : line[number] == '>' ? 100 : std::stoi(line.substr(number));
          EXPECT_LE(share, before) << spec << ' ' << seed << ": " << line;
          before = share;
        }
      }
    }
}

// A poor hand kept against five others still wins now and then.
TEST(ChancesText, ASmallChanceIsNotNone) {
  int small = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto env = table("draw[players=6]", seed, {"check", "check", "check", "check", "check", "check"});
    const std::string text = ChancesText(env->game()).text(*env);
    EXPECT_FALSE(contains(text, " 0% of the pot")) << text;
    small += contains(text, "stand pat: <1% of the pot") ? 1 : 0;
  }
  EXPECT_GT(small, 0);
}

// The rules and the hints of a game have the same words for it.
TEST(ChancesText, AHandThatMakesNothingHasOneName) {
  const auto pat = [](const std::string& spec, const std::string& first, const std::string& name) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto env = table(spec, seed, {first, "check"});
      if (contains(ChancesText(env->game()).text(*env), "; " + name + " 100%\n")) return true;
    }
    return false;
  };
  EXPECT_TRUE(pat("draw", "check", "high card"));
  EXPECT_TRUE(pat("triple_draw", "call 5", "no pair"));
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
      EXPECT_EQ(chances.text(*env).empty(), name == "ofc" || name == "seven_hand") << name;
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
  // Nearly sure is not sure.
  EXPECT_EQ(policy_text(*env, "net", {0.005, 0.995, 0, 0, 0, 0}), "net plays: call 50 >99%, fold 1%\n");
  // Of many actions the likeliest six.
  const auto drawing = table("draw", 3, {"check", "check"});
  std::vector<double> even(drawing->legal_actions().size(), 0.01);
  even[3] = 0.5;
  const std::string text = policy_text(*drawing, "net", even);
  EXPECT_TRUE(text.starts_with("net plays: " + drawing->action_to_string(drawing->legal_actions()[3]) + " 50%, "));
  EXPECT_TRUE(text.ends_with(" 1%, ...\n")) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '%'), 6) << text;
}

}  // namespace
}  // namespace dealer::terminal::chances_text_test
