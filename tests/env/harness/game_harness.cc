#include "tests/env/harness/game_harness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>

#include "env/core/error.h"
#include "tests/env/harness/random_play.h"

namespace dealer::test {
namespace {

void check_legal(const Env& env) {
  const Game& game = env.game();
  const std::vector<Action> legal = env.legal_actions();
  ASSERT_EQ(legal.empty(), env.current_player() == kTerminal);
  ASSERT_TRUE(std::is_sorted(legal.begin(), legal.end()));
  ASSERT_EQ(std::adjacent_find(legal.begin(), legal.end()), legal.end());
  std::uint64_t mask = 0;
  std::set<std::string> names;
  for (const Action action : legal) {
    ASSERT_GE(action, 0);
    ASSERT_LT(action, game.num_actions());
    mask |= std::uint64_t{1} << action;
    const std::string name = env.action_to_string(action);
    ASSERT_TRUE(names.insert(name).second) << name;
    ASSERT_EQ(env.parse_action(name), action);
  }
  ASSERT_EQ(mask, env.legal_mask());
}

void check_observations(const Env& env) {
  const Game& game = env.game();
  for (Seat seat = 0; seat < game.players(); ++seat) {
    const Observation observation = env.observe(seat);
    ASSERT_EQ(observation.player, seat);
    ASSERT_EQ(observation.data.size(), static_cast<std::size_t>(game.observation_spec().size()));
    ASSERT_EQ(observation.legal_mask, seat == env.current_player() ? env.legal_mask() : 0);
    ASSERT_EQ(observation.legal_actions().empty(), seat != env.current_player());
    for (const ObservationPart& part : game.observation_spec().parts())
      for (int i = part.offset; i < part.offset + part.size(); ++i) {
        const float value = observation.data[static_cast<std::size_t>(i)];
        ASSERT_TRUE(value >= part.low && value <= part.high) << part.name << " [" << i - part.offset << "] " << value;
      }
  }
}

void check_texts(const Env& env) {
  for (Seat seat = 0; seat < env.game().players(); ++seat) {
    ASSERT_FALSE(env.to_string(seat).empty());
    ASSERT_TRUE(env.to_json(seat).is_object());
  }
}

}  // namespace

void check_observation_spec(const Game& game) {
  EXPECT_GE(game.players(), 1);
  EXPECT_LE(game.players(), kMaxPlayers);
  EXPECT_GE(game.num_actions(), 1);
  EXPECT_LE(game.num_actions(), 64);
  EXPECT_FALSE(game.unit().empty());
  int offset = 0;
  std::set<std::string> names;
  for (const ObservationPart& part : game.observation_spec().parts()) {
    EXPECT_EQ(part.offset, offset) << part.name;
    EXPECT_GT(part.size(), 0) << part.name;
    EXPECT_LT(part.low, part.high) << part.name;
    EXPECT_FALSE(part.meaning.empty()) << part.name;
    EXPECT_TRUE(names.insert(part.name).second) << part.name;
    EXPECT_EQ(game.observation_spec().find(part.name), &part);
    offset += part.size();
  }
  EXPECT_EQ(game.observation_spec().size(), offset);
  EXPECT_EQ(game.observation_spec().find("no such part"), nullptr);
}

void check_positions(const Game& game, int hands) {
  const auto env = game.new_env();
  for_episodes(*env, hands, 1, [&](std::uint64_t, RandomStream& rng) {
    std::vector<double> sum(static_cast<std::size_t>(game.players()));
    int finished = 0;
    bool terminated = false;
    const bool ended = play_randomly(
        *env, rng,
        [&](const Env& e) {
          ASSERT_EQ(e.current_player() == kTerminal, terminated);
          ASSERT_EQ(e.hands_finished(), finished);
          check_legal(e);
          check_observations(e);
          // Texts take longer than everything else together.
          if (terminated || rng.below(8) == 0) check_texts(e);
        },
        [&](const Step& step, Seat, Action) {
          ASSERT_EQ(step.rewards.size(), sum.size());
          double total = 0;
          for (std::size_t s = 0; s < sum.size(); ++s) {
            sum[s] += step.rewards[s];
            total += step.rewards[s];
          }
          if (game.zero_sum()) {
            ASSERT_EQ(total, 0);
          }
          ASSERT_EQ(env->returns(), sum);
          ASSERT_FALSE(step.truncated);
          ASSERT_GE(step.hands_finished, 0);
          finished += step.hands_finished;
          terminated = step.terminated;
          if (step.hands_finished == 0) return;
          for (Seat seat = 0; seat < game.players(); ++seat)
            for (const Statistic& figure : env->statistics(seat)) {
              ASSERT_TRUE(std::isfinite(figure.numerator)) << figure.name;
              ASSERT_GE(figure.denominator, 0) << figure.name;
            }
        });
    if (ended) {
      ASSERT_GT(finished, 0);
    }
  });
}

void check_refusals(const Game& game, int hands) {
  const auto env = game.new_env();
  for_episodes(*env, hands, 2, [&](std::uint64_t, RandomStream& rng) {
    play_randomly(
        *env, rng,
        [&](Env& e) {
          const std::string before = e.serialize();
          std::vector<Action> wrong = {-1,
                                       game.num_actions(),
                                       63,
                                       64,
                                       1 << 20,
                                       std::numeric_limits<Action>::min(),
                                       std::numeric_limits<Action>::max()};
          for (Action action = 0; action < game.num_actions(); ++action) wrong.push_back(action);
          for (const Action action : wrong) {
            if (action >= 0 && action < game.num_actions() && ((e.legal_mask() >> action) & 1) != 0) continue;
            ASSERT_THROW(e.step(action), IllegalAction) << action;
          }
          for (const Seat seat : {-1, game.players(), 1000}) {
            ASSERT_THROW(e.observe(seat), UsageError);
            ASSERT_THROW(e.statistics(seat), UsageError);
            ASSERT_THROW(e.to_string(seat), UsageError);
            ASSERT_THROW(e.to_json(seat), UsageError);
          }
          ASSERT_THROW(e.parse_action("no such action"), IllegalAction);
          ASSERT_THROW(e.parse_action(""), IllegalAction);
          Observation observation = e.observe(0);
          observation.data.pop_back();
          ASSERT_THROW(e.sample_state(observation, 1), UsageError);
          ASSERT_EQ(e.serialize(), before);
        },
        [](const Step&, Seat, Action) {});
  });
}

void check_seeds(const Game& game, int hands) {
  const auto env = game.new_env();
  std::set<std::string> starts;
  const int episodes = for_episodes(*env, hands, 3, [&](std::uint64_t seed, RandomStream& rng) {
    const auto fresh = game.new_env();
    fresh->reset(seed);
    starts.insert(env->serialize());
    ASSERT_EQ(env->serialize(), fresh->serialize());
    play_randomly(
        *env, rng, [](const Env&) {},
        [&](const Step& step, Seat, Action action) { ASSERT_EQ(fresh->step(action).rewards, step.rewards); });
    ASSERT_EQ(env->serialize(), fresh->serialize());
  });
  EXPECT_EQ(static_cast<int>(starts.size()), episodes) << "different seeds gave the same deal";
}

void check_copies(const Game& game, int hands) {
  const auto env = game.new_env();
  for_episodes(*env, hands, 4, [&](std::uint64_t, RandomStream& rng) {
    for (auto steps = rng.below(40); steps > 0 && env->current_player() != kTerminal; --steps)
      env->step(random_action(env->legal_mask(), rng));
    const auto cloned = env->clone();
    const auto restored = game.new_env();
    restored->reset(12345);
    restored->deserialize(env->serialize());
    play_randomly(
        *env, rng,
        [&](const Env& e) {
          const std::string bytes = e.serialize();
          for (const Env* copy : {cloned.get(), restored.get()}) {
            ASSERT_EQ(copy->serialize(), bytes);
            ASSERT_EQ(copy->current_player(), e.current_player());
            ASSERT_EQ(copy->legal_mask(), e.legal_mask());
            ASSERT_EQ(copy->returns(), e.returns());
            for (Seat seat = 0; seat < game.players(); ++seat)
              ASSERT_EQ(copy->observe(seat).data, e.observe(seat).data);
          }
        },
        [&](const Step& step, Seat, Action action) {
          ASSERT_EQ(cloned->step(action).rewards, step.rewards);
          ASSERT_EQ(restored->step(action).rewards, step.rewards);
        });
  });
}

void check_recall(const Game& game, int deals) {
  constexpr int kPlays = 40;
  const auto env = game.new_env();
  for (int deal = 0; deal < deals; ++deal) {
    const auto seed = static_cast<std::uint64_t>(deal);
    SCOPED_TRACE(game.spec() + ", seed " + std::to_string(deal));
    const Seat me = deal % game.players();
    // By the bytes of an observation: the history that led there.
    std::unordered_map<std::string, std::uint64_t> histories;
    for (int play = 0; play < kPlays; ++play) {
      env->reset(seed);
      RandomStream mine(seed, static_cast<std::uint64_t>(100 + play)), others(seed, 99);
      std::uint64_t history = 0;
      for (bool hand_over = false; !hand_over;) {
        const std::vector<float> data = env->observe(me).data;
        const std::string bytes(reinterpret_cast<const char*>(data.data()), data.size() * sizeof(float));
        const auto [entry, added] = histories.emplace(bytes, history);
        ASSERT_EQ(entry->second, history) << "two histories, one observation:\n" << env->to_string(me);
        if (env->current_player() == kTerminal) break;
        const bool acting = env->current_player() == me;
        const Action action = random_action(env->legal_mask(), acting ? mine : others);
        if (acting) {
          history = mix64(history ^ std::hash<std::string>{}(bytes));
          history = mix64(history + static_cast<std::uint64_t>(action) + 1);
        }
        // At the end the hand is still to be seen, unless another one followed that nobody had to decide anything in.
        hand_over = env->step(action).hands_finished > (env->current_player() == kTerminal ? 1 : 0);
      }
    }
    if (testing::Test::HasFailure()) return;
  }
}

void check_vector_env(const Game& game, int steps) {
  constexpr int kTables = 5;
  constexpr std::uint64_t kSeed = 77;
  SCOPED_TRACE(game.spec());
  const auto one = game.new_vector_env(kTables, 1), many = game.new_vector_env(kTables, 3);
  const OwnedBatch one_rows(game, kTables), many_rows(game, kTables);
  one->reset(kSeed, one_rows.batch());
  many->reset(kSeed, many_rows.batch());
  std::vector<std::unique_ptr<Env>> envs;
  std::vector<std::uint64_t> episode(kTables, 0);
  const auto deal = [&](std::size_t t) { envs[t]->reset(derive(derive(kSeed, t), episode[t]++)); };
  for (std::size_t t = 0; t < kTables; ++t) {
    envs.push_back(game.new_env());
    deal(t);
  }
  const auto width = static_cast<std::size_t>(game.observation_spec().size());
  const auto players = static_cast<std::size_t>(game.players());
  std::vector<std::vector<double>> rewards(kTables, std::vector<double>(players));
  std::vector<std::uint8_t> over(kTables, 0);
  std::int64_t hands = 0;
  RandomStream rng(5);
  for (int i = 0; i <= steps; ++i) {
    std::vector<Action> actions(kTables);
    for (std::size_t t = 0; t < kTables; ++t) {
      const Seat seat = envs[t]->current_player();
      const Observation observation = envs[t]->observe(seat);
      for (const OwnedBatch* rows : {&one_rows, &many_rows}) {
        const Batch& batch = rows->batch();
        ASSERT_EQ(batch.current_players[t], seat);
        ASSERT_EQ(batch.legal[t], observation.legal_mask);
        ASSERT_EQ(batch.terminated[t], over[t]);
        ASSERT_TRUE(std::equal(observation.data.begin(), observation.data.end(),
                               batch.observations.begin() + static_cast<std::ptrdiff_t>(t * width)));
        for (std::size_t s = 0; s < players; ++s)
          ASSERT_EQ(static_cast<double>(batch.rewards[t * players + s]), rewards[t][s]);
      }
      actions[t] = random_action(observation.legal_mask, rng);
      const Step step = envs[t]->step(actions[t]);
      rewards[t] = step.rewards;
      over[t] = step.terminated ? 1 : 0;
      hands += step.hands_finished;
      if (step.terminated) deal(t);
    }
    one->step(actions, one_rows.batch());
    many->step(actions, many_rows.batch());
    ASSERT_EQ(one->hands_finished(), hands);
    ASSERT_EQ(many->hands_finished(), hands);
  }
}

}  // namespace dealer::test
