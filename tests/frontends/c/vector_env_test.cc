#include "env/core/error.h"
#include "env/core/registry.h"
#include "tests/env/harness/random_play.h"
#include "tests/frontends/c/c_support.h"

// Tables of the C interface that are stepped together, beside a VectorEnv.
namespace dealer::c_vector_env_test {
namespace {

using test::bytes_of;
using test::CGame;
using test::CVectorEnv;
using test::open_game;

constexpr int kTables = 6;
constexpr std::int64_t kMaxSteps = 25;

CVectorEnv open_tables(const CGame& game, int tables, int threads, std::int64_t max_steps) {
  return test::opened<CVectorEnv>(
      [&](dc_vector_env** envs) { return dc_vector_env_open(game.get(), tables, threads, max_steps, envs); });
}

// The same memory, as C sees it.
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
  EXPECT_EQ(copy_of(a.observations), copy_of(b.observations));
  EXPECT_EQ(copy_of(a.legal), copy_of(b.legal));
  EXPECT_EQ(copy_of(a.rewards), copy_of(b.rewards));
  EXPECT_EQ(copy_of(a.current_players), copy_of(b.current_players));
  EXPECT_EQ(copy_of(a.terminated), copy_of(b.terminated));
  EXPECT_EQ(copy_of(a.truncated), copy_of(b.truncated));
  EXPECT_EQ(copy_of(a.all_observations), copy_of(b.all_observations));
  EXPECT_EQ(copy_of(a.final_observations), copy_of(b.final_observations));
  EXPECT_EQ(copy_of(a.returns), copy_of(b.returns));
  EXPECT_EQ(copy_of(a.statistics), copy_of(b.statistics));
}

std::vector<Action> random_actions(const Batch& batch, RandomStream& rng) {
  std::vector<Action> actions;
  for (const LegalMask mask : batch.legal) actions.push_back(test::random_action(mask, rng));
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
  // What refuses must leave tables and buffers as they are.
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
}  // namespace dealer::c_vector_env_test
