#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "env/core/registry.h"
#include "tests/env/harness/random_play.h"
#include "tests/frontends/c/c_support.h"

// A table of the C interface beside one of the C++ interface: the same decisions, the same everything.
namespace dealer::c_env_test {
namespace {

using test::CEnv;
using test::CGame;
using test::open_env;
using test::open_game;
using test::position_of;
using test::saved;
using test::text_of;

constexpr int kSteps = 120;

dc_decision to_c(const Decision& decision) { return {decision.action, decision.amount}; }
AmountRange from_c(const dc_amounts& amounts) { return {amounts.low, amounts.high, amounts.step}; }

std::string events_of(const CEnv& env, int viewer, const dc_cursor* since, dc_cursor* now = nullptr) {
  return text_of([&](char** json) { return dc_env_events(env.get(), viewer, since, json, now); });
}

std::string events_of(const Env& env, int viewer, EventCursor since = {}) {
  auto list = nlohmann::json::array();
  for (const Event& event : env.events(viewer, since)) list.push_back(to_json(event, env.game()));
  return list.dump();
}

void expect_same_position(const Env& env, const CEnv& same) {
  const dc_position at = position_of(same);
  EXPECT_EQ(at.legal_mask, env.legal_mask());
  EXPECT_EQ(from_c(at.amounts), env.amount_range());
  EXPECT_EQ(at.current_player, env.current_player());
  EXPECT_EQ(at.hands_finished, env.hands_finished());
  EXPECT_EQ(at.hand_over != 0, env.hand_over());
  EXPECT_EQ(at.terminated != 0, env.terminated());
  EXPECT_EQ(at.truncated != 0, env.truncated());
}

void expect_same_sights(const Env& env, const CEnv& same) {
  const auto width = static_cast<std::size_t>(env.game().observation_spec().size());
  for (Seat seat = 0; seat < env.game().players(); ++seat) {
    const Observation seen = env.observe(seat);
    std::vector<float> data(width, -7);
    dc_observation observation = {};
    EXPECT_DC_OK(dc_env_observe(same.get(), seat, data.data(), width, &observation));
    EXPECT_EQ(data, seen.data);
    EXPECT_EQ(observation.data, data.data());
    EXPECT_EQ(observation.size, width);
    EXPECT_EQ(observation.legal_mask, seen.legal_mask);
    EXPECT_EQ(from_c(observation.amounts), seen.amounts);
    EXPECT_EQ(observation.player, seat);
    EXPECT_EQ(text_of([&](char** text) { return dc_env_to_text(same.get(), seat, text); }), env.to_string(seat));
    EXPECT_EQ(text_of([&](char** json) { return dc_env_to_json(same.get(), seat, json); }), env.to_json(seat).dump());
    std::uint64_t hash = 0;
    const InformationState state = env.information_state(seat);
    EXPECT_EQ(text_of([&](char** text) { return dc_env_information_state(same.get(), seat, text, &hash); }),
              state.text);
    EXPECT_EQ(hash, state.hash);
    std::vector<double> figures(env.game().statistic_names().size() * 2, -7);
    EXPECT_DC_OK(dc_env_get_statistics(same.get(), seat, figures.data(), figures.size()));
    const Statistics expected = env.statistics(seat);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(figures[2 * i], expected[i].numerator);
      EXPECT_EQ(figures[2 * i + 1], expected[i].denominator);
    }
  }
}

void expect_same_words(const Env& env, const CEnv& same, const Decision& decision) {
  const std::string words =
      text_of([&](char** text) { return dc_env_decision_text(same.get(), to_c(decision), text); });
  EXPECT_EQ(words, env.decision_to_string(decision));
  dc_decision back = {-5, -5};
  EXPECT_DC_OK(dc_env_parse_decision(same.get(), words.c_str(), &back));
  const Decision expected = env.parse_decision(words);
  EXPECT_EQ(back.action, expected.action);
  EXPECT_EQ(back.amount, expected.amount);
  EXPECT_EQ(text_of([&](char** json) { return dc_env_choices(same.get(), json); }),
            env.to_json(env.current_player())["legal"].dump());
}

class EveryCTable : public testing::TestWithParam<std::string> {
 protected:
  const GamePtr game_ = make_game(GetParam());
  const CGame same_game_ = open_game(GetParam());
};

TEST_P(EveryCTable, PlaysAsTheOtherDoes) {
  const auto env = game_->new_env({.hold_hands = true, .keep_events = true, .max_steps = kSteps});
  const CEnv same = open_env(same_game_, DC_HOLD_HANDS | DC_KEEP_EVENTS, kSteps);
  RandomStream rng(5);
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    env->reset(seed);
    EXPECT_DC_OK(dc_env_reset(same.get(), seed));
    dc_cursor cursor = {0, 0, 0};
    EventCursor expected_cursor;
    while (!env->terminated() && !env->truncated()) {
      expect_same_position(*env, same);
      expect_same_sights(*env, same);
      dc_step step = {};
      Step expected;
      if (env->hand_over()) {
        expected = env->next_hand();
        EXPECT_DC_OK(dc_env_next_hand(same.get(), &step));
      } else {
        const Decision decision = test::random_decision(*env, rng);
        expect_same_words(*env, same, decision);
        expected = env->step(decision);
        EXPECT_DC_OK(dc_env_step(same.get(), to_c(decision), &step));
      }
      std::vector<double> rewards(expected.rewards);
      rewards.resize(DC_MAX_PLAYERS);
      EXPECT_EQ(std::vector<double>(std::begin(step.rewards), std::end(step.rewards)), rewards);
      EXPECT_EQ(step.hands_finished, expected.hands_finished);
      EXPECT_EQ(step.terminated != 0, expected.terminated);
      EXPECT_EQ(step.truncated != 0, expected.truncated);
      EXPECT_EQ(events_of(same, 1, &cursor, &cursor), events_of(*env, 1, expected_cursor));
      expected_cursor = env->cursor();
      EXPECT_EQ(std::pair(cursor.hand, cursor.next), std::pair(expected_cursor.hand, expected_cursor.next));
      ASSERT_FALSE(HasFailure());
    }
    expect_same_position(*env, same);
    expect_same_sights(*env, same);
    for (const int viewer : {0, int{DC_SPECTATOR}, int{DC_OMNISCIENT}})
      EXPECT_EQ(events_of(same, viewer, nullptr), events_of(*env, viewer));
    EXPECT_EQ(text_of([&](char** json) { return dc_env_choices(same.get(), json); }), "[]");
    std::vector<double> returns(static_cast<std::size_t>(game_->players()));
    EXPECT_DC_OK(dc_env_get_returns(same.get(), returns.data(), returns.size()));
    EXPECT_EQ(returns, env->returns());
  }
}

TEST_P(EveryCTable, IsCopiedAndKept) {
  const auto env = game_->new_env();
  const CEnv same = open_env(same_game_);
  RandomStream rng(9);
  env->reset(2);
  EXPECT_DC_OK(dc_env_reset(same.get(), 2));
  for (int i = 0; i < 3 && !env->terminated(); ++i) {
    const Decision decision = test::random_decision(*env, rng);
    env->step(decision);
    EXPECT_DC_OK(dc_env_step(same.get(), to_c(decision), nullptr));
  }
  const std::string bytes = saved(same);
  EXPECT_EQ(bytes, env->serialize());
  const CEnv copy = test::opened<CEnv>([&](dc_env** clone) { return dc_env_clone(same.get(), clone); });
  EXPECT_DC_OK(dc_env_reset(same.get(), 77));
  EXPECT_NE(saved(same), bytes);
  EXPECT_EQ(saved(copy), bytes);
  EXPECT_DC_OK(dc_env_deserialize(same.get(), bytes.data(), bytes.size()));
  EXPECT_EQ(saved(same), bytes);

  std::string damaged = bytes;
  damaged[damaged.size() / 2] ^= 1;
  EXPECT_EQ(dc_env_deserialize(same.get(), damaged.data(), damaged.size()), DC_PARSE);
  EXPECT_EQ(dc_env_deserialize(same.get(), bytes.data(), bytes.size() - 1), DC_PARSE);
  EXPECT_EQ(saved(same), bytes);
}

TEST_P(EveryCTable, IsSampledAsTheOtherIs) {
  const auto env = game_->new_env();
  const CEnv same = open_env(same_game_);
  env->reset(4);
  EXPECT_DC_OK(dc_env_reset(same.get(), 4));
  const Seat seat = env->current_player();
  const Observation seen = env->observe(seat);
  std::vector<float> data(seen.data.size());
  dc_observation observation = {};
  EXPECT_DC_OK(dc_env_observe(same.get(), seat, data.data(), data.size(), &observation));
  env->sample_state(seen, 11);
  EXPECT_DC_OK(dc_env_sample(same.get(), &observation, 11));
  EXPECT_EQ(saved(same), env->serialize());
  std::fill(data.begin(), data.end(), 0.5F);
  EXPECT_EQ(dc_env_sample(same.get(), &observation, 11), DC_USAGE) << dc_last_error();
  EXPECT_EQ(saved(same), env->serialize());
}

std::vector<std::string> games_and_options() {
  std::vector<std::string> games = game_names();
  for (const char* more : {"holdem[limit=no_limit,players=3]", "holdem[limit=no_limit,players=10]",
                           "ofc[players=3,episode=match]", "draw[deck=standard_52[jokers=2]]"})
    games.emplace_back(more);
  return games;
}

INSTANTIATE_TEST_SUITE_P(Games, EveryCTable, testing::ValuesIn(games_and_options()), [](const auto& one) {
  std::string name;
  for (const char c : one.param) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

}  // namespace
}  // namespace dealer::c_env_test
