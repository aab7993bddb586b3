// What comes to showdowns: from events made by hand, and from games against what the table says of their ends.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "agents/agent.h"
#include "arena/match.h"
#include "arena/studies/court/showdown.h"
#include "env/core/registry.h"
#include "env/games/poker/game.h"

namespace dealer::studies::court::court_showdown_test {
namespace {

using Kind = Event::Kind;

const EvaluatorPtr kCourt = make_evaluator(Deck::make("court_extra_52"), Ranking::make("court_extra_52"));

class Told {
 public:
  Told& dealt(Seat seat, const std::string& cards) { return add(Kind::kDealt, seat, cards); }
  Told& drew(Seat seat, const std::string& out, const std::string& in) {
    return add(Kind::kDiscarded, seat, out).add(Kind::kDrew, seat, in);
  }
  Told& acted(Seat seat, const std::string& what) {
    add(Kind::kActed, seat, "");
    events_.back().what = what;
    return *this;
  }
  const std::vector<Event>& events() const { return events_; }

 private:
  Told& add(Kind kind, Seat seat, const std::string& cards) {
    Event event;
    event.kind = kind;
    event.seat = seat;
    event.cards = kCourt->deck().parse(cards);
    event.count = static_cast<int>(event.cards.size());
    events_.push_back(event);
    return *this;
  }
  std::vector<Event> events_;
};

std::vector<std::string> texts(const Told& told) {
  std::vector<std::string> list;
  for (std::vector<CardId>& hand : hands_at_showdown(told.events())) {
    std::sort(hand.begin(), hand.end());
    list.push_back(kCourt->deck().to_string(hand));
  }
  return list;
}

std::string sorted(const std::string& cards) {
  std::vector<CardId> hand = kCourt->deck().parse(cards);
  std::sort(hand.begin(), hand.end());
  return kCourt->deck().to_string(hand);
}

Told three_players() { return Told().dealt(0, "As Ah 3d 7c 9s").dealt(1, "2s 4h 6d 8c Ts").dealt(2, "5s 5h 5d Kc Qd"); }

TEST(CourtShowdown, IsOfTheLastHandsOfThoseStillIn) {
  using Words = std::vector<std::string>;
  Told told = three_players();
  EXPECT_EQ(texts(told), (Words{sorted("As Ah 3d 7c 9s"), sorted("2s 4h 6d 8c Ts"), sorted("5s 5h 5d Kc Qd")}));
  told.acted(0, "bet").acted(1, "fold").acted(2, "call").drew(0, "3d 7c 9s", "Ad Kh 2c").drew(2, "", "");
  EXPECT_EQ(texts(told), (Words{sorted("As Ah Ad Kh 2c"), sorted("5s 5h 5d Kc Qd")}));
  told.acted(2, "fold");
  EXPECT_EQ(texts(told), Words()) << "one alone shows nothing";
}

TEST(CourtShowdown, SharesAndWinsAreOfShowdowns) {
  ShowdownTally tally(kCourt);
  // Four times the same four deals.
  for (int deal = 0; deal < 16; deal += 4) {
    // Three of a kind beats a pair and no hand.
    tally.add(deal, three_players().events());
    // Two pairs tie, since hands of one category do, against no hand; one player folds a third.
    tally.add(deal + 1,
              Told().dealt(0, "As Ah 3d 7c 9s").dealt(1, "2s 2h 6d 8c Ts").dealt(2, "3s 4h 6h 8d Tc").events());
    // No showdown.
    tally.add(deal + 2, three_players().acted(0, "fold").acted(1, "fold").events());
    tally.add(deal + 3, three_players().acted(2, "fold").events());
  }
  const ShowdownFigures figures = tally.figures();
  EXPECT_DOUBLE_EQ(figures.reached.value, 0.75);
  EXPECT_EQ(figures.reached.count, 16);
  const auto non = static_cast<std::size_t>(*kCourt->ranking().find("NON"));
  const auto pair = static_cast<std::size_t>(*kCourt->ranking().find("P1"));
  const auto three = static_cast<std::size_t>(*kCourt->ranking().find("K3"));
  ASSERT_EQ(non, 0U);
  ASSERT_EQ(pair, 1U);
  // Eight hands: NON 3, P1 4, K3 1.
  EXPECT_DOUBLE_EQ(figures.categories[non].share.value, 3.0 / 8);
  EXPECT_DOUBLE_EQ(figures.categories[pair].share.value, 4.0 / 8);
  EXPECT_DOUBLE_EQ(figures.categories[three].share.value, 1.0 / 8);
  EXPECT_EQ(figures.categories[three].share.count, 32);
  EXPECT_DOUBLE_EQ(figures.categories[non].wins.value, 0);
  EXPECT_DOUBLE_EQ(figures.categories[pair].wins.value, (0 + 0.5 + 0.5 + 1) / 4);
  EXPECT_EQ(figures.categories[pair].wins.count, 16);
  EXPECT_DOUBLE_EQ(figures.categories[three].wins.value, 1);
  EXPECT_EQ(figures.categories[non].less.count, 0);
  EXPECT_DOUBLE_EQ(figures.categories[pair].less.value, -1.0 / 8);
  EXPECT_TRUE(figures.categories[pair].less.known());
  EXPECT_FALSE(figures.categories.back().wins.known()) << "never seen";
  EXPECT_DOUBLE_EQ(figures.categories.back().share.value, 0);
  EXPECT_NEAR(figures.categories.back().share.ci95, 1 - std::pow(0.05, 1.0 / 12), 1e-9) << "twelve showdowns";
  EXPECT_FALSE(figures.categories[three].wins.known()) << "four of its hands do not say much";
}

TEST(CourtShowdown, AgreesWithTheTable) {
  const GamePtr game = make_game("court_extra");
  ShowdownTally tally(kCourt);
  std::int64_t deals = 0, showdowns = 0;
  std::vector<double> won(kCourt->ranking().categories().size(), 0), seen = won;
  MatchOptions match;
  match.game = game;
  match.agents.assign(3, make_agents("random", game));
  match.deals = 300;
  match.duplicate = false;
  match.threads = 1;
  match.describe = [&](const PlayedHand& hand) {
    tally.add(hand.deal, hand.events);
    ++deals;
    const std::vector<std::vector<CardId>> hands = hands_at_showdown(hand.events);
    for (const auto& cards : hands) EXPECT_EQ(cards.size(), 5U);
    std::int64_t at_showdown = 0;
    std::vector<Seat> have_won;
    for (const Event& event : hand.events) {
      if (event.kind == Kind::kWon && !event.what.empty()) have_won.push_back(event.seat);
      if (event.kind == Kind::kShown || event.kind == Kind::kMucked) ++at_showdown;
      if (event.kind != Kind::kShown) continue;
      std::vector<CardId> cards = event.cards;
      std::sort(cards.begin(), cards.end());
      EXPECT_EQ(std::count_if(hands.begin(), hands.end(),
                              [&](std::vector<CardId> other) {
                                std::sort(other.begin(), other.end());
                                return other == cards;
                              }),
                1);
    }
    EXPECT_EQ(at_showdown, static_cast<std::int64_t>(hands.size()));
    showdowns += hands.empty() ? 0 : 1;
    for (const auto& cards : hands) ++seen[static_cast<std::size_t>(kCourt->category(kCourt->evaluate(cards)))];
    for (const Event& event : hand.events)
      if (event.kind == Kind::kShown && std::count(have_won.begin(), have_won.end(), event.seat) > 0)
        won[static_cast<std::size_t>(kCourt->category(kCourt->evaluate(event.cards)))] +=
            1 / static_cast<double>(have_won.size());
    return std::string();
  };
  match.log = [](std::string_view) {};
  play_match(match);
  EXPECT_EQ(deals, 300);
  EXPECT_GT(showdowns, 30);
  EXPECT_LT(showdowns, 300);
  const ShowdownFigures figures = tally.figures();
  EXPECT_NEAR(figures.reached.value, static_cast<double>(showdowns) / 300, 1e-12);
  const double all = std::accumulate(seen.begin(), seen.end(), 0.0);
  for (std::size_t c = 0; c < seen.size(); ++c) {
    EXPECT_NEAR(figures.categories[c].share.value, seen[c] / all, 1e-12) << c;
    if (seen[c] == 0) continue;
    EXPECT_NEAR(figures.categories[c].wins.value, won[c] / seen[c], 1e-9) << c;
  }
}

}  // namespace
}  // namespace dealer::studies::court::court_showdown_test
