#include "agents/agent.h"
#include "agents/encoder.h"
#include "agents/tabular/policy.h"
#include "agents/tabular/values.h"
#include "env/games/small/game.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/play.h"
#include "tests/support/testing.h"

namespace dealer::small::rule_agent_test {
namespace {

using tabular::GameTree;
using tabular::Policy;

// The exact mean winnings of an agent against random play, over both seats.
double gain_over_random(const GameTree& tree, const Policy& agent) {
  double sum = 0;
  for (Seat seat = 0; seat < kSeats; ++seat) {
    Policy mixed = tabular::uniform_policy(tree);
    std::copy(agent.probability.begin() + tree.first_sequence(seat),
              agent.probability.begin() + tree.first_sequence(seat + 1),
              mixed.probability.begin() + tree.first_sequence(seat));
    sum += tabular::expected_returns(tree, mixed)[at(seat)];
  }
  return sum / kSeats;
}

double gain_of_rule(const std::string& spec) {
  const GamePtr game = make_game(spec);
  const GameTree tree(*game);
  return gain_over_random(tree, tabular::policy_of(tree, *make_agents("rule", game)->make()));
}

// With 200 playouts per action it won 2.088 +- 0.045, 0.461 +- 0.010 and 2.108 +- 0.028 (20,000 duplicated deals).
TEST(SmallRule, BeatsRandomAtLeastAsClearlyAsItsPlayoutsDid) {
  EXPECT_NEAR(gain_of_rule("leduc"), 2.2, 1e-9);
  EXPECT_NEAR(gain_of_rule("kuhn"), 11.0 / 24, 1e-9);
  EXPECT_NEAR(gain_of_rule("mini_draw"), 2.18641975, 1e-6);
}

TEST(SmallRule, PlayoutsFindTheSameActions) {
  const GamePtr game = make_game("leduc");
  const GameTree tree(*game);
  const std::vector<double> values = tabular::action_values(tree, tabular::uniform_policy(tree));
  const auto exact = make_agents("rule", game)->make(), sampling = make_agents("rule[samples=1000]", game)->make();
  sampling->reset(0, 1);
  int clear = 0;
  for (std::size_t s = 0; s < tree.sets().size(); s += 7) {
    const GameTree::InformationSet& set = tree.sets()[s];
    std::vector<double> sorted(values.begin() + set.first, values.begin() + set.first + set.actions);
    std::sort(sorted.rbegin(), sorted.rend());
    const Observation seen = tree.observation(static_cast<int>(s));
    if (sorted[0] - sorted[1] < 2) continue;
    ++clear;
    EXPECT_EQ(sampling->act(seen), exact->act(seen)) << tree.information_text(static_cast<int>(s));
  }
  EXPECT_GT(clear, 20);
}

TEST(SmallRule, PlaysWhatItsPolicySays) {
  const GamePtr game = make_game("mini_draw");
  const GameTree tree(*game);
  const auto agent = make_agents("rule", game)->make();
  std::array<int, kMoves> played{};
  for (std::size_t s = 0; s < tree.sets().size(); s += 11) {
    const Observation seen = tree.observation(static_cast<int>(s));
    const std::vector<double> policy = agent->policy(seen).value();
    const std::vector<Action> legal = seen.legal_actions();
    const Action action = agent->act(seen).action;
    ++played[at(action)];
    for (std::size_t a = 0; a < legal.size(); ++a) ASSERT_EQ(policy[a], legal[a] == action ? 1 : 0);
  }
  for (const int count : played) EXPECT_GT(count, 0);
}

TEST(SmallRule, RefusesWhatIsNoDecisionAndOtherOptions) {
  const GamePtr game = make_game("leduc");
  const auto env = game->new_env();
  env->reset(1);
  EXPECT_TRUE(test::refuses<UsageError>("|no observation of a decision in 'leduc'",
                                        [&] { make_agents("rule", game)->make()->act(env->observe(1)); }));
  EXPECT_TRUE(test::refuses<ConfigError>("0 to 1000000", [&] { make_agents("rule[samples=-1]", game); }));
  EXPECT_TRUE(test::refuses<ConfigError>("samples", [&] { make_agents("rule[sample=1]", game); }));
}

// A deck too large for its tree: playouts, determined by the seed.
TEST(SmallRule, PlaysOutWhatItCannotWalk) {
  const GamePtr game = make_game("mini_draw[ranks=13,suits=4,hand=3]");
  EXPECT_FALSE(make_agents("rule", game)->make()->policy(game->new_env()->observe(0)).has_value());
  test::Seats seats = test::make_seats(make_agents("random", game), *game);
  const auto factory = make_agents("rule[samples=20]", game);
  const auto again = factory->make();
  seats[0] = factory->make();
  const auto env = game->new_env();
  double gain = 0;
  for (std::uint64_t hand = 0; hand < 100; ++hand) {
    again->reset(0, derive(hand, 0));
    test::play(*env, seats, hand, [&](const Env&, const Observation& seen, Decision decision) {
      EXPECT_TRUE(seen.player == 1 || again->act(seen) == decision);
    });
    gain += env->returns()[0];
  }
  // About 1.9 +- 0.35.
  EXPECT_GT(gain, 30);
}

std::map<std::string, float> features_of(const dealer::Game& game, const Encoder& encoder, const State& state,
                                         Seat seat) {
  std::vector<float> numbers(at(game.observation_spec().size())), input_features(encoder.names().size());
  state.observe(seat, numbers.data());
  encoder.encode(numbers.data(), input_features.data());
  std::map<std::string, float> named;
  for (std::size_t i = 0; i < input_features.size(); ++i) named[encoder.names()[i]] = input_features[i];
  return named;
}

// Cards by rank, counted from their names, at all decisions of random hands.
TEST(SmallFeatures, CountTheCardsOfEveryRank) {
  for (const char* spec : {"mini_draw", "mini_draw[ranks=5,suits=3,hand=3]"}) {
    const GamePtr game = make_game(spec);
    const EncoderPtr encoder = make_encoder(game);
    ASSERT_TRUE(encoder) << spec;
    const Rules& rules = as_small(*game)->rules();
    const int ranks = rules.options().ranks, most = std::min(rules.options().suits, rules.options().hand);
    ASSERT_EQ(encoder->names().size(), at(ranks * (3 * most + 1)));
    int pairs = 0, drawn = 0, thrown = 0, next = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      State state;
      state.reset(rules, seed);
      RandomStream rng(seed, 5);
      while (!state.hand_over()) {
        const Seat seat = state.current_player();
        const auto input_features = features_of(*game, *encoder, state, seat);
        std::map<char, int> held;
        const std::string text = rules.to_string(state.hand(seat));
        for (std::size_t i = 0; i < text.size(); i += 3) ++held[text[i]];
        int all = 0;
        for (Card card = 0; card < rules.options().cards(); card = static_cast<Card>(card + rules.options().suits)) {
          const std::string rank = rules.to_string(card).substr(0, 1);
          for (int count = 1; count <= most; ++count) {
            const std::string behind = rank + '.' + std::to_string(count);
            ASSERT_EQ(input_features.at("held." + behind), held[rank[0]] >= count ? 1 : 0) << text << ' ' << behind;
            all += static_cast<int>(input_features.at("held." + behind));
            drawn += static_cast<int>(input_features.at("drawn." + behind));
            thrown += static_cast<int>(input_features.at("discarded." + behind));
            if (count == 2) pairs += static_cast<int>(input_features.at("held." + behind));
          }
          next += static_cast<int>(input_features.at("next." + rank));
        }
        ASSERT_EQ(all, static_cast<int>((text.size() + 1) / 3));
        std::vector<float> numbers(at(game->observation_spec().size()));
        state.observe(seat, numbers.data());
        const int first = game->observation_spec().find("next")->offset;
        std::map<std::string, float> asked;  // by rank
        for (int card = 0; card < rules.options().cards(); ++card)
          asked[rules.to_string(static_cast<Card>(card)).substr(0, 1)] += numbers[at(first + card)];
        for (const auto& [rank, about] : asked) ASSERT_EQ(input_features.at("next." + rank), about) << rank;
        state.apply(test::random_action(state.legal_mask(), rng));
      }
    }
    for (const int seen : {pairs, drawn, thrown, next}) EXPECT_GT(seen, 20) << spec;
  }
}

TEST(SmallFeatures, OnlyDrawPokerHasThem) {
  EXPECT_FALSE(make_encoder(make_game("leduc")));
  EXPECT_FALSE(make_encoder(make_game("kuhn")));
}

}  // namespace
}  // namespace dealer::small::rule_agent_test
