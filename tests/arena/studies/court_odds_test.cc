// The odds of a deck as dealt and after the draw, their verdicts, and the choice of the best balanced ranking.
#include "arena/studies/court/figures.h"
#include "arena/studies/court/odds.h"
#include "arena/studies/court/odds_file.h"
#include "env/hands/census.h"
#include "env/hands/draw_odds.h"
#include "tests/arena/studies/court_support.h"

namespace dealer::studies::court::court_odds_test {
namespace {

using namespace test;
using Shares = std::vector<double>;

std::string verdicts(const std::vector<Step>& steps) {
  std::string list;
  for (const Step& step : steps) list += step.verdict + ' ';
  return list;
}

std::vector<int> places(const std::vector<Step>& steps) {
  std::vector<int> list;
  for (const Step& step : steps) list.push_back(step.place);
  return list;
}

TEST(CourtSteps, AreSeenFromTheNextWeakerCategory) {
  //                                       ratio 2    4      0.5   -  1.02    1.08      1.5    100
  const std::vector<Step> steps = steps_of(Shares{0.5, 0.125, 0.25, 0, 0.245, 0.22685, 0.151, 0.00151});
  EXPECT_EQ(verdicts(steps), " X XXX  XX X  X ");
  EXPECT_EQ(places(steps), (std::vector<int>{1, 6, 2, 8, 3, 4, 5, 7}));
  EXPECT_DOUBLE_EQ(*steps[0].ratio, 2);
  EXPECT_DOUBLE_EQ(*steps[1].ratio, 4);
  EXPECT_DOUBLE_EQ(*steps[1].rarity, std::log10(8));
  EXPECT_FALSE(steps[3].ratio || steps[3].rarity);
  EXPECT_NEAR(*steps[4].ratio, 0.25 / 0.245, 1e-12) << "what never occurs is left out";
  // A wide step between rare hands is not penalised.
  EXPECT_EQ(verdicts(steps_of(Shares{0.9, 0.0009})), "  ");
  const Verdicts counted = verdicts_of(steps);
  EXPECT_EQ(counted, (Verdicts{7, 1, 1, 3}));
  EXPECT_EQ(counted.categories, 7);
  EXPECT_EQ(counted.given(), 5);
  // The weaker category is first on ties.
  EXPECT_EQ(places(steps_of(Shares{0.25, 0.5, 0.25})), (std::vector<int>{2, 1, 3}));
}

TEST(CourtSteps, ContradictionsArePairsTheWrongWayRound) {
  using Pairs = std::vector<Contradiction>;
  EXPECT_EQ(contradictions_of(steps_of(Shares{0.5, 0.3, 0.2})), Pairs());
  EXPECT_EQ(contradictions_of(steps_of(Shares{0.3, 0.2, 0.5})), (Pairs{{0, 2}, {1, 2}}));
  EXPECT_EQ(contradictions_of(steps_of(Shares{0.5, 0, 0.25, 0.25})), Pairs()) << "equal ones contradict nothing";
}

TEST(CourtVerdicts, TheWorstKindDecidesFirst) {
  const Verdicts none{10, 0, 0, 0}, step{10, 0, 0, 1}, steps{10, 0, 0, 9}, close{10, 0, 1, 0}, wrong{10, 1, 0, 0};
  EXPECT_LT(none, step);
  EXPECT_LT(step, steps);
  EXPECT_LT(steps, close);
  EXPECT_LT(close, wrong);
  EXPECT_EQ(step, (Verdicts{17, 0, 0, 1})) << "however many categories there are";
}

TEST(CourtVerdicts, TheBestBalancedHasTheFewest) {
  const auto names = [](const std::vector<const DeckOdds*>& decks) {
    Words list;
    for (const DeckOdds* deck : decks) list.push_back(deck->deck);
    return list;
  };
  Figures figures;
  figures.decks = {deck_with("a", {0.5, 0.3, 0.2}, {0.3, 0.5, 0.2}), deck_with("b", {0.3, 0.5, 0.2}, {0.5, 0.3, 0.2}),
                   deck_with("c", {0.5, 0.4, 0.1}, {0.5, 0.1, 0.4}),
                   deck_with("d", {0.55, 0.25, 0.2}, {0.4, 0.35, 0.25})};
  // a: none; c: X, since 4 > 3; d: none. After the draw: b and d have none.
  EXPECT_EQ(names(best_balanced(figures.decks, &DeckOdds::dealt)), (Words{"a", "d"}));
  EXPECT_EQ(names(best_balanced(figures.decks, &DeckOdds::drawn)), (Words{"b", "d"}));
  figures.decks[3].court = false;
  EXPECT_EQ(names(best_balanced(figures.decks, &DeckOdds::dealt)), Words{"a"});
  EXPECT_EQ(names(best_balanced({}, &DeckOdds::dealt)), Words());
}

// ---- Decks

TEST(CourtOdds, TellOfDealtHandsWhatTheCensusTells) {
  for (const char* name : {"court_color_52", "court_color_52_prototype_3", "court_tarot_52"}) {
    const DeckPtr deck = Deck::make(name);
    const EvaluatorPtr evaluator = make_evaluator(deck, Ranking::make(deck->default_ranking()));
    const Census census = take_census(*evaluator, 5);
    const DeckOdds odds = deck_odds(*evaluator, 10, 1);
    EXPECT_EQ(odds.deck, name);
    EXPECT_TRUE(odds.court);
    EXPECT_EQ(odds.cards, 52);
    EXPECT_EQ(odds.hands, census.total);
    ASSERT_EQ(odds.dealt.steps.size(), census.rows.size());
    for (std::size_t c = 0; c < census.rows.size(); ++c) {
      EXPECT_EQ(odds.names[c].first, census.rows[c].code);
      EXPECT_EQ(odds.dealt.steps[c].verdict, census.rows[c].verdict) << odds.names[c].first;
      EXPECT_NEAR(*odds.dealt.steps[c].rarity, *census.rows[c].rarity, 1e-9);
      EXPECT_NEAR(*odds.dealt.steps[c].ratio, *census.rows[c].ratio, 1e-9);
      EXPECT_EQ(odds.dealt.steps[c].ci95, 0);
    }
  }
}

// A deck of six pips in two suits and seven trumps, whose hands are classified by this test alone:
// straights of trumps are ignored, a pair is two pips of one rank. NON < P1 < P2 < HF (pips of one
// suit and trumps) < EFL (trumps)
constexpr std::string_view kDeck =
    "ranks: A 2 3\nsuits:\n  s: {symbol: s}\n  h: {symbol: h}\n  t: {kind: trumps, cards: 7}\n";
constexpr std::string_view kRanking = "ties: category\naces: low\norder: [NON, P1, P2, HF, EFL]\n";
constexpr int kSmallDeck = 13, kSpades = 3, kPips = 6;
using Cards = unsigned;  // one bit per card: three spades, three hearts, seven trumps

int category_by_hand(Cards hand) {
  const unsigned spades = hand & 7U, hearts = hand >> kSpades & 7U, trumps = hand >> kPips;
  const int pairs = std::popcount(spades & hearts);
  if (spades == 0 && hearts == 0) return 4;
  if ((spades == 0) != (hearts == 0) && trumps != 0) return 3;
  return std::min(pairs, 2);
}

std::vector<Cards> subsets(int cards, int size) {
  std::vector<Cards> found;
  for (Cards set = 0; set < 1U << cards; ++set)
    if (std::popcount(set) == size) found.push_back(set);
  return found;
}

struct SlowOdds {
  std::array<double, 5> dealt{}, drawn{};
  std::array<double, 6> discarded{};
  double strength = 0;
};

// Every hand, every discard, every draw.
SlowOdds slow_odds() {
  const std::vector<Cards> hands = subsets(kSmallDeck, 5);
  SlowOdds odds;
  for (const Cards hand : hands) odds.dealt[at(category_by_hand(hand))] += 1;
  for (double& share : odds.dealt) share /= static_cast<double>(hands.size());
  std::array<double, 5> beaten{};  // by a hand of each category, ties half
  for (std::size_t c = 0, weaker = 0; c < 5; weaker = ++c) {
    beaten[c] = odds.dealt[c] / 2;
    for (std::size_t w = 0; w < weaker; ++w) beaten[c] += odds.dealt[w];
  }
  for (const Cards hand : hands) {
    std::array<double, 5> best{};
    double best_strength = -1;
    int discards = 0;
    for (int count = 0; count <= 5; ++count)
      for (Cards discard = 0; discard < 1U << kSmallDeck; ++discard) {
        if ((discard & ~hand) != 0 || std::popcount(discard) != count) continue;
        std::array<double, 5> to{};
        double ways = 0, strength = 0;
        for (const Cards fresh : subsets(kSmallDeck, count)) {
          if ((fresh & hand) != 0) continue;
          const auto category = at(category_by_hand((hand & ~discard) | fresh));
          to[category] += 1;
          strength += beaten[category];
          ++ways;
        }
        for (double& share : to) share /= ways;
        strength /= ways;
        // On ties the fewest cards, then the most of the strongest category.
        const bool equal = std::abs(strength - best_strength) < 1e-12;
        const bool stronger = std::lexicographical_compare(best.rbegin(), best.rend(), to.rbegin(), to.rend(),
                                                           [](double a, double b) { return a < b - 1e-12; });
        if ((equal && (count > discards || !stronger)) || (!equal && strength < best_strength)) continue;
        best = to;
        best_strength = strength;
        discards = count;
      }
    odds.strength += best_strength / static_cast<double>(hands.size());
    odds.discarded[at(discards)] += 1 / static_cast<double>(hands.size());
    for (std::size_t c = 0; c < 5; ++c) odds.drawn[c] += best[c] / static_cast<double>(hands.size());
  }
  return odds;
}

TEST(CourtOdds, OfASmallDeckAreThoseOfTryingEverything) {
  const SlowOdds slow = slow_odds();
  const EvaluatorPtr evaluator = evaluator_of(kDeck, kRanking);
  const DeckOdds odds = deck_odds(*evaluator, 0, 1);
  EXPECT_EQ(odds.hands, 1287U);
  EXPECT_EQ(odds.samples, 0);
  for (std::size_t c = 0; c < 5; ++c) {
    EXPECT_NEAR(static_cast<double>(odds.counts[c]), 1287 * slow.dealt[c], 1e-6) << c;
    EXPECT_NEAR(odds.dealt.steps[c].share, slow.dealt[c], 1e-12) << c;
    EXPECT_NEAR(odds.drawn.steps[c].share, slow.drawn[c], 1e-10) << c;
    EXPECT_EQ(odds.drawn.steps[c].ci95, 0);
  }
  for (std::size_t n = 0; n < 6; ++n) EXPECT_NEAR(odds.discarded[n], slow.discarded[n], 1e-10) << n;
  EXPECT_NEAR(odds.strength, slow.strength, 1e-10);
  EXPECT_NEAR(odds.strength_dealt, 0.5, 1e-12);
  // Pairs that change places, from both orders.
  std::vector<Contradiction> swapped;
  for (std::size_t a = 0; a < 5; ++a)
    for (std::size_t b = a + 1; b < 5; ++b)
      if ((slow.dealt[a] > slow.dealt[b]) != (slow.drawn[a] > slow.drawn[b])) swapped.push_back({a, b});
  EXPECT_EQ(odds.swapped, swapped);
  EXPECT_FALSE(swapped.empty());
  EXPECT_LT(swapped.size(), 10U);
  DeckCounts counts = count_deck(*evaluator, 0, 1);
  std::swap(counts.dealt, counts.drawn);
  EXPECT_EQ(odds_of(*evaluator, counts).swapped, swapped) << "whichever comes first";
}

TEST(CourtOdds, OfDrawPokerAreThoseOfTheBooks) {
  const DeckOdds odds = deck_odds(*make_evaluator(Deck::make("standard_52"), Ranking::make("high")), 0, 1);
  EXPECT_FALSE(odds.court);
  // Full houses result mostly from two pair (4/47 of 4.75%), pairs (165/16215 of 42.3%) and threes (66/1081 of 2.11%);
  // together with those dealt this is a lower bound on the share after all draws.
  const double two_pair = odds.dealt.steps[2].share, pair = odds.dealt.steps[1].share,
               three = odds.dealt.steps[3].share;
  const double floor = two_pair * 4 / 47 + pair * 165 / 16215 * 0.9 + three * 66 / 1081 + odds.dealt.steps[6].share;
  EXPECT_GT(odds.drawn.steps[6].share, floor);
  EXPECT_LT(odds.drawn.steps[6].share, floor * 1.1);
  // So the draw makes the full house more common than the straight and the flush that it beats.
  EXPECT_EQ(odds.drawn.contradictions, (std::vector<Contradiction>{{0, 1}, {4, 6}, {5, 6}}));
  EXPECT_TRUE(odds.dealt.contradictions.empty());
  EXPECT_EQ(odds.swapped, odds.drawn.contradictions);
}

TEST(CourtOdds, SamplesAgreeWithinTheirIntervals) {
  const DeckPtr deck = Deck::make("court_extra_52");
  const EvaluatorPtr evaluator = make_evaluator(deck, Ranking::make(deck->default_ranking()));
  const DeckOdds exact = deck_odds(*evaluator, 0, 1), sampled = deck_odds(*evaluator, 3000, 1);
  EXPECT_EQ(sampled.samples, 3000);
  for (std::size_t c = 0; c < 7; ++c) {
    EXPECT_GT(sampled.drawn.steps[c].ci95, 0);
    EXPECT_LT(std::abs(sampled.drawn.steps[c].share - exact.drawn.steps[c].share), 2 * sampled.drawn.steps[c].ci95);
  }
  EXPECT_NE(deck_odds(*evaluator, 3000, 2).strength, sampled.strength);
}

// ---- The file

TEST(CourtOddsFile, GoesOnWhereItWasStopped) {
  const TempFolder folder;
  const std::vector<EvaluatorPtr> decks = {evaluator_of(kDeck, kRanking), evaluator_of(kDeck, kRanking)};
  StudyContext place;
  place.seed = 3;
  std::int64_t last = 0, total = 0;
  place.progress = [&](std::string_view, std::int64_t done, std::int64_t of) {
    EXPECT_GE(done, last);
    last = done;
    total = of;
  };
  // Stopped in the second deck.
  const std::int64_t one = work_of(*decks[0], 0);
  EXPECT_EQ(one, 3 * 1287);
  place.stop = [&] { return last > one + one / 2; };
  EXPECT_FALSE(count_decks(place, decks, 0, folder / "odds.txt"));
  EXPECT_EQ(total, 2 * one);
  place.stop = nullptr;
  last = 0;
  EXPECT_TRUE(count_decks(place, decks, 0, folder / "odds.txt"));
  EXPECT_EQ(last, total);
  // All digits are preserved.
  Figures kept, counted;
  kept.decks = read_decks(folder / "odds.txt", decks);
  counted.decks = {deck_odds(*decks[0], 0, 3), deck_odds(*decks[1], 0, 3)};
  EXPECT_EQ(to_json(kept).dump(), to_json(counted).dump());
}

TEST(CourtOddsFile, RefusesOtherDecks) {
  const TempFolder folder;
  const EvaluatorPtr deck = evaluator_of(kDeck, kRanking);
  ASSERT_TRUE(count_decks({}, {deck}, 1, folder / "odds.txt"));
  EXPECT_TRUE(std::isinf(read_decks(folder / "odds.txt", {deck}).front().drawn.steps[0].ci95)) << "one sample";
  const EvaluatorPtr other = make_evaluator(Deck::make("standard_52"), Ranking::make("high"));
  EXPECT_THROW(read_decks(folder / "odds.txt", {other}), FileError);
  // Another deck with the same ranking.
  Config yaml = Config::parse(changed(std::string(kDeck), "cards: 7", "cards: 8"), "e.yaml");
  const EvaluatorPtr alike = make_evaluator(std::make_shared<const Deck>(Deck::read("e", yaml)), deck->ranking_ptr());
  EXPECT_THROW(read_decks(folder / "odds.txt", {alike}), FileError);
  EXPECT_THROW(read_decks(folder / "odds.txt", {}), FileError);
}

}  // namespace
}  // namespace dealer::studies::court::court_odds_test
