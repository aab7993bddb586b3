// Showing at the showdown, and its visibility (docs/rules/betting.md). Payouts are checked under random rules, against
// a referee.
//
// Events of hands, a line each, as a viewer sees them; the table as text and as JSON
// (docs/environment.md).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "env/core/registry.h"
#include "env/games/poker/game.h"
#include "tests/env/games/poker/table.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/table_json.h"

namespace dealer::poker::story_test {
namespace {

using Kind = Event::Kind;
using nlohmann::json;

const GameRules& draw(int players, const std::string& more = "") {
  static std::vector<std::pair<std::string, std::unique_ptr<GameRules>>> known;
  const std::string text = "procedure: draw\nplayers: " + std::to_string(players) + "\n" + more;
  for (const auto& [name, rules] : known)
    if (name == text) return *rules;
  return *known.emplace_back(text, std::make_unique<GameRules>(rules_of(text))).second;
}

// All players check and stand pat, then take the given actions of the last round, in order of seats. The end is held.
State play_through(State state, const std::vector<Action>& last_round) {
  while (state.street() == 0) state.apply_and_hold(kCall);
  while (state.drawing()) state.apply_and_hold(state.rules().first_discard());
  for (const Action action : last_round) state.apply_and_hold(action);
  return state;
}

const std::vector<std::string> kHands = {"2c 4d 6h 8s Tc",   // 0: the dealer, ten high
                                         "Ks Kd 5h 7s 9c",   // 1: kings
                                         "As Ad 3h 6s 9d",   // 2: aces
                                         "Qs Qd 2h 6d 9h"};  // 3: queens

// A part of what a seat observes: the entries that are not 0.
std::vector<int> part(const State& state, Seat seat, std::string_view name) {
  const ObservationSpec spec = State::observation_spec(state.rules());
  const ObservationPart& part = *spec.find(name);
  const std::vector<float> data = observed(state, seat);
  std::vector<int> entries;
  for (int i = 0; i < part.size(); ++i)
    if (data[static_cast<std::size_t>(part.offset + i)] != 0) entries.push_back(i);
  return entries;
}

TEST(Shown, EverybodySeesWhatWasShownAndWhoMucked) {
  const GameRules& rules = draw(4);
  const State state = play_through(GivenHand(rules, kHands).play(), {kCall, kCall, kCall, kCall});
  // Seat 1 shows kings, seat 2 aces; 3 and the dealer muck. Seat 3 sees the dealer, 1 and 2 on its left, in this order.
  EXPECT_EQ(part(state, 3, "showdown"), (std::vector<int>{1, 3, 4, 6}));
  std::vector<int> cards;
  for (const char* hand : {"5h 7s 9c Kd Ks", "3h 6s 9d Ad As"})
    for (const CardId card : rules.deck->parse(hand)) cards.push_back(card);
  std::sort(cards.begin(), cards.end());
  EXPECT_EQ(part(state, 3, "shown"), cards);
  const View view = state.view(3);
  EXPECT_TRUE(view.player[1].showed && view.player[2].showed);
  EXPECT_TRUE(view.player[0].mucked && view.player[3].mucked);
  EXPECT_EQ(text_of(rules, view.player[2].shown), "3h 6s 9d As Ad");
  EXPECT_TRUE(view.player[0].shown.empty() && view.player[0].cards.empty());
  EXPECT_NE(state.to_string(3).find("seat 2 shows Ad As 9d 6s 3h: one pair, aces"), std::string::npos)
      << state.to_string(3);
  // Seat 1 showed itself.
  EXPECT_EQ(part(state, 1, "showdown"), (std::vector<int>{0, 2, 5, 7}));
  EXPECT_EQ(state.view(1).own().shown.size(), 5U);
}

// Shown cards are visible to the end of the hand; chips carry over, players go out, the button moves.
TEST(Shown, NothingOfTheHandBefore) {
  const GameRules& rules = draw(3, "episode: match\nlimit: no_limit\nmin_bet: 10\nstack: 100\n");
  State state = GivenHand(rules, {"Ks Kd 5h 7s 9c", "As Ad 3h 6s 9d", "Qs Qd 2h 6d 9h"}).play();
  EXPECT_TRUE(part(state, 0, "shown").empty());
  state.bet_to(90);
  state.apply(kCall);
  state.apply(kFold);
  state = play_through(state, {});
  EXPECT_EQ(part(state, 0, "shown").size(), 10U);
  EXPECT_EQ(state.hands_finished(), 1);
  EXPECT_EQ(state.last_hand().net, (std::array<Chips, kMaxSeats>{-10, 110, -100}));
  EXPECT_EQ(state.statistics(1)[4].numerator, 1) << "won";
  state.next_hand();
  EXPECT_TRUE(part(state, 0, "shown").empty() && part(state, 0, "showdown").empty());
  EXPECT_EQ(state.statistics(1)[4].denominator, 0);
  EXPECT_TRUE(state.is_out(2));
  EXPECT_EQ(state.chips(0), 90);
  EXPECT_EQ(state.chips(1), 210);
  EXPECT_EQ(state.dealer(), 1);
  EXPECT_EQ(state.reward(2), 0);
  EXPECT_EQ(state.return_of(2), -100);
}

// All players see Washizu cards, wherever they are dealt, drawn or discarded, and no other hidden card.
TEST(PokerEvents, WashizuCardsAreOpen) {
  for (const char* mix : {"replace_suit", "replace_random", "add"}) {
    const GameRules rules =
        rules_of(fmt::format("procedure: draw\nplayers: 4\nlimit: washizu\nstack: 20\nwashizu: {}\njokers: 1\n", mix));
    RandomStream rng(5);
    int open = 0, hidden = 0;
    std::set<std::vector<CardId>> taken_out;
    for (int hand = 0; hand < test::repetitions(200); ++hand) {
      State state;
      state.reset_and_hold(rules, rng.bits64());
      while (!state.hand_over()) state.apply_and_hold(test::random_action(state.legal_mask(), rng));
      const std::vector<Event> events = story(state);
      ASSERT_EQ(events.front().cards.size(), std::string_view(mix) == "replace_random" ? 13U : 0U);
      taken_out.insert(events.front().cards);
      for (const CardId card : events.front().cards)
        for (Seat seat = 0; seat < 4; ++seat)
          ASSERT_EQ(std::count(state.cards(seat).begin(), state.cards(seat).end(), card), 0);
      for (const Event& event : events) {
        if (event.kind != Kind::kDealt && event.kind != Kind::kDrew && event.kind != Kind::kDiscarded) continue;
        for (const Viewer viewer : {kSpectator, 0, 1, 2, 3}) {
          const std::optional<Event> seen = seen_by(event, viewer);
          ASSERT_TRUE(seen);
          ASSERT_EQ(seen->count, static_cast<int>(event.cards.size()));
          std::vector<CardId> expected = event.cards;
          if (viewer != event.seat) std::erase_if(expected, [&](CardId card) { return rules.is_opaque(card); });
          ASSERT_EQ(seen->cards, expected);
          open += viewer == kSpectator ? static_cast<int>(expected.size()) : 0;
          hidden += viewer == kSpectator ? static_cast<int>(event.cards.size() - expected.size()) : 0;
        }
      }
    }
    EXPECT_EQ(taken_out.size() > 1, std::string_view(mix) == "replace_random");
    EXPECT_GT(open, test::repetitions(200));
    EXPECT_GT(hidden, test::repetitions(200));
  }
}

TEST(PokerTable, HasNoBetsAtADraw) {
  const GameRules& rules = draw(2);
  State state = GivenHand(rules, {"2c 4d 6h 8s Tc", "Ks Kd 5h 7s 9c"}).play();
  const auto bets = [&] {
    const json table = table_json(state, 0);
    return json({table["players"][0]["bet"], table["players"][1]["bet"]});
  };
  state.apply(kFirstBet);
  EXPECT_EQ(bets(), json({0, rules.bets.size[0]}));
  state.apply(kCall);
  ASSERT_TRUE(state.drawing());
  EXPECT_EQ(bets(), json({0, 0}));
  EXPECT_EQ(table_json(state, 0)["players"][1]["paid"], rules.bets.size[0] + rules.bets.ante);
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
  GivenHand other(draw, {"Ks Kd Kh Qs 2c", "As 2d 3h 4c 5c"});
  EXPECT_NE(other.chips({100, 500})
                .bets(0, 1, 300)
                .bets(0, 0, 0)
                .play()
                .to_string(0)
                .find("\nstreet 0: 1 bets 300, 0 calls 99 all-in, 201 go back to 1\n"),
            std::string::npos);
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
  for (int round = 0; round < 4; ++round)
    for (const Seat seat : {round == 0 ? 0 : 1, round == 0 ? 1 : 2, round == 0 ? 2 : 0}) hand.bets(round, seat, 0);
  const State state = hand.play();
  // Hands that cannot win are mucked, and invisible.
  const json players = table_json(state, 1)["players"];
  EXPECT_EQ(players[0]["shown"], json::array());
  EXPECT_EQ(players[0]["cards"], json::array());
  EXPECT_EQ(players[1]["shown"], json({"Qd", "Qs"}));
  EXPECT_EQ(players[2]["shown"], json({"Kd", "Ks"}));
  const std::string text = state.to_string(1);
  EXPECT_TRUE(
      text.ends_with("\nseat 1 shows Qd Qs: two pair, queens and sevens\n"
                     "seat 2 shows Kd Ks: full house, kings over sevens\n"
                     "seat 0 mucks\n"
                     "seat 2 wins 30 with full house, kings over sevens\n"))
      << text;
}

}  // namespace
}  // namespace dealer::poker::story_test
