#include "cli/hint_values.h"

#include <map>

#include "env/core/error.h"
#include "env/core/registry.h"
#include "tests/cli/run_dealer.h"
#include "tests/support/error_message.h"

namespace dealer::test::hint_values_test {
namespace {

struct Table {
  explicit Table(const std::string& spec, std::uint64_t seed) : game(make_game(spec)) {
    begun = game->new_env({.hold_hands = true, .keep_events = true});
    begun->reset(seed);
    now = begun->clone();
  }
  void play(const std::string& words) {
    played.push_back(now->parse_decision(words));
    now->step(played.back());
  }
  // Value of the position, after any decision of the adviser.
  ActionValues values(const std::string& adviser) const {
    std::vector<Decision> all = played;
    all.emplace_back(now->legal_actions().front());
    return cli::hint_values(game, adviser)(*begun, all);
  }

  GamePtr game;
  std::unique_ptr<Env> begun, now;
  std::vector<Decision> played;
};

// Same as `dealer policy`, which walks the tree.
TEST(HintValues, AreExactInSmallGames) {
  Table table("kuhn", 1);
  table.play("check");
  const std::string card = table.game->card_to_string(
      table.now->events(table.now->current_player())[static_cast<std::size_t>(1 + 2 + table.now->current_player())]
          .cards.at(0));
  const ActionValues values = table.values("default");
  EXPECT_EQ(values.method, "exact");
  ASSERT_EQ(values.choices.size(), 2U);
  const Json policy =
      Json::parse(output_of(run_dealer("policy kuhn --agent default --details --json"), false))["policy"];
  int sets = 0;
  for (const Json& set : policy) {
    if (set["information_set"] != fmt::format("1: {} | check", card)) continue;
    ++sets;
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(values.choices[i].text, set["actions"][i]["action"].get<std::string>());
      EXPECT_EQ(values.choices[i].actions, std::vector<Action>{table.now->legal_actions()[i]});
      EXPECT_NEAR(values.choices[i].value, set["actions"][i]["value"].get<double>(), 1e-6);
    }
  }
  EXPECT_EQ(sets, 1) << card;
}

TEST(HintValues, EveryBetIsPlayedOut) {
  // The agent never makes some of these.
  Table table("holdem[limit=no_limit]", 3);
  table.play(table.now->action_to_string(table.now->legal_actions()[2]));
  const ActionValues values = table.values("default"), again = table.values("default");
  EXPECT_EQ(values.method, "playouts");
  std::map<std::string, ChoiceValue> by_text;
  for (const ChoiceValue& choice : values.choices) by_text[choice.text] = choice;
  ASSERT_EQ(by_text.size(), table.now->legal_actions().size());
  ASSERT_GT(by_text.size(), 5U);
  EXPECT_EQ(values.choices.size(), by_text.size()) << "each is told once";
  for (std::size_t i = 0; i < values.choices.size(); ++i)
    EXPECT_EQ(values.choices[i].value, again.choices[i].value) << "the same position is judged alike";
  for (const Action action : table.now->legal_actions()) {
    const ChoiceValue& choice = by_text.at(table.now->action_to_string(action));
    EXPECT_EQ(choice.actions, std::vector<Action>{action});
    EXPECT_EQ(choice.error > 0, choice.text != "fold") << choice.text;
  }
  EXPECT_DOUBLE_EQ(by_text.at("fold").value, -100) << "the big blind";
}

TEST(HintValues, ShowWholeTurnsWhereATurnIsSeveralDecisions) {
  Table table("seven_hand", 2);
  const ActionValues values = table.values("default");
  EXPECT_EQ(values.method, "network");
  EXPECT_GT(values.choices.size(), 2U);
  for (const ChoiceValue& choice : values.choices) EXPECT_FALSE(choice.text.empty());
}

TEST(HintValues, WhatCannotBeValuedIsSaid) {
  Table table("holdem", 3);
  EXPECT_FALSE(error_message<UsageError>([&] { table.values("rule"); }).empty());
}

TEST(HintValues, AreShownAtTheTable) {
  const std::string out = output_of(run_dealer("play --game leduc --seed 3", "hint\nquit\n"));
  EXPECT_TRUE(std::regex_search(
      out,
      std::regex("\n +\\d+%  [+-]\\d\\.\\d{3}  (bet|check)\n +\\d+%  [+-]\\d\\.\\d{3}  (bet|check)\nchips won or lost "
                 "in the hand, \\+- standard error; exact values of default\n")))
      << out;
}

}  // namespace
}  // namespace dealer::test::hint_values_test
