#include "frontends/terminal/hint_text.h"

#include <gtest/gtest.h>

#include "tests/frontends/terminal/sitting.h"

namespace dealer::terminal::hint_text_test {
namespace {

TEST(PolicyText, LikelyActionsComeFirst) {
  const auto env = table_at("holdem[limit=no_limit]", 1);  // fold, call 50, raise to 200, 300, 500 or 10000
  EXPECT_EQ(policy_text(*env, "net", {0.25, 0.7, 0.05, 0, 0, 0.001}),
            "net plays: call 50 70%, fold 25%, raise to 200 5%\n");
  EXPECT_EQ(policy_text(*env, "net", {0, 1, 0, 0, 0, 0}), "") << "that is the advice itself";
  EXPECT_EQ(policy_text(*env, "net", {0.5, 0.5}), "") << "of another position";
  // Nearly certain is not shown as certain.
  EXPECT_EQ(policy_text(*env, "net", {0.005, 0.995, 0, 0, 0, 0}), "net plays: call 50 >99%, fold 1%\n");
  // The six likeliest of many actions.
  const auto drawing = table_at("draw", 3, {"check", "check"});
  std::vector<double> even(drawing->legal_actions().size(), 0.01);
  even[3] = 0.5;
  const std::string text = policy_text(*drawing, "net", even);
  EXPECT_TRUE(text.starts_with("net plays: " + drawing->action_to_string(drawing->legal_actions()[3]) + " 50%, "));
  EXPECT_TRUE(text.ends_with(" 1%, ...\n")) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '%'), 6) << text;
}

// Digits for the largest value, and a dash for a choice without a value.
TEST(HintText, ValuesStandInColumns) {
  const auto env = table_at("leduc", 1);  // check, bet 2
  const std::vector<Action> legal = env->legal_actions();
  ActionValues values;
  values.choices = {{{legal[0]}, "", -4.5, 1.25, 0}, {{legal[1]}, "", 120, 0, 0}};
  EXPECT_EQ(choices_text(*env, {0.2, 0.8}, values), " 80%  +120.0         bet\n 20%    -4.5 +- 1.2  check\n");
  values.choices[1].value = 12;
  EXPECT_EQ(choices_text(*env, {0.5, 0.5}, values), " 50%   -4.50 +- 1.25  check\n 50%  +12.00          bet\n");
  values.choices.pop_back();
  EXPECT_EQ(choices_text(*env, {0, 1}, values), "100%       -           bet\n  0%  -4.500 +- 1.250  check\n");
  EXPECT_EQ(choices_text(*env, {0, 1}, {}), "100%  bet\n  0%  check\n");
  EXPECT_EQ(choices_text(*env, {1}, values), "") << "of another position";
}

TEST(HintText, TurnsAreTheBestOnes) {
  ActionValues values;
  for (int i = 0; i < 12; ++i) values.choices.push_back({{1, 2}, "turn " + std::to_string(i), 0.5 - 0.1 * i, 0, 0});
  const std::string text = turns_text(values);
  EXPECT_TRUE(text.starts_with("  +0.500  turn 0\n  +0.400  turn 1\n")) << text;
  EXPECT_EQ(lines_of(text).size(), kChoicesShown);
}

}  // namespace
}  // namespace dealer::terminal::hint_text_test
