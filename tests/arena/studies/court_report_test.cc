// Showdown statistics: from hand-made events, and from games against the table's own results. Conclusions from
// hand-made figures, and their page.
#include "arena/studies/court/report.h"
#include "arena/studies/court/showdown.h"
#include "env/games/poker/game.h"
#include "tests/arena/studies/court_support.h"

namespace dealer::studies::court::court_report_test {
namespace {

using namespace test;
using Kind = Event::Kind;

const EvaluatorPtr kCourt = make_evaluator(Deck::make("court_extra_52"), Ranking::make("court_extra_52"));

class EventList {
 public:
  EventList& dealt(Seat seat, const std::string& cards) { return add(Kind::kDealt, seat, cards); }
  EventList& drew(Seat seat, const std::string& out, const std::string& in) {
    return add(Kind::kDiscarded, seat, out).add(Kind::kDrew, seat, in);
  }
  EventList& acted(Seat seat, const std::string& what) {
    add(Kind::kActed, seat, "");
    events_.back().what = what;
    return *this;
  }
  const std::vector<Event>& events() const { return events_; }

 private:
  EventList& add(Kind kind, Seat seat, const std::string& cards) {
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

Words texts(const EventList& played) {
  Words list;
  for (std::vector<CardId>& hand : hands_at_showdown(played.events())) {
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

EventList three_players() {
  return EventList().dealt(0, "As Ah 3d 7c 9s").dealt(1, "2s 4h 6d 8c Ts").dealt(2, "5s 5h 5d Kc Qd");
}

TEST(CourtShowdown, IsOfTheLastHandsOfThoseStillIn) {
  EventList played = three_players();
  EXPECT_EQ(texts(played), (Words{sorted("As Ah 3d 7c 9s"), sorted("2s 4h 6d 8c Ts"), sorted("5s 5h 5d Kc Qd")}));
  played.acted(0, "bet").acted(1, "fold").acted(2, "call").drew(0, "3d 7c 9s", "Ad Kh 2c").drew(2, "", "");
  EXPECT_EQ(texts(played), (Words{sorted("As Ah Ad Kh 2c"), sorted("5s 5h 5d Kc Qd")}));
  played.acted(2, "fold");
  EXPECT_EQ(texts(played), Words()) << "one alone shows nothing";
}

TEST(CourtShowdown, SharesAndWinsAreOfShowdowns) {
  ShowdownCounter counter(kCourt);
  // Four times the same four deals.
  for (int deal = 0; deal < 16; deal += 4) {
    // Three of a kind beats a pair and no hand.
    counter.add(deal, three_players().events());
    // Two pairs tie, since hands of one category do, and beat no hand; one player folds a third.
    counter.add(deal + 1,
                EventList().dealt(0, "As Ah 3d 7c 9s").dealt(1, "2s 2h 6d 8c Ts").dealt(2, "3s 4h 6h 8d Tc").events());
    // No showdown.
    counter.add(deal + 2, three_players().acted(0, "fold").acted(1, "fold").events());
    counter.add(deal + 3, three_players().acted(2, "fold").events());
  }
  const Figure& f = counter.figures();
  // Eight hands: NON 3, P1 4, K3 1.
  expect_figures(f, R"(
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
  ShowdownCounter counter(kCourt);
  std::int64_t showdowns = 0;
  std::vector<double> won(kCourt->ranking().categories().size(), 0), seen = won;
  MatchOptions options = match("court_extra", {"random", "random", "random"}, 300);
  options.duplicate = false;
  options.threads = 1;
  options.describe = [&](const PlayedHand& hand) {
    counter.add(hand.deal, hand.events);
    std::vector<std::vector<CardId>> hands = hands_at_showdown(hand.events);
    for (auto& cards : hands) std::sort(cards.begin(), cards.end());
    std::size_t at_showdown = 0;
    std::vector<Seat> have_won;
    for (const Event& event : hand.events) {
      if (event.kind == Kind::kWon && !event.what.empty()) have_won.push_back(event.seat);
      if (event.kind == Kind::kShown || event.kind == Kind::kMucked) ++at_showdown;
      if (event.kind != Kind::kShown) continue;
      std::vector<CardId> shown = event.cards;
      std::sort(shown.begin(), shown.end());
      EXPECT_EQ(std::count(hands.begin(), hands.end(), shown), 1);
    }
    EXPECT_EQ(at_showdown, hands.size());
    showdowns += hands.empty() ? 0 : 1;
    for (const auto& cards : hands) ++seen[at(kCourt->category(kCourt->evaluate(cards)))];
    for (const Event& event : hand.events)
      if (event.kind == Kind::kShown && std::count(have_won.begin(), have_won.end(), event.seat) > 0)
        won[at(kCourt->category(kCourt->evaluate(event.cards)))] += 1 / static_cast<double>(have_won.size());
    return std::string();
  };
  options.log = [](std::string_view) {};
  EXPECT_EQ(play_match(options).deals, 300);
  EXPECT_TRUE(30 < showdowns && showdowns < 300) << showdowns;
  const Figure& figures = counter.figures();
  EXPECT_NEAR(figures.estimate("reached").value, static_cast<double>(showdowns) / 300, 1e-12);
  const double all = std::accumulate(seen.begin(), seen.end(), 0.0);
  for (std::size_t c = 0; c < seen.size(); ++c) {
    EXPECT_NEAR(figures["categories"][c].estimate("share").value, seen[c] / all, 1e-12) << c;
    if (seen[c] > 0) {
      EXPECT_NEAR(figures["categories"][c].estimate("wins").value, won[c] / seen[c], 1e-9) << c;
    }
  }
}

TEST(CourtStudy, ComesToWhatItDid) {
  expect_recorded("court", "games=['court_extra[players=2]',court_extra,draw] agent=random deals=40 samples=50");
}

// Two decks, the second a prototype of the first; a game of the first with showdowns.
Figures made_by_hand() {
  Figures figures;
  figures.decks = {deck_with("pasteboard", {0.5, 0.3, 0.2}, {0.2, 0.5, 0.3}),
                   deck_with("pasteboard_early", {0.3, 0.5, 0.2}, {0.5, 0.3, 0.2})};
  figures.decks[0].swapped = {{0, 1}, {0, 2}};
  figures.decks[0].discarded = {0.125, 0.5, 0.25, 0.125, 0, 0};
  figures.decks[0].strength_dealt = 0.5;
  figures.decks[0].strength = 0.6875;
  Figure categories = list();
  const auto category = [&](const char* code, double share, const Estimate& less) {
    categories.push_back(object({{"code", value(code)},
                                 {"share", Figure({share, 0.02, 400}, Unit::kPercent)},
                                 {"wins", Figure({share, 0.03, 400}, Unit::kPercent)},
                                 {"less", Figure(less, Unit::kPercentagePoints)}}));
  };
  category("NON", 0.3, {});
  category("P1", 0.2, {0.1, 0.02, 800});
  category("P2", 0.5, {-0.3, 0.04, 800});
  figures.games.push_back(object({{"game", value("slips[players=2]")},
                                  {"deck", value("pasteboard")},
                                  {"players", value(2)},
                                  {".deck", value(0)},
                                  {"reached", Figure({0.5, 0.01, 400}, Unit::kPercent)},
                                  {"categories", categories}}));
  return figures;
}

Subject subject_of(const Figures& figures) {
  Subject subject{"court", "slips", "my<\"agent\">&", 20, 40, 1, "0.1"};
  for (std::size_t g = 0; g < figures.games.size(); ++g)
    subject.games.push_back({figures.games[g].text("game"), "my<\"agent\">&", 40});
  return subject;
}

TEST(CourtConclusions, SayWhatTheFiguresSay) {
  const Words said = conclusions_of(made_by_hand()),
              expected =
                  lines_of(replaced(R"(The best balanced ranking is pasteboard (none among 3 categories) as dealt.
The best balanced ranking is pasteboard_early (none among 3 categories) after one draw.
If all verdicts count alike, pasteboard (0 of 3) as dealt and pasteboard_early (0 of 3) after the draw have the @
smallest share of categories with one.
The draw changes which hands are rare: it reorders the categories of 1 of 2 Court rankings. A stronger category is @
more common than a weaker one in 1 of them as dealt and in 1 after the draw.
pasteboard and its prototypes: as dealt the best balanced is pasteboard (none), then pasteboard_early (1 XXX, 1 X); @
after the draw it is pasteboard_early (none), then pasteboard (1 XXX, 1 X).
Showdowns have other odds: the weakest category makes up 30.0% of the hands there and 20.0% of all hands after the @
best draw. In 1 of 1 Court game some category was more common at showdowns than the next weaker one.
pasteboard: the verdicts are none as dealt and 1 XXX, 1 X after the draw; after the draw hand 1 comes more often than @
hand 0, hand 2 than hand 0; at showdowns hand 2 comes more often than hand 1 (1 of 1 game).
pasteboard_early: the verdicts are 1 XXX, 1 X as dealt and none after the draw; as dealt hand 1 comes more often than @
hand 0.)",
                                    "@\n", ""));
  EXPECT_EQ(said, expected);
}

TEST(CourtConclusions, FollowTheFigures) {
  Figures figures = made_by_hand();
  // Ties are named together.
  figures.decks[1] = deck_with("pasteboard_early", {0.5, 0.3, 0.2}, {0.5, 0.3, 0.2});
  Words said = conclusions_of(figures);
  EXPECT_EQ(said[0],
            "The best balanced rankings are pasteboard (none among 3 categories) and pasteboard_early (none among 3 "
            "categories) as dealt.");
  EXPECT_TRUE(has(said[4], "is pasteboard (none) tied with pasteboard_early (none); after"));
  // Differences within their interval are not reported.
  set(figures.games, "0/categories/2/less", {-0.3, 0.31, 800});
  EXPECT_EQ(contradictions_seen(figures.games[0], figures.decks[0]), "");
  said = conclusions_of(figures);
  EXPECT_TRUE(has(said[5], "In 0 of 1 Court game"));
  EXPECT_FALSE(has(said[6], "showdowns"));
  // Nor are categories seen nine times; ten are enough.
  const auto category = [](double count) {
    return object({{"share", Figure({0.01, 0.005, count}, Unit::kPercent)},
                   {"less", Figure({-0.01, 0.005, 1800}, Unit::kPercentagePoints)}});
  };
  EXPECT_FALSE(seen_against(category(900)));
  EXPECT_TRUE(seen_against(category(1000)));
  // Verdicts after sampled draws are no conclusions; contradictions are if they are clear of their intervals.
  Figures sampled = made_by_hand();
  for (DeckOdds& deck : sampled.decks) deck.samples = 100;
  said = conclusions_of(sampled);
  EXPECT_FALSE(has(said[1], "after one draw")) << said[1];
  EXPECT_TRUE(said[1].ends_with("pasteboard (0 of 3) as dealt has the smallest share of categories with one."));
  EXPECT_TRUE(has(said[5], "the verdicts are none as dealt; after the draw hand 1 comes more often")) << said[5];
  std::vector<Step> steps = steps_of(std::vector{0.5, 0.2, 0.3});
  EXPECT_EQ(contradictions_of(steps).size(), 1U);
  steps[1].ci95 = 0.04, steps[2].ci95 = 0.05;
  EXPECT_EQ(contradictions_of(steps).size(), 1U);
  steps[2].ci95 = 0.07;
  EXPECT_EQ(contradictions_of(steps).size(), 0U);
  // Decks for comparison are neither candidates nor counted.
  for (DeckOdds& deck : figures.decks) deck.court = false;
  said = conclusions_of(figures);
  EXPECT_TRUE(said[0].starts_with("pasteboard and its prototypes")) << said[0];
  EXPECT_TRUE(said[1].starts_with("pasteboard, for comparison: the verdicts are none")) << said[1];
  EXPECT_TRUE(conclusions_of({}).empty());
}

TEST(CourtConclusions, NamePairsByTheStronger) {
  const DeckOdds deck = deck_with("a", {0.1, 0.2, 0.3, 0.4}, {0.4, 0.3, 0.2, 0.1});
  EXPECT_EQ(
      text_of(deck.dealt.contradictions, deck),
      "hand 1 comes more often than hand 0, hand 2 than hand 0 and hand 1, hand 3 than hand 0, hand 1 and hand 2");
  EXPECT_EQ(text_of(deck.drawn.contradictions, deck), "");
  EXPECT_EQ(text_of(Verdicts{9, 1, 2, 3}), "1 XXX, 2 XX, 3 X");
  EXPECT_EQ(text_of(Verdicts{9, 0, 0, 0}), "none");
  EXPECT_EQ(contradictions_seen(made_by_hand().games[0], made_by_hand().decks[0]),
            "hand 2 comes more often than hand 1 by 30 ± 4 percentage points");
}

TEST(CourtFigures, AreInTheJson) {
  const auto json = to_json(made_by_hand());
  EXPECT_EQ(json["best_balanced"].dump(), R"({"dealt":["pasteboard"],"drawn":["pasteboard_early"]})");
  const auto& deck = json["decks"][0];
  const Json drawn = Json::parse(R"([["NON", "P1"], ["NON", "P2"]])");
  expect_members(deck, {{"contradictions", {{"dealt", Json::array()}, {"drawn", drawn}}},
                        {"swapped", drawn},
                        {"strength", {{"dealt", 0.5}, {"drawn", 0.6875}}},
                        {"discarded", {0.125, 0.5, 0.25, 0.125, 0.0, 0.0}}});
  EXPECT_EQ(deck["verdicts"]["drawn"].dump(), R"({"categories":3,"xxx":1,"xx":0,"x":1})");
  expect_members(deck["categories"][1], {{"code", "P1"}, {"count", 300}});
  expect_members(deck["categories"][1]["drawn"], {{"share", 0.5}, {"verdict", "XXX"}, {"place", 1}});
  EXPECT_EQ(deck["categories"][1]["dealt"]["place"], 2);
  const auto& game = json["games"][0];
  expect_members(game, {{"deck", "pasteboard"}, {"players", 2}});
  EXPECT_EQ(game["categories"][2]["less"]["value"], -0.3);
  EXPECT_TRUE(game["categories"][0]["less"]["value"].is_null());
  Figures unknown = made_by_hand();
  unknown.decks[0].drawn.steps[0] = {};
  unknown.decks[0].drawn.steps[0].ci95 = std::numeric_limits<double>::infinity();
  const auto step = to_json(unknown)["decks"][0]["categories"][0]["drawn"];
  for (const char* key : {"ci95", "rarity", "ratio"}) EXPECT_TRUE(step[key].is_null()) << key;
}

TEST(CourtReport, WritesSharesWithThreeDigits) {
  for (const auto& [share, text] : {std::pair(0.560631, "56.1%"),
                                    {1, "100%"},
                                    {0.0509, "5.09%"},
                                    {0, "0%"},
                                    {0.0000031618, "0.000316%"},
                                    {8.5e-7, "0.0000850%"}})
    EXPECT_EQ(share_text(share), text);
}

TEST(CourtReport, PicturesTellTheOrders) {
  const std::string picture = picture_of_orders(made_by_hand().decks[0]);
  EXPECT_TRUE(has(picture,
                  "The ranking: NON P1 P2. From common to rare as dealt: NON P1 P2. After the draw: P1 P2 "
                  "NON."));
  // Two categories move up by the draw; the other line there and the three before it do not.
  const auto lines = [&](const std::string& look) { return count(picture, "class=\"" + look + "\"/>"); };
  EXPECT_EQ(lines("second"), 2);
  EXPECT_EQ(lines("whisker"), 4);
}

TEST(CourtReport, IsOneWellFormedPageByItself) {
  for (const Figures& figures : {Figures(), made_by_hand()}) {
    const std::string page = report_of(subject_of(figures), figures);
    // Verdicts; the orders of each deck; showdowns.
    expect_page(page, figures.decks.empty() ? 1 : 4);
  }
  const std::string page = report_of(subject_of(made_by_hand()), made_by_hand());
  const std::size_t first = page.find("</strong>The best balanced ranking is pasteboard ");
  ASSERT_NE(first, std::string::npos);
  EXPECT_LT(first, page.find("<h2>"));
  EXPECT_TRUE(has(page, "Hands by number of cards discarded: 0: 12.5%, 1: 50.0%, 2: 25.0%"));
  EXPECT_TRUE(has(page, "from 50.0% to 68.8%"));
  EXPECT_TRUE(has(page, "2 players, my&lt;&quot;agent&quot;&gt;&amp;: 50.0\u00a0±\u00a01.0% of hands come to a"));
  EXPECT_TRUE(has(page, "hand 2 comes more often than hand 1 by 30\u00a0±\u00a04 percentage points."));
}

// The same game by two agents.
TEST(CourtReport, TellsGamesApartByWhoPlays) {
  Figures figures = made_by_hand();
  figures.games.push_back(Figure(figures.games[0]));
  Subject subject = subject_of(figures);
  subject.games[1].agent = "rule";
  const std::string page = report_of(subject, figures);
  EXPECT_TRUE(has(page, ">2 players, rule</text>"));
  EXPECT_FALSE(has(page, ">2 players</text>"));
}

TEST(CourtReport, SaysWhetherAllHandsWereCounted) {
  Figures figures = made_by_hand();
  const std::string counted = report_of(subject_of(figures), figures);
  EXPECT_TRUE(has(counted, "2 rankings, all hands counted;"));
  EXPECT_TRUE(has(counted, "all draws are counted"));
  for (DeckOdds& deck : figures.decks) deck.samples = 700;
  const std::string sampled = report_of(subject_of(figures), figures);
  EXPECT_FALSE(has(sampled, "all hands counted;"));
  EXPECT_FALSE(has(sampled, "all draws are counted"));
  EXPECT_TRUE(has(sampled, "all draws of 700 random hands"));
}

}  // namespace
}  // namespace dealer::studies::court::court_report_test
