// A betting table as text for people and as JSON for programs (docs/environment.md).
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/env/games/poker/table.h"
#include "tests/support/table_json.h"

namespace dealer::poker::text_test {
namespace {

using nlohmann::json;

std::string end_of(const std::string& text, std::string_view from) {
  const std::size_t at = text.find(from);
  return at == std::string::npos ? text : text.substr(at);
}

TEST(PokerTable, OfDrawAsOneSeatSeesIt) {
  const GameRules rules = rules_of("procedure: draw\nplayers: 3\nepisode: match\nstack: 100\n");
  GivenHand hand(rules, {"2c 4d 6h 8s Tc", "Ks Kd 5h 7s 9c Jc 4c", "As Ad 3h 6s 9d"});
  hand.chips({100, 10, 190}).bets(0, 2, 10).bets(0, 0, -1).discards(1, "5h 7s");
  const State state = hand.play();
  ASSERT_EQ(table_json(state, 1), json::parse(R"({
    "street": 1, "dealer": 0, "board": [], "pot": 30, "to_call": 0, "taken_out": [],
    "players": [
      {"seat": 0, "chips": 90, "bet": 0, "paid": 10, "folded": true, "out": false, "all_in": false,
       "cards": [], "card_count": 5, "up": [], "discarded": [], "drawn": [], "shown": []},
      {"seat": 1, "chips": 0, "bet": 0, "paid": 10, "folded": false, "out": false, "all_in": true,
       "cards": ["Kd", "Ks", "Jc", "9c", "4c"], "card_count": 5, "up": [], "discarded": [["7s", "5h"]], "drawn": [2],
       "shown": []},
      {"seat": 2, "chips": 180, "bet": 0, "paid": 10, "folded": false, "out": false, "all_in": false,
       "cards": [], "card_count": 5, "up": [], "discarded": [], "drawn": [], "shown": []}]})"));
}

TEST(PokerTable, TheTextTellsTheBetting) {
  const GameRules rules = rules_of("procedure: stud\nplayers: 3\nante: 5\nmin_bet: 10\nbring_in: 3\nstack: 40\n");
  GivenHand hand(rules, {"Ks Kd Kh Qs", "As 2d 3h 4c", "9s 9d 9h Jc"});
  hand.bets(0, 1, 0).bets(0, 2, 10).bets(0, 0, 20).bets(0, 1, -1).bets(0, 2, 30).bets(0, 0, 35).bets(0, 2, 0);
  const std::string text = hand.play().to_string(1);
  EXPECT_NE(text.find("\nstreet 0: 1 brings in 3, 2 completes to 10, 0 raises to 20, 1 folds, 2 raises to 30, "
                      "0 raises to 35 all-in, 2 calls 5 all-in\n"),
            std::string::npos)
      << text;
  const GameRules draw =
      rules_of("procedure: draw\nplayers: 2\nlimit: no_limit\nmin_bet: 10\nante: 1\nepisode: match\n");
  const std::string other = GivenHand(draw, {"Ks Kd Kh Qs 2c", "As 2d 3h 4c 5c"})
                                .chips({100, 500})
                                .bets(0, 1, 300)
                                .bets(0, 0, 0)
                                .play()
                                .to_string(0);
  EXPECT_NE(other.find("\nstreet 0: 1 bets 300, 0 calls 99 all-in, 201 go back to 1\n"), std::string::npos) << other;
}

TEST(PokerTable, OfStudHasUpCards) {
  const GameRules rules = rules_of("procedure: stud\nplayers: 2\nante: 5\nmin_bet: 10\nbring_in: 3\n");
  GivenHand hand(rules, {"Ks Kd Kh Qs", "As 2d 3h 4c"});
  const json first = table_json(hand.bets(0, 1, 0).play(), 0);
  EXPECT_EQ(first["to_call"], 3);
  EXPECT_EQ(first["pot"], 13);
  EXPECT_EQ(first["players"][0]["cards"], json({"Kd", "Kh", "Ks"}));
  EXPECT_EQ(first["players"][0]["up"], json({"Kh"}));
  EXPECT_EQ(first["players"][1]["cards"], json({"3h"}));
  EXPECT_EQ(first["players"][1]["up"], json({"3h"}));
  EXPECT_EQ(first["players"][1]["card_count"], 3);
  EXPECT_EQ(first["players"][1]["bet"], 3);
  const json second = table_json(hand.bets(0, 0, 0).play(), 0);
  EXPECT_EQ(second["players"][1]["up"], json::parse(R"(["3h", "4c"])"));
  EXPECT_EQ(second["street"], 1);
}

TEST(PokerTable, NamesTheCardsTakenOut) {
  const GameRules rules = rules_of("procedure: draw\nplayers: 2\nlimit: washizu\nstack: 20\nwashizu: replace_random\n");
  State state;
  state.reset(rules, 3);
  const json table = table_json(state, 0);
  ASSERT_EQ(table["taken_out"].size(), 13U);
  std::string ranks;
  for (const json& card : table["taken_out"]) ranks += card.get<std::string>()[0];
  EXPECT_EQ(ranks, rules.deck->ranks());
}

TEST(PokerTable, SaysAtTheEndWhatWasShownAndWhoWon) {
  const GameRules rules = rules_of("procedure: holdem\nplayers: 3\nblinds: [5, 10]\n");
  GivenHand hand(rules, {"2s 4d", "Qs Qd", "Ks Kd"}, "Kc 7d 7h 2c 3c");
  for (const Seat seat : {0, 1, 2}) hand.bets(0, seat, 0);
  for (int round = 1; round < 4; ++round)
    for (const Seat seat : {1, 2, 0}) hand.bets(round, seat, 0);
  const State state = hand.play();
  ASSERT_TRUE(state.hand_over());
  // What cannot win is mucked: nobody sees it.
  const json players = table_json(state, 1)["players"];
  EXPECT_EQ(players[0]["shown"], json::array());
  EXPECT_EQ(players[0]["cards"], json::array());
  EXPECT_EQ(players[1]["shown"], json({"Qd", "Qs"}));
  EXPECT_EQ(players[2]["shown"], json({"Kd", "Ks"}));
  EXPECT_EQ(end_of(state.to_string(1), "seat 1 shows"),
            "seat 1 shows Qd Qs: two pair, queens and sevens\n"
            "seat 2 shows Kd Ks: full house, kings over sevens\n"
            "seat 0 mucks\n"
            "seat 2 wins 30 with full house, kings over sevens\n");
}

TEST(PokerTable, SaysWhoWinsWhenAllFold) {
  const GameRules rules = rules_of("procedure: holdem\nplayers: 2\nblinds: [5, 10]\n");
  State state = GivenHand(rules, {"Ks Kd", "2s 4d"}).play();
  state.apply_and_hold(kFold);
  EXPECT_EQ(end_of(state.to_string(0), "seat 1 wins"), "seat 1 wins 15\n");
  EXPECT_EQ(state.to_string(0).find("shows"), std::string::npos);
}

}  // namespace
}  // namespace dealer::poker::text_test
