// Properties of the input features of every betting game.
#include <thread>

#include "agents/encoder.h"
#include "tests/agents/poker/features_probe.h"
#include "tests/support/testing.h"
#include "tests/support/tiers.h"

namespace dealer::facts_test {
namespace {

struct Played {
  std::string spec;
  bool long_played;
};

std::vector<Played> poker_games() {
  std::vector<Played> games;
  for (const char* spec :
       {"draw", "triple_draw", "court_tarot", "washizu", "holdem[limit=no_limit,players=6]", "stud_hi_lo"})
    games.push_back({spec, true});
  for (const char* spec : {"draw[jokers=2,players=5]", "lowball[players=6]", "court_color[procedure=stud,players=6]",
                           "court_extra[procedure=holdem,players=6]", "washizu[players=6,draws=3]",
                           "holdem[low=eight_or_better,players=4]", "razz[players=8]"})
    games.push_back({spec, test::all_tests()});
  if (!test::all_tests()) return games;
  for (const char* spec :
       {"draw[players=6]", "draw[low=eight_or_better,players=3]", "lowball", "triple_draw[players=6]",
        "court_tarot[players=6]", "court_color[players=2]", "court_color[players=6]", "court_extra[players=2]",
        "court_extra[players=6]", "court_tarot[procedure=stud,players=2]", "court_tarot[procedure=holdem,players=2]",
        "washizu[players=2]", "holdem", "holdem[players=10]", "stud", "stud[players=8]", "razz",
        "stud_hi_lo[players=8]"})
    games.push_back({spec, true});
  return games;
}

// Plays randomly with few folds, and passes on every position with a choice.
template <class Visit>
void play(const GamePtr& game, int decisions, std::uint64_t seed, Visit&& visit) {
  const auto env = game->new_env();
  RandomStream rng(seed);
  env->reset(rng.bits64());
  for (int i = 0; i < decisions; ++i) {
    const Observation seen = test::seen_at(*env);
    visit(*env, seen);
    const std::vector<Action> legal = seen.legal_actions();
    std::size_t choice = rng.below(static_cast<std::uint32_t>(legal.size()));
    if (choice == 0 && rng.below(4) > 0) choice = legal.size() / 2;
    if (env->step(legal[choice]).terminated) env->reset(rng.bits64());
  }
}

std::vector<float> features_of(const Encoder& encoder, const std::vector<float>& observation) {
  std::vector<float> input_features(encoder.names().size() + 1, -7.0F);
  encoder.encode(observation.data(), input_features.data());
  EXPECT_EQ(input_features.back(), -7) << "nothing is written behind the last";
  input_features.pop_back();
  return input_features;
}

TEST(InputFeatures, AreNumbersFromZeroToOneInEveryPosition) {
  for (const auto& [spec, long_played] : poker_games()) {
    const GamePtr game = make_game(spec);
    const EncoderPtr encoder = make_encoder(game);
    ASSERT_NE(encoder, nullptr) << spec;
    const std::vector<std::string>& names = encoder->names();
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size()) << spec;
    std::vector<float> least(names.size(), 1), most(names.size(), 0);
    int bad = 0;
    int position = 0;
    play(game, long_played ? 1500 : 150, 3, [&](const Env& env, const Observation& seen) {
      // Sometimes for a seat that is not to act: critics that see all hands query it, too.
      const Seat other = static_cast<Seat>(position % game->players());
      const std::vector<float> input_features =
          features_of(*encoder, ++position % 3 == 0 ? env.observe(other).data : seen.data);
      for (std::size_t i = 0; i < input_features.size(); ++i) {
        least[i] = std::min(least[i], input_features[i]);
        most[i] = std::max(most[i], input_features[i]);
        if (!(input_features[i] >= 0 && input_features[i] <= 1.0001F) && bad++ < 5)
          ADD_FAILURE() << spec << ": " << names[i] << " is " << input_features[i];
      }
    });
    // Except for categories and the best number of cards, every feature varies.
    for (std::size_t i = 0; i < names.size(); ++i) {
      const bool category = names[i].starts_with("category.") || names[i].starts_with("becomes.") ||
                            names[i].starts_with("draw.is_best.");
      EXPECT_TRUE(category || !long_played || least[i] < most[i]) << spec << ": " << names[i];
    }
  }
}

TEST(InputFeatures, ComeOutTheSameAgain) {
  for (const auto& [spec, long_played] : poker_games()) {
    if (!long_played) continue;
    const GamePtr game = make_game(spec);
    const EncoderPtr encoder = make_encoder(game);
    EXPECT_EQ(encoder->names(), make_encoder(make_game(spec))->names());
    // A cached result is used only if it is still valid, for example after others have folded.
    play(game, 60, 4, [&](const Env& env, const Observation&) {
      for (Seat seat = 0; seat < game->players(); ++seat) {
        const std::vector<float> seen = env.observe(seat).data;
        EXPECT_EQ(features_of(*encoder, seen), features_of(*make_encoder(game), seen)) << spec;
      }
    });
  }
}

// Resampling other players' hands and the stock must not change the input features of the seat to act.
TEST(InputFeatures, TellNothingHidden) {
  for (const auto& [spec, long_played] : poker_games()) {
    if (!long_played) continue;
    const GamePtr game = make_game(spec);
    const EncoderPtr encoder = make_encoder(game);
    const auto drawn = game->new_env();
    int position = 0;
    play(game, 300, 5, [&](const Env& env, const Observation& seen) {
      if (++position % 10 != 0) return;
      game->new_sampler(seen)->draw(*drawn, static_cast<std::uint64_t>(position));
      EXPECT_EQ(features_of(*encoder, drawn->observe(env.current_player()).data), features_of(*encoder, seen.data))
          << spec;
    });
  }
}

TEST(InputFeatures, TwoThreadsMayBeTheFirst) {
  // Their features have not been requested before.
  for (const char* spec : {"draw[deck=neo_tarot_54,players=2]", "holdem[deck=court_tarot_53]", "stud[deck=tarot_78]"}) {
    const GamePtr game = make_game(spec);
    const auto env = game->new_env();
    env->reset(1);
    const std::vector<float> seen = test::seen_at(*env).data;
    std::vector<float> first, second;
    std::thread one([&] { first = features_of(*make_encoder(game), seen); });
    std::thread two([&] { second = features_of(*make_encoder(game), seen); });
    one.join();
    two.join();
    EXPECT_EQ(first, second);
    EXPECT_EQ(first, features_of(*make_encoder(game), seen));
  }
}

TEST(InputFeatures, OtherFamiliesHaveNone) {
  for (const char* spec : {"kuhn", "leduc", "ofc"}) EXPECT_EQ(make_encoder(make_game(spec)), nullptr);
}

TEST(InputFeatures, AreNotThereForTheLargestDecks) {
  const test::TempFolder folder;
  const auto file = folder.path() / "seven_suits.yaml";
  std::string text = "ranks: 2 3 4 5 6 7 8 9 T J Q K A\nranking: high\nsuits:\n";
  for (const char* suit : {"a", "b", "c", "d", "e", "f", "g"})
    text += fmt::format("  {}: {{symbol: {}, color: red}}\n", suit, suit);
  test::write_bytes(file, text);
  const auto game = [&](int draws) { return make_game(fmt::format("draw[deck={},draws={}]", file.string(), draws)); };
  EXPECT_NE(make_encoder(game(2)), nullptr);
  EXPECT_EQ(make_encoder(game(3)), nullptr) << "the tables of 91 cards would take more than 64 MB";
}

// Suits renamed: clubs to spades and so on.
std::vector<float> renamed(const poker::GameRules& rules, const ObservationSpec& spec, std::vector<float> observation,
                           const std::array<int, 4>& suits) {
  const auto cards = at(rules.deck->size());
  for (const ObservationPart& part : spec.parts()) {
    if (part.shape.empty() || part.shape.back() != rules.deck->size()) continue;
    for (std::size_t row = 0; row < at(part.size()) / cards; ++row) {
      const std::size_t offset = at(part.offset) + row * cards;
      std::vector<float> before(observation.begin() + static_cast<std::ptrdiff_t>(offset),
                                observation.begin() + static_cast<std::ptrdiff_t>(offset + cards));
      for (std::size_t card = 0; card < 52; ++card)
        observation[offset + card / 4 * 4 + at(suits[card % 4])] = before[card];
    }
  }
  return observation;
}

TEST(InputFeatures, DoNotDependOnTheNamesOfSuits) {
  for (const char* spec : {"draw", "triple_draw[players=3]", "holdem[players=3]", "holdem[low=eight_or_better]",
                           "stud[players=3]", "razz", "stud_hi_lo[players=5]"}) {
    const test::FeaturesProbe probe(spec);
    const std::vector<std::string>& names = probe.encoder().names();
    int position = 0;
    play(probe.game(), 400, 6, [&](const Env&, const Observation& seen) {
      constexpr std::array<std::array<int, 4>, 3> kSuits = {{{1, 2, 3, 0}, {3, 2, 1, 0}, {1, 0, 2, 3}}};
      const auto other =
          renamed(probe.rules(), probe.game()->observation_spec(), seen.data, kSuits[at(++position % 3)]);
      const auto a = features_of(probe.encoder(), seen.data), b = features_of(probe.encoder(), other);
      // Discards are numbered by the order of the cards, which changes within a rank; sums of floats round.
      for (std::size_t i = 0; i < a.size(); ++i) {
        if (names[i].starts_with("discard.")) continue;
        EXPECT_NEAR(a[i], b[i], 2e-5F) << spec << ": " << names[i];
      }
    });
  }
}

}  // namespace
}  // namespace dealer::facts_test
