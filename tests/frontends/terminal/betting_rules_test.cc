#include <gtest/gtest.h>

#include <string>

#include "env/core/registry.h"
#include "env/games/poker/game.h"
#include "env/games/small/game.h"
#include "frontends/terminal/betting/rules.h"
#include "frontends/terminal/screen_text.h"

namespace dealer::terminal::betting_rules_test {
namespace {

std::string rules_of(const std::string& spec) {
  const GamePtr game = make_game(spec);
  if (const poker::Game* bets = poker::as_poker(*game)) return rules_text(bets->rules());
  return rules_text(small::as_small(*game)->rules());
}

void expect(const std::string& spec, const std::vector<const char*>& parts, const std::vector<const char*>& none = {}) {
  const std::string text = rules_of(spec);
  EXPECT_TRUE(text.ends_with(".\n")) << text;
  for (const char* part : parts) EXPECT_NE(text.find(part), std::string::npos) << spec << ": " << part << '\n' << text;
  for (const char* part : none) EXPECT_EQ(text.find(part), std::string::npos) << spec << ": " << part << '\n' << text;
}

TEST(BettingRules, HoldemAndItsLimits) {
  expect(
      "holdem[limit=no_limit]",
      {"Texas hold'em; no limit; 2 players with 10000 chips each.",
       "The dealer posts the small blind of 50, the other player the big blind of 100.",
       "Course: two cards face down, betting; three cards on the board, betting; one card on the board, betting; one "
       "card on the board, betting.",
       "A bet is at least 100, a raise at least the last bet or raise; at most all your chips.",
       "A player may raise twice in a round.",
       "Hands, the best five cards, from the best: straight flush, four of a "
       "kind, full house, flush, straight, three of a kind, two pair, one pair, high card.",
       "Every hand begins with fresh stacks."},
      {"ante", "draw", "transparent", "joker"});
  expect("holdem[raises_per_player=0]", {"A player may raise not at all in a round."});
  expect("holdem[raises_per_player=1]", {"A player may raise once in a round."});
  expect("holdem[raises_per_player=3]", {"A player may raise three times in a round."});
  expect("holdem[players=3,blinds=[],ante=7]",
         {"Everybody pays an ante of 7.", "The player left of the dealer begins every round.",
          "Every bet and raise is 10 in the first two rounds and 20 later."},
         {"blind"});
  expect("holdem[players=3]", {"The two players left of the dealer post the small blind of 5 and the big blind of 10"});
  expect("holdem[limit=pot_limit,raises_per_player=null,raises_per_round=3,check_raise=false,open_fold=false]",
         {"pot limit", "a raise adds at most the pot", "All together may raise three times in a round.",
          "Who has checked may not raise", "check, bet (not fold)"},
         {"A player may raise"});
}

TEST(BettingRules, Stud) {
  expect("stud[bring_in=5]", {"The lowest up card opens the first round, the best showing hand the later ones.",
                              "The opener brings in 5 or completes to 10"});
  expect("razz", {"the lowest hand wins", "The highest up card opens the first round, the lowest showing hand",
                  "aces low, from the best: no pair, one pair, two pair, three of a kind, full house, four of a kind.",
                  "Straights and flushes do not count."});
  expect("stud_hi_lo", {"high-low split",
                        "Half of every pot goes to the best low hand, aces low: five different ranks of "
                        "8 or lower",
                        "When nobody has one the high hand takes all.", "everybody still in shows"});
  expect("stud[players=8]", {"one card face up is everybody's last"});
  expect("stud", {}, {"everybody's last", "brings in"});
  expect("court_tarot[procedure=stud]", {"The player left of the dealer begins every round."}, {"up card opens"});
}

TEST(BettingRules, DrawGames) {
  expect("draw", {"Five-card draw; fixed bets", "Course: five cards face down, betting; a draw, betting.",
                  "Hands, from the best: ", "Every bet and raise is 10 in the first round and 20 later."});
  expect("draw[betting_before_draw=false]", {"five cards face down; a draw, betting.", "Every bet and raise is 20."});
  expect("triple_draw", {"Five-card draw with three draws, the lowest hand wins",
                         "Every bet and raise is 10 in the first two rounds and 20 later."});
  expect("draw[episode=match,match_hands=3,show_all=true,odd_chips=discard]",
         {"after three hands", "Most chips win.", "everybody still in shows", "go off the table"}, {"fresh stacks"});
  expect("draw[episode=match]", {"when one player has all the chips. Most chips win."}, {", or after"});
}

TEST(BettingRules, DecksOfTheirOwn) {
  expect("washizu", {"4 players with 20 chips", "53 cards, one joker among them", "Cards that end in w are transparent",
                     "taken out by lot for each match", "the first call is a bet of 1", "after five hands"});
  expect("washizu[washizu=add]", {"Cards that end in w are transparent"}, {"taken out by lot"});
  expect("washizu[ranking=high[five_of_a_kind=true]]", {"from the best: five of a kind, straight flush"});
  expect("court_tarot",
         {"aces low, from the best: extra straight flush, straight flush, four of a kind, flush, extra "
          "flush, full house, straight, three of a kind, two pair, mix well, half flush, one pair, no hand.",
          "Best among hands with the name half flush are those with 1, then 4, then 2, then 3 trumps",
          "hands of one name tie"});
}

TEST(BettingRules, SmallGames) {
  expect("kuhn",
         {"Kuhn poker, two players; 3 cards, J to K.", "A bet is 1; there is one bet and no raise in a round.",
          "The higher card wins."},
         {"draw", "board"});
  expect("leduc", {"6 cards, J to K in two suits.",
                   "Bets and raises are 2 in the first round and 4 in the second; both "
                   "players together may make 2 of them in a round.",
                   "A pair with the board wins"});
  expect("leduc[small_bet=3,big_bet=3]", {"Bets and raises are 3;"}, {"in the second"});
  expect("mini_draw", {"get two cards face down. A round of betting. The draw:", "Pairs beat high cards"});
  expect("mini_draw_single", {"get two cards face down. The draw:", "A bet is 2;"});
  expect("mini_draw[hand=3,ranks=5]", {"10 cards, 9 to K in two suits", "Three of a kind beat pairs, pairs beat"});
}

TEST(BettingRules, EveryGameHasThem) {
  for (const std::string& name : game_names()) {
    if (name == "ofc" || name == "seven_hand") continue;
    const std::string text = rules_of(name);
    EXPECT_GT(text.size(), 200U) << name;
    EXPECT_LT(text.size(), 2000U) << name;
    EXPECT_EQ(text.find("  "), std::string::npos) << name << text;
  }
}

}  // namespace
}  // namespace dealer::terminal::betting_rules_test
