#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "env/core/error.h"
#include "env/core/registry.h"
#include "tests/env/harness/random_play.h"
#include "tests/frontends/c/c_support.h"

namespace dealer::test::c_env_test {
namespace {

constexpr int kSteps = 120;

dc_decision to_c(const Decision& decision) { return {decision.action, decision.amount}; }
AmountRange from_c(const dc_amounts& amounts) { return {amounts.low, amounts.high, amounts.step}; }

std::string events_of(const CEnv& env, int viewer, const dc_cursor* since, dc_cursor* now = nullptr) {
  return text_of([&](char** json) { return dc_env_events(env.get(), viewer, since, json, now); });
}

std::string events_of(const Env& env, int viewer, EventCursor since = {}) {
  auto list = Json::array();
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
        const Decision decision = random_decision(*env, rng);
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
    const Decision decision = random_decision(*env, rng);
    env->step(decision);
    EXPECT_DC_OK(dc_env_step(same.get(), to_c(decision), nullptr));
  }
  const std::string bytes = saved(same);
  EXPECT_EQ(bytes, env->serialize());
  const CEnv copy = opened<CEnv>([&](dc_env** clone) { return dc_env_clone(same.get(), clone); });
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

constexpr int kTables = 6;
constexpr std::int64_t kMaxSteps = 25;

CVectorEnv open_tables(const CGame& game, int tables, int threads, std::int64_t max_steps) {
  return opened<CVectorEnv>(
      [&](dc_vector_env** envs) { return dc_vector_env_open(game.get(), tables, threads, max_steps, envs); });
}

// The same memory, seen from C.
dc_batch as_c(const Batch& batch) {
  return {batch.observations.data(),
          batch.observations.size(),
          batch.legal.data(),
          batch.legal.size(),
          batch.rewards.data(),
          batch.rewards.size(),
          batch.current_players.data(),
          batch.current_players.size(),
          batch.terminated.data(),
          batch.terminated.size(),
          batch.truncated.data(),
          batch.truncated.size(),
          batch.all_observations.data(),
          batch.all_observations.size(),
          batch.final_observations.data(),
          batch.final_observations.size(),
          batch.returns.data(),
          batch.returns.size(),
          batch.statistics.data(),
          batch.statistics.size()};
}

template <class T>
std::vector<T> copy_of(std::span<T> span) {
  return {span.begin(), span.end()};
}

void expect_equal(const Batch& a, const Batch& b) {
  const auto expect_one = [&](auto part) { EXPECT_EQ(copy_of(a.*part), copy_of(b.*part)); };
  const auto expect = [&](auto... parts) { (expect_one(parts), ...); };
  expect(&Batch::observations, &Batch::legal, &Batch::rewards, &Batch::current_players, &Batch::terminated,
         &Batch::truncated, &Batch::all_observations, &Batch::final_observations, &Batch::returns, &Batch::statistics);
}

std::vector<Action> random_actions(const Batch& batch, RandomStream& rng) {
  std::vector<Action> actions;
  for (const LegalMask mask : batch.legal) actions.push_back(random_action(mask, rng));
  return actions;
}

class EveryCVectorEnv : public testing::TestWithParam<std::string> {};

TEST_P(EveryCVectorEnv, FillsTheBuffersAsTheOtherDoes) {
  const GamePtr game = make_game(GetParam());
  const auto envs = game->new_vector_env({.num_envs = kTables, .threads = 1, .max_steps = kMaxSteps});
  const CVectorEnv same = open_tables(open_game(GetParam()), kTables, 2, kMaxSteps);
  const OwnedBatch rows(*game, kTables, BatchParts::all()), same_rows(*game, kTables, BatchParts::all());
  const dc_batch batch = as_c(same_rows.batch());
  envs->reset(8, rows.batch());
  EXPECT_DC_OK(dc_vector_env_reset(same.get(), 8, &batch));
  expect_equal(rows.batch(), same_rows.batch());
  RandomStream rng(1);
  for (int i = 0; i < 60 && !HasFailure(); ++i) {
    const std::vector<Action> actions = random_actions(rows.batch(), rng);
    envs->step(actions, rows.batch());
    EXPECT_DC_OK(dc_vector_env_step(same.get(), actions.data(), actions.size(), &batch));
    expect_equal(rows.batch(), same_rows.batch());
  }
  std::int64_t hands = -1;
  EXPECT_DC_OK(dc_vector_env_hands_finished(same.get(), &hands));
  EXPECT_EQ(hands, envs->hands_finished());
  EXPECT_EQ(bytes_of([&](void** bytes, size_t* size) { return dc_vector_env_save(same.get(), bytes, size); }),
            envs->save());
}

INSTANTIATE_TEST_SUITE_P(Games, EveryCVectorEnv, testing::ValuesIn(game_names()),
                         [](const auto& one) { return one.param; });

class CTables : public testing::Test {
 protected:
  void SetUp() override { EXPECT_DC_OK(dc_vector_env_reset(envs_.get(), 3, &batch_)); }
  std::string saved() {
    return bytes_of([&](void** bytes, size_t* size) { return dc_vector_env_save(envs_.get(), bytes, size); });
  }
  // Functions that fail must leave tables and buffers unchanged.
  template <class Call>
  void expect_refused(dc_status status, Call call) {
    const std::string before = saved();
    const std::vector<float> seen = copy_of(rows_.batch().observations);
    EXPECT_EQ(call(), status) << dc_last_error();
    EXPECT_EQ(saved(), before);
    EXPECT_EQ(copy_of(rows_.batch().observations), seen);
  }

  const GamePtr same_game_ = make_game("holdem");
  const CGame game_ = open_game("holdem");
  const CVectorEnv envs_ = open_tables(game_, kTables, 1, 0);
  const OwnedBatch rows_{*same_game_, kTables};
  const dc_batch batch_ = as_c(rows_.batch());
  std::vector<std::int32_t> lowest() const {
    std::vector<std::int32_t> actions;
    for (const LegalMask mask : rows_.batch().legal) actions.push_back(std::countr_zero(mask));
    return actions;
  }
};

TEST_F(CTables, RefuseBuffersOfAnotherSize) {
  std::size_t dc_batch::*const counts[] = {&dc_batch::observations_count, &dc_batch::legal_count,
                                           &dc_batch::rewards_count, &dc_batch::current_players_count,
                                           &dc_batch::terminated_count};
  const std::vector<std::int32_t> actions = lowest();
  for (const auto count : counts) {
    dc_batch other = batch_;
    other.*count -= 1;
    expect_refused(DC_USAGE, [&] { return dc_vector_env_reset(envs_.get(), 9, &other); });
    expect_refused(DC_USAGE, [&] { return dc_vector_env_step(envs_.get(), actions.data(), kTables, &other); });
  }
  dc_batch other = batch_;
  std::vector<double> returns(2);
  other.returns = returns.data();
  other.returns_count = 1;
  expect_refused(DC_USAGE, [&] { return dc_vector_env_reset(envs_.get(), 9, &other); });
  other = batch_;
  other.observations = nullptr;
  expect_refused(DC_USAGE, [&] { return dc_vector_env_reset(envs_.get(), 9, &other); });
  EXPECT_STREQ(dc_last_error(), "batch->observations is NULL");
}

TEST_F(CTables, RefuseActions) {
  std::vector<std::int32_t> actions = lowest();
  expect_refused(DC_USAGE, [&] { return dc_vector_env_step(envs_.get(), actions.data(), kTables - 1, &batch_); });
  actions.back() = 63;
  expect_refused(DC_ILLEGAL_ACTION, [&] { return dc_vector_env_step(envs_.get(), actions.data(), kTables, &batch_); });
  EXPECT_NE(std::string(dc_last_error()).find("environment 5"), std::string::npos) << dc_last_error();
}

TEST_F(CTables, AreKeptAndLoaded) {
  const std::string bytes = saved();
  const std::vector<float> seen = copy_of(rows_.batch().observations);
  const std::vector<std::int32_t> actions = lowest();
  EXPECT_DC_OK(dc_vector_env_step(envs_.get(), actions.data(), kTables, &batch_));
  EXPECT_NE(saved(), bytes);
  EXPECT_DC_OK(dc_vector_env_load(envs_.get(), bytes.data(), bytes.size(), &batch_));
  EXPECT_EQ(saved(), bytes);
  EXPECT_EQ(copy_of(rows_.batch().observations), seen);
  expect_refused(DC_CHECKPOINT,
                 [&] { return dc_vector_env_load(envs_.get(), bytes.data(), bytes.size() - 1, &batch_); });
}

TEST_F(CTables, AreAsManyAsCanBe) {
  dc_vector_env* envs = nullptr;
  EXPECT_EQ(dc_vector_env_open(game_.get(), 0, 1, 0, &envs), DC_USAGE);
  EXPECT_EQ(dc_vector_env_open(game_.get(), 1, 0, 0, &envs), DC_USAGE);
  EXPECT_EQ(dc_vector_env_open(game_.get(), 1, 1025, 0, &envs), DC_USAGE);
  EXPECT_EQ(dc_vector_env_open(game_.get(), 1, 1, -1, &envs), DC_USAGE);
  EXPECT_EQ(envs, nullptr);
}

}  // namespace
}  // namespace dealer::test::c_env_test
