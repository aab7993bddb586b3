#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "env/core/error.h"
#include "env/core/random.h"
#include "env/core/registry.h"
#include "frontends/terminal/betting/choices.h"
#include "frontends/terminal/betting/input.h"
#include "frontends/terminal/one_decision_view.h"
#include "tests/support/error_message.h"

namespace dealer::terminal::betting_input_test {
namespace {

std::unique_ptr<Env> table(const std::string& spec, std::uint64_t seed, const std::vector<std::string>& actions = {}) {
  const GamePtr game = make_game(spec);
  std::unique_ptr<Env> env = game->new_env({.hold_hands = true});
  env->reset(seed);
  for (const std::string& action : actions) env->step(env->parse_decision(action));
  return env;
}

std::string meaning(const Env& env, const std::string& text) {
  return env.decision_to_string(parse_betting(env, text));
}
std::string refusal(const Env& env, const std::string& text) {
  return test::error_message<UsageError>([&] { parse_betting(env, text); });
}

TEST(BettingInput, CallsFoldsAndRaises) {
  const auto env = table("holdem[limit=no_limit]", 1);  // the small blind: 50 to call
  for (const char* text : {"f", "F", "fo", "FOLD", "fold"}) EXPECT_EQ(meaning(*env, text), "fold") << text;
  for (const char* text : {"c", "C", "ca", "Call", "call 50", "call"})
    EXPECT_EQ(meaning(*env, text), "call 50") << text;
  for (const char* text : {"r 250", "R250", "raise 250", "raise to 250", "ra 250", "b 250", "bet 250"})
    EXPECT_EQ(meaning(*env, text), "raise to 250") << text;
  for (const char* text : {"a", "allin", "all-in", "all in", "ALL-IN", "r max", "r all", "r allin", "shove", "jam"})
    EXPECT_EQ(meaning(*env, text), "raise to 10000") << text;
  EXPECT_EQ(meaning(*env, "r min"), "raise to 200");
  // The pot after the call is 200: on top of the call it makes 300; half of it 200.
  EXPECT_EQ(meaning(*env, "r pot"), "raise to 300");
  EXPECT_EQ(meaning(*env, "r half"), "raise to 200");
  EXPECT_EQ(parse_betting(*env, "r 200").action, env->parse_action("raise to 200"));
  EXPECT_EQ(parse_betting(*env, "r 201"), Decision::bet_to(201));
}

TEST(BettingInput, WhatIsNotLegalIsRefusedWithTheChoices) {
  const auto env = table("holdem[limit=no_limit]", 1);
  const std::string may = "; you may: fold (f), call 50 (c), raise to 200 .. 10000 (r 200), all-in (a)";
  EXPECT_EQ(choices_text(*env), may.substr(std::string("; you may: ").size()));
  EXPECT_EQ(refusal(*env, "k"), "you cannot check now" + may);
  EXPECT_EQ(refusal(*env, "x"), "you cannot check now" + may);
  EXPECT_EQ(refusal(*env, "check"), "you cannot check now" + may);
  EXPECT_EQ(refusal(*env, "r"), "raise how much? 200 to 10000" + may);
  EXPECT_EQ(refusal(*env, "r 199"), "you cannot raise to 199" + may);
  EXPECT_EQ(refusal(*env, "r 10001"), "you cannot raise to 10001" + may);
  EXPECT_EQ(refusal(*env, "r -5"), "you cannot raise to -5" + may);
  EXPECT_EQ(refusal(*env, "r 99999999999999"),
            "'99999999999999' is no number of chips (nor min, half, pot, max)" + may);
  EXPECT_EQ(refusal(*env, "r 2x"), "'2x' is no number of chips (nor min, half, pot, max)" + may);
  EXPECT_EQ(refusal(*env, "r 250 300"), "'300' does not belong to a raise" + may);
  EXPECT_EQ(refusal(*env, "call 60"), "'60' does not belong to 'call 50'" + may);
  EXPECT_EQ(refusal(*env, "fold now"), "'now' does not belong to 'fold'" + may);
  EXPECT_EQ(refusal(*env, "d 1"), "you cannot discard now" + may);
  EXPECT_EQ(refusal(*env, "pat"), "you cannot stand pat now" + may);
  EXPECT_EQ(refusal(*env, "riase 300"), "'riase' is nothing that can be done here; did you mean 'raise'?" + may);
  EXPECT_EQ(refusal(*env, ""), "nothing typed" + may);
  EXPECT_EQ(refusal(*env, "7"), "'7' is nothing that can be done here" + may);
}

TEST(BettingInput, ChecksAndBets) {
  const auto env = table("holdem[limit=no_limit]", 1, {"call 50", "check"});
  EXPECT_EQ(choices_text(*env), "fold (f), check (k), bet 100 .. 9900 (b 100), all-in (a)");
  for (const char* text : {"k", "x", "check", "ch", "c", "call"}) EXPECT_EQ(meaning(*env, text), "check") << text;
  for (const char* text : {"b 140", "bet 140", "r 140"}) EXPECT_EQ(meaning(*env, text), "bet 140") << text;
  EXPECT_EQ(meaning(*env, "b pot"), "bet 200");
  EXPECT_EQ(meaning(*env, "b half"), "bet 100");
  EXPECT_TRUE(refusal(*env, "call 60").starts_with("you cannot call now; ")) << "there is nothing to call";
}

// On the button of three: 2 to call into a pot of 3. Half of 5 chips are 3, half of them too many.
TEST(BettingInput, HalfAPotIsRoundedUp) {
  const auto env = table("holdem[limit=no_limit,players=3,min_bet=2,blinds=[1,2],stack=200]", 1);
  EXPECT_EQ(meaning(*env, "r half"), "raise to 5");
  EXPECT_EQ(meaning(*env, "r pot"), "raise to 7");
}

TEST(BettingInput, AllInIsOfferedWhereItCanBeReached) {
  const auto env = table("holdem[limit=pot_limit]", 1);
  EXPECT_EQ(choices_text(*env), "fold (f), call 5 (c), raise to 20 .. 30 (r 20)");
  EXPECT_TRUE(refusal(*env, "allin").starts_with("you cannot go all-in now; "));
}

// Small games say no more than "call".
TEST(BettingInput, ACallAlwaysTellsItsAmount) {
  const auto kuhn = table("kuhn", 1, {"bet"});
  EXPECT_EQ(choices_text(*kuhn), "fold (f), call 1 (c)");
  const auto leduc = table("leduc", 1, {"bet", "raise"});
  EXPECT_EQ(choices_text(*leduc), "fold (f), call 2 (c)");
  for (const char* text : {"c", "call", "call 2", "c 2"}) EXPECT_EQ(meaning(*leduc, text), "call") << text;
  EXPECT_TRUE(refusal(*leduc, "call 3").starts_with("'3' does not belong to 'call 2'")) << refusal(*leduc, "call 3");
}

TEST(BettingInput, FixedBetsNeedNoAmount) {
  const auto env = table("holdem[limit=structured]", 1);
  const std::string raise = env->choices().at(2).text;
  const std::string amount = raise.substr(raise.rfind(' ') + 1);
  EXPECT_EQ(meaning(*env, "r"), raise);
  EXPECT_EQ(meaning(*env, "r " + amount), raise);
  EXPECT_NE(choices_text(*env).find(raise + " (r)"), std::string::npos) << choices_text(*env);
  EXPECT_NE(refusal(*env, "r 9999").find("you cannot raise to 9999"), std::string::npos);
  EXPECT_NE(refusal(*env, "allin").find("you cannot go all-in now"), std::string::npos);
}

TEST(BettingInput, TheBringInAndItsCompletion) {
  const auto env = table("stud[bring_in=3,min_bet=10]", 4);
  EXPECT_EQ(choices_text(*env), "bring in 3 (b), complete to 10 (r)");
  for (const char* text : {"b", "bring", "bring in", "c", "call"}) EXPECT_EQ(meaning(*env, text), "bring in 3") << text;
  for (const char* text : {"r", "co", "complete", "complete to 10", "r 10"})
    EXPECT_EQ(meaning(*env, text), "complete to 10") << text;
}

TEST(BettingInput, CardsAreDiscardedByNumberOrName) {
  const auto env = table("draw", 3, {"check", "check"});
  const std::vector<CardId> hand = hand_in_order(*env);
  ASSERT_EQ(hand.size(), 5U);
  EXPECT_TRUE(std::is_sorted(hand.rbegin(), hand.rend()));
  std::vector<std::string> name;
  for (const CardId card : hand) name.push_back(env->game().card_to_string(card));
  const std::string some = "discard " + name[0] + ' ' + name[2] + ' ' + name[4];
  std::string upper = name[4];
  for (char& c : upper) c = static_cast<char>(std::toupper(c));
  const std::vector<std::string> ways = {"d 1 3 5",
                                         "d 5 3 1",
                                         "D 1,3,5",
                                         "d135",
                                         "d 135",
                                         "discard 1 3 5",
                                         "dis 1 3 5",
                                         "throw 1 3 5",
                                         "draw 5 1 3",
                                         "d 1 3 " + upper,
                                         some,
                                         "d " + name[2] + ' ' + name[0] + ' ' + name[4],
                                         "d " + name[4] + name[2] + name[0]};
  for (const std::string& text : ways) EXPECT_EQ(meaning(*env, text), some) << text;
  for (const char* text : {"p", "pat", "s", "stand", "stand pat", "d none", "d 0", "PAT"})
    EXPECT_EQ(meaning(*env, text), "stand pat") << text;
  EXPECT_EQ(meaning(*env, "d all"),
            "discard " + name[0] + ' ' + name[1] + ' ' + name[2] + ' ' + name[3] + ' ' + name[4]);
  const std::string may = "; you may: discard by number or card (d 1 3), stand pat (p)";
  EXPECT_EQ(refusal(*env, "d"), "discard which cards?" + may);
  EXPECT_EQ(refusal(*env, "d 6"), "'6' is no card of your hand, nor a number from 1 to 5" + may);
  // A card that is not held is named whole, wherever it stands.
  EXPECT_EQ(std::count(name.begin(), name.end(), "4C"), 0);
  EXPECT_EQ(refusal(*env, "D 4C"), "'4C' is no card of your hand, nor a number from 1 to 5" + may);
  EXPECT_EQ(refusal(*env, "d 1 4C"), "'4C' is no card of your hand, nor a number from 1 to 5" + may);
  EXPECT_EQ(refusal(*env, "d " + name[0] + "4C"), "'4C' is no card of your hand, nor a number from 1 to 5" + may);
  EXPECT_EQ(refusal(*env, "d 1 1"), name[0] + " is named twice" + may);
  EXPECT_EQ(refusal(*env, "d 1 " + name[0]), name[0] + " is named twice" + may);
  EXPECT_EQ(refusal(*env, "c"), "you cannot call now" + may);
}

TEST(BettingInput, SmallDrawsKeepOrDiscardCardByCard) {
  const auto env = table("mini_draw", 3, {"check", "check"});
  const std::vector<Choice> choices = env->choices();
  ASSERT_EQ(choices.size(), 2U);
  const std::string card = env->game().card_to_string(choices[0].cards.at(0));
  for (const char* text : {"k", "keep"}) EXPECT_EQ(parse_betting(*env, text), Decision(choices[0].action)) << text;
  for (const char* text : {"d", "discard"}) EXPECT_EQ(parse_betting(*env, text), Decision(choices[1].action)) << text;
  EXPECT_EQ(choices_text(*env), choices[0].text + " (k), " + choices[1].text + " (d)");
}

// Whatever is legal in any game can be typed as its text, in capitals too, and as the numbers of the cards.
TEST(BettingInput, EveryChoiceOfEveryGameCanBeTyped) {
  for (const std::string& name : game_names()) {
    if (name == "ofc" || name == "seven_hand") continue;
    RandomStream rng(2);
    const auto env = table(name, 11);
    std::set<std::string> kinds;
    for (int n = 0; n < 300; ++n) {
      if (env->terminated()) env->reset(rng());
      if (env->hand_over()) {
        env->next_hand();
        continue;
      }
      const std::vector<CardId> hand = hand_in_order(*env);
      EXPECT_LT(choices_text(*env).size(), 110U) << choices_text(*env);
      for (const Choice& choice : env->choices()) {
        kinds.insert(std::string(choice.kind));
        if (choice.action == kNoAction) continue;
        std::string capitals = choice.text;
        for (char& c : capitals) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        EXPECT_EQ(parse_betting(*env, choice.text), Decision(choice.action)) << name << ' ' << choice.text;
        EXPECT_EQ(parse_betting(*env, capitals), Decision(choice.action)) << name << ' ' << capitals;
        if (choice.kind != "discard" || hand.size() < 2) continue;
        std::string numbers = "d";
        for (const CardId card : choice.cards)
          numbers += ' ' + std::to_string(1 + (std::find(hand.begin(), hand.end(), card) - hand.begin()));
        if (choice.cards.empty()) numbers = "p";
        EXPECT_EQ(parse_betting(*env, numbers), Decision(choice.action)) << name << ' ' << numbers;
      }
      const std::vector<Action> legal = env->legal_actions();
      env->step(legal[rng.below(static_cast<std::uint32_t>(legal.size()))]);
    }
    EXPECT_GE(kinds.size(), 4U) << name;
  }
}

TEST(BettingInput, AllInIsWhatTakesTheLastChip) {
  const auto env = table("holdem[limit=no_limit]", 1);
  EXPECT_TRUE(goes_all_in(*env, Decision::bet_to(10000)));
  EXPECT_FALSE(goes_all_in(*env, Decision::bet_to(9999)));
  EXPECT_FALSE(goes_all_in(*env, parse_betting(*env, "call")));
  env->step(Decision::bet_to(10000));
  EXPECT_TRUE(goes_all_in(*env, parse_betting(*env, "call")));
  EXPECT_EQ(parse_betting(*env, "allin"), parse_betting(*env, "call"));
  EXPECT_FALSE(goes_all_in(*env, parse_betting(*env, "fold")));
}

TEST(BettingInput, WordsForCompletionAreThoseThatAreLegal) {
  EXPECT_EQ(betting_words(*table("holdem[limit=no_limit]", 1)),
            (std::vector<std::string>{"fold", "call", "raise", "allin"}));
  EXPECT_EQ(betting_words(*table("holdem[limit=no_limit]", 1, {"call 50", "check"})),
            (std::vector<std::string>{"fold", "check", "bet", "allin"}));
  EXPECT_EQ(betting_words(*table("draw", 3, {"check", "check"})), (std::vector<std::string>{"discard", "pat"}));
  EXPECT_EQ(betting_words(*table("stud[bring_in=3,min_bet=10]", 4)), (std::vector<std::string>{"complete", "bring"}));
}

}  // namespace
}  // namespace dealer::terminal::betting_input_test
