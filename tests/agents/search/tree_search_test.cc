#include "agents/search/tree_search.h"

#include <gtest/gtest.h>

#include <set>

#include "agents/agent.h"
#include "agents/tabular/policy.h"
#include "env/core/registry.h"
#include "env/games/small/game.h"
#include "env/games/small/parts.h"

namespace dealer::tree_search_test {
namespace {

const char* const kWays[] = {"", ",nodes=observer", ",selection=regret_matching",
                             ",selection=regret_matching,nodes=observer"};

std::string spec(const char* way, int simulations, const char* more = "") {
  return "search[algorithm=ismcts,simulations=" + std::to_string(simulations) + ",policy_runs=8" + way + more + "]";
}

// Of the information sets whose text ends so: the probability of a move.
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
          policy.probability[static_cast<std::size_t>(tree.sets()[s].first + (place - legal.begin()))];
  }
  return found;
}

TEST(TreeSearch, FindsTheDominantMovesOfKuhnPoker) {
  for (const char* way : kWays) {
    // What regret matching has tried at first stays in its average.
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

// What a first bet with that card brings at Kuhn poker.
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

// The other player does what is best for itself: it calls a jack's bet with either card. A queen's bet it calls with a
// king and folds to with a jack, where it knows its card; at nodes of what the searching seat sees it does not.
TEST(TreeSearch, LetsOthersPlayForThemselves) {
  EXPECT_NEAR(value_of_bet("Js", ""), -2, 0.35);
  EXPECT_NEAR(value_of_bet("Js", "observer"), -2, 0.35);
  EXPECT_NEAR(value_of_bet("Qs", ""), -0.5, 0.2);
  EXPECT_NEAR(value_of_bet("Qs", "observer"), 0, 0.2);
}

std::string explained(const std::string& agent_spec, std::uint64_t seed) {
  const GamePtr game = make_game("leduc");
  const auto env = game->new_env();
  env->reset(3);
  const auto agent = make_agents(agent_spec, game)->make();
  agent->reset(env->current_player(), seed);
  return agent->explain(env->observe(env->current_player()));
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
  const GamePtr game = make_game("kuhn");
  const auto env = game->new_env();
  env->reset(1);
  for (const int threads : {1, 3}) {
    SearchSetup setup;
    setup.options.algorithm = SearchOptions::Algorithm::kTree;
    setup.options.simulations = 100;
    setup.options.threads = threads;
    const auto typed = std::dynamic_pointer_cast<const small::Game>(game);
    TreeSearch<small::State, RandomPlay<small::State>> search(typed, {}, setup);
    const SearchResult result = search.run(env->observe(env->current_player()), 1);
    std::int64_t simulations = 0;
    for (const ChoiceValue& choice : result.choices) simulations += choice.simulations;
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
  // The best of them next, unless it is not legal this time.
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

}  // namespace
}  // namespace dealer::tree_search_test
