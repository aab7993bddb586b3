// What comes to showdowns: from events made by hand, and from games against what the table says of their ends.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "agents/agent.h"
#include "arena/match.h"
#include "arena/studies/court/showdown.h"
#include "arena/studies/run.h"
#include "env/core/registry.h"
#include "env/games/poker/game.h"
#include "tests/arena/studies/figure_support.h"
#include "tests/support/temp_folder.h"

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
  ShowdownCounter counter(kCourt);
  // Four times the same four deals.
  for (int deal = 0; deal < 16; deal += 4) {
    // Three of a kind beats a pair and no hand.
    counter.add(deal, three_players().events());
    // Two pairs tie, since hands of one category do, against no hand; one player folds a third.
    counter.add(deal + 1,
                Told().dealt(0, "As Ah 3d 7c 9s").dealt(1, "2s 2h 6d 8c Ts").dealt(2, "3s 4h 6h 8d Tc").events());
    // No showdown.
    counter.add(deal + 2, three_players().acted(0, "fold").acted(1, "fold").events());
    counter.add(deal + 3, three_players().acted(2, "fold").events());
  }
  const Figure& f = counter.figures();
  // Eight hands: NON 3, P1 4, K3 1.
  test::expect_figures(f, R"(
    : reached=0.75*16
    categories/NON: share=3/8 wins=0 less=0*0
    categories/P1: share=4/8 wins=0.5*16 less=-1/8
    categories/K3: share=1/8*32 wins=1
  )");
  EXPECT_TRUE(f.estimate("categories/P1/less").known());
  EXPECT_FALSE(f.estimate("categories/-1/wins").known()) << "never seen";
  EXPECT_DOUBLE_EQ(f.estimate("categories/-1/share").value, 0);
  EXPECT_NEAR(f.estimate("categories/-1/share").ci95, 1 - std::pow(0.05, 1.0 / 12), 1e-9) << "twelve showdowns";
  EXPECT_FALSE(f.estimate("categories/K3/wins").known()) << "four of its hands do not say much";
}

TEST(CourtShowdown, AgreesWithTheTable) {
  const GamePtr game = make_game("court_extra");
  ShowdownCounter counter(kCourt);
  std::int64_t deals = 0, showdowns = 0;
  std::vector<double> won(kCourt->ranking().categories().size(), 0), seen = won;
  MatchOptions match;
  match.game = game;
  match.agents.assign(3, make_agents("random", game));
  match.deals = 300;
  match.duplicate = false;
  match.threads = 1;
  match.describe = [&](const PlayedHand& hand) {
    counter.add(hand.deal, hand.events);
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
  const Figure& figures = counter.figures();
  EXPECT_NEAR(figures.estimate("reached").value, static_cast<double>(showdowns) / 300, 1e-12);
  const double all = std::accumulate(seen.begin(), seen.end(), 0.0);
  for (std::size_t c = 0; c < seen.size(); ++c) {
    EXPECT_NEAR(figures["categories"][c].estimate("share").value, seen[c] / all, 1e-12) << c;
    if (seen[c] == 0) continue;
    EXPECT_NEAR(figures["categories"][c].estimate("wins").value, won[c] / seen[c], 1e-9) << c;
  }
}

TEST(CourtStudy, ComesToWhatItDid) {
  const test::TempFolder folder;
  const StudyOutcome outcome = run_study(read_study("court", {"games=['court_extra[players=2]', court_extra, draw]",
                                                              "agent=random", "deals=40", "samples=50"}),
                                         folder.path());
  test::expect_recorded("court", outcome.results["figures"]);
}

}  // namespace
}  // namespace dealer::studies::court::court_showdown_test
