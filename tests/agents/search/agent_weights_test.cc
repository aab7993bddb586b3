#include <gtest/gtest.h>

#include <map>

#include "agents/search/make_search.h"
#include "agents/search/particles.h"
#include "env/core/registry.h"
#include "env/games/small/game.h"
#include "env/games/small/parts.h"
#include "tests/support/chi_square.h"
#include "tests/support/error_message.h"
#include "tests/support/evaluators.h"

namespace dealer::agent_weights_test {
namespace {

using small::State;

// The bet of seat 0 is all that has happened.
struct AfterABet : RandomPlay<State> {
  double propose(State&, Seat, RandomStream&) const { return 1; }
  std::vector<ReplayedDecision> decision_history(const State& state, Seat seat) const {
    if (seat != 0) return {};
    // Seen for the card alone: the agent below looks at nothing else.
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

// What 3000 draws of seat 1, who holds this card, say of seat 0's, of so many proposals.
std::map<std::string, int> drawn(const char* own, int proposals) {
  const auto game = std::dynamic_pointer_cast<const small::Game>(make_game("kuhn"));
  for (std::uint64_t seed = 0;; ++seed) {
    State state;
    state.reset(game->rules(), seed);
    state.apply(small::kRaise);
    if (game->rules().to_string(lowest(state.hand(1))) != own) continue;
    std::vector<float> seen(static_cast<std::size_t>(game->observation_spec().size()));
    state.observe(1, seen.data());
    const State::Sampler uniform(game->rules(), seen);
    const AfterABet play;
    test::FunctionEvaluator agent = bettor(*game);
    const AgentWeightedStates<State, AfterABet> states(uniform, play, agent, 1, *game, proposals, seed);
    RandomStream rng(seed, 5);
    std::map<std::string, int> counts;
    for (int i = 0; i < 3000; ++i) ++counts[game->rules().to_string(lowest(states.draw(rng).hand(0)))];
    return counts;
  }
}

// One time in a hundred it does anything: a king bets with 0.995, a jack with 0.335, a queen with 0.005.
TEST(AgentWeights, FollowBayes) {
  EXPECT_LT(test::deviations(std::map<std::string, double>{{"Ks", 0.995 / 1.33}, {"Js", 0.335 / 1.33}},
                             drawn("Qs", 30000), 3000),
            4.5);
  EXPECT_LT(test::deviations(std::map<std::string, double>{{"Js", 0.335 / 0.34}, {"Qs", 0.005 / 0.34}},
                             drawn("Ks", 30000), 3000),
            4.5);
}

TEST(AgentWeights, OneProposalIsAllThereIs) { EXPECT_EQ(drawn("Qs", 1).size(), 1U); }

TEST(AgentWeights, NeedAnAgentAndAWayBack) {
  const auto game = std::dynamic_pointer_cast<const small::Game>(make_game("kuhn"));
  SearchSetup setup;
  setup.spec = "test";
  setup.options.simulations = 10;
  setup.options.weighted = SearchOptions::Weights::kAgent;
  EXPECT_EQ(test::error_message<UsageError>([&] { make_search<State>(game, AfterABet(), setup); }),
            "agent 'test': weighted=agent goes with another agent, as in default[simulations=1000,weighted=agent]");
  setup.evaluator = [game] { return std::make_unique<test::FunctionEvaluator>(bettor(*game)); };
  EXPECT_EQ(test::error_message<UsageError>([&] { make_search<State>(game, RandomPlay<State>(), setup); }),
            "agent 'test': what others did in a hand of 'kuhn' cannot be gone through again; leave weighted=agent out");
  EXPECT_NO_THROW(make_search<State>(game, AfterABet(), setup));
}

// With a queen against such a bet: a call loses two to a king, three times in four, and wins two otherwise.
TEST(AgentWeights, MakeTheSearchAnswerTheAgent) {
  const auto game = std::dynamic_pointer_cast<const small::Game>(make_game("kuhn"));
  for (std::uint64_t seed = 0;; ++seed) {
    State state;
    state.reset(game->rules(), seed);
    state.apply(small::kRaise);
    if (game->rules().to_string(lowest(state.hand(1))) != "Qs") continue;
    Observation seen;
    observe_turn(state, static_cast<std::size_t>(game->observation_spec().size()), seen);
    const auto value_of_call = [&](SearchOptions::Weights weights) {
      SearchSetup setup;
      setup.spec = "test";
      setup.options.simulations = 4000;
      setup.options.weighted = weights;
      setup.options.proposals = 5000;
      setup.evaluator = [game] { return std::make_unique<test::FunctionEvaluator>(bettor(*game)); };
      for (const ChoiceValue& choice : make_search<State>(game, AfterABet(), setup)()->run(seen, 1).choices)
        if (choice.actions.front() == small::kCall) return choice.value;
      return 0.0;
    };
    // A king three times in four: two lost three times, won once.
    EXPECT_NEAR(value_of_call(SearchOptions::Weights::kAgent), -2 * (0.995 - 0.335) / 1.33, 0.2);
    EXPECT_NEAR(value_of_call(SearchOptions::Weights::kDeal), 0, 0.2);
    return;
  }
}

}  // namespace
}  // namespace dealer::agent_weights_test
