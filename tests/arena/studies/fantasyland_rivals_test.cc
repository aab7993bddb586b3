// The round robin of players that count Fantasyland differently.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "agents/agent_registry.h"
#include "arena/match.h"
#include "arena/studies/fantasyland/rivals.h"
#include "env/core/error.h"
#include "env/core/random.h"
#include "env/core/registry.h"
#include "tests/arena/studies/store_support.h"
#include "tests/support/error_message.h"
#include "tests/support/temp_folder.h"

namespace dealer::studies::fantasyland::fantasyland_rivals_test {
namespace {

using test::error_message;
using test::read_bytes;
using test::write_bytes;

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
  test::TempFolder folder_;
};

TEST_F(Rivals, PairsAreAllThereAre) {
  EXPECT_EQ(pairs_of(3), (std::vector<std::array<int, 2>>{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_TRUE(pairs_of(1).empty());
}

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
    match.agents = {rivals_[static_cast<std::size_t>(a)].agent, rivals_[static_cast<std::size_t>(b)].agent};
    match.deals = kDeals;
    match.seed = derive(7, 0x52495641);
    const MatchResult result = play_match(match);
    hands += result.hands_played;
    for (const int side : {0, 1}) {
      const auto s = static_cast<std::size_t>(side == 0 ? a : b), o = static_cast<std::size_t>(side == 0 ? b : a);
      const AgentResult& agent = result.agents[static_cast<std::size_t>(side)];
      const Estimate against = all[s]["against"][o].estimate();
      EXPECT_NEAR(against.value, agent.mean(), 1e-12);
      EXPECT_NEAR(against.ci95, agent.ci95(), 1e-9);
      score[s] += agent.mean() / 2;
      for (const AgentResult::Rate& rate : agent.rates) {
        if (rate.name == "foul_rate") fouls[s] += rate.numerator, normal[s] += rate.denominator;
        if (rate.name == "fantasyland_rate") entries[s] += rate.numerator;
        if (rate.name == "fantasyland_stay_rate") stays[s] += rate.numerator, there[s] += rate.denominator;
      }
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
  // The scores of three add up to 0, so that the interval of a difference of two follows from all three. Of three pairs
  // any might hold the best: it is z(1 - 0.025 / 3) / z(0.975) times as wide as for one.
  for (std::size_t r = 0; r < 3; ++r) {
    if (r == best) continue;
    const auto square = [&](std::size_t i) { return std::pow(all[i].estimate("score").ci95, 2); };
    const double one = std::sqrt(2 * square(r) + 2 * square(best) - square(3 - r - best));
    EXPECT_NEAR(all[r].estimate("less_than_best").ci95 / one, 2.3939798 / 1.9599640, 1e-4);
  }
  // Who plays at random is far behind.
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
  // The two scores are one figure with two signs: their difference errs twice as much.
  EXPECT_NEAR(two.estimate("1/less_than_best").value, -2 * against.value, 1e-12);
  EXPECT_NEAR(two.estimate("1/less_than_best").ci95, 2 * against.ci95, 1e-9);
}

TEST_F(Rivals, AreTheSameForAnyThreadsAndAfterStops) {
  ASSERT_TRUE(play(place(1), "one"));
  ASSERT_TRUE(play(place(2), "two"));
  const std::string whole = read_bytes(folder_ / "one");
  EXPECT_EQ(read_bytes(folder_ / "two"), whole);
  int parts = 1;
  for (;; ++parts) {
    ASSERT_LT(parts, 200);
    StudyContext stopping = place(1);
    std::atomic<int> asked = 0;
    stopping.stop = [&] { return ++asked > 1500; };
    if (play(stopping, "parts")) break;
  }
  EXPECT_GT(parts, 2);
  EXPECT_EQ(test::without_ends(read_bytes(folder_ / "parts")), test::without_ends(whole));
  // Played again it stays as it is.
  ASSERT_TRUE(play(place(1), "one"));
  EXPECT_EQ(read_bytes(folder_ / "one"), whole);
}

TEST_F(Rivals, RefusesOtherLines) {
  ASSERT_TRUE(play(place(), "games"));
  const std::string sound = test::without_sums(read_bytes(folder_ / "games"));
  const std::string end = ": this is no line of the study; start again in another folder";
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
}  // namespace dealer::studies::fantasyland::fantasyland_rivals_test
