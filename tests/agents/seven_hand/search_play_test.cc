// The search play of 7-Hand Poker.
#include "agents/seven_hand/search_play.h"

#include "agents/search/particles.h"
#include "agents/search/playouts.h"
#include "agents/seven_hand/chip_odds.h"
#include "tests/agents/seven_hand/seven_hand_support.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/chi_square.h"
#include "tests/support/evaluators.h"

namespace dealer::seven_hand::search_play_test {
namespace {

const GameRules& the_rules() {
  static const GamePtr game = make_game("seven_hand");
  return as_seven_hand(*game)->rules();
}
const BehaviourPrior& the_prior() {
  static const BehaviourPrior behaviour_prior(the_rules());
  return behaviour_prior;
}
using test::cards;
using test::dealt;
using test::lay;

std::vector<float> observed(const State& state, Seat seat) {
  std::vector<float> numbers(at(State::observation_spec(the_rules()).size()));
  state.observe(seat, numbers.data());
  return numbers;
}

TEST(BehaviourPrior, LayAsOftenAsTheySay) {
  RandomStream rng(1);
  for (int turns = 1; turns <= kTurns; ++turns) {
    const CardSet hand = test::random_cards(rng, 10);
    std::map<CardSet, double> exact;
    double sum = 0;
    const BehaviourPrior::Layings layings = the_prior().layings(hand, turns);
    for (const BehaviourPrior::Laying& laying : layings.all()) {
      EXPECT_EQ(laying.cards & ~hand, 0U);
      EXPECT_GE(size(laying.cards), 1);
      EXPECT_LE(size(laying.cards), kMostLaid);
      exact[laying.cards] += laying.probability;
      sum += laying.probability;
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    std::map<CardSet, int> counts;
    constexpr int kDraws = 5000;
    for (int i = 0; i < kDraws; ++i) ++counts[the_prior().lay(hand, turns, rng)];
    EXPECT_LT(test::deviations(exact, counts, kDraws), 4.5) << turns;
  }
}

TEST(BehaviourPrior, LayKickersInTheLastTurn) {
  std::set<CardSet> laid;
  const BehaviourPrior::Layings layings = the_prior().layings(cards("As Kd 9c 9d 4s 3h 2c"), 1);
  for (const BehaviourPrior::Laying& laying : layings.all()) laid.insert(laying.cards);
  EXPECT_EQ(laid, (std::set<CardSet>{cards("9c 9d"), cards("As Kd 9c 9d 4s")}));
}

TEST(BehaviourPrior, KnowWhatAHandBeats) {
  for (const char* hand : {"2c", "As", "7c 7d", "As Ks Qs Js Ts", "4c 4d 4s 2h"})
    for (const int count : {0, 1, 2, 5})
      EXPECT_FLOAT_EQ(static_cast<float>(the_prior().beats(cards(hand), count)),
                      static_cast<float>(laid_hand_cdfs().beats(evaluate(cards(hand)), count)));
}

// A royal flush lies at chip 4, and one card is laid: nowhere is it safer.
TEST(BehaviourPrior, NameTheChipWhereTheyAreStrong) {
  State state = dealt(the_rules(), "As Ks Qs Js Ts", "");
  lay(state, cards("As Ks Qs Js Ts"), 4);
  lay(state, bit(lowest(state.hand(1))));
  ASSERT_TRUE(state.naming());
  RandomStream rng(1);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(the_prior().name(state, rng), kFirstChip + 3);
}

// The other has taken chips 1 and 2, and lays five cards: at chip 3 they would win the game.
TEST(BehaviourPrior, NameNoChipThatLosesTheGame) {
  State state = dealt(the_rules(), "", "");
  for (const int chip : {0, 1, 6}) {
    lay(state, bit(lowest(state.hand(0))), chip + 1);
    CardSet high = 0;
    while (size(high) < (chip < 6 ? 1 : kMostLaid)) high |= std::bit_floor(state.hand(1) & ~high);
    lay(state, high);
    if (chip < 6) state.apply_and_hold(kFirstChip + chip);
  }
  ASSERT_EQ(state.chips(1), 2);
  ASSERT_TRUE(state.naming());
  RandomStream rng(1);
  for (int i = 0; i < 50; ++i) EXPECT_NE(the_prior().name(state, rng), kFirstChip + 2);
}

// A player following the behaviour prior is recognised: over many games, statistics of the weighted states agree with
// the actual face-down cards, and those of uniform states do not.
TEST(HiddenLayings, AreWhatThePriorLays) {
  const SearchedPlay play(the_rules());
  double real = 0, weighted = 0, uniform = 0, real_squares = 0;
  int games = 0;
  const auto strength = [](const State& state, Seat seat) {
    double sum = 0;
    for (int chip = 0; chip < kChips; ++chip)
      if (state.turn_laid(seat, chip) != 0) sum += the_prior().beats(state.laid(seat, chip));
    return sum + (state.naming() && state.mover() == seat ? the_prior().beats(state.picked()) : 0);
  };
  const int repetitions = test::repetitions(1500);
  for (int game = 0; game < repetitions; ++game) {
    RandomStream rng(5, static_cast<std::uint64_t>(game));
    State state;
    state.reset(the_rules(), static_cast<std::uint64_t>(game));
    const Seat other = state.mover();
    for (int turn = 0; turn < 5 && !state.hand_over(); ++turn) {
      const Seat mover = state.mover();
      // The other follows the behaviour prior with some random play; chips are named at random,
      // so that they are uninformative.
      const bool by_prior = rng.uniform() >= 0.05F;
      CardSet any = 0;
      for (auto count = rng.below(5) + 1; size(any) < static_cast<int>(count);) {
        const Card card = static_cast<Card>(rng.below(kCards));
        any |= state.hand(mover) & bit(card);
      }
      lay(state, by_prior ? the_prior().lay(state.hand(mover), kTurns - state.finished_turns(mover), rng) : any);
      if (turn == 4) break;
      if (state.naming()) state.apply_and_hold(test::random_action(state.legal_mask(), rng));
    }
    if (state.hand_over() || !state.naming()) continue;
    ++games;
    const std::vector<float> seen = observed(state, 1 - other);
    const State::Sampler sampler(the_rules(), seen);
    WeightedSampler<State, SearchedPlay> by_play(sampler, play, 1 - other, 64);
    const double now = strength(state, other), observed = strength(by_play.draw(rng), other);
    real += now;
    real_squares += (now - observed) * (now - observed);
    weighted += observed;
    uniform += strength(sampler.draw(rng), other);
  }
  // Standard error of the difference of the sums.
  const double error = std::sqrt(real_squares);
  EXPECT_NEAR(weighted, real, 4 * error);
  EXPECT_LT(uniform, real - 8 * error) << games;
}

// The first hand of a deal after fewer than `most` random actions.
State random_position(std::uint64_t seed, std::uint32_t most, RandomStream& rng) {
  State state;
  state.reset(the_rules(), seed);
  for (auto steps = rng.below(most); steps > 0 && !state.hand_over(); --steps)
    state.apply(test::random_action(state.legal_mask(), rng));
  return state;
}

TEST(HiddenLayings, AgreeWithWhatIsSeen) {
  RandomStream rng(2);
  int changed = 0;
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(test::repetitions(300)); ++seed) {
    const State state = random_position(seed, 40, rng);
    if (state.hand_over()) continue;
    const Seat me = state.current_player();
    State other = state;
    const PriorWeight weight = lay_by_prior(the_prior(), other, 1 - me, rng);
    EXPECT_GT(weight.weight, 0);
    EXPECT_GT(weight.likely, 0);
    EXPECT_LE(weight.likely, 1);
    EXPECT_TRUE(other.valid());
    EXPECT_EQ(observed(other, me), observed(state, me));
    for (int chip = 0; chip < kChips; ++chip) changed += other.laid(1 - me, chip) != state.laid(1 - me, chip) ? 1 : 0;
  }
  EXPECT_GT(changed, 0);
}

// In points: a margin counts chips.
TEST(OpenValue, SeesWhoIsAhead) {
  for (const char* spec : {"seven_hand", "seven_hand[margin=true]"}) {
    const auto game = test::seven_hand_game(spec);
    RandomStream rng(3);
    const SearchedPlay play(game->rules());
    double agree = 0, most = 0;
    int games = 0;
    for (std::uint64_t seed = 0; seed < at(test::repetitions(400)) + 60; ++seed) {
      State state;
      state.reset(game->rules(), seed);
      while (!state.hand_over() && (state.turns() < (seed % 2 == 0 ? 8 : 12) || state.naming())) play.play(state, rng);
      if (state.hand_over()) continue;
      const double worth = play.estimate(state, 0).value();
      EXPECT_NEAR(worth, -play.estimate(state, 1).value(), 1e-12);
      most = std::max(most, std::abs(worth));
      while (!state.hand_over()) play.play(state, rng);
      agree += worth * state.return_of(0);
      ++games;
    }
    EXPECT_GT(agree / games, 0.15);
    EXPECT_EQ(most > 1 + 1e-9, game->rules().margin);
  }
}

TEST(OpenValue, RatesWhatIsNotDecided) {
  const SearchedPlay play(the_rules());
  const auto value = [&](const State& state) { return play.estimate(state, 0).value(); };
  State strong = dealt(the_rules(), "As Ks Qs Js Ts", "");
  const double before = value(strong);
  lay(strong, cards("As Ks Qs Js Ts"), 4);
  EXPECT_GT(value(strong), before);
  EXPECT_GT(value(strong), 0.1) << "the middle chip is as good as taken";
  EXPECT_LT(value(dealt(the_rules(), "2s 3h 4d 5c 7s 8h 9d Tc", "")), before);
}

// The agent is not queried for hands that have ended, and each other hand gets its own value.
TEST(SearchedPlay, TheAgentValuesHandsThatGoOn) {
  const SearchedPlay play(the_rules());
  RandomStream rng(8);
  std::vector<State> states;
  std::vector<RandomStream> streams;
  for (std::uint64_t seed = 0; states.size() < 20; ++seed) {
    State state;
    state.reset(the_rules(), seed);
    // Every other one is nearly over.
    for (const bool late = states.size() % 2 == 0; late && !state.hand_over() && state.turns() < 13;)
      play.play(state, rng);
    if (state.hand_over()) continue;
    states.push_back(state);
    streams.emplace_back(seed, 3);
  }
  // Every queried position is worth one more than the one before.
  int asked = 0;
  const GamePtr game = make_game("seven_hand");
  StateEvaluator<State> agent(
      std::make_unique<test::FunctionEvaluator>(kActions,
                                                [&](const Observation& seen, std::span<double>) {
                                                  EXPECT_EQ(seen.player, 0);
                                                  return 10.0 + asked++;
                                                }),
      *as_seven_hand(*game));
  MixedPlayouts<State, SearchedPlay> playouts(play, agent, 3);
  std::vector<double> results(states.size(), -7);
  playouts.run(states, streams, 0, results);
  double next = 10;
  for (std::size_t i = 0; i < states.size(); ++i) {
    EXPECT_EQ(states[i].hand_over(), i % 2 == 0) << i;
    EXPECT_EQ(results[i], states[i].hand_over() ? states[i].return_of(0) : next++) << i;
  }
}

TEST(SearchedPlay, EarlierHandsDoNotCount) {
  const GamePtr game = make_game("seven_hand[hands=2]");
  const GameRules& rules = as_seven_hand(*game)->rules();
  int won = 0, lost = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    State state;
    state.reset(rules, seed);
    RandomStream rng(seed, 4);
    while (state.hands_finished() == 0) state.apply(test::random_action(state.legal_mask(), rng));
    (state.return_of(state.current_player()) > 0 ? won : lost) += state.return_of(0) != 0 ? 1 : 0;
    Observation seen;
    observe_turn(state, at(game->observation_spec().size()), seen);
    SearchSetup setup;
    setup.options.simulations = 400;
    for (const ChoiceValue& choice : make_seven_hand_search(setup, game)()->run(seen, seed).choices)
      EXPECT_LT(std::abs(choice.value), 0.75) << seed << ' ' << choice.text;
  }
  EXPECT_GT(won, 1);
  EXPECT_GT(lost, 1);
}

TEST(SearchedPlay, ProposesWholeTurns) {
  const SearchedPlay play(the_rules());
  RandomStream rng(6);
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(test::repetitions(200)); ++seed) {
    const State state = random_position(seed, 60, rng);
    if (state.hand_over()) continue;
    const std::vector<Line> lines = play.lines(state, 8);
    ASSERT_FALSE(lines.empty());
    if (!state.naming() && state.picked() == 0) {
      EXPECT_LE(lines.size(), 8U);
    }
    std::set<Line> different(lines.begin(), lines.end());
    EXPECT_EQ(different.size(), lines.size());
    for (const Line& line : lines) {
      State after = state;
      for (std::size_t i = 0; i < line.size(); ++i) {
        ASSERT_EQ(after.legal_mask() >> line[i] & 1, 1U) << seed;
        const State before = after;
        after.apply_and_hold(line[i]);
        if (state.picked() == 0) {
          EXPECT_EQ(play.turn_goes_on(before, after), i + 1 < line.size());
        }
      }
    }
  }
}

}  // namespace
}  // namespace dealer::seven_hand::search_play_test
