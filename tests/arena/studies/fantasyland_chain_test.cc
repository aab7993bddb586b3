// The value of Fantasyland on chains with a known answer; the round robin of players with different values of it.
#include "arena/confidence.h"
#include "arena/studies/fantasyland/chain.h"
#include "arena/studies/fantasyland/rivals.h"
#include "env/core/student_t.h"
#include "tests/arena/studies/fantasyland_support.h"

namespace dealer::studies::fantasyland::fantasyland_chain_test {
namespace {

using namespace test;

// One deal each: the normal hand in which seat 0 enters, then a hand that ends the chain.
void add_single(ChainCounter& counter, std::int64_t deal, Seat dealer, double points) {
  counter.add(deal, bare_hand(dealer, {0, 0}, {14, 0}, 50));
  counter.add(deal, bare_hand(dealer, {14, 0}, {0, 0}, points));
}

TEST(FantasylandChain, WithoutStayingItIsTheMean) {
  ChainCounter counter;
  ClusteredRatio dealer, other;
  const std::array<double, 6> points = {4, 10, -2, 7, 13, 1};
  for (std::size_t deal = 0; deal < 12; ++deal) {  // twice the same
    const std::size_t i = deal % 6;
    add_single(counter, static_cast<std::int64_t>(deal), i < 4 ? 0 : 1, points[i]);
    (i < 4 ? dealer : other).add(points[i], 1);
  }
  const Figure f = counter.figures();
  expect_figures(f, R"(
    : value=11.75/2*12 direct=33/6 normal=0.5 alone/share=0.5 alone/points=5.5 alone/next/nobody=1
    sizes/0: share=1*12 value=11.75/2*12 direct=33/6*12
    values: dealer=4.75 other=7 both=0*0
  )");
  // The means are of disjoint deals, so their squared errors add.
  const double t = student_t975(11), d = 4.75;
  const double squares = (std::pow(4 - d, 2) + std::pow(10 - d, 2) + std::pow(-2 - d, 2) + std::pow(7 - d, 2)) / 16 +
                         (std::pow(13 - 7.0, 2) + std::pow(1 - 7.0, 2)) / 4;
  EXPECT_NEAR(f.estimate("value").ci95, t * std::sqrt(squares / 2 / 4 * 12 / 11), 1e-9);
}

// Half of the players enter with 17 cards, win 20 points, stay for 14 cards and win 6; the others enter with 14 and
// win 10.
TEST(FantasylandChain, ValuesEachNumberOfCards) {
  dealer::ofc::Bonus bonus;
  bonus.fantasyland_cards = {14, 15, 16, 17, 14};
  ChainCounter counter(bonus);
  for (int deal = 0; deal < 12; ++deal) {
    const Seat dealer = static_cast<Seat>(deal % 2);
    const bool trips = deal % 4 < 2;
    counter.add(deal, bare_hand(dealer, {0, 0}, {static_cast<std::uint8_t>(trips ? 17 : 14), 0}, 50));
    if (trips) counter.add(deal, bare_hand(dealer, {17, 0}, {14, 0}, 20));
    counter.add(deal, bare_hand(dealer, {14, 0}, {0, 0}, trips ? 6 : 10));
  }
  for (int deal = 12; deal < 15; ++deal) {  // both enter
    const std::uint8_t of_dealer = deal < 14 ? 17 : 14;
    counter.add(deal, bare_hand(0, {0, 0}, {of_dealer, 14}, 1));
    counter.add(deal, bare_hand(0, {of_dealer, 14}, {0, 0}, deal < 14 ? 4 : 1));
  }
  const Figure f = counter.figures();
  expect_figures(f, R"(
    : value=18*18 direct=18*12
    values: dealer=18*9 other=18*9 both=3*3
    sizes/0: share=0.5 value=8*12 direct=10*6
    sizes/1: share=0 value=0*0
    sizes/2: share=0 value=0*0
    sizes/3: share=0.5 value=28*6 direct=26*6
  )");
  EXPECT_EQ(f["sizes"][3].text("cards"), "17");
  EXPECT_GT(f.estimate("sizes/3/value").ci95, 0);
  counter.add(15, bare_hand(0, {0, 0}, {15, 0}, 0));
  counter.add(15, bare_hand(0, {15, 0}, {0, 0}, 5));
  EXPECT_EQ(counter.figures().estimate("value").count, 0) << "15 cards are unknown for who does not deal";
  EXPECT_NEAR(counter.figures().estimate("sizes/3/value").value, 28, 1e-9);
}

TEST(FantasylandChain, SaysNothingWithoutHands) {
  ChainCounter counter;
  counter.add(0, bare_hand(0, {0, 0}, {0, 0}, 3));
  EXPECT_FALSE(counter.figures().estimate("value").known());
  EXPECT_EQ(counter.figures().estimate("value").count, 0);
}

// An artificial chain: in each state the mean points of the player there, and the transition probabilities.
struct MadeUp {
  std::array<double, kPlayersThere> points = {6, 5, 0.5};
  std::array<std::array<double, kBothNext + 1>, kPlayersThere> chance = {
      {{0.6, 0.15, 0.15, 0.1}, {0.5, 0.2, 0.1, 0.2}, {0.55, 0.2, 0.1, 0.15}}};

  // v = r + P v, by iteration.
  std::array<double, kPlayersThere> values() const {
    double d = 0, o = 0, b = 0;
    for (int i = 0; i < 1000; ++i) {
      const auto& [cd, co, cb] = chance;
      const double nd = points[0] + cd[kSameNext] * d - cd[kSwappedNext] * o + cd[kBothNext] * b;
      const double no = points[1] + co[kSameNext] * o - co[kSwappedNext] * d - co[kBothNext] * b;
      const double nb = points[2] + cb[kSameNext] * d - cb[kSwappedNext] * o + cb[kBothNext] * b;
      d = nd, o = no, b = nb;
    }
    return {d, o, b};
  }

  void play(ChainCounter& counter, std::int64_t deal, RandomStream& rng) const {
    const Seat dealer = static_cast<Seat>(rng.below(2));
    std::array<std::uint8_t, 2> there{}, next{};
    const auto by_role = [&](bool of_dealer, bool of_other) {
      std::array<std::uint8_t, 2> seats{};
      seats[at(dealer)] = of_dealer ? 14 : 0;
      seats[at(1 - dealer)] = of_other ? 14 : 0;
      return seats;
    };
    next = by_role(rng.below(2) == 0, rng.below(2) == 0);
    counter.add(deal, bare_hand(dealer, there, next, 1));
    while (next[0] + next[1] > 0) {
      there = next;
      const bool of_dealer = there[at(dealer)] > 0, of_other = there[at(1 - dealer)] > 0;
      const int state = !of_other ? kDealerThere : !of_dealer ? kOtherThere : kBothThere;
      const auto s = at(state);
      double left = rng.uniform();
      int step = 0;
      while (step < kBothNext && left >= chance[s][at(step)]) left -= chance[s][at(step++)];
      const bool own = step == kSameNext || step == kBothNext, other = step == kSwappedNext || step == kBothNext;
      next = state == kOtherThere ? by_role(other, own) : by_role(own, other);
      const double won = points[s] + (rng.below(2) == 0 ? 12 : -12);
      const bool is_dealers = state != kOtherThere;
      const double of_seat_0 = (dealer == 0) == is_dealers ? won : -won;
      counter.add(deal, bare_hand(dealer, there, next, of_seat_0));
    }
  }
};

TEST(FantasylandChain, FindsTheValueOfAMadeUpChain) {
  const MadeUp chain;
  const auto [dealer, other, both] = chain.values();
  const double value = (dealer + other) / 2;
  constexpr int kStudies = 400, kDeals = 250;
  int covered = 0, covered_both = 0;
  double sum = 0;
  RandomStream rng(5);
  ChainCounter few;
  for (int deal = 0; deal < 9; ++deal) chain.play(few, deal, rng);
  EXPECT_GT(few.figures().estimate("value").count, 0);
  EXPECT_FALSE(few.figures().estimate("value").known()) << "of fewer than ten deals";
  for (int study = 0; study < kStudies; ++study) {
    ChainCounter counter;
    for (int deal = 0; deal < kDeals; ++deal) chain.play(counter, deal, rng);
    const Figure f = counter.figures();
    const Estimate found = f.estimate("value"), found_both = f.estimate("values/both");
    ASSERT_TRUE(found.known());
    sum += found.value;
    covered += found.low() <= value && value <= found.high() ? 1 : 0;
    covered_both += found_both.low() <= both && both <= found_both.high() ? 1 : 0;
  }
  EXPECT_NEAR(sum / kStudies, value, 0.15);
  for (const int in : {covered, covered_both}) EXPECT_NEAR(in, 0.95 * kStudies, 0.035 * kStudies);
}

class Rivals : public testing::Test {
 protected:
  Rivals() {
    for (const char* agent : {"rule", "random", "rule:careful"}) rivals_.push_back({{}, make_agents(agent, game_)});
    rivals_[1].value = 5;
    rivals_[2].value = 20;
  }
  StudyContext place(int threads = 1) const { return {{}, game_, nullptr, 7, threads, {}, {}}; }
  bool play(const StudyContext& where, const std::string& file, std::size_t rivals = 3) const {
    return play_rivals(where, {rivals_.begin(), rivals_.begin() + static_cast<std::ptrdiff_t>(rivals)}, kDeals,
                       dealer::ofc::kStandardRules, folder_ / file);
  }
  Figure count(const std::string& file, std::size_t rivals = 3) const {
    return count_rivals(folder_ / file, {rivals_.begin(), rivals_.begin() + static_cast<std::ptrdiff_t>(rivals)},
                        kDeals);
  }

  static constexpr std::int64_t kDeals = 40;
  GamePtr game_ = make_game("ofc");
  std::vector<Rival> rivals_;
  TempFolder folder_;
};

TEST_F(Rivals, CountsWhatTheMatchesCount) {
  ASSERT_TRUE(play(place(), "games"));
  const Figure counted = count("games");
  const Figure& all = counted["rivals"];
  EXPECT_EQ(own_of(all), &all[0]);
  ASSERT_EQ(all.size(), 3U);
  std::array<double, 3> score{}, normal{}, fouls{}, entries{}, there{}, stays{};
  std::int64_t hands = 0;
  for (const auto& [a, b] : pairs_of(3)) {
    MatchOptions match;
    match.game = game_;
    match.agents = {rivals_[at(a)].agent, rivals_[at(b)].agent};
    match.deals = kDeals;
    match.seed = derive(7, 0x52495641);
    const MatchResult result = play_match(match);
    hands += result.hands_played;
    for (const int side : {0, 1}) {
      const auto s = at(side == 0 ? a : b), o = at(side == 0 ? b : a);
      const AgentResult& agent = result.agents[at(side)];
      const Estimate against = all[s]["against"][o].estimate();
      EXPECT_NEAR(against.value, agent.mean(), 1e-12);
      EXPECT_NEAR(against.ci95, agent.ci95(), 1e-9);
      score[s] += agent.mean() / 2;
      const auto add = [&](std::string_view name, double& happened, double* of) {
        for (const AgentResult::Rate& rate : agent.rates)
          if (rate.name == name) happened += rate.numerator, *of += rate.denominator;
      };
      double again = 0;
      add("foul_rate", fouls[s], &normal[s]);
      add("fantasyland_rate", entries[s], &again);
      add("fantasyland_stay_rate", stays[s], &there[s]);
    }
  }
  EXPECT_EQ(counted.text(".hands"), std::to_string(hands));
  double highest = -1e9;
  for (std::size_t r = 0; r < 3; ++r) {
    EXPECT_NEAR(all[r].estimate("score").value, score[r], 1e-12);
    EXPECT_NEAR(all[r].estimate("foul").value, fouls[r] / normal[r], 1e-12);
    EXPECT_NEAR(all[r].estimate("entry").value, entries[r] / normal[r], 1e-12);
    EXPECT_NEAR(all[r].estimate("stays").value, stays[r] / std::max(1.0, there[r]), 1e-12);
    EXPECT_EQ(all[r]["against"][r].estimate().count, 0);
    highest = std::max(highest, score[r]);
  }
  std::size_t best = 0;
  while (&all[best] != best_of(all)) ++best;
  EXPECT_EQ(score[best], highest);
  for (std::size_t r = 0; r < 3; ++r) {
    if (r == best) continue;
    EXPECT_NEAR(all[r].estimate("less_than_best").value, score[r] - highest, 1e-12);
  }
  EXPECT_EQ(all[best].estimate("less_than_best").count, 0);
  // The scores of three sum to 0, so the interval of a difference follows from all three. Any of three pairs might
  // contain the best: it is z(1 - 0.025 / 3) / z(0.975) times as wide as for one.
  for (std::size_t r = 0; r < 3; ++r) {
    if (r == best) continue;
    const auto square = [&](std::size_t i) { return std::pow(all[i].estimate("score").ci95, 2); };
    const double one = std::sqrt(2 * square(r) + 2 * square(best) - square(3 - r - best));
    EXPECT_NEAR(all[r].estimate("less_than_best").ci95 / one, 2.3939798 / 1.9599640, 1e-4);
  }
  // The random player is far behind.
  EXPECT_TRUE(all[1].estimate("less_than_best").below(0));
}

TEST_F(Rivals, OfTwoTheScoreIsTheirMatch) {
  ASSERT_TRUE(play(place(), "two", 2));
  const Figure counted = count("two", 2);
  const Figure& two = counted["rivals"];
  const Estimate against = two.estimate("0/against/1");
  EXPECT_NEAR(two.estimate("0/score").value, against.value, 1e-12);
  EXPECT_NEAR(two.estimate("0/score").ci95, against.ci95, 1e-9);
  EXPECT_NEAR(two.estimate("1/score").value, -against.value, 1e-12);
  // The two scores are one figure with opposite signs: their difference has twice the error.
  EXPECT_NEAR(two.estimate("1/less_than_best").value, -2 * against.value, 1e-12);
  EXPECT_NEAR(two.estimate("1/less_than_best").ci95, 2 * against.ci95, 1e-9);
}

TEST_F(Rivals, OfFewerThanTenDealsHaveNoIntervals) {
  const std::vector<Rival> two = {rivals_[0], rivals_[1]};
  for (const std::int64_t deals : {9, 10}) {
    const std::filesystem::path file = folder_ / std::to_string(deals);
    ASSERT_TRUE(play_rivals(place(), two, deals, dealer::ofc::kStandardRules, file));
    const Figure all = count_rivals(file, two, deals)["rivals"];
    for (std::size_t r = 0; r < 2; ++r) EXPECT_EQ(all[r]["score"].estimate().known(), deals == 10);
    const Figure& worse = all[best_of(all) == &all[0] ? 1 : 0];
    EXPECT_EQ(worse["less_than_best"].estimate().known(), deals == 10);
  }
}

TEST_F(Rivals, RefusesOtherLines) {
  ASSERT_TRUE(play(place(), "games"));
  const std::string sound = without_sums(read_bytes(folder_ / "games"));
  const std::string end = ": this is not a line of the study; start again in another folder";
  for (const char* line :
       {"3 0 1 0 0", "0 40 1 0 0", "0 -1 1 0 0", "0 0 1 0", "0 0 1 0 0 0", "0 0 x 0 0", "0  0 1 0 0", ""}) {
    write_bytes(folder_ / "games", std::string(line) + "\n" + sound);
    EXPECT_EQ(error_message<FileError>([&] { count("games"); }), (folder_ / "games").string() + ":1" + end) << line;
  }
}

TEST_F(Rivals, NobodyIsNoRoundRobin) {
  const Figure none = count_rivals(folder_ / "nothing", {}, kDeals);
  EXPECT_EQ(best_of(none["rivals"]), nullptr);
  EXPECT_EQ(none["rivals"].size(), 0U);
}

}  // namespace
}  // namespace dealer::studies::fantasyland::fantasyland_chain_test
