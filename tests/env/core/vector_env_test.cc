#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/games/ofc/game.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/error_message.h"

// The shared harness checks for every game that tables stepped together equal tables stepped alone.
namespace dealer::core_vector_env_test {
namespace {

using test::error_message;
using test::random_action;

// The contents of the buffers.
struct Snapshot {
  explicit Snapshot(const Batch& b)
      : observations(b.observations.begin(), b.observations.end()),
        rewards(b.rewards.begin(), b.rewards.end()),
        legal(b.legal.begin(), b.legal.end()),
        seats(b.current_players.begin(), b.current_players.end()),
        terminated(b.terminated.begin(), b.terminated.end()) {}
  std::vector<float> observations, rewards;
  std::vector<std::uint64_t> legal;
  std::vector<std::int8_t> seats;
  std::vector<std::uint8_t> terminated;
  bool operator==(const Snapshot&) const = default;
};

std::vector<Action> random_actions(const Batch& batch, RandomStream& rng) {
  std::vector<Action> actions;
  for (const std::uint64_t mask : batch.legal) actions.push_back(random_action(mask, rng));
  return actions;
}

class OfcTables : public testing::Test {
 protected:
  static constexpr int kTables = 7;
  GamePtr game_ = make_game("ofc");
  std::unique_ptr<VectorEnv> env_ = game_->new_vector_env(kTables);
  OwnedBatch rows_{*game_, kTables};
  const Batch& batch_ = rows_.batch();
};

TEST_F(OfcTables, ResetClearsRewardsAndEnds) {
  EXPECT_EQ(env_->num_envs(), kTables);
  EXPECT_EQ(&env_->game(), game_.get());
  std::fill(batch_.rewards.begin(), batch_.rewards.end(), 5.0F);
  std::fill(batch_.terminated.begin(), batch_.terminated.end(), std::uint8_t{1});
  env_->reset(1, batch_);
  EXPECT_EQ(std::count(batch_.rewards.begin(), batch_.rewards.end(), 0.0F), 2 * kTables);
  EXPECT_EQ(std::count(batch_.terminated.begin(), batch_.terminated.end(), 0), kTables);
  EXPECT_EQ(env_->hands_finished(), 0);
}

TEST_F(OfcTables, AnIllegalActionMovesNoTable) {
  env_->reset(1, batch_);
  RandomStream rng(4);
  for (int i = 0; i < 50; ++i) env_->step(random_actions(batch_, rng), batch_);
  const Snapshot before(batch_);
  const auto saved = env_->save();
  std::vector<Action> actions = random_actions(batch_, rng);
  actions.back() = 7;
  EXPECT_EQ(error_message<IllegalAction>([&] {
              env_->step(actions, batch_);
            }).rfind("environment 6: action 7 is not legal; expected one of: ", 0),
            0U);
  actions.back() = -1;
  EXPECT_THROW(env_->step(actions, batch_), IllegalAction);
  actions.pop_back();
  EXPECT_EQ(error_message<UsageError>([&] { env_->step(actions, batch_); }), "6 actions given for 7 environments");
  EXPECT_TRUE(Snapshot(batch_) == before);
  EXPECT_EQ(env_->save(), saved);
}

TEST_F(OfcTables, WrongBuffersAreRefused) {
  env_->reset(1, batch_);
  const auto saved = env_->save();
  RandomStream rng(4);
  const std::vector<Action> actions = random_actions(batch_, rng);
  std::vector<float> floats(5);
  std::vector<double> doubles(5);
  std::vector<std::uint8_t> bytes(5);
  const auto refused = [&](const std::string& name, int entries, int expected, auto change) {
    Batch wrong = batch_;
    change(wrong);
    const std::string message = fmt::format("buffer '{}' has {} entries, expected {}", name, entries, expected);
    EXPECT_EQ(error_message<UsageError>([&] { env_->step(actions, wrong); }), message);
    EXPECT_EQ(error_message<UsageError>([&] { env_->reset(2, wrong); }), message);
  };
  refused("observations", 10, 3430, [](Batch& b) { b.observations = b.observations.first(10); });
  refused("legal", 0, 7, [](Batch& b) { b.legal = {}; });
  refused("rewards", 7, 14, [](Batch& b) { b.rewards = b.rewards.first(7); });
  refused("current_players", 6, 7, [](Batch& b) { b.current_players = b.current_players.first(6); });
  refused("terminated", 6, 7, [](Batch& b) { b.terminated = b.terminated.first(6); });
  refused("truncated", 5, 7, [&](Batch& b) { b.truncated = bytes; });
  refused("all_observations", 5, 6860, [&](Batch& b) { b.all_observations = floats; });
  refused("final_observations", 5, 6860, [&](Batch& b) { b.final_observations = floats; });
  refused("returns", 5, 14, [&](Batch& b) { b.returns = doubles; });
  refused("statistics", 5, 280, [&](Batch& b) { b.statistics = doubles; });
  EXPECT_EQ(env_->save(), saved);
  const auto limited = game_->new_vector_env({.num_envs = kTables, .max_steps = 2});
  EXPECT_EQ(error_message<UsageError>([&] { limited->reset(1, batch_); }),
            "buffer 'truncated' has 0 entries, expected 7");
}

TEST_F(OfcTables, OptionsThatCannotBeAreRefused) {
  const auto refusal = [&](const VectorEnvOptions& options) {
    return error_message<UsageError>([&] { game_->new_vector_env(options); });
  };
  EXPECT_EQ(refusal({.num_envs = 0}), "0 environments asked for; expected at least 1");
  EXPECT_EQ(refusal({.num_envs = -5}), "-5 environments asked for; expected at least 1");
  EXPECT_EQ(refusal({.max_steps = -1}), "max_steps of -1; expected 0 (no limit) or more");
  EXPECT_EQ(refusal({.resamples = -1}), "-1 resamples; expected 0 (none) or more");
}

class SavedTables : public testing::Test {
 protected:
  static constexpr int kTables = 5;
  GamePtr game_ = make_game("ofc[fantasyland.entry_pair=22]");
  std::unique_ptr<TypedVectorEnv<ofc::State>> env_ = new_env();
  OwnedBatch rows_{*game_, kTables, BatchParts::all()};
  RandomStream rng_{5};

  std::unique_ptr<TypedVectorEnv<ofc::State>> new_env(int threads = 1, std::int64_t max_steps = 0) const {
    return ofc::as_ofc(*game_)->new_typed_vector_env({.num_envs = kTables, .threads = threads, .max_steps = max_steps});
  }
  std::string played(int steps) {
    for (int i = 0; i < steps; ++i) env_->step(random_actions(rows_.batch(), rng_), rows_.batch());
    return env_->save();
  }
};

TEST_F(SavedTables, GoOnAsIfNothingHadHappened) {
  env_->reset(9, rows_.batch());
  const std::string saved = played(333);
  const Snapshot position(rows_.batch());
  const std::vector<Action> next = random_actions(rows_.batch(), rng_);
  const RandomStream rng = rng_;
  env_->step(next, rows_.batch());
  const std::string expected = played(333);
  const Snapshot end(rows_.batch());
  const std::vector<double> statistics(rows_.batch().statistics.begin(), rows_.batch().statistics.end());
  const std::int64_t hands = env_->hands_finished();

  const std::unique_ptr<VectorEnv> other = new_env(3);
  other->reset(1234, rows_.batch());
  other->load(saved, rows_.batch());
  EXPECT_EQ(other->save(), saved);
  Snapshot loaded(rows_.batch());
  loaded.rewards = position.rewards;
  loaded.terminated = position.terminated;
  EXPECT_TRUE(loaded == position);
  other->step(next, rows_.batch());
  rng_ = rng;
  for (int i = 0; i < 333; ++i) other->step(random_actions(rows_.batch(), rng_), rows_.batch());
  EXPECT_EQ(other->save(), expected);
  EXPECT_EQ(other->hands_finished(), hands);
  EXPECT_TRUE(Snapshot(rows_.batch()) == end);
  EXPECT_EQ(std::vector<double>(rows_.batch().statistics.begin(), rows_.batch().statistics.end()), statistics);
}

TEST_F(SavedTables, MalformedOnesAreRefusedAndChangeNothing) {
  env_->reset(9, rows_.batch());
  const std::string saved = played(100), now = played(100);
  const auto refused = [&](const std::string& bytes, const char* words) {
    EXPECT_NE(error_message<CheckpointError>([&] { env_->load(bytes); }).find(words), std::string::npos) << words;
    EXPECT_EQ(env_->save(), now);
  };
  refused(saved.substr(0, saved.size() - 1), "bytes of 5 environments of 'ofc[fantasyland.entry_pair=22]'");
  refused("", "saved environments are 0 bytes");
  std::string bad = saved;
  bad[bad.size() / 2] = static_cast<char>(bad[bad.size() / 2] ^ 1);
  refused(bad, "the checksum differs");
  // With another number of environments, with a step limit, of another game.
  OwnedBatch six(*game_, 6, BatchParts::all());
  const auto more = game_->new_vector_env(6);
  EXPECT_THROW(more->load(saved, six.batch()), CheckpointError);
  EXPECT_THROW(new_env(1, 100)->load(saved), CheckpointError);
  const GamePtr other = make_game("ofc");
  OwnedBatch rows(*other, kTables);
  EXPECT_THROW(other->new_vector_env(kTables)->load(saved, rows.batch()), CheckpointError);
}

TEST_F(SavedTables, APositionThatCannotOccurIsRefused) {
  env_->reset(9, rows_.batch());
  std::string bad = played(100);
  const std::string now = env_->save();
  // The seat to act of the first environment: behind header, seed and the state's first members.
  const std::size_t state = bad.find('\n') + 1 + sizeof(std::uint64_t);
  std::fill_n(bad.begin() + static_cast<std::ptrdiff_t>(state + 64), 200, '\xff');
  const std::uint64_t sum = checksum(std::string_view(bad).substr(0, bad.size() - 8));
  std::memcpy(bad.data() + bad.size() - 8, &sum, 8);
  EXPECT_EQ(error_message<CheckpointError>([&] { env_->load(bad); }),
            "saved environment 0 is in a position that cannot occur");
  EXPECT_EQ(env_->save(), now);
}

TEST_F(SavedTables, MovingOneTableDealsTheSameEpisodes) {
  // The hot loops step and deal one table directly; the cards equal those of step().
  const auto other = new_env();
  env_->reset(9, rows_.batch());
  other->reset_states(9);
  OwnedBatch plain(*game_, kTables);
  for (int i = 0; i < 300; ++i) {
    std::vector<Action> actions;
    for (int t = 0; t < kTables; ++t) actions.push_back(random_action(env_->state(t).legal_mask(), rng_));
    env_->step(actions, plain.batch());
    for (int t = 0; t < kTables; ++t) {
      other->play(t, actions[static_cast<std::size_t>(t)]);
      if (other->state(t).current_player() == kTerminal) other->deal(t);
    }
  }
  EXPECT_EQ(other->save(), env_->save());
  EXPECT_EQ(other->hands_finished(), env_->hands_finished());
}

// Rewards averaged over resampled cards after the last decision.
class Redealt : public testing::Test {
 protected:
  static constexpr int kTables = 16;
  struct Tables {
    Tables(const GamePtr& game, int resamples, bool all = false, int threads = 1)
        : env(game->new_vector_env({.num_envs = kTables, .threads = threads, .resamples = resamples})),
          rows(*game, kTables, all ? BatchParts::all() : BatchParts{}) {
      env->reset(3, rows.batch());
    }
    void step(std::span<const Action> actions) { env->step(actions, rows.batch()); }
    std::unique_ptr<VectorEnv> env;
    OwnedBatch rows;
  };
  RandomStream rng_{5};
};

TEST_F(Redealt, NothingButRewardsOfHandsWithCardsToComeChanges) {
  for (const char* name : {"holdem[limit=no_limit]", "stud[limit=pot_limit,players=3]", "draw[limit=no_limit,draws=2]",
                           "washizu", "leduc", "ofc", "seven_hand"}) {
    SCOPED_TRACE(name);
    const GamePtr game = make_game(name);
    const auto players = static_cast<std::size_t>(game->players());
    Tables plain(game, 0), resampled(game, 8), all(game, 8, true), threads(game, 8, false, 3);
    int changed = 0;
    for (int i = 0; i < 2000; ++i) {
      const std::vector<Action> actions = random_actions(plain.rows.batch(), rng_);
      for (Tables* tables : {&plain, &resampled, &all, &threads}) tables->step(actions);
      Snapshot with(resampled.rows.batch());
      EXPECT_TRUE(Snapshot(all.rows.batch()) == with);
      EXPECT_TRUE(Snapshot(threads.rows.batch()) == with);
      for (std::size_t t = 0; t < kTables; ++t) {
        const std::span<const float> rewards = resampled.rows.batch().rewards.subspan(t * players, players);
        const std::span<const float> dealt = plain.rows.batch().rewards.subspan(t * players, players);
        changed += std::equal(rewards.begin(), rewards.end(), dealt.begin()) ? 0 : 1;
        const float sum = std::accumulate(rewards.begin(), rewards.end(), 0.0F);
        EXPECT_NEAR(sum, std::accumulate(dealt.begin(), dealt.end(), 0.0F), 0.01);
      }
      with.rewards.assign(plain.rows.batch().rewards.begin(), plain.rows.batch().rewards.end());
      EXPECT_TRUE(Snapshot(plain.rows.batch()) == with);
    }
    const bool nobody_is_all_in = game->spec() == "leduc" || game->spec() == "ofc" || game->spec() == "seven_hand";
    EXPECT_EQ(changed > 20, !nobody_is_all_in) << changed;
    EXPECT_EQ(changed == 0, nobody_is_all_in) << changed;
  }
}

TEST_F(Redealt, KeepsTheMeanAndRemovesTheChanceOfTheDeal) {
  const GamePtr game = make_game("holdem[limit=no_limit]");
  Tables dealt(game, 0), resampled(game, 16);
  double sum = 0, squares_dealt = 0, squares = 0, squares_of_difference = 0;
  int hands = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::vector<Action> actions = random_actions(dealt.rows.batch(), rng_);
    dealt.step(actions);
    resampled.step(actions);
    for (std::size_t t = 0; t < kTables; ++t) {
      if (dealt.rows.batch().terminated[t] == 0) continue;
      ++hands;
      const auto as_dealt = static_cast<double>(dealt.rows.batch().rewards[2 * t]);
      const auto mean = static_cast<double>(resampled.rows.batch().rewards[2 * t]);
      sum += mean - as_dealt;
      squares_of_difference += (mean - as_dealt) * (mean - as_dealt);
      squares_dealt += as_dealt * as_dealt;
      squares += mean * mean;
    }
  }
  EXPECT_GT(hands, 10000);
  EXPECT_LT(std::abs(sum), 4 * std::sqrt(squares_of_difference));
  // The mean over the cards is uncorrelated with the rest of the reward.
  EXPECT_LT(squares, 0.7 * squares_dealt);
  EXPECT_NEAR(squares + squares_of_difference, squares_dealt, 0.03 * squares_dealt);
}

}  // namespace
}  // namespace dealer::core_vector_env_test
