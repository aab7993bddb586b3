#include "agents/search/sampling_search.h"

#include "agents/search/make_search.h"
#include "agents/search/particles.h"
#include "env/games/small/game.h"
#include "env/games/small/parts.h"
#include "tests/support/chi_square.h"
#include "tests/support/evaluators.h"
#include "tests/support/testing.h"

namespace dealer::sampling_search_test {
namespace {

using small::State;

SearchSetup setup(std::int64_t simulations, int threads = 1) {
  SearchSetup setup;
  setup.spec = "test";
  setup.options.simulations = simulations;
  setup.options.threads = threads;
  return setup;
}

// A deal in which the seat to act holds this card after these moves.
State kuhn(const small::Game& game, const char* card, std::initializer_list<Action> moves) {
  for (std::uint64_t seed = 0;; ++seed) {
    State state;
    state.reset(game.rules(), seed);
    for (const Action move : moves) state.apply(move);
    if (game.rules().to_string(lowest(state.hand(state.current_player()))) == card) return state;
  }
}

SearchResult search(const std::shared_ptr<const small::Game>& game, const State& state, const SearchSetup& how,
                    std::uint64_t seed = 1) {
  return make_search<State>(game, RandomPlay<State>(), how)()->run(test::seen_in(state, *game), seed);
}

TEST(SamplingSearch, ValuesChoicesByWhatTheyBring) {
  const auto game = test::game_of<small::Game>("kuhn");
  const auto value = [&](const char* card, Action action) {
    for (const ChoiceValue& choice : search(game, kuhn(*game, card, {small::kRaise}), setup(4000)).choices)
      if (choice.actions.front() == action) return choice;
    return ChoiceValue{};
  };
  // Facing a bet: the other holds each of the two other cards with equal probability.
  for (const char* card : {"Js", "Qs", "Ks"}) EXPECT_EQ(value(card, small::kFold).value, -1);
  EXPECT_EQ(value("Ks", small::kCall).value, 2);
  EXPECT_EQ(value("Ks", small::kCall).error, 0);
  EXPECT_EQ(value("Js", small::kCall).value, -2);
  const ChoiceValue queen = value("Qs", small::kCall);
  EXPECT_EQ(queen.simulations, 2000);
  EXPECT_NEAR(queen.error, 2 / std::sqrt(2000.0), 1e-3);
  EXPECT_NEAR(queen.value, 0, 5 * queen.error);
  EXPECT_EQ(queen.text, "call");
}

TEST(SamplingSearch, RanksTheBestChoiceFirst) {
  const auto game = test::game_of<small::Game>("kuhn");
  EXPECT_EQ(search(game, kuhn(*game, "Ks", {small::kRaise}), setup(50)).choices.front().actions, Line{small::kCall});
  EXPECT_EQ(search(game, kuhn(*game, "Js", {small::kRaise}), setup(50)).choices.front().actions, Line{small::kFold});
}

// Every choice three times.
struct Threefold : RandomPlay<State> {
  std::vector<Line> lines(const State& root, int most) const {
    std::vector<Line> lines;
    for (const Line& line : RandomPlay<State>::lines(root, most)) lines.insert(lines.end(), 3, line);
    return lines;
  }
};

TEST(SamplingSearch, MeetsEqualChoicesWithEqualChance) {
  const auto game = test::game_of<small::Game>("leduc");
  State state;
  state.reset(game->rules(), 4);
  for (const int threads : {1, 2}) {
    const SearchResult result =
        make_search<State>(game, Threefold(), setup(6 * 100, threads))()->run(test::seen_in(state, *game), 2);
    ASSERT_EQ(result.choices.size(), 6U);
    for (const ChoiceValue& a : result.choices)
      for (const ChoiceValue& b : result.choices)
        if (a.actions == b.actions && a.simulations == b.simulations) {
          EXPECT_EQ(a.value, b.value);
          EXPECT_EQ(a.error, b.error);
        }
    EXPECT_EQ(result.choices[0].actions, result.choices[1].actions);
    EXPECT_GT(result.choices[0].error, 0);
  }
}

std::string written(const SearchResult& result) {
  std::string text;
  for (const ChoiceValue& choice : result.choices)
    text += fmt::format("{} {} {} {}; ", choice.text, choice.value, choice.error, choice.simulations);
  return text;
}

TEST(SamplingSearch, IsTheSameForASeedWhateverTheThreads) {
  const auto game = test::game_of<small::Game>("leduc");
  State state;
  state.reset(game->rules(), 4);
  const std::string once = written(search(game, state, setup(1000), 5));
  EXPECT_EQ(written(search(game, state, setup(1000), 5)), once);
  EXPECT_NE(written(search(game, state, setup(1000), 6)), once);
  for (const int threads : {2, 3}) EXPECT_EQ(written(search(game, state, setup(1000, threads), 5)), once);
}

TEST(SamplingSearch, KeepsToABudgetOfTime) {
  const auto game = test::game_of<small::Game>("leduc");
  State state;
  state.reset(game->rules(), 4);
  SearchSetup how = setup(0);
  how.options.milliseconds = 20;
  const auto begun = std::chrono::steady_clock::now();
  const SearchResult result = search(game, state, how);
  EXPECT_GE(std::chrono::steady_clock::now() - begun, std::chrono::milliseconds(20));
  EXPECT_GE(result.choices.front().simulations, 16);
}

// Values every position at 7 for seat 0.
struct Seven : RandomPlay<State> {
  std::optional<double> estimate(const State&, Seat me) const { return me == 0 ? 7 : -7; }
};

TEST(SamplingSearch, LetsAnEstimateStandForTheRest) {
  const auto game = test::game_of<small::Game>("kuhn");
  const State state = kuhn(*game, "Ks", {});
  SearchSetup how = setup(100);
  const auto value_of = [&](Action action) {
    for (const ChoiceValue& choice :
         make_search<State>(game, Seven(), how)()->run(test::seen_in(state, *game), 1).choices)
      if (choice.actions.front() == action) return choice.value;
    return 0.0;
  };
  how.options.depth = 1;
  // After a check the other acts, which may end the hand; after its bet the estimate is used.
  EXPECT_GT(value_of(small::kCall), 2);
  // One more action ends every hand that began with a bet.
  EXPECT_LT(value_of(small::kRaise), 3);
  how.options.depth = 0;
  EXPECT_LT(value_of(small::kCall), 3);
  how.options.depth.reset();
  EXPECT_LT(value_of(small::kCall), 3) << "the usual depth is beyond the end of such a hand";
}

TEST(SamplingSearch, RefusesWhatNothingIsKnownFor) {
  const auto game = test::game_of<small::Game>("kuhn");
  SearchSetup how = setup(10);
  how.options.weighted = SearchOptions::Weights::kPrior;
  EXPECT_EQ(test::error_message<UsageError>([&] { make_search<State>(game, RandomPlay<State>(), how); }),
            "agent 'test': 'kuhn' has no weights for sampled states; omit weighted=true");
  how = setup(10);
  how.options.depth = 2;
  EXPECT_EQ(test::error_message<UsageError>([&] { make_search<State>(game, RandomPlay<State>(), how); }),
            "agent 'test': 'kuhn' has no values of positions without a network; omit depth, or search with a network");
  how.options.depth = 0;
  EXPECT_NO_THROW(make_search<State>(game, RandomPlay<State>(), how));
}

// The bettor bets kings always, jacks one time in three, queens never.
struct Bettor {
  double weigh(State& state, Seat observer, RandomStream&) const {
    const std::string card = state.rules().to_string(lowest(state.hand(1 - observer)));
    return card == "Ks" ? 1 : card == "Js" ? 1.0 / 3 : 0;
  }
};

// The distribution of seat 0's card over `draws` samples for seat 1, who holds this card.
std::map<std::string, int> drawn(int proposals, const char* own, int draws) {
  const auto game = test::game_of<small::Game>("kuhn");
  const State state = kuhn(*game, own, {small::kRaise});
  const Bettor bettor;
  WeightedSampler<State, Bettor> sampler(State::Sampler(game->rules(), test::seen_in(state, *game).data), bettor, 1,
                                         proposals);
  RandomStream rng(5);
  std::map<std::string, int> counts;
  for (int i = 0; i < draws; ++i) ++counts[game->rules().to_string(lowest(sampler.draw(rng).hand(0)))];
  return counts;
}

// With a queen: a king with 1 / (1 + 1/3), otherwise a jack. With many proposals the sample follows Bayes' rule up to a
// bias of about a hundredth of a standard deviation; one proposal ignores the weights. With two, kings are chosen in
// all but a quarter of cases, and in three of four of the mixed half: 5/8.
TEST(WeightedSampler, FollowsBayes) {
  for (const auto& [proposals, kings] : {std::pair(200, 0.75), std::pair(1, 0.5), std::pair(2, 0.625)})
    EXPECT_LT(test::deviations(std::map<std::string, double>{{"Ks", kings}, {"Js", 1 - kings}},
                               drawn(proposals, "Qs", 6000), 6000),
              4.5)
        << proposals;
  EXPECT_EQ(drawn(50, "Ks", 500), (std::map<std::string, int>{{"Js", 500}})) << "never a queen";
}

// The bet of seat 0 is the whole betting history.
struct AfterABet : RandomPlay<State> {
  double propose(State&, Seat, RandomStream&) const { return 1; }
  std::vector<ReplayedDecision> decision_history(const State& state, Seat seat) const {
    if (seat != 0) return {};
    // Only the card matters: the agent below ignores everything else.
    std::vector<ReplayedDecision> all(1);
    all[0].seen.player = 0;
    all[0].seen.legal_mask = LegalMask{1} << small::kCall | LegalMask{1} << small::kRaise;
    all[0].seen.data = {static_cast<float>(lowest(state.hand(0)))};
    all[0].action = small::kRaise;
    return all;
  }
};

// Bets kings always, jacks one time in three, queens never. Behind a bet it calls half the time.
test::FunctionEvaluator bettor(const small::Game& game) {
  return {game.num_actions(), [&game](const Observation& seen, std::span<double> row) {
            if ((seen.legal_mask >> small::kFold & 1) != 0) {
              row[small::kFold] = row[small::kCall] = 0.5;
              return 0.0;
            }
            const std::string card = game.rules().to_string(static_cast<Card>(seen.data[0]));
            const double bets = card == "Ks" ? 1 : card == "Js" ? 1.0 / 3 : 0;
            row[small::kRaise] = bets;
            row[small::kCall] = 1 - bets;
            return 0.0;
          }};
}

// The distribution of seat 0's card over 3000 samples for seat 1, who holds this card, with that many proposals.
std::map<std::string, int> drawn_by_agent(const char* own, int proposals) {
  const auto game = test::game_of<small::Game>("kuhn");
  const State state = kuhn(*game, own, {small::kRaise});
  const State::Sampler uniform(game->rules(), test::seen_in(state, *game).data);
  const AfterABet play;
  test::FunctionEvaluator agent = bettor(*game);
  const AgentWeightedStates<State, AfterABet> states(uniform, play, agent, 1, *game, proposals, 1);
  RandomStream rng(5);
  std::map<std::string, int> counts;
  for (int i = 0; i < 3000; ++i) ++counts[game->rules().to_string(lowest(states.draw(rng).hand(0)))];
  return counts;
}

// One time in a hundred it plays at random: a king bets with 0.995, a jack with 0.335, a queen with 0.005.
TEST(AgentWeights, FollowBayes) {
  using Shares = std::map<std::string, double>;
  for (const auto& [own, exact] : {std::pair("Qs", Shares{{"Ks", 0.995 / 1.33}, {"Js", 0.335 / 1.33}}),
                                   std::pair("Ks", Shares{{"Js", 0.335 / 0.34}, {"Qs", 0.005 / 0.34}})})
    EXPECT_LT(test::deviations(exact, drawn_by_agent(own, 30000), 3000), 4.5) << own;
}

TEST(AgentWeights, OneProposalIsAllThereIs) { EXPECT_EQ(drawn_by_agent("Qs", 1).size(), 1U); }

TEST(AgentWeights, NeedAnAgentAndAWayBack) {
  const auto game = test::game_of<small::Game>("kuhn");
  SearchSetup how = setup(10);
  how.options.weighted = SearchOptions::Weights::kAgent;
  EXPECT_EQ(test::error_message<UsageError>([&] { make_search<State>(game, AfterABet(), how); }),
            "agent 'test': weighted=agent needs another agent, as in default[simulations=1000,weighted=agent]");
  how.evaluator = [game] { return std::make_unique<test::FunctionEvaluator>(bettor(*game)); };
  EXPECT_EQ(test::error_message<UsageError>([&] { make_search<State>(game, RandomPlay<State>(), how); }),
            "agent 'test': the earlier decisions of a hand of 'kuhn' cannot be replayed; omit weighted=agent");
  EXPECT_NO_THROW(make_search<State>(game, AfterABet(), how));
}

// With a queen against such a bet: a call loses two to a king, three times in four, and wins two otherwise.
TEST(AgentWeights, MakeTheSearchAnswerTheAgent) {
  const auto game = test::game_of<small::Game>("kuhn");
  const Observation seen = test::seen_in(kuhn(*game, "Qs", {small::kRaise}), *game);
  for (const auto& [weights, expected] : {std::pair(SearchOptions::Weights::kAgent, -2 * (0.995 - 0.335) / 1.33),
                                          std::pair(SearchOptions::Weights::kDeal, 0.0)}) {
    SearchSetup how = setup(4000);
    how.options.weighted = weights;
    how.options.proposals = 5000;
    how.evaluator = [game] { return std::make_unique<test::FunctionEvaluator>(bettor(*game)); };
    int calls = 0;
    for (const ChoiceValue& choice : make_search<State>(game, AfterABet(), how)()->run(seen, 1).choices) {
      if (choice.actions.front() != small::kCall) continue;
      EXPECT_NEAR(choice.value, expected, 0.2);
      ++calls;
    }
    EXPECT_EQ(calls, 1);
  }
}

// Both choices share cards and random numbers: the difference of a choice to itself is exactly zero.
TEST(SamplingSearch, ComparesOverTheSameCards) {
  const auto game = test::game_of<small::Game>("leduc");
  const Observation seen = test::first_decision(*game, 2);
  const Line bet = {small::kRaise}, check = {small::kCall};
  const auto search = make_search<State>(game, RandomPlay<State>(), setup(200))();
  const Line same[] = {bet, bet}, different[] = {bet, check};
  const Comparison none = search->compare(seen, same, 3).value();
  EXPECT_GT(none.first.error, 0);
  EXPECT_EQ(none.first.value, none.second.value);
  EXPECT_EQ(none.difference, 0);
  EXPECT_EQ(none.error, 0);
  const Comparison some = search->compare(seen, different, 3).value();
  EXPECT_DOUBLE_EQ(some.difference, some.first.value - some.second.value);
  EXPECT_GT(some.error, 0);
}

}  // namespace
}  // namespace dealer::sampling_search_test
