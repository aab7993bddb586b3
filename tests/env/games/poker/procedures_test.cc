// Drawing, Washizu poker, stud, hold'em, offered bets, statistics, events (docs/rules).
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "env/core/at.h"
#include "tests/env/games/poker/table.h"
#include "tests/env/harness/game_harness.h"

namespace dealer::poker::procedures_test {
namespace {

// Checks, calls and stands pat.
void pass(State& state) { state.apply(state.drawing() ? state.rules().first_discard() : kCall); }

// Up cards by seat, the others arbitrary; all players have checked before the last of them.
State up_cards(const GameRules& rules, const std::vector<std::string>& up, int dealer = 0,
               const std::vector<Chips>& chips = {}) {
  Script script;
  script.dealer = dealer;
  script.in = static_cast<SeatSet>((1U << rules.players) - 1);
  std::fill_n(script.chips.begin(), rules.players, rules.stack);
  std::copy(chips.begin(), chips.end(), script.chips.begin());
  for (std::size_t seat = 0; seat < up.size(); ++seat) {
    const std::vector<CardId> cards = rules.deck->parse(up[seat]);
    for (std::size_t i = 0; i < cards.size(); ++i) {
      script.player[seat].up[i].push_back(cards[i]);
      if (i > 0) script.player[seat].bets[i - 1].push_back({kCall, 0});
    }
  }
  script.seed = 3;
  fill(rules, script);
  return play_script(rules, script);
}

// A statistic of the hand by seat, "1/1 0/1": numerator and denominator of each.
std::string figures(const State& state, const std::string& name) {
  std::string text;
  for (Seat seat = 0; seat < state.rules().players; ++seat) {
    const Statistics all = state.statistics(seat);
    const auto found = std::find_if(all.begin(), all.end(), [&](const Statistic& each) { return each.name == name; });
    if (found == all.end()) return "no statistic " + name;
    text += fmt::format("{}{}/{}", seat > 0 ? " " : "", found->numerator, found->denominator);
  }
  return text;
}

// Rules, cards and actions in one line: parts separated by " / ", each beginning with a keyword.
//   rules procedure: draw; players: 3    cards As Kd, Qs Qd    up As, 3d, 2h    board Kc 7d    chips 10 20    dealer 2
//   play c f b =40 d2h6d                 call, check or stand pat; fold; the first bet; bet to 40; discard these
//   seen by 2    from 1                  the events of seat 2, from street 1 on; -1: the spectator
std::string play(const std::string& text) {
  std::map<std::string, std::string> part;
  for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 3) {
    end = text.find(" / ", begin);
    const std::string all = text.substr(begin, end == std::string::npos ? end : end - begin);
    part[all.substr(0, all.find(' '))] = all.substr(all.find(' ') + 1);
  }
  const auto list = [&](const char* name, const std::string& separator) {
    std::vector<std::string> items;
    std::string rest = part[name];
    for (std::size_t end; (end = rest.find(separator)) != std::string::npos; rest.erase(0, end + separator.size()))
      if (end > 0) items.push_back(rest.substr(0, end));
    if (!rest.empty() && rest != " ") items.push_back(rest);
    return items;
  };
  const GameRules rules = rules_of(fmt::format("{}\n", fmt::join(list("rules", "; "), "\n")));
  const int dealer = part.contains("dealer") ? std::stoi(part["dealer"]) : 0;
  std::vector<Chips> chips;
  for (const std::string& number : list("chips", " ")) chips.push_back(std::stoi(number));
  GivenHand hand(rules, list("cards", ", "), part["board"]);
  hand.dealer(dealer).chips(chips);
  State state = part.contains("up") ? up_cards(rules, list("up", ", "), dealer, chips) : hand.play();
  std::string observed;
  for (const std::string& word : list("play", " ")) {
    const Seat seat = state.current_player();
    observed += fmt::format("{}{} ", seat, state.drawing() ? "d" : "");
    if (part.contains("up")) {
      state.apply_and_hold(word == "f" ? kFold : word == "b" ? kFirstBet : kCall);
      continue;
    }
    const auto drawn = state.view(seat).own().drawn;
    if (state.drawing())
      hand.discards(seat, word[0] == 'd' ? word.substr(1) : "",
                    static_cast<int>(std::count_if(drawn.begin(), drawn.end(), [](int n) { return n >= 0; })));
    else
      hand.bets(state.bets().round(), seat,
                word == "f"      ? -1
                : word == "c"    ? 0
                : word[0] == '=' ? std::stoi(word.substr(1))
                                 : state.choice(kFirstBet).amount.low);
    state = hand.play();
  }
  if (part.contains("seen"))
    return fmt::format("{}", fmt::join(lines(state, std::stoi(part["seen"].substr(3)),
                                             part.contains("from") ? std::stoi(part["from"]) : 0),
                                       " | "));
  if (state.hand_over()) {
    for (Seat seat = 0; seat < rules.players; ++seat) observed += fmt::format("{:+} ", state.last_hand().net[at(seat)]);
    for (const char* name : {"vpip", "pfr", "showdown"}) observed += fmt::format("{} {} ", name, figures(state, name));
    return observed.substr(0, observed.size() - 1);
  }
  observed += fmt::format("{} to act:", state.current_player());
  if (state.drawing()) return observed + " draw";
  for (LegalMask legal = state.legal_mask(); legal != 0; legal &= legal - 1)
    observed += fmt::format(" {},", state.choice(std::countr_zero(legal)).text);
  const AmountRange range = state.amount_range();
  return observed + (range.low == range.high ? "" : fmt::format(" {} to {}", range.low, range.high));
}

TEST(PokerHands, GoAsRecorded) { test::check_cases("poker.hands", play); }

TEST(Draw, TheThirtyTwoDiscardsAreTheSubsetsOfTheSortedHand) {
  const GameRules rules = rules_of("procedure: draw\n");
  State state = GivenHand(rules, {"", "As 2c Th 9d 9s"}).play();
  while (!state.drawing()) pass(state);
  const Action first = rules.first_discard();
  EXPECT_EQ(state.legal_mask(), ((std::uint64_t{1} << 32) - 1) << first);
  // Sorted by index: 2c 9s 9d Th As.
  for (const auto& [set, text] : {std::pair(0b00000, "stand pat"),
                                  {0b00001, "discard 2c"},
                                  {0b11000, "discard As Th"},
                                  {0b00110, "discard 9d 9s"}})
    EXPECT_EQ(state.choice(first + set).text, text);
  state.apply(first + 0b11001);
  const std::string cards = text_of(rules, state.cards(1));
  for (const char* kept : {"9d", "9s"}) EXPECT_NE(cards.find(kept), std::string::npos);
  for (const char* discarded : {"As", "Th", "2c"}) EXPECT_EQ(cards.find(discarded), std::string::npos);
  const View other = state.view(0);
  EXPECT_EQ(other.player[1].drawn[0], 3);
  EXPECT_TRUE(other.player[1].discarded[0].empty());
  EXPECT_EQ(state.view(1).own().discarded[0].size(), 3U);
}

TEST(Draw, AnAllInPlayerStillDraws) {
  const GameRules rules = rules_of("procedure: draw\nplayers: 2\nlimit: no_limit\nmin_bet: 10\nstack: 100\n");
  State state;
  state.reset(rules, 1);
  state.bet_to(90);
  state.apply(kCall);
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(state.drawing());
    state.apply(rules.first_discard() + 31);
  }
  EXPECT_TRUE(state.hand_over());
}

TEST(Draw, BetSizes) {
  for (const auto& [text, sizes] : {std::pair<std::string, std::vector<Chips>>("", {10, 20}),
                                    {"draws: 2\n", {10, 20, 20}},
                                    {"draws: 3\n", {10, 10, 20, 20}},
                                    {"betting_before_draw: false\n", {20}},
                                    {"limit: no_limit\n", {100, 100}}}) {
    const GameRules rules = rules_of("procedure: draw\n" + text);
    EXPECT_EQ(std::vector<Chips>(rules.bets.size.begin(), rules.bets.size.begin() + rules.rounds), sizes) << text;
  }
}

TEST(Washizu, TransparentCardsAreSeenByAllBeforeAndAfterTheDraw) {
  const GameRules rules = rules_of("procedure: draw\nplayers: 3\nlimit: washizu\nwashizu: add\njokers: 1\n");
  State state = GivenHand(rules, {"2s 3s 4s 5s 7d", "Aw Kw 2c 3c 4c", "X1 5w 6s 7s 8s"}).play();
  ASSERT_TRUE(state.drawing()) << "Washizu poker has no betting before the draw";
  const auto text = [&](const std::vector<SeenCard>& cards) {
    std::vector<CardId> ids;
    for (const SeenCard& card : cards) ids.push_back(card.card);
    return text_of(rules, ids);
  };
  const auto seen = [&](Seat observer, std::size_t owner) { return text(state.view(observer).player[owner].cards); };
  EXPECT_EQ(seen(0, 1), "Kw Aw");
  EXPECT_EQ(seen(1, 2), "5w");
  EXPECT_EQ(seen(2, 0), "");
  // Seat 1 discards its king and a deuce: the king is visible, of the deuce only that a second card was discarded.
  Action mask = 0;
  for (std::size_t i = 0; i < 5; ++i)
    if (const std::string card = rules.deck->to_string(state.cards(1)[i]); card == "Kw" || card == "2c") mask |= 1 << i;
  state.apply(rules.first_discard() + mask);
  const View view = state.view(0);
  EXPECT_EQ(view.player[1].drawn[0], 2);
  EXPECT_EQ(text(view.player[1].discarded[0]), "Kw");
}

TEST(Washizu, TheMatchEndsAfterFiveHands) {
  const GameRules rules =
      rules_of("procedure: draw\nplayers: 6\nlimit: washizu\nepisode: match\njokers: 1\nwashizu: replace_random\n");
  EXPECT_EQ(rules.match_hands, 5);
  EXPECT_EQ(rules.stack, 20);
  EXPECT_EQ(rules.bets.ante, 1);
  EXPECT_TRUE(rules.show_all);
  EXPECT_EQ(rules.bets.odd_chips, betting::OddChips::kDiscard);
  State state;
  state.reset(rules, 3);
  while (state.current_player() != kTerminal) pass(state);
  EXPECT_EQ(state.hands_finished(), 5);
}

TEST(Washizu, TheMostChipsWinTheMatchAndEqualLeadersShareIt) {
  const GameRules rules = rules_of("procedure: draw\nplayers: 3\nlimit: washizu\nepisode: match\nmatch_hands: 1\n");
  for (const auto& [second, shares] : {std::pair("Ks Kd 5h 7s 9c", std::vector<double>{1, 0, 0}),
                                       {"Ah Ac 3c 6c 9s", std::vector<double>{0.5, 0.5, 0}}}) {
    State state = GivenHand(rules, {"As Ad 3h 6s 9d", second, "2c 4d 6h 8s Tc"}).play();
    while (state.current_player() != kTerminal) pass(state);
    for (Seat seat = 0; seat < 3; ++seat) {
      const Statistics figures = state.statistics(seat);
      EXPECT_EQ(figures[figures.size() - 1].numerator, shares[static_cast<std::size_t>(seat)]) << second;
    }
  }
}

State to_street(State state, int street) {
  while (state.street() < street) state.apply(kCall);
  return state;
}

TEST(Stud, EightPlayersShareTheLastCardUnlessEnoughHaveFolded) {
  const GameRules rules = rules_of("procedure: stud\nplayers: 8\n");
  for (const int folds : {0, 4}) {
    State state = up_cards(rules, {});
    for (int i = 0; i < folds; ++i) state.apply(kFold);
    state = to_street(state, 4);
    EXPECT_EQ(state.board().size(), folds == 0 ? 1U : 0U);
    EXPECT_EQ(state.view(0).board.size(), state.board().size());
    for (Seat seat = 0; seat < 8; ++seat)
      EXPECT_EQ(state.cards(seat).size(), folds == 0 ? 6U : state.bets().is_live(seat) ? 7U : 3U);
  }
}

}  // namespace
}  // namespace dealer::poker::procedures_test
