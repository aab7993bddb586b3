// What people and programs are told: choices, the table as JSON, information states.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "env/core/env.h"
#include "tests/env/games/small/table.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/table_json.h"

namespace dealer::small::text_test {
namespace {

using Table = test::SmallTable;

TEST(SmallChoices, SayTheTotalBetInTheRound) {
  Table table("leduc");
  table.give("Ks").give("Qs");
  const auto amount = [&](Action action) { return table.state().choice(action).amount; };
  EXPECT_EQ(amount(kRaise), (AmountRange{2, 2, 1}));
  EXPECT_TRUE(amount(kCall).empty());
  table.play("b");
  EXPECT_EQ(amount(kRaise), (AmountRange{4, 4, 1}));
  EXPECT_EQ(table.state().choice(kRaise).kind, "raise");
  EXPECT_TRUE(amount(kFold).empty());
  table.play("rc").give("Jh").play("c");
  EXPECT_EQ(amount(kRaise), (AmountRange{4, 4, 1}));
  EXPECT_EQ(table.state().choice(kRaise).kind, "bet");
  table.play("b");
  EXPECT_EQ(amount(kRaise), (AmountRange{8, 8, 1}));
  // Not legal: no amount.
  table.play("r");
  EXPECT_TRUE(amount(kRaise).empty());
  // Not what it costs, but all that is bet then.
  EXPECT_EQ(Table("leduc[raises=3]").give("Ks").give("Qs").play("br").state().choice(kRaise).amount,
            (AmountRange{6, 6, 1}));
  EXPECT_EQ(Table("kuhn[ante=3,bet=5]").give("Ks").give("Qs").state().choice(kRaise).amount, (AmountRange{5, 5, 1}));
}

TEST(SmallChoices, NameTheCardToKeepOrDiscard) {
  Table table("mini_draw_single");
  table.give("Js Ks").give("Jh Kh").play("t");
  for (const Action action : {kKeep, kDiscard}) {
    const Choice choice = table.state().choice(action);
    ASSERT_EQ(choice.cards.size(), 1U);
    EXPECT_EQ(table.rules().to_string(Card{choice.cards[0]}), "Ks");
    EXPECT_EQ(choice.kind, action == kKeep ? "keep" : "discard");
  }
}

// The fields of docs/environment.md, as a seat sees them.
TEST(SmallTable, IsListsOfCardsAndNumbers) {
  Table table("leduc");
  table.give("Ks").give("Qs").play("brc").give("Qh").play("b");
  const nlohmann::json json = table_json(table.state(), 1);
  const nlohmann::json expected = nlohmann::json::parse(R"({
    "street": 1, "dealer": null, "board": ["Qh"], "pot": 14, "to_call": 4, "next": null,
    "history": ["0: bet", "1: raise", "0: call", "board Qh", "0: bet"],
    "players": [
      {"seat": 0, "chips": 4, "bet": 4, "paid": 9, "folded": false, "out": false, "all_in": false, "cards": [],
       "card_count": 1, "up": [], "discarded": [], "drawn": [], "shown": []},
      {"seat": 1, "chips": 8, "bet": 0, "paid": 5, "folded": false, "out": false, "all_in": false, "cards": ["Qs"],
       "card_count": 1, "up": [], "discarded": [], "drawn": [], "shown": []}]})");
  EXPECT_EQ(json, expected) << json.dump(1);
}

TEST(SmallTable, HasTheChipsAndCardsOfTheEnd) {
  Table table("leduc");
  table.give("Ks").give("Qs").play("brc").give("Qh").play("brc");
  nlohmann::json json = table_json(table.state(), 0);
  EXPECT_EQ(json["pot"], 0);
  EXPECT_EQ(json["players"][0]["chips"], 0);
  EXPECT_EQ(json["players"][0]["all_in"], true);
  EXPECT_EQ(json["players"][1]["chips"], 26);
  EXPECT_EQ(json["players"][1]["cards"].dump(), "[]");
  EXPECT_EQ(json["players"][1]["shown"].dump(), R"(["Qs"])");
  EXPECT_EQ(json["players"][0]["shown"].dump(), R"(["Ks"])");
  json = table_json(Table("leduc").give("Ks").give("Qs").play("bf").state(), 0);
  EXPECT_EQ(json["players"][1]["folded"], true);
  EXPECT_EQ(json["players"][0]["folded"], false);
  EXPECT_EQ(json["players"][1]["shown"].dump(), "[]");
  EXPECT_EQ(json["players"][0]["chips"], 14);
}

TEST(SmallTable, ShowsADrawToItsOwnerOnly) {
  Table table("mini_draw");
  table.give("Js Ks").give("Jh Kh").play("cct");
  nlohmann::json json = table_json(table.state(), 0);
  EXPECT_EQ(json["next"], "Ks");
  EXPECT_EQ(json["players"][0]["discarded"].dump(), R"([["Js"]])");
  EXPECT_EQ(json["players"][0]["cards"].dump(), R"(["Ks"])");
  EXPECT_EQ(table_json(table.state(), 1)["players"][0]["card_count"], 2);
  table.play("k").give("Qh");
  json = table_json(table.state(), 0);
  EXPECT_EQ(json["players"][0]["drawn"].dump(), "[1]");
  EXPECT_EQ(json["players"][0]["cards"].dump(), R"(["Ks","Qh"])");
  json = table_json(table.state(), 1);
  EXPECT_EQ(json["street"], 1);
  EXPECT_EQ(json["players"][0]["drawn"].dump(), "[1]");
  EXPECT_EQ(json["players"][0]["discarded"].dump(), "[]");
  EXPECT_EQ(json["players"][0]["cards"].dump(), "[]");
  EXPECT_EQ(json["players"][1]["discarded"].dump(), "[[]]");
  EXPECT_EQ(json["players"][1]["drawn"].dump(), "[]");
}

TEST(SmallInformation, IsEasyToRead) {
  EXPECT_EQ(Table("kuhn").give("Ks").give("Qs").state().information_text(0), "0: Ks |");
  EXPECT_EQ(Table("kuhn").give("Ks").give("Qs").play("cb").state().information_text(0), "0: Ks | check, bet");
  EXPECT_EQ(Table("leduc").give("Ks").give("Qs").play("brc").give("Qh").play("bc").state().information_text(1),
            "1: Qs | bet, raise, call, board Qh, bet, call, shown Ks");
  Table draw("mini_draw");
  draw.give("Js Ks").give("Jh Kh").play("cct");
  EXPECT_EQ(draw.state().information_text(0), "0: Ks Js | check, check, discard Js");
  EXPECT_EQ(draw.state().information_text(1), "1: Kh Jh | check, check");
  draw.play("k").give("Qh").play("k");
  EXPECT_EQ(draw.state().information_text(0), "0: Ks Js | check, check, discard Js, keep Ks, draws Qh");
  EXPECT_EQ(draw.state().information_text(1), "1: Kh Jh | check, check, draws 1, keep Jh");
  draw.play("k");
  EXPECT_EQ(draw.state().information_text(1), "1: Kh Jh | check, check, draws 1, keep Jh, keep Kh, draws 0");
}

// Text by observation and the other way round: one to one over the whole tree, seats that wait and ends included.
class SmallInformationStates : public testing::TestWithParam<const char*> {
 protected:
  void note(const State& state) {
    for (Seat seat = 0; seat < kSeats; ++seat) {
      state.observe(seat, numbers_.data());
      const std::string seen(reinterpret_cast<const char*>(numbers_.data()), numbers_.size() * sizeof(float));
      const std::string text = state.information_text(seat);
      ASSERT_EQ(text_of_.emplace(seen, text).first->second, text);
      ASSERT_EQ(seen_of_.emplace(text, seen).first->second, seen) << text;
    }
  }
  void walk(const State& state) {
    if (state.current_player() != kChance) note(state);
    const auto follow = [&](Action action) {
      State next = state;
      next.apply(action);
      walk(next);
    };
    for (const ChanceOutcome& outcome : state.chance_outcomes()) follow(outcome.action);
    for (LegalMask rest = state.legal_mask(); rest != 0 && !HasFatalFailure(); rest &= rest - 1)
      follow(std::countr_zero(rest));
  }

  GamePtr game_ = make_game(GetParam());
  const Rules& rules_ = as_small(*game_)->rules();
  std::vector<float> numbers_ = std::vector<float>(static_cast<std::size_t>(game_->observation_spec().size()));
  std::map<std::string, std::string> text_of_, seen_of_;
};

TEST_P(SmallInformationStates, AreEqualExactlyWhenObservationsAre) {
  walk(State::start(rules_));
  const std::size_t all = text_of_.size();
  EXPECT_EQ(seen_of_.size(), all);
  // Dealt hands tell the same.
  RandomStream rng(1);
  for (int hand = 0; hand < 300; ++hand) {
    State state;
    state.reset(rules_, static_cast<std::uint64_t>(hand));
    for (note(state); state.current_player() != kTerminal; note(state))
      state.apply(test::random_action(state.legal_mask(), rng));
  }
  EXPECT_EQ(text_of_.size(), all);
}

INSTANTIATE_TEST_SUITE_P(Games, SmallInformationStates,
                         testing::Values("kuhn[cards=4,raises=2]", "leduc", "mini_draw_single", "mini_draw[hand=1]",
                                         "mini_draw_single[ranks=7,suits=1]"));

TEST(SmallInformation, IsWhatTheTableCallsIt) {
  const auto env = make_game("kuhn")->new_env();
  env->reset(1);
  const std::string text = env->information_state(0).text;
  EXPECT_EQ(text.substr(0, 3), "0: ");
  EXPECT_EQ(text.substr(text.size() - 2), " |");
}

}  // namespace
}  // namespace dealer::small::text_test
