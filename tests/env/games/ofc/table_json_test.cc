// The table as JSON, under the names that all games use.
#include "tests/support/table_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "env/games/ofc/state.h"
#include "tests/env/harness/random_play.h"

namespace dealer::ofc::table_json_test {
namespace {

nlohmann::json texts(CardSet cards) {
  auto list = nlohmann::json::array();
  for_each(cards, [&](Card card) { list.push_back(to_string(card)); });
  return list;
}

TEST(OfcTableJson, HasAllThatTheSeatMaySee) {
  GameRules rules;
  rules.episode = Episode::kMatch;
  State state;
  state.deal(rules, 4, {}, 0);
  RandomStream rng(4);
  while (state.street() < 2) state.apply(test::random_action(state.legal_mask(), rng));
  while (state.current_player() == 1) state.apply(test::random_action(state.legal_mask(), rng));
  state.apply(kToDiscard);
  ASSERT_EQ(state.current_player(), 0);
  const auto rows = [&](Seat seat) {
    const Board& board = state.board(seat);
    return nlohmann::json({{"front", texts(board.row[kFront])},
                           {"middle", texts(board.row[kMiddle])},
                           {"back", texts(board.row[kBack])}});
  };
  const nlohmann::json expected = {{"street", 2},
                                   {"dealer", 0},
                                   {"places_left", 2},
                                   {"discards_left", 0},
                                   {"players",
                                    {{{"seat", 0},
                                      {"points", 200},
                                      {"out", false},
                                      {"fantasyland", false},
                                      {"rows", rows(0)},
                                      {"cards", texts(state.hand(0))},
                                      {"card_count", 2},
                                      {"discarded", texts(state.discards(0))}},
                                     {{"seat", 1},
                                      {"points", 200},
                                      {"out", false},
                                      {"fantasyland", false},
                                      {"rows", rows(1)},
                                      {"cards", nlohmann::json::array()},
                                      {"card_count", 0},
                                      {"discarded", nlohmann::json::array()}}}}};
  EXPECT_EQ(table_json(state, 0), expected);
  // The other sees neither cards nor how far the turn is.
  const nlohmann::json other = table_json(state, 1);
  EXPECT_EQ(other["places_left"], 0);
  EXPECT_EQ(other["players"][0]["cards"], nlohmann::json::array());
  EXPECT_EQ(other["players"][0]["card_count"], 3);
  EXPECT_EQ(other["players"][0]["discarded"], nlohmann::json::array());
  EXPECT_EQ(other["players"][1]["discarded"], texts(state.discards(1)));
  EXPECT_EQ(other["players"][1]["cards"], nlohmann::json::array()) << "this street's cards are placed";
}

TEST(OfcTableJson, CountsTheCardsOfFantasyland) {
  GameRules rules;
  State state;
  state.deal(rules, 4, {true, false, false}, 0);
  const auto count = [&](Seat viewer, Seat owner) { return table_json(state, viewer)["players"][owner]["card_count"]; };
  EXPECT_EQ(count(0, 0), 14);
  EXPECT_EQ(count(1, 0), 14);
  EXPECT_EQ(count(1, 1), 5);
  EXPECT_EQ(table_json(state, 1)["players"][0]["fantasyland"], true);
  RandomStream rng(4);
  while (state.street() == 0) state.apply(test::random_action(state.legal_mask(), rng));
  EXPECT_EQ(count(1, 0), 0);
  EXPECT_EQ(count(0, 1), 3);
  EXPECT_EQ(table_json(state, 1)["players"][0]["rows"]["back"], nlohmann::json::array());
  EXPECT_EQ(table_json(state, 0)["players"][0]["rows"]["back"].size(), 5U);
}

TEST(OfcChoices, SayWhichCardGoesWhere) {
  GameRules rules;
  State state;
  state.deal(rules, 5, {}, 0);
  const Card card = lowest(state.hand(1));
  const Choice front = state.choice(kToFront), discard = state.choice(kToDiscard);
  EXPECT_EQ(front.text, "front");
  EXPECT_EQ(front.kind, "place");
  EXPECT_EQ(front.cards, std::vector<CardId>{card});
  EXPECT_TRUE(front.amount.empty());
  EXPECT_EQ(discard.text, "discard");
  EXPECT_EQ(discard.kind, "discard");
  EXPECT_EQ(discard.cards, std::vector<CardId>{card});
}

}  // namespace
}  // namespace dealer::ofc::table_json_test
