// Hands dealt and played by hand: legal actions, results, text and JSON. Options.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "env/core/error.h"
#include "tests/env/games/small/table.h"
#include "tests/env/harness/game_harness.h"
#include "tests/support/error_message.h"
#include "tests/support/event_lines.h"
#include "tests/support/table_json.h"

namespace dealer::small::hands_test {
namespace {

using Table = test::SmallTable;
using test::Lines;
using test::lines_of;

constexpr const char* kSeven = "mini_draw_single[ranks=7,suits=1]";  // more cards than are drawn

Lines story(const Table& table, Viewer viewer) {
  std::vector<Event> events;
  table.state().events(events);
  Lines lines;
  for (const Event& event : seen_by(events, viewer))
    lines.push_back(test::line_of(event, [&](const std::vector<CardId>& cards) {
      std::string text;
      for (const CardId card : cards) text += (text.empty() ? "" : " ") + table.rules().to_string(Card{card});
      return text;
    }));
  return lines;
}

TEST(SmallHands, GoAsRecorded) {
  test::check_cases("small.hands", [](const std::string& text) {
    const std::size_t colon = text.find(": "), seen = text.find(", seen by ");
    const std::size_t end = std::min(seen, text.find_last_not_of(' ') + 1);
    const Table table(text.substr(0, colon), text.substr(colon + 2, end - colon - 2));
    if (seen != std::string::npos)
      return fmt::format("{}", fmt::join(story(table, std::stoi(text.substr(seen + 10))), " | "));
    const State& state = table.state();
    std::string observed = state.current_player() == kTerminal ? fmt::format("wins {}", table.gain())
                                                               : fmt::format("{} to act:", state.current_player());
    for (LegalMask rest = state.legal_mask(); rest != 0; rest &= rest - 1) {
      const Choice choice = state.choice(std::countr_zero(rest));
      EXPECT_EQ(choice.kind, choice.text);
      EXPECT_EQ(choice.amount.low, choice.amount.high);
      observed += ' ' + choice.text + (choice.amount.empty() ? "" : fmt::format(" {}", choice.amount.low));
    }
    EXPECT_TRUE((state.legal_mask() >> kRaise & 1) != 0 || state.choice(kRaise).amount.empty()) << "not legal";
    return observed + "; " + state.information_text(0) + "; " + state.information_text(1);
  });
  const Table draw("mini_draw_single", "Js Ks, Jh Kh, t");
  for (const Action action : {kKeep, kDiscard})
    EXPECT_EQ(draw.rules().to_string(Card{draw.state().choice(action).cards.at(0)}), "Ks");
  const std::string text = make_game("kuhn")->new_env()->information_state(0).text;
  EXPECT_TRUE(text.starts_with("0: ") && text.ends_with(" |")) << "at the table, too";
}

// Six cards, two hands, two in the stock: after the first player has drawn two the second draws the first's discards.
TEST(SmallDraws, TheSecondPlayerDrawsWhatTheFirstDiscardedWhenTheStockIsEmpty) {
  for (const auto& [spec, script, outcomes, then] : {std::tuple("leduc", "Ks, Qs, cc", 4U, "Kh"),
                                                     {"mini_draw_single", "Js Ks, Jh Kh, tt, Qs Qh, tt", 1U, "Js Ks"},
                                                     {"mini_draw_single", "Js Ks, Jh Kh, kt, Qs, tt", 1U, "Qh Ks"},
                                                     {kSeven, "7s 8s, 9s Ts, tt, Js Qs, tt", 2U, "Ks 7s"}}) {
    Table table(spec, script);
    EXPECT_EQ(table.state().chance_outcomes().size(), outcomes) << script;
    table.play(then);
  }
  EXPECT_EQ(Table(kSeven, "7s 8s, 9s Ts, tt, Js Qs").state().hand(0), Table(kSeven).cards("Js Qs"));
}

TEST(SmallEvents, HideWhatIsDiscardedUntilTheDrawIsOverAndItsFacesForEver) {
  Table table("mini_draw", "Js Ks, Jh Kh, cc");
  Lines mine = story(table, 0);
  table.play("t");
  EXPECT_EQ(story(table, 0), mine);
  EXPECT_EQ(story(table, kOmniscient).size(), mine.size());
  table.play("k, Qh, kk");
  for (const char* line : {"discarded 0 1: Js", "drew 0 1: Qh", "discarded 1 0"}) mine.emplace_back(line);
  EXPECT_EQ(story(table, 0), mine);
  for (const Viewer viewer : {1, kSpectator}) {
    const Lines other = story(table, viewer);
    EXPECT_EQ(Lines(other.end() - 3, other.end()), lines_of("discarded 0 1 | drew 0 1 | discarded 1 0"));
  }
}

// The fields of docs/environment.md, as a seat sees them.
TEST(SmallTable, IsListsOfCardsAndNumbers) {
  const nlohmann::json json = table_json(Table("leduc", "Ks, Qs, brc, Qh, b").state(), 1);
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

TEST(SmallTable, HasTheEndAndShowsADrawToItsOwnerOnly) {
  struct Row {
    const char* path;
    const char* value;
    Seat seat = 0;
  };
  const auto expect = [](const char* spec, const char* script, const std::vector<Row>& rows) {
    const Table table(spec, script);
    for (const auto& [path, value, seat] : rows)
      EXPECT_EQ(table_json(table.state(), seat).at(nlohmann::json::json_pointer(path)).dump(), value)
          << script << ": " << path << " seen by " << seat;
  };
  expect("leduc", "Ks, Qs, brc, Qh, brc",
         {{"/pot", "0"},
          {"/players/0/chips", "0"},
          {"/players/0/all_in", "true"},
          {"/players/1/chips", "26"},
          {"/players/1/cards", "[]"},
          {"/players/1/shown", R"(["Qs"])"},
          {"/players/0/shown", R"(["Ks"])"}});
  expect("leduc", "Ks, Qs, bf",
         {{"/players/1/folded", "true"},
          {"/players/0/folded", "false"},
          {"/players/1/shown", "[]"},
          {"/players/0/chips", "14"}});
  expect("mini_draw", "Js Ks, Jh Kh, cct",
         {{"/next", R"("Ks")"},
          {"/next", "null", 1},
          {"/players/0/discarded", R"([["Js"]])"},
          {"/players/0/cards", R"(["Ks"])"},
          {"/players/0/card_count", "2", 1}});
  expect("mini_draw", "Js Ks, Jh Kh, cctk, Qh",
         {{"/players/0/drawn", "[1]"},
          {"/players/0/cards", R"(["Ks","Qh"])"},
          {"/street", "1", 1},
          {"/history", R"(["0: check","1: check","0: draws 1"])", 1},
          {"/players/0/drawn", "[1]", 1},
          {"/players/0/discarded", "[]", 1},
          {"/players/0/cards", "[]", 1},
          {"/players/1/discarded", "[[]]", 1},
          {"/players/1/drawn", "[]", 1}});
}

std::string refusal(const std::string& spec) {
  return test::error_message<ConfigError>([&] { make_game(spec); });
}

const Rules& rules_of(const GamePtr& game) { return as_small(*game)->rules(); }

TEST(SmallOptions, AreThePublishedGamesByDefault) {
  const GamePtr kuhn = make_game("kuhn"), leduc = make_game("leduc");
  const Options& k = rules_of(kuhn).options();
  EXPECT_EQ((std::array{k.cards(), k.ante, k.bet[0], k.raises, k.rounds}), (std::array{3, 1, 1, 1, 1}));
  const Options& l = rules_of(leduc).options();
  EXPECT_EQ((std::array{l.cards(), l.suits, l.ante, l.bet[0], l.bet[1], l.raises}), (std::array{6, 2, 1, 2, 4, 2}));
  EXPECT_EQ(kuhn->num_actions(), 3);
  EXPECT_EQ(make_game("mini_draw")->num_actions(), 5);
  // A single round takes the big bet.
  EXPECT_EQ(rules_of(make_game("mini_draw[rounds=1,small_bet=3,big_bet=5]")).options().bet[0], 5);
  EXPECT_EQ(rules_of(make_game("mini_draw[small_bet=3,big_bet=5]")).options().bet, (std::array{3, 5}));
}

TEST(SmallOptions, RefuseWhatIsOutOfRangeOrUnknown) {
  EXPECT_EQ(refusal("leduc[ranks=2,suits=1]"),
            "override 'ranks=2': ranks: 2 ranks in 1 suits are 2 cards; expected at least 3: a card for each player "
            "and one for the board");
  EXPECT_TRUE(refusal("mini_draw[hand=3,suits=2]")
                  .ends_with("3 ranks in 2 suits are 6 cards; expected at least 9: two hands of 3 and 3 to draw"));
  for (const char* spec :
       {"kuhn[cards=2]", "kuhn[cards=14]", "kuhn[ante=0]", "kuhn[bet=1001]", "kuhn[raises=5]", "kuhn[suits=2]",
        "leduc[ranks=1]", "leduc[suits=5]", "leduc[raises=0]", "leduc[hand=2]", "mini_draw[hand=4,suits=4]",
        "mini_draw[rounds=3]", "mini_draw[rounds=0]", "mini_draw[players=2]", "mini_draw[small_bet=x]"})
    EXPECT_NE(refusal(spec).find("allowed"), std::string::npos) << spec << ": " << refusal(spec);
}

TEST(SmallOptions, FamiliesKnowTheirGames) {
  const GamePtr leduc = make_game("leduc");
  EXPECT_NE(as_small(*leduc), nullptr);
  EXPECT_NE(as_small(*leduc, Variant::kLeduc), nullptr);
  EXPECT_EQ(as_small(*leduc, Variant::kKuhn), nullptr);
  EXPECT_EQ(as_small(*make_game("ofc")), nullptr);
}

}  // namespace
}  // namespace dealer::small::hands_test
