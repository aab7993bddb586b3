#include "agents/search/tree_search.h"

#include "agents/agent.h"
#include "agents/search/sequential_halving.h"
#include "agents/tabular/policy.h"
#include "env/games/small/game.h"
#include "env/games/small/parts.h"
#include "tests/support/testing.h"

namespace dealer::tree_search_test {
namespace {

const char* const kWays[] = {"", ",nodes=observer", ",selection=regret_matching",
                             ",selection=regret_matching,nodes=observer"};

std::string spec(const char* way, int simulations, const char* more = "") {
  return "search[algorithm=ismcts,simulations=" + std::to_string(simulations) + ",policy_runs=8" + way + more + "]";
}

// The probability of a move at the information sets whose text has this suffix.
std::map<std::string, double> probabilities(const char* game_name, const std::string& agent_spec, Action move) {
  const GamePtr game = make_game(game_name);
  const tabular::GameTree tree(*game);
  const auto agent = make_agents(agent_spec, game)->make();
  const tabular::Policy policy = tabular::policy_of(tree, *agent);
  std::map<std::string, double> found;
  for (std::size_t s = 0; s < tree.sets().size(); ++s) {
    const Observation seen = tree.observation(static_cast<int>(s));
    const std::vector<Action> legal = seen.legal_actions();
    const auto place = std::find(legal.begin(), legal.end(), move);
    if (place != legal.end())
      found[tree.information_text(static_cast<int>(s))] =
          policy.probability[at(tree.sets()[s].first + (place - legal.begin()))];
  }
  return found;
}

TEST(TreeSearch, FindsTheDominantMovesOfKuhnPoker) {
  for (const char* way : kWays) {
    // The exploration of regret matching remains in its average.
    const double rare = std::string_view(way).find("regret") == std::string_view::npos ? 0 : 0.05;
    const auto calls = probabilities("kuhn", spec(way, 2000), small::kCall);
    const auto bets = probabilities("kuhn", spec(way, 2000), small::kRaise);
    for (const char* bet : {"0: Ks | check, bet", "1: Ks | bet"}) EXPECT_GE(calls.at(bet), 1 - rare) << way << bet;
    for (const char* bet : {"0: Js | check, bet", "1: Js | bet"}) EXPECT_LE(calls.at(bet), rare) << way << bet;
    EXPECT_GE(bets.at("1: Ks | check"), 0.7) << way << ": a bet wins as much as a check, or more";
  }
}

// A pair with the board cannot lose.
TEST(TreeSearch, NeverFoldsTheBestHandOfLeduc) {
  const auto folds = probabilities("leduc", spec("", 400), small::kFold);
  int pairs = 0;
  for (const auto& [text, probability] : folds) {
    const std::size_t board = text.find("board ");
    if (board == std::string::npos || text[board + 6] != text[3]) continue;
    ++pairs;
    EXPECT_EQ(probability, 0) << text;
  }
  EXPECT_GT(pairs, 50);
}

// The value of a first bet with that card in Kuhn poker.
double value_of_bet(const char* card, const char* way) {
  const GamePtr game = make_game("kuhn");
  const auto env = game->new_env();
  for (std::uint64_t seed = 0;; ++seed) {
    env->reset(seed);
    if (env->to_string(0).find(card) == std::string::npos) continue;
    SearchSetup setup;
    setup.options.algorithm = SearchOptions::Algorithm::kTree;
    setup.options.simulations = 4000;
    if (*way != 0) setup.options.nodes = SearchOptions::Nodes::kObserver;
    TreeSearch<small::State, RandomPlay<small::State>> search(std::dynamic_pointer_cast<const small::Game>(game), {},
                                                              setup);
    for (const ChoiceValue& choice : search.run(env->observe(0), 1).choices)
      if (choice.actions.front() == small::kRaise) return choice.value;
  }
}

// The other player maximises its own return: it calls a jack's bet with either card. Against a queen's bet it calls
// with a king and folds a jack, if nodes contain its card; with nodes of the searching seat's view it does not.
TEST(TreeSearch, LetsOthersPlayForThemselves) {
  EXPECT_NEAR(value_of_bet("Js", ""), -2, 0.35);
  EXPECT_NEAR(value_of_bet("Js", "observer"), -2, 0.35);
  EXPECT_NEAR(value_of_bet("Qs", ""), -0.5, 0.2);
  EXPECT_NEAR(value_of_bet("Qs", "observer"), 0, 0.2);
}

std::string explained(const std::string& agent_spec, std::uint64_t seed) {
  const GamePtr game = make_game("leduc");
  const Observation seen = test::first_decision(*game, 3);
  const auto agent = make_agents(agent_spec, game)->make();
  agent->reset(seen.player, seed);
  return agent->explain(seen);
}

TEST(TreeSearch, IsTheSameForASeedAndANumberOfThreads) {
  for (const char* way : kWays)
    for (const char* threads : {"", ",threads=3"}) {
      const std::string once = explained(spec(way, 500, threads), 5);
      EXPECT_EQ(explained(spec(way, 500, threads), 5), once);
      EXPECT_NE(explained(spec(way, 500, threads), 6), once);
    }
}

TEST(TreeSearch, SharesTheSimulationsOutToThreads) {
  const auto game = test::game_of<small::Game>("kuhn");
  for (const int threads : {1, 3}) {
    SearchSetup setup;
    setup.options.algorithm = SearchOptions::Algorithm::kTree;
    setup.options.simulations = 100;
    setup.options.threads = threads;
    TreeSearch<small::State, RandomPlay<small::State>> search(game, {}, setup);
    std::int64_t simulations = 0;
    for (const ChoiceValue& choice : search.run(test::first_decision(*game), 1).choices)
      simulations += choice.simulations;
    EXPECT_EQ(simulations, 100);
  }
}

TEST(NodeSelection, TriesEveryActionBeforeItComparesThem) {
  NodeSelection selection({});
  RandomStream rng(1);
  Node node;
  std::set<Action> tried;
  selection.saw(0);
  selection.saw(1);
  for (int i = 0; i < 4; ++i) {
    const auto picked = selection.pick(node, 0b101011, rng);
    tried.insert(node.edges[picked.edge].action);
    selection.learn(node, 0b101011, picked, node.edges[picked.edge].action == 3 ? 1 : 0);
  }
  EXPECT_EQ(tried, (std::set<Action>{0, 1, 3, 5}));
  // The best of them next, unless it is illegal this time.
  EXPECT_EQ(node.edges[selection.pick(node, 0b101011, rng).edge].action, 3);
  EXPECT_NE(node.edges[selection.pick(node, 0b100011, rng).edge].action, 3);
  for (const Edge& edge : node.edges) EXPECT_EQ(edge.available, edge.action == 3 ? 5 : 6);
}

TEST(NodeSelection, MatchesRegrets) {
  SearchOptions options;
  options.selection = SearchOptions::Selection::kRegretMatching;
  options.exploration = 0.2;
  NodeSelection selection(options);
  RandomStream rng(1);
  Node node;
  selection.pick(node, 0b111, rng);
  node.edges[0].regret = 3;
  node.edges[1].regret = 1;
  node.edges[2].regret = -5;
  std::vector<int> times(3);
  constexpr int kPicks = 20000;
  const double played[] = {0.8 * 0.75 + 0.2 / 3, 0.8 * 0.25 + 0.2 / 3, 0.2 / 3};
  for (int i = 0; i < kPicks; ++i) {
    const auto picked = selection.pick(node, 0b111, rng);
    EXPECT_DOUBLE_EQ(picked.probability, played[picked.edge]);
    ++times[picked.edge];
  }
  for (std::size_t a = 0; a < 3; ++a) EXPECT_NEAR(times[a], kPicks * played[a], 5 * std::sqrt(kPicks * played[a])) << a;
  selection.learn(node, 0b111, {1, 0.25}, 2);
  EXPECT_DOUBLE_EQ(node.edges[0].regret, 3 - 2);
  EXPECT_DOUBLE_EQ(node.edges[1].regret, 1 + 2 / 0.25 - 2);
  EXPECT_DOUBLE_EQ(node.edges[2].regret, -5 - 2);
  EXPECT_DOUBLE_EQ(selection.final_policy(node)[0], 0.75);
  EXPECT_DOUBLE_EQ(selection.final_policy(node)[1], 0.25);
}

TEST(HashOf, TellsNumbersApart) {
  const std::vector<float> a = {0, 1, 0.5F}, b = {1, 0, 0.5F}, minus = {-0.0F, 1, 0.5F};
  EXPECT_EQ(hash_of(a), hash_of(minus));
  EXPECT_NE(hash_of(a), hash_of(b));
  EXPECT_NE(hash_of(a), hash_of(a, 1));
}

TEST(SampleMean, IsMeanAndStandardError) {
  SampleMean estimate, more;
  for (const double x : {1.0, 3.0}) estimate.add(x);
  for (const double x : {5.0, 3.0}) more.add(x);
  estimate.add(more);
  EXPECT_EQ(estimate.count(), 4);
  EXPECT_DOUBLE_EQ(estimate.mean(), 3);
  EXPECT_DOUBLE_EQ(estimate.error(), std::sqrt(8.0 / 3) / 2);
  EXPECT_EQ(SampleMean().mean(), 0);
  EXPECT_EQ(SampleMean().error(), 0);
}

// Arms with known equidistant means, with noise.
struct Bandit {
  Bandit(std::size_t arms, double width) : estimates(arms), noise(width) {}
  void pull(std::size_t arm, RandomStream& rng) {
    const double worth = -std::abs(static_cast<double>(arm) - best);
    estimates[arm].add(worth + noise * (static_cast<double>(rng.uniform()) - 0.5));
  }
  std::vector<double> means() const {
    std::vector<double> means;
    for (const SampleMean& estimate : estimates) means.push_back(estimate.mean());
    return means;
  }
  std::vector<SampleMean> estimates;
  double noise;
  double best = 5;
};

TEST(SequentialHalving, DropsWhatIsBelow) {
  SequentialHalving halving(5, 100);
  const std::vector<double> values = {3, 1, 3, 2, 0};
  halving.drop_below(2, values);
  EXPECT_EQ(std::vector<std::size_t>(halving.left().begin(), halving.left().end()),
            (std::vector<std::size_t>{0, 2, 3}));
  EXPECT_EQ(halving.ranking(), (std::vector<std::size_t>{0, 2, 3, 1, 4}));
  halving.drop_below(9, values);
  EXPECT_TRUE(halving.done()) << "one is left in any case";
  EXPECT_EQ(halving.ranking(), (std::vector<std::size_t>{0, 2, 3, 1, 4}));
}

TEST(SequentialHalving, SharesTheBudgetOutRoundByRound) {
  Bandit bandit(8, 0);
  RandomStream rng(1);
  SequentialHalving halving(8, 240);
  EXPECT_EQ(halving.rounds(), 3);
  std::vector<std::size_t> left;
  std::vector<std::int64_t> samples;
  for (; !halving.done(); halving.keep_better_half(bandit.means())) {
    left.push_back(halving.left().size());
    samples.push_back(halving.samples());
    for (const std::size_t arm : halving.left())
      for (std::int64_t i = 0; i < halving.samples(); ++i) bandit.pull(arm, rng);
  }
  EXPECT_EQ(left, (std::vector<std::size_t>{8, 4, 2}));
  EXPECT_EQ(samples, (std::vector<std::int64_t>{10, 20, 40}));
  std::vector<std::int64_t> pulls;
  for (const SampleMean& estimate : bandit.estimates) pulls.push_back(estimate.count());
  EXPECT_EQ(pulls, (std::vector<std::int64_t>{10, 10, 10, 30, 70, 70, 30, 10}))
      << "arm 5 is best; of 4 and 6 the lower";
  EXPECT_EQ(halving.ranking(), (std::vector<std::size_t>{5, 4, 6, 3, 7, 2, 1, 0}));
}

TEST(SequentialHalving, RoundsUpWhatGoesOn) {
  SequentialHalving halving(5, 90);
  EXPECT_EQ(halving.rounds(), 3);
  const std::vector<double> worth{0, 1, 2, 3, 4};
  EXPECT_EQ(halving.samples(), 6);
  halving.keep_better_half(worth);
  EXPECT_EQ(std::vector(halving.left().begin(), halving.left().end()), (std::vector<std::size_t>{4, 3, 2}));
  EXPECT_EQ(halving.samples(), 10);
  halving.keep_better_half(worth);
  EXPECT_EQ(halving.left().size(), 2U);
  halving.keep_better_half(worth);
  EXPECT_TRUE(halving.done());
  EXPECT_EQ(halving.ranking(), (std::vector<std::size_t>{4, 3, 2, 1, 0}));
}

TEST(SequentialHalving, SamplesEachAtLeastOnce) {
  EXPECT_EQ(SequentialHalving(32, 1).samples(), 1);
  EXPECT_TRUE(SequentialHalving(1, 100).done());
}

// A bandit that equal allocation would lose more often: 16 arms, 32 pulls each.
TEST(SequentialHalving, FindsTheBestArmMoreOftenThanEqualShares) {
  constexpr int kRuns = 400;
  int found = 0, found_equally = 0;
  for (int run = 0; run < kRuns; ++run) {
    RandomStream rng(3, static_cast<std::uint64_t>(run));
    Bandit bandit(16, 12), equal(16, 12);
    SequentialHalving halving(16, 512);
    for (; !halving.done(); halving.keep_better_half(bandit.means()))
      for (const std::size_t arm : halving.left())
        for (std::int64_t i = 0; i < halving.samples(); ++i) bandit.pull(arm, rng);
    std::size_t best = 0;
    for (std::size_t arm = 0; arm < 16; ++arm) {
      for (int i = 0; i < 32; ++i) equal.pull(arm, rng);
      if (equal.estimates[arm].mean() > equal.estimates[best].mean()) best = arm;
    }
    found += halving.left().front() == 5 ? 1 : 0;
    found_equally += best == 5 ? 1 : 0;
  }
  EXPECT_GT(found, found_equally + kRuns / 20);
}

}  // namespace
}  // namespace dealer::tree_search_test
