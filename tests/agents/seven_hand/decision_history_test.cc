// The decisions of a seat in a hand of 7-Hand Poker, replayed.
#include "agents/search/particles.h"
#include "agents/search/playouts.h"
#include "agents/seven_hand/search_play.h"
#include "tests/agents/seven_hand/seven_hand_support.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/evaluators.h"

namespace dealer::seven_hand::decision_history_test {
namespace {

// Random hands, including the second of an episode: from any state the recorded observations and decisions result.
TEST(DecisionHistory, IsWhatWasSeenAndDone) {
  const auto game = test::seven_hand_game("seven_hand[hands=2]");
  int compared = 0, second_hands = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    RandomStream rng(seed, 1);
    State state;
    state.reset_and_hold(game->rules(), seed);
    std::array<std::vector<ReplayedDecision>, kSeats> decided;
    for (;;) {
      if (state.hand_over()) {
        if (state.episode_over()) break;
        state.next_hand();
        decided = {};
      }
      const Seat seat = state.current_player(), other = 1 - seat;
      const std::vector<ReplayedDecision> again = decision_history(state, other);
      const auto& before = decided[at(other)];
      ASSERT_EQ(again.size(), before.size()) << seed;
      for (std::size_t i = 0; i < again.size(); ++i) {
        EXPECT_EQ(again[i].action, before[i].action);
        EXPECT_EQ(again[i].seen.player, other);
        EXPECT_EQ(again[i].seen.legal_mask, before[i].seen.legal_mask);
        ASSERT_EQ(again[i].seen.data, before[i].seen.data) << seed << ' ' << i;
      }
      compared += static_cast<int>(again.size());
      second_hands += state.hands_finished();
      ReplayedDecision& now = decided[at(seat)].emplace_back();
      now.seen = test::seen_in(state, *game);
      now.action = test::random_action(state.legal_mask(), rng);
      state.apply_and_hold(now.action);
    }
  }
  EXPECT_GT(compared, 1000);
  EXPECT_GT(second_hands, 100);
}

// Always lays its highest card, and names a random chip.
test::FunctionEvaluator highest() {
  return {kActions, [](const Observation& seen, std::span<double> row) {
            const LegalMask cards = seen.legal_mask & kFullDeck;
            for (LegalMask rest = cards != 0 ? std::bit_floor(cards) : seen.legal_mask; rest != 0; rest &= rest - 1)
              row[at(std::countr_zero(rest))] = 1;
            return 0.0;
          }};
}

// Both have laid `count` of their lowest cards twice, at chips where the other has none.
State with_hidden_cards(const Game& game, int count) {
  State state;
  state.reset(game.rules(), 5);
  for (int turn = 0; turn < 4; ++turn) {
    CardSet cards = 0;
    while (size(cards) < count) cards |= bit(lowest(state.hand(state.mover()) & ~cards));
    test::lay(state, cards, turn + 1);
  }
  return state;
}

// If an agent always lays its highest card, hidden single cards must be the highest it held.
TEST(AgentWeights, KnowWhatTheAgentLays) {
  const auto game = test::seven_hand_game();
  const SearchedPlay play(game->rules());
  const State real = with_hidden_cards(*game, 1);
  const Seat me = real.current_player(), other = 1 - me;
  const Observation seen = test::seen_in(real, *game);
  const State::Sampler uniform(game->rules(), seen.data);
  test::FunctionEvaluator agent = highest();
  const AgentWeightedStates<State, SearchedPlay> states(uniform, play, agent, me, *game, 1000, 3);
  RandomStream rng(4);
  int highest = 0, turns = 0;
  std::set<CardSet> stocks;
  for (int i = 0; i < 100; ++i) {
    const State state = states.draw(rng);
    EXPECT_TRUE(state.valid());
    EXPECT_EQ(test::seen_in(state, *game).data, seen.data);
    stocks.insert(state.hand(other));
    CardSet held = 0;
    for (int turn = 1; turn <= state.finished_turns(other); ++turn) {
      held |= state.drawn(other, turn - 1);
      const CardSet laid = state.laid(other, state.chip_of(other, turn));
      highest += laid == std::bit_floor(held) ? 1 : 0;
      ++turns;
      held &= ~laid;
    }
  }
  EXPECT_EQ(turns, 200);
  EXPECT_GT(highest, 190);
  EXPECT_GT(stocks.size(), 90U) << "the cards drawn last are others every time";
}

// With the weights of propose(), every statistic has the same mean as over uniform states.
TEST(SearchedPlay, ProposesWithTheWeightOfUniformStates) {
  const auto game = test::seven_hand_game();
  const SearchedPlay play(game->rules());
  const State real = with_hidden_cards(*game, 2);
  const Seat me = real.current_player(), other = 1 - me;
  const State::Sampler uniform(game->rules(), test::seen_in(real, *game).data);
  const auto pairs = [&](const State& state) {
    double count = 0;
    for (int chip = 0; chip < kChips; ++chip) {
      const CardSet cards = state.laid(other, chip);
      if (size(cards) == 2) count += rank_of(lowest(cards)) == rank_of(lowest(cards & (cards - 1))) ? 1 : 0;
    }
    return count;
  };
  constexpr int kDraws = 20000;
  double plain = 0, plain_squares = 0, sum = 0, weights = 0;
  std::vector<std::pair<double, double>> weighted;
  RandomStream rng(9);
  for (int i = 0; i < kDraws; ++i) {
    const double x = pairs(uniform.draw(rng));
    plain += x / kDraws;
    plain_squares += x * x / kDraws;
    State state = uniform.draw(rng);
    const double weight = play.propose(state, me, rng);
    weighted.emplace_back(weight, pairs(state));
    weights += weight;
    sum += weight * weighted.back().second;
  }
  double squares = 0;
  for (const auto& [weight, x] : weighted) squares += weight * weight * (x - sum / weights) * (x - sum / weights);
  const double error = std::sqrt(squares / (weights * weights) + (plain_squares - plain * plain) / kDraws);
  EXPECT_LT(error, 0.03);
  EXPECT_NEAR(sum / weights, plain, 4 * error);
  double unweighted = 0;
  for (const auto& [weight, x] : weighted) unweighted += x / kDraws;
  EXPECT_GT(unweighted, plain + 10 * error) << "the behaviour prior lays pairs";
}

}  // namespace
}  // namespace dealer::seven_hand::decision_history_test
