#include "agents/search/sampling_search.h"

#include <gtest/gtest.h>

#include "agents/search/make_search.h"
#include "env/core/registry.h"
#include "env/games/small/game.h"
#include "env/games/small/parts.h"
#include "tests/support/error_message.h"

namespace dealer::sampling_search_test {
namespace {

using small::State;

std::shared_ptr<const small::Game> game_of(const char* name) {
  return std::dynamic_pointer_cast<const small::Game>(make_game(name));
}

SearchSetup setup(std::int64_t simulations, int threads = 1) {
  SearchSetup setup;
  setup.spec = "test";
  setup.options.simulations = simulations;
  setup.options.threads = threads;
  return setup;
}

Observation seen(const small::Game& game, const State& state) {
  Observation seen;
  observe_turn(state, static_cast<std::size_t>(game.observation_spec().size()), seen);
  return seen;
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
  return make_search<State>(game, RandomPlay<State>(), how)()->run(seen(*game, state), seed);
}

TEST(SamplingSearch, ValuesChoicesByWhatTheyBring) {
  const auto game = game_of("kuhn");
  const auto value = [&](const char* card, Action action) {
    for (const ChoiceValue& choice : search(game, kuhn(*game, card, {small::kRaise}), setup(4000)).choices)
      if (choice.actions.front() == action) return choice;
    return ChoiceValue{};
  };
  // Facing a bet: the other holds each of the two other cards as likely.
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
  const auto game = game_of("kuhn");
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
  const auto game = game_of("leduc");
  State state;
  state.reset(game->rules(), 4);
  for (const int threads : {1, 2}) {
    const SearchResult result =
        make_search<State>(game, Threefold(), setup(6 * 100, threads))()->run(seen(*game, state), 2);
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
  const auto game = game_of("leduc");
  State state;
  state.reset(game->rules(), 4);
  const std::string once = written(search(game, state, setup(1000), 5));
  EXPECT_EQ(written(search(game, state, setup(1000), 5)), once);
  EXPECT_NE(written(search(game, state, setup(1000), 6)), once);
  for (const int threads : {2, 3}) EXPECT_EQ(written(search(game, state, setup(1000, threads), 5)), once);
}

TEST(SamplingSearch, KeepsToABudgetOfTime) {
  const auto game = game_of("leduc");
  State state;
  state.reset(game->rules(), 4);
  SearchSetup how = setup(0);
  how.options.milliseconds = 20;
  const auto begun = std::chrono::steady_clock::now();
  const SearchResult result = search(game, state, how);
  EXPECT_GE(std::chrono::steady_clock::now() - begun, std::chrono::milliseconds(20));
  EXPECT_GE(result.choices.front().simulations, 16);
}

// Says of every position that it is worth 7 to seat 0.
struct Seven : RandomPlay<State> {
  std::optional<double> estimate(const State&, Seat me) const { return me == 0 ? 7 : -7; }
};

TEST(SamplingSearch, LetsAnEstimateStandForTheRest) {
  const auto game = game_of("kuhn");
  const State state = kuhn(*game, "Ks", {});
  SearchSetup how = setup(100);
  const auto value_of = [&](Action action) {
    for (const ChoiceValue& choice : make_search<State>(game, Seven(), how)()->run(seen(*game, state), 1).choices)
      if (choice.actions.front() == action) return choice.value;
    return 0.0;
  };
  how.options.depth = 1;
  // After a check the other acts, which may end the hand; after its bet the estimate counts.
  EXPECT_GT(value_of(small::kCall), 2);
  // One more action ends every hand that began with a bet.
  EXPECT_LT(value_of(small::kRaise), 3);
  how.options.depth = 0;
  EXPECT_LT(value_of(small::kCall), 3);
  how.options.depth.reset();
  EXPECT_LT(value_of(small::kCall), 3) << "the usual depth is beyond the end of such a hand";
}

TEST(SamplingSearch, RefusesWhatNothingIsKnownFor) {
  const auto game = game_of("kuhn");
  SearchSetup how = setup(10);
  how.options.weighted = SearchOptions::Weights::kPrior;
  EXPECT_EQ(test::error_message<UsageError>([&] { make_search<State>(game, RandomPlay<State>(), how); }),
            "agent 'test': nothing is known of 'kuhn' by which states could be weighted; leave weighted=true out");
  how = setup(10);
  how.options.depth = 2;
  EXPECT_EQ(test::error_message<UsageError>([&] { make_search<State>(game, RandomPlay<State>(), how); }),
            "agent 'test': nothing is known of 'kuhn' by which a position could be valued; leave depth out, or search "
            "with a network");
  how.options.depth = 0;
  EXPECT_NO_THROW(make_search<State>(game, RandomPlay<State>(), how));
}

}  // namespace
}  // namespace dealer::sampling_search_test
