#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <set>

#include "env/core/error.h"
#include "frontends/terminal/betting/choices.h"
#include "frontends/terminal/betting/input.h"
#include "frontends/terminal/betting/odds_text.h"
#include "frontends/terminal/one_decision_view.h"
#include "tests/frontends/terminal/sitting.h"
#include "tests/support/error_message.h"

namespace dealer::terminal::betting_input_test {
namespace {

std::string meaning(const Env& env, const std::string& text) {
  return env.decision_to_string(parse_betting(env, text));
}
std::string refusal(const Env& env, const std::string& text) {
  return error_message<UsageError>([&] { parse_betting(env, text); });
}
std::string capitals(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

// Accepted inputs in a position, by meaning, separated by "|"; and rejected ones, with their messages.
struct Position {
  std::string spec;
  std::vector<std::string> actions;
  std::string choices;  // as listed; those of fixed bets depend on the rules
  std::vector<std::pair<std::string, std::string>> meanings, refusals;
};

const std::string kNoLimit = "holdem[limit=no_limit]";
const std::string kNoChips = " is not a number of chips (nor min, half, pot, max)";

const std::vector<Position> kPositions = {
    // The small blind: 50 to call. The pot after the call is 200: on top of the call it makes 300; half of it 200.
    {kNoLimit,
     {},
     "fold (f), call 50 (c), raise to 200 .. 10000 (r 200), all-in (a)",
     {{"fold", "f|F|fo|FOLD|fold"},
      {"call 50", "c|C|ca|Call|call 50|call"},
      {"raise to 250", "r 250|R250|raise 250|raise to 250|ra 250|b 250|bet 250"},
      {"raise to 10000", "a|allin|all-in|all in|ALL-IN|r max|r all|r allin|shove|jam"},
      {"raise to 200", "r min|r half|half pot"},
      {"raise to 300", "r pot|pot"}},
     {{"k|x|check", "you cannot check now"},
      {"r", "raise how much? 200 to 10000"},
      {"r 199", "you cannot raise to 199"},
      {"r 10001", "you cannot raise to 10001"},
      {"r -5", "you cannot raise to -5"},
      {"r 99999999999999", "'99999999999999'" + kNoChips},
      {"r 2x", "'2x'" + kNoChips},
      {"r 250 300", "'300' cannot follow a raise"},
      {"call 60", "'60' cannot follow 'call 50'"},
      {"fold now", "'now' cannot follow 'fold'"},
      {"d 1", "you cannot discard now"},
      {"pat", "you cannot stand pat now"},
      {"riase 300", "'riase' is not possible here; did you mean 'raise'?"},
      {"", "nothing typed"},
      {"7", "'7' is not possible here"}}},
    {kNoLimit,
     {"call 50", "check"},
     "check (k), bet 100 .. 9900 (b 100), all-in (a), fold (f)",
     {{"check", "k|x|check|ch|c|call"},
      {"bet 140", "b 140|bet 140|r 140"},
      {"bet 200", "b pot|pot|bet pot|bet the pot|raise pot|POT"},
      {"bet 100", "b half|half|half pot|bet half pot|bet half the pot|raise half pot|Half the Pot"},
      {"fold", "f|fold"}},
     {{"call 60", "you cannot call now"},
      {"pot pot|half pot pot", "'pot' cannot follow a bet"},
      {"pot 3", "'3' cannot follow a bet"}}},
    // On the button of three: 2 to call into a pot of 3. Half of 5 chips are 3, half of them too many.
    {"holdem[limit=no_limit,players=3,min_bet=2,blinds=[1,2],stack=200]",
     {},
     "fold (f), call 2 (c), raise to 4 .. 200 (r 4), all-in (a)",
     {{"raise to 5", "r half"}, {"raise to 7", "r pot"}},
     {}},
    {"holdem[limit=pot_limit]",
     {},
     "fold (f), call 5 (c), raise to 20 .. 30 (r 20)",
     {},
     {{"allin", "you cannot go all-in now"}}},
    // Small games use just "call".
    {"kuhn", {"bet"}, "fold (f), call 1 (c)", {}, {}},
    {"leduc",
     {"bet", "raise"},
     "fold (f), call 2 (c)",
     {{"call", "c|call|call 2|c 2"}},
     {{"call 3", "'3' cannot follow 'call 2'"}}},
    {"stud[bring_in=3,min_bet=10]",
     {},
     "bring in 3 (b), complete to 10 (r)",
     {{"bring in 3", "b|bring|bring in|c|call"}, {"complete to 10", "r|co|complete|complete to 10|r 10"}},
     {}},
    {"holdem[limit=structured]",
     {},
     "fold (f), call 5 (c), raise to 20 (r)",
     {{"raise to 20", "r|r 20"}},
     {{"r 9999", "you cannot raise to 9999"}, {"allin", "you cannot go all-in now"}}}};

std::unique_ptr<Env> table(const Position& position) {
  // Seed 4 of stud has seat 0 bring in.
  return table_at(position.spec, position.spec.starts_with("stud") ? 4 : 1, position.actions);
}

TEST(BettingInput, MeansWhatIsTyped) {
  for (const Position& position : kPositions) {
    SCOPED_TRACE(position.spec);
    const auto env = table(position);
    EXPECT_EQ(choices_text(*env), position.choices);
    for (const auto& [meant, all] : position.meanings)
      for (const std::string& text : split(all, "|")) EXPECT_EQ(meaning(*env, text), meant) << text;
    for (const auto& [all, why] : position.refusals)
      for (const std::string& text : split(all, "|"))
        EXPECT_EQ(refusal(*env, text), why + "; you may: " + position.choices) << text;
  }
}

// Three tens, the eight of clubs and an eight of spades: names for all cards of a rank.
TEST(BettingInput, CardsAreNamedByRank) {
  int tens = 0, eights = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const auto env = table_at("draw", seed, {"check", "check"});
    Words all_tens, all_eights;
    bool eight_of_spades = false;
    for (const CardId card : hand_in_order(*env)) {
      const std::string name = env->game().card_to_string(card);
      if (name[0] == 'T') all_tens.push_back(name);
      if (name[0] == '8') all_eights.push_back(name);
      eight_of_spades = eight_of_spades || name == "8s";
    }
    const auto named = [](const char* verb, const Words& names) {
      return fmt::format("{} {}", verb, fmt::join(names, " "));
    };
    if (all_tens.empty()) {
      EXPECT_TRUE(refusal(*env, "d 10s").starts_with("'10s' is not a card of your hand")) << seed;
    } else {
      EXPECT_EQ(meaning(*env, "discard 10s"), meaning(*env, named("discard", all_tens))) << seed;
      EXPECT_EQ(meaning(*env, "keep 10s"), meaning(*env, named("keep", all_tens))) << seed;
      tens += all_tens.size() > 1 ? 1 : 0;
    }
    if (all_eights.size() < 2) continue;
    EXPECT_EQ(meaning(*env, "d 8s"), meaning(*env, eight_of_spades ? "d 8s" : named("d", all_eights))) << seed;
    eights += eight_of_spades ? 0 : 1;
  }
  EXPECT_GT(tens, 3);
  EXPECT_GT(eights, 3);
}

TEST(BettingInput, KeepThrowsTheOthersAway) {
  const auto env = table_at("draw", 3, {"check", "check"});
  EXPECT_EQ(meaning(*env, "keep 1 3"), meaning(*env, "d 2 4 5"));
  EXPECT_EQ(meaning(*env, "keep all"), meaning(*env, "pat"));
  EXPECT_EQ(meaning(*env, "keep none"), meaning(*env, "d all"));
  EXPECT_TRUE(refusal(*env, "keep").starts_with("keep which cards?"));
  EXPECT_TRUE(refusal(*env, "keep 7").starts_with("'7' is not a card of your hand"));
}

TEST(BettingInput, AmountsOfActionsAreActions) {
  const auto env = table_at(kNoLimit, 1);
  EXPECT_EQ(parse_betting(*env, "r 200").action, env->parse_action("raise to 200"));
  EXPECT_EQ(parse_betting(*env, "r 201"), Decision::bet_to(201));
}

TEST(BettingInput, CardsAreDiscardedByNumberOrName) {
  const auto env = table_at("draw", 3, {"check", "check"});
  const std::vector<CardId> hand = hand_in_order(*env);
  ASSERT_EQ(hand.size(), 5U);
  EXPECT_TRUE(std::is_sorted(hand.rbegin(), hand.rend()));
  Words name;
  for (const CardId card : hand) name.push_back(env->game().card_to_string(card));
  const std::string some = "discard " + name[0] + ' ' + name[2] + ' ' + name[4];
  Words ways = split("d 1 3 5|d 5 3 1|D 1,3,5|d135|d 135|discard 1 3 5|dis 1 3 5|throw 1 3 5|draw 5 1 3", "|");
  ways.insert(ways.end(), {"d 1 3 " + capitals(name[4]), some, "d " + name[2] + ' ' + name[0] + ' ' + name[4],
                           "d " + name[4] + name[2] + name[0]});
  for (const std::string& text : ways) EXPECT_EQ(meaning(*env, text), some) << text;
  for (const std::string& text : split("p|pat|s|stand|stand pat|d none|d 0|PAT", "|"))
    EXPECT_EQ(meaning(*env, text), "stand pat") << text;
  EXPECT_EQ(meaning(*env, "d all"),
            "discard " + name[0] + ' ' + name[1] + ' ' + name[2] + ' ' + name[3] + ' ' + name[4]);
  // A card that is not held must be named in full, wherever it stands.
  EXPECT_EQ(std::count(name.begin(), name.end(), "4C"), 0);
  const std::string no_card = " is not a card of your hand, nor a number from 1 to 5";
  for (const auto& [text, why] : {std::pair<std::string, std::string>("d", "discard which cards?"),
                                  {"d 6", "'6'" + no_card},
                                  {"D 4C", "'4C'" + no_card},
                                  {"d 1 4C", "'4C'" + no_card},
                                  {"d " + name[0] + "4C", "'4C'" + no_card},
                                  {"d 1 1", name[0] + " is named twice"},
                                  {"d 1 " + name[0], name[0] + " is named twice"},
                                  {"c", "you cannot call now"}})
    EXPECT_EQ(refusal(*env, text), why + "; you may: discard by number or card (d 1 3), stand pat (p)") << text;
}

TEST(BettingInput, SmallDrawsKeepOrDiscardCardByCard) {
  const auto env = table_at("mini_draw", 3, {"check", "check"});
  const std::vector<Choice> choices = env->choices();
  ASSERT_EQ(choices.size(), 2U);
  for (const char* text : {"k", "keep"}) EXPECT_EQ(parse_betting(*env, text), Decision(choices[0].action)) << text;
  for (const char* text : {"d", "discard"}) EXPECT_EQ(parse_betting(*env, text), Decision(choices[1].action)) << text;
  EXPECT_EQ(choices_text(*env), choices[0].text + " (k), " + choices[1].text + " (d)");
}

// Every legal choice in any game can be typed as its text, also in capitals, and by card numbers.
TEST(BettingInput, EveryChoiceOfEveryGameCanBeTyped) {
  for (const std::string& name : game_names()) {
    if (!has_bets(name)) continue;
    RandomStream rng(2);
    const auto env = table_at(name, 11);
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
        Words ways = {choice.text, capitals(choice.text)};
        if (choice.kind == "discard" && hand.size() > 1) {
          ways.emplace_back(choice.cards.empty() ? "p" : "d");
          for (const CardId card : choice.cards)
            ways.back() += ' ' + std::to_string(1 + (std::find(hand.begin(), hand.end(), card) - hand.begin()));
        }
        for (const std::string& text : ways)
          EXPECT_EQ(parse_betting(*env, text), Decision(choice.action)) << name << ' ' << text;
      }
      const std::vector<Action> legal = env->legal_actions();
      env->step(legal[rng.below(static_cast<std::uint32_t>(legal.size()))]);
    }
    EXPECT_GE(kinds.size(), 4U) << name;
  }
}

TEST(BettingInput, AllInIsWhatTakesTheLastChip) {
  const auto env = table_at(kNoLimit, 1);
  EXPECT_TRUE(goes_all_in(*env, Decision::bet_to(10000)));
  EXPECT_FALSE(goes_all_in(*env, Decision::bet_to(9999)));
  EXPECT_FALSE(goes_all_in(*env, parse_betting(*env, "call")));
  env->step(Decision::bet_to(10000));
  EXPECT_TRUE(goes_all_in(*env, parse_betting(*env, "call")));
  EXPECT_EQ(parse_betting(*env, "allin"), parse_betting(*env, "call"));
  EXPECT_FALSE(goes_all_in(*env, parse_betting(*env, "fold")));
}

TEST(BettingInput, WordsForCompletionAreThoseThatAreLegal) {
  EXPECT_EQ(betting_words(*table_at(kNoLimit, 1)), words_in("fold call raise allin"));
  EXPECT_EQ(betting_words(*table_at(kNoLimit, 1, {"call 50", "check"})), words_in("fold check bet allin"));
  EXPECT_EQ(betting_words(*table_at("draw", 3, {"check", "check"})), words_in("discard pat"));
  EXPECT_EQ(betting_words(*table_at("stud[bring_in=3,min_bet=10]", 4)), words_in("complete bring"));
}

constexpr std::string_view kEquity = "your equity is ";

std::string odds(const Env& env) { return make_odds_text(env.game())(env); }

// In Kuhn poker the king beats both other cards, the queen one of them, the jack none.
TEST(OddsText, KuhnIsKnown) {
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto env = table_at("kuhn", seed);
    const std::string text = odds(*env), table_text = env->to_string(0);
    const std::string end = " of the pot if all players stay in\n";
    const int expected = contains(table_text, "hand K") ? 100 : contains(table_text, "hand J") ? 0 : 50;
    EXPECT_NEAR(std::stoi(text.substr(kEquity.size())), expected, expected == 50 ? 4 : 0) << text;
    EXPECT_TRUE(text.ends_with(end)) << text;
    seen.insert(table_text.substr(table_text.find("hand "), 6));
  }
  EXPECT_EQ(seen.size(), 3U);
}

TEST(OddsText, ACallHasItsPrice) {
  const auto env = table_at("holdem[limit=no_limit]", 1);
  const std::string text = odds(*env);
  EXPECT_TRUE(contains(text, "% of the pot if all players stay in; calling 50 needs 25%\n")) << text;
  EXPECT_EQ(text, odds(*env)) << "the same position";
}

// Calling 10 into 70 needs an equity of an eighth, betting the pot a third.
TEST(OddsText, ThePriceOfACallIsNotRoundedDown) {
  const auto price = [](const std::string& spec, const std::vector<std::string>& actions) {
    const auto env = table_at(spec, 1, actions);
    const std::string text = odds(*env);
    return text.substr(text.find("; ") + 2);
  };
  EXPECT_EQ(price("draw[players=6]", {"bet 10"}), "calling 10 needs 12.5%\n");
  EXPECT_EQ(price("draw[players=2]", {"bet 10"}), "calling 10 needs 25%\n");
  EXPECT_EQ(price("holdem[limit=no_limit]", {"call 50", "check", "bet 200"}), "calling 200 needs 33.4%\n");
}

// A king ties with the other one, a fifth of all, and against a jack or a queen loses to that card on the board, in one
// case of four: 1/5 of 1/2 and 4/5 of 3/4 are 0.7.
TEST(OddsText, HalfOfASplitPotCounts) {
  for (std::uint64_t seed = 0;; ++seed) {
    ASSERT_LT(seed, 50U);
    const auto env = table_at("leduc", seed);
    if (!contains(env->to_string(0), "hand K")) continue;
    EXPECT_NEAR(std::stoi(odds(*env).substr(kEquity.size())), 70, 4);
    return;
  }
}

TEST(OddsText, WithNothingToCallThereIsNoPrice) {
  const auto env = table_at("holdem[limit=no_limit]", 1, {"call 50"});
  EXPECT_TRUE(odds(*env).ends_with(" of the pot if all players stay in\n"));
}

// Discarding half of a pair gives less equity than keeping it.
TEST(OddsText, EachDecisionOfASmallDrawHasItsOwn) {
  for (std::uint64_t seed = 0;; ++seed) {
    ASSERT_LT(seed, 50U);
    const auto env = table_at("mini_draw_single", seed);
    const std::string hand = env->to_string(0);
    const std::size_t at = hand.find("hand ") + 5;
    if (hand[at] != hand[at + 3]) continue;
    const std::string text = odds(*env);
    const std::size_t second = text.find('\n') + 1;
    const auto share = [&](std::size_t from) { return std::stoi(text.substr(text.find(": ", from) + 2)); };
    EXPECT_GT(share(0), share(second) + 20) << text;
    return;
  }
}

TEST(OddsText, ShowsTheBestDiscardsAndStandingPat) {
  const auto env = table_at("draw", 3, {"check", "check"});
  const std::string text = odds(*env);
  EXPECT_GE(std::count(text.begin(), text.end(), '\n'), 4);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 5);
  EXPECT_TRUE(text.starts_with("discard ")) << text;
  expect_parts(text, {"% of the pot; ", "stand pat: ", "one pair "});
  EXPECT_FALSE(contains(text, "<1%")) << text;
}

// Whatever the stronger hand: drawing to both, a flush is more likely than a straight.
TEST(OddsText, WhatAHandBecomesMostOftenStandsFirst) {
  for (const char* spec : {"draw", "lowball"})
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
      const auto env = table_at(spec, seed, {"check", "check"});
      std::istringstream lines(odds(*env));
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

// A poor hand kept against five others sometimes wins.
TEST(OddsText, ASmallChanceIsNotNone) {
  int small = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto env = table_at("draw[players=6]", seed, {"check", "check", "check", "check", "check", "check"});
    const std::string text = odds(*env);
    EXPECT_FALSE(contains(text, " 0% of the pot")) << text;
    small += contains(text, "stand pat: <1% of the pot") ? 1 : 0;
  }
  EXPECT_GT(small, 0);
}

// The rules and the hints of a game use the same terms.
TEST(OddsText, AHandThatMakesNothingHasOneName) {
  const auto pat = [](const std::string& spec, const std::string& first, const std::string& name) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto env = table_at(spec, seed, {first, "check"});
      if (contains(odds(*env), "; " + name + " 100%\n")) return true;
    }
    return false;
  };
  EXPECT_TRUE(pat("draw", "check", "high card"));
  EXPECT_TRUE(pat("triple_draw", "call 5", "no pair"));
}

TEST(OddsText, EveryBettingGameHasChancesAtEveryDecision) {
  for (const std::string& name : game_names()) {
    const auto env = table_at(name, 5);
    const OddsText chances = make_odds_text(env->game());
    RandomStream rng(9);
    for (int n = 0; n < 12; ++n) {
      if (env->terminated()) env->reset(rng());
      if (env->hand_over()) env->next_hand();
      if (env->hand_over()) continue;
      EXPECT_EQ(chances(*env).empty(), !has_bets(name)) << name;
      const std::vector<Action> legal = env->legal_actions();
      env->step(legal[rng.below(static_cast<std::uint32_t>(legal.size()))]);
    }
  }
}

}  // namespace
}  // namespace dealer::terminal::betting_input_test
