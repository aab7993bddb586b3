#include "arena/control_variates.h"

#include "env/games/poker/game.h"
#include "tests/arena/testing.h"
#include "tests/env/harness/random_play.h"

namespace dealer::control_variates_test {
namespace {

using namespace test;

MatchOptions with_variates(MatchOptions options, int samples, const std::string& values = "") {
  options.control_variates = samples;
  options.values = value_source(values, options.game, options.agents);
  return options;
}

// An arbitrary function of the position: here of the public information, or of the result. Its mean is not 0, and
// thirds of it require rounding.
class Nonsense final : public PositionValues {
 public:
  void add(const Env& table, std::uint64_t, bool) override {
    const Seat seat = table.current_player();
    std::uint64_t hash = 17;
    if (seat >= 0) {
      for (Seat each = 0; each < table.game().players(); ++each)
        for (const float x : table.observe(each).data) hash = mix64(hash ^ std::bit_cast<std::uint32_t>(x));
    } else {
      for (const double x : table.returns()) hash = mix64(hash ^ std::bit_cast<std::uint64_t>(x));
    }
    const double worth = static_cast<double>(hash % 2001);
    const int players = table.game().players();
    for (int i = 0; i < players; ++i) worth_.push_back(i == 0 ? -worth : worth / (players - 1));
  }
  void compute(std::span<double> worth) override {
    std::copy(worth_.begin(), worth_.end(), worth.begin());
    worth_.clear();
  }

 private:
  std::vector<double> worth_;
};

class ChanceTermsOf : public testing::TestWithParam<const char*> {};

// For any position values the chance terms have zero expectation: only then do matches stay unbiased. Impossible cards,
// or unequal frequencies, would show.
TEST_P(ChanceTermsOf, HaveMeanZeroWhateverTheValues) {
  const GamePtr game = make_game(GetParam());
  ChanceTerms of_cards(*game, std::make_unique<Nonsense>(), 3);
  const auto env = game->new_env({.hold_hands = true});
  std::vector<Correction> chance_terms(at(game->players()));
  RandomStream rng(5);
  double sum = 0, squares = 0;
  int count = 0;
  for (std::uint64_t seed = 0; count < repetitions(6000); ++seed) {
    env->reset(seed);
    std::fill(chance_terms.begin(), chance_terms.end(), 0);
    for (int step = 0; step < kMaxSteps && !env->terminated(); ++step) {
      of_cards.remember(*env);
      if (env->hand_over()) {
        env->next_hand();
        of_cards.add_next_hand(*env, rng.bits64(), chance_terms);
        continue;
      }
      const Decision decision = random_decision(*env, rng);
      env->step(decision);
      of_cards.add_step(*env, decision, rng.bits64(), chance_terms);
    }
    const double here = kCorrectionUnit * static_cast<double>(chance_terms[1]);
    Correction all = 0;
    for (const Correction each : chance_terms) all += each;
    ASSERT_EQ(all, 0);
    sum += here;
    squares += here * here;
    ++count;
  }
  ASSERT_GT(squares, 0) << "no cards were noticed";
  EXPECT_LT(std::abs(sum), 4.5 * std::sqrt(squares));
}

INSTANTIATE_TEST_SUITE_P(Games, ChanceTermsOf,
                         testing::Values("ofc", "ofc[players=3]", "seven_hand", "leduc", "mini_draw", "draw",
                                         "triple_draw", "stud", "holdem[limit=no_limit,players=3]",
                                         "washizu[players=2]", "court_extra[players=2]"));

TEST(ControlVariates, AnAgentAgainstItselfHasExactlyNothing) {
  for (const char* game : {"ofc", "ofc[players=3]", "seven_hand", "holdem", "draw", "leduc"}) {
    SCOPED_TRACE(game);
    const MatchResult result =
        play_match(with_variates(match(game, Words(at(make_game(game)->players()), "rule"), 20), 2));
    EXPECT_EQ(result.control_variates, 2);
    for (const AgentResult& agent : result.agents) {
      EXPECT_EQ(agent.mean(), 0);
      EXPECT_EQ(agent.ci95(), 0);
    }
  }
}

TEST(ControlVariates, ThreadsAndTablesChangeNothing) {
  for (const char* game : {"ofc", "holdem"}) {
    MatchOptions options = with_variates(match(game, {"rule", "random"}, 60), 3);
    options.threads = 1;
    options.num_envs = 1;
    const std::string one = without_time(play_match(options));
    options.threads = 3;
    options.num_envs = 8;
    EXPECT_EQ(without_time(play_match(options)), one);
  }
}

// The means differ no more than single matches may, and the variance is smaller.
void expect_less_variance(const MatchOptions& options, double ratio) {
  const MatchResult result = play_match(options);
  const AgentResult& first = result.agents[0];
  const double difference = std::abs(first.points.ratio() - first.as_dealt.ratio());
  EXPECT_LT(difference, 2.3 * (first.points.half_width95() + first.as_dealt.half_width95()) / 2);
  EXPECT_NE(difference, 0);
  EXPECT_GT(first.as_dealt.variance() / first.points.variance(), ratio);
  EXPECT_GT(result.differences[0].as_dealt.variance() / result.differences[0].points.variance(), ratio);
}

TEST(ControlVariatesThorough, LeaveLessVarianceAndTheSameMean) {
  expect_less_variance(with_variates(match("ofc", {"default", "rule"}, 300), 8), 2.0);
  expect_less_variance(with_variates(match("stud", {"default", "rule"}, 400), 8), 1.5);
  expect_less_variance(with_variates(match("draw", {"rule", "rule:loose"}, 600), 8), 1.2);
  expect_less_variance(with_variates(match("holdem", {"rule", "rule:caller"}, 600), 8), 1.1);
}

// Here the first cards have chance terms, too.
TEST(ControlVariates, FirstCardsAreChanceWithoutDuplicates) {
  MatchOptions options = with_variates(match("ofc", {"default", "rule"}, 300), 8);
  options.duplicate = false;
  expect_less_variance(options, 2.5);
}

TEST(ControlVariates, TheResultSaysWhatTheyDid) {
  const nlohmann::json json = to_json(play_match(with_variates(match("stud", {"rule", "random"}, 50), 4)));
  const nlohmann::json& of = json.at("control_variates");
  expect_members(of, {{"samples", 4}, {"values", "showdown"}});
  for (const char* key : {"mean_as_dealt", "ci95_as_dealt", "variance_as_dealt", "variance"})
    EXPECT_EQ(of.at(key).size(), 2U) << key;
  const nlohmann::json plain = to_json(play_match(match("stud", {"rule", "random"}, 50)));
  EXPECT_FALSE(plain.contains("control_variates"));
  EXPECT_EQ(of.at("mean_as_dealt"), plain.at("mean"));
  EXPECT_EQ(of.at("ci95_as_dealt"), plain.at("ci95"));
  EXPECT_NE(json.at("mean"), plain.at("mean"));
}

TEST(ControlVariates, RefuseWhatTheyCannotDo) {
  EXPECT_TRUE(refuses<UsageError>("there is no betting in 'ofc', so no showdown without further bets", [] {
    with_variates(match("ofc", {"rule", "random"}, 1), 4, "showdown");
  }));
  EXPECT_TRUE(refuses<UsageError>("agent 'random' provides no position values in 'stud'", [] {
    with_variates(match("stud", {"rule", "random"}, 1), 4, "random");
  }));
  MatchOptions options = match("stud", {"rule", "random"}, 1);
  options.control_variates = -1;
  EXPECT_TRUE(refuses<UsageError>("-1 control variates; expected 0 (none) to 10000", [&] { play_match(options); }));
  options.control_variates = 4;
  options.deal = [](Env& env, std::uint64_t seed, int) { env.reset(seed); };
  EXPECT_TRUE(refuses<UsageError>("hands that are dealt from outside", [&] { play_match(options); }));
}

// Values assume no more bets or discards; with three players the two who are not to act share the remainder.
TEST(ControlVariates, ValuesAreWhatIsSaidOfThem) {
  const auto draw = game_of<poker::Game>("draw");
  const auto showdown = value_source("showdown", draw, {}).make(*draw);
  TypedEnv<poker::State> table(draw, draw->rules(), {.hold_hands = true});
  std::vector<double> worth(2);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    table.reset(seed);
    showdown->add(table, seed, false);
    showdown->compute(worth);
    while (!table.hand_over()) table.step(table.state().drawing() ? draw->rules().first_discard() : poker::kCall);
    EXPECT_EQ(worth, table.returns());
  }
  const GamePtr ofc = make_game("ofc[players=3]");
  const auto network = value_source("default", ofc, {}).make(*ofc);
  const auto three = ofc->new_env({.hold_hands = true});
  three->reset(1);
  network->add(*three, 0, false);
  worth.resize(3);
  network->compute(worth);
  std::rotate(worth.begin(), worth.begin() + three->current_player(), worth.end());
  EXPECT_NE(worth[0], 0);
  EXPECT_EQ(worth[1], -worth[0] / 2);
  EXPECT_EQ(worth[2], -worth[0] / 2);
}

TEST(ControlVariates, ValuesComeFromWhoHasThem) {
  const GamePtr ofc = make_game("ofc");
  const std::vector<AgentFactoryPtr> players = {make_agents("rule", ofc), make_agents("default", ofc)};
  EXPECT_EQ(value_source("", ofc, players).name(), "default");
  EXPECT_EQ(value_source("", ofc, std::span(players).first(1)).name(), "default") << "the game's own";
  const std::vector<AgentFactoryPtr> searching = {make_agents("default[simulations=10]", ofc)};
  EXPECT_EQ(value_source("", ofc, searching).name(), "default") << "searches are asked for nothing";
  const GamePtr stud = make_game("stud");
  EXPECT_EQ(value_source("", stud, {}).name(), "showdown");
  EXPECT_EQ(value_source("default", stud, {}).name(), "default");
}

}  // namespace
}  // namespace dealer::control_variates_test
