#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/games/ofc/game.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/error_message.h"

// That tables stepped together equal tables stepped alone is checked for every game by the shared harness.
namespace dealer {
namespace {

using test::error_message;
using test::random_action;

// What the buffers hold.
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

TEST_F(OfcTables, HaveTheirSizes) {
  EXPECT_EQ(env_->num_envs(), kTables);
  EXPECT_EQ(&env_->game(), game_.get());
  EXPECT_EQ(batch_.observations.size(), static_cast<std::size_t>(kTables * game_->observation_spec().size()));
  EXPECT_EQ(batch_.rewards.size(), 2U * kTables);
}

TEST_F(OfcTables, ResetClearsRewardsAndEnds) {
  std::fill(batch_.rewards.begin(), batch_.rewards.end(), 5.0F);
  std::fill(batch_.terminated.begin(), batch_.terminated.end(), std::uint8_t{1});
  env_->reset(1, batch_);
  EXPECT_TRUE(std::all_of(batch_.rewards.begin(), batch_.rewards.end(), [](float reward) { return reward == 0; }));
  EXPECT_TRUE(std::all_of(batch_.terminated.begin(), batch_.terminated.end(), [](auto over) { return over == 0; }));
  EXPECT_EQ(env_->hands_finished(), 0);
}

TEST_F(OfcTables, AreAllDealtDifferently) {
  env_->reset(1, batch_);
  const auto width = static_cast<std::ptrdiff_t>(game_->observation_spec().size());
  for (int a = 0; a < kTables; ++a)
    for (int b = a + 1; b < kTables; ++b)
      EXPECT_FALSE(std::equal(batch_.observations.begin() + a * width, batch_.observations.begin() + (a + 1) * width,
                              batch_.observations.begin() + b * width));
}

TEST_F(OfcTables, GiveTheSameGamesForTheSameSeed) {
  const auto play = [&](std::uint64_t seed) {
    env_->reset(seed, batch_);
    RandomStream rng(3);
    for (int i = 0; i < 500; ++i) env_->step(random_actions(batch_, rng), batch_);
    return Snapshot(batch_);
  };
  const Snapshot first = play(1), other = play(2);
  EXPECT_FALSE(first == other);
  EXPECT_TRUE(play(1) == first);
}

TEST_F(OfcTables, MoreThreadsThanTablesDoNoHarm) {
  const auto env = game_->new_vector_env(2, 50);
  const OwnedBatch rows(*game_, 2);
  env->reset(1, rows.batch());
  RandomStream rng(3);
  for (int i = 0; i < 200; ++i) env->step(random_actions(rows.batch(), rng), rows.batch());
  EXPECT_GT(env->hands_finished(), 0);
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
  const auto refused = [&](auto shrink, const std::string& message) {
    Batch small = batch_;
    shrink(small);
    EXPECT_EQ(error_message<UsageError>([&] { env_->step(actions, small); }), message);
    EXPECT_EQ(error_message<UsageError>([&] { env_->reset(2, small); }), message);
  };
  refused([](Batch& b) { b.observations = b.observations.first(10); },
          "buffer 'observations' has 10 entries, expected 3430");
  refused([](Batch& b) { b.legal = {}; }, "buffer 'legal' has 0 entries, expected 7");
  refused([](Batch& b) { b.rewards = b.rewards.first(7); }, "buffer 'rewards' has 7 entries, expected 14");
  refused([](Batch& b) { b.current_players = b.current_players.first(6); },
          "buffer 'current_players' has 6 entries, expected 7");
  refused([](Batch& b) { b.terminated = b.terminated.first(6); }, "buffer 'terminated' has 6 entries, expected 7");
  const auto optional = [&](auto give, const std::string& message) {
    std::vector<float> floats(5);
    std::vector<double> doubles(5);
    std::vector<std::uint8_t> bytes(5);
    Batch wrong = batch_;
    give(wrong, floats, doubles, bytes);
    EXPECT_EQ(error_message<UsageError>([&] { env_->step(actions, wrong); }), message);
  };
  optional([](Batch& b, auto&, auto&, auto& u) { b.truncated = u; }, "buffer 'truncated' has 5 entries, expected 7");
  optional([](Batch& b, auto& f, auto&, auto&) { b.all_observations = f; },
           "buffer 'all_observations' has 5 entries, expected 6860");
  optional([](Batch& b, auto& f, auto&, auto&) { b.final_observations = f; },
           "buffer 'final_observations' has 5 entries, expected 6860");
  optional([](Batch& b, auto&, auto& d, auto&) { b.returns = d; }, "buffer 'returns' has 5 entries, expected 14");
  optional([](Batch& b, auto&, auto& d, auto&) { b.statistics = d; },
           "buffer 'statistics' has 5 entries, expected 252");
  EXPECT_EQ(env_->save(), saved);
}

TEST_F(OfcTables, NeedAtLeastOne) {
  EXPECT_EQ(error_message<UsageError>([&] { game_->new_vector_env(0); }),
            "0 environments asked for; expected at least 1");
  EXPECT_THROW(game_->new_vector_env(-5), UsageError);
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
  // Of another number of environments, with a limit, of another game.
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
  // The hot loops play and deal one table themselves; the cards are those that step() would have dealt.
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

}  // namespace
}  // namespace dealer
