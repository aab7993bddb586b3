#include <gtest/gtest.h>

#include <map>

#include "agents/search/particles.h"
#include "env/core/registry.h"
#include "env/games/small/game.h"
#include "env/games/small/parts.h"
#include "tests/support/chi_square.h"

namespace dealer::weighted_sampler_test {
namespace {

using small::State;

// Who has bet bets kings always, jacks one time in three, queens never.
struct Bettor {
  double weigh(State& state, Seat observer, RandomStream&) const {
    const std::string card = state.rules().to_string(lowest(state.hand(1 - observer)));
    return card == "Ks" ? 1 : card == "Js" ? 1.0 / 3 : 0;
  }
};

std::map<std::string, double> drawn(int proposals, const char* own, int draws, std::map<std::string, int>& counts) {
  const GamePtr game = make_game("kuhn");
  const auto& rules = small::as_small(*game)->rules();
  for (std::uint64_t seed = 0;; ++seed) {
    State state;
    state.reset(rules, seed);
    state.apply(small::kRaise);
    if (rules.to_string(lowest(state.hand(1))) != own) continue;
    std::vector<float> seen(static_cast<std::size_t>(game->observation_spec().size()));
    state.observe(1, seen.data());
    const Bettor bettor;
    WeightedSampler<State, Bettor> sampler(State::Sampler(rules, seen), bettor, 1, proposals);
    RandomStream rng(seed, 5);
    for (int i = 0; i < draws; ++i) ++counts[rules.to_string(lowest(sampler.draw(rng).hand(0)))];
    std::map<std::string, double> shares;
    for (const auto& [card, count] : counts) shares[card] = static_cast<double>(count) / draws;
    return shares;
  }
}

// With a queen: a king with 1 / (1 + 1/3), a jack with the rest. With so many proposals one is chosen as Bayes says up
// to a bias of about a hundredth of a standard deviation.
TEST(WeightedSampler, FollowsBayes) {
  std::map<std::string, int> counts;
  drawn(200, "Qs", 3000, counts);
  EXPECT_LT(test::deviations(std::map<std::string, double>{{"Ks", 0.75}, {"Js", 0.25}}, counts, 3000), 4.5);
  counts.clear();
  drawn(50, "Ks", 500, counts);
  EXPECT_EQ(counts, (std::map<std::string, int>{{"Js", 500}})) << "never a queen";
}

TEST(WeightedSampler, IgnoresWeightsWithOneProposal) {
  std::map<std::string, int> counts;
  drawn(1, "Qs", 3000, counts);
  EXPECT_LT(test::deviations(std::map<std::string, double>{{"Ks", 0.5}, {"Js", 0.5}}, counts, 3000), 4.5);
}

// Of two, kings are taken in all but a quarter, and in three of four of the half that are mixed: 5/8.
TEST(WeightedSampler, MovesTowardsBayesWithTwoProposals) {
  std::map<std::string, int> counts;
  drawn(2, "Qs", 6000, counts);
  EXPECT_LT(test::deviations(std::map<std::string, double>{{"Ks", 0.625}, {"Js", 0.375}}, counts, 6000), 4.5);
}

}  // namespace
}  // namespace dealer::weighted_sampler_test
