#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "agents/encoder.h"
#include "env/core/registry.h"
#include "tests/frontends/c/c_support.h"

namespace dealer::test::c_features_test {
namespace {

struct Seen {
  std::vector<float> numbers;
  dc_observation observation = {};
};

// The observation of the player to act after a new deal.
Seen first_position(const CGame& game, std::uint64_t seed) {
  const CEnv env = open_env(game);
  EXPECT_DC_OK(dc_env_reset(env.get(), seed));
  Seen seen;
  seen.numbers.resize(static_cast<std::size_t>(info_of(game).observation_size));
  EXPECT_DC_OK(dc_env_observe(env.get(), position_of(env).current_player, seen.numbers.data(), seen.numbers.size(),
                              &seen.observation));
  return seen;
}

std::vector<std::string> names_of(const CGame& game) {
  return list_of([&](char*** names, std::size_t* count) { return dc_game_feature_names(game.get(), names, count); });
}

TEST(CFeatures, AreThoseOfTheEncoder) {
  const CGame game = open_game("draw");
  const EncoderPtr encoder = make_encoder(make_game("draw"));
  const std::vector<std::string> names = names_of(game);
  EXPECT_EQ(names, encoder->names());
  std::vector<float> rows, expected;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const Seen seen = first_position(game, seed);
    rows.insert(rows.end(), seen.numbers.begin(), seen.numbers.end());
    expected.resize(expected.size() + names.size());
    encoder->encode(seen.numbers.data(), expected.data() + seed * names.size());
  }
  std::vector<float> features(3 * names.size());
  EXPECT_DC_OK(dc_features(game.get(), rows.data(), 3, features.data(), features.size()));
  EXPECT_EQ(features, expected);
  EXPECT_DC_OK(dc_features(game.get(), nullptr, 0, nullptr, 0));
}

TEST(CFeatures, GamesMayHaveNone) {
  const CGame game = open_game("leduc");
  EXPECT_TRUE(names_of(game).empty());
  const Seen seen = first_position(game, 1);
  EXPECT_DC_OK(dc_features(game.get(), seen.numbers.data(), 1, nullptr, 0));
}

TEST(CFeatures, OfWhatIsNoObservationAreRefused) {
  const CGame game = open_game("holdem");
  const std::size_t count = names_of(game).size();
  Seen seen = first_position(game, 1);
  std::vector<float> features(count, 7);
  EXPECT_EQ(dc_features(game.get(), seen.numbers.data(), 1, features.data(), count + 1), DC_USAGE);
  EXPECT_EQ(dc_features(game.get(), nullptr, 1, features.data(), count), DC_USAGE);
  EXPECT_EQ(dc_features(game.get(), seen.numbers.data(), 1, nullptr, count), DC_USAGE);
  EXPECT_EQ(dc_features(nullptr, seen.numbers.data(), 1, features.data(), count), DC_USAGE);
  std::ranges::fill(seen.numbers, 0.0F);
  EXPECT_EQ(dc_features(game.get(), seen.numbers.data(), 1, features.data(), count), DC_USAGE);
  EXPECT_EQ(features, std::vector<float>(count, 7));
}

TEST(CAfterstates, AreTheChoicesOfTheTurn) {
  for (const auto& [spec, rows] : {std::pair("ofc", 1), {"ofc[players=3]", 2}, {"seven_hand", 1}}) {
    SCOPED_TRACE(spec);
    const CGame game = open_game(spec);
    const Seen seen = first_position(game, 5);
    const auto all = nlohmann::json::parse(
        text_of([&](char** json) { return dc_afterstates(game.get(), &seen.observation, json); }));
    const int size = all["size"];
    EXPECT_GT(all["choices"].size(), 10U);
    for (const auto& choice : all["choices"]) {
      const int first = choice["actions"][0];
      EXPECT_NE(seen.observation.legal_mask >> first & 1U, 0U);
      EXPECT_FALSE(choice["text"].get<std::string>().empty());
      ASSERT_EQ(choice["rows"].size(), static_cast<std::size_t>(rows));
      for (const auto& row : choice["rows"]) {
        EXPECT_GT(row.size(), 10U);
        for (const int feature : row) EXPECT_TRUE(feature >= 0 && feature < size);
      }
    }
  }
}

TEST(CAfterstates, AreRefusedWhereNetworksDoNotValueThem) {
  const CGame game = open_game("draw");
  const Seen seen = first_position(game, 1);
  char* json = nullptr;
  EXPECT_EQ(dc_afterstates(game.get(), &seen.observation, &json), DC_USAGE);
  EXPECT_NE(std::string(dc_last_error()).find("7-Hand Poker"), std::string::npos);
  const CGame ofc = open_game("ofc");
  EXPECT_EQ(dc_afterstates(ofc.get(), &seen.observation, &json), DC_USAGE);
  EXPECT_EQ(dc_afterstates(ofc.get(), nullptr, &json), DC_USAGE);
  EXPECT_EQ(json, nullptr);
}

}  // namespace
}  // namespace dealer::test::c_features_test
