#include "tests/env/harness/game_harness.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <unordered_map>

#include "env/core/error.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"

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

// The entries of an observation that are not zero, part by part.
std::string numbers(const Game& game, const Observation& observation) {
  std::string text;
  for (const ObservationPart& part : game.observation_spec().parts()) {
    std::string entries;
    for (int i = 0; i < part.size(); ++i) {
      const float value = observation.data[static_cast<std::size_t>(part.offset + i)];
      if (value != 0) entries += fmt::format(" {}:{:.6g}", i, value);
    }
    if (!entries.empty()) text += fmt::format("  {}{}\n", part.name, entries);
  }
  return text;
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
          // Texts take longer than all other checks.
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

void check_copies(const Game& game, int hands) {
  const auto env = game.new_env();
  std::set<std::string> starts;
  const int episodes = for_episodes(*env, hands, 4, [&](std::uint64_t seed, RandomStream& rng) {
    const auto same_seed = game.new_env(), restored = game.new_env();
    same_seed->reset(seed);
    starts.insert(env->serialize());
    ASSERT_EQ(same_seed->serialize(), env->serialize());
    for (auto steps = rng.below(40); steps > 0 && env->current_player() != kTerminal; --steps) {
      const Action action = random_action(env->legal_mask(), rng);
      ASSERT_EQ(same_seed->step(action).rewards, env->step(action).rewards);
    }
    const auto cloned = env->clone();
    restored->reset(12345);
    restored->deserialize(env->serialize());
    const auto copies = {cloned.get(), restored.get(), same_seed.get()};
    play_randomly(
        *env, rng,
        [&](const Env& e) {
          const std::string bytes = e.serialize();
          for (const Env* copy : copies) {
            ASSERT_EQ(copy->serialize(), bytes);
            ASSERT_EQ(copy->current_player(), e.current_player());
            ASSERT_EQ(copy->legal_mask(), e.legal_mask());
            ASSERT_EQ(copy->returns(), e.returns());
            for (Seat seat = 0; seat < game.players(); ++seat)
              ASSERT_EQ(copy->observe(seat).data, e.observe(seat).data);
          }
        },
        [&](const Step& step, Seat, Action action) {
          for (Env* copy : copies) ASSERT_EQ(copy->step(action).rewards, step.rewards);
        });
  });
  EXPECT_EQ(static_cast<int>(starts.size()), episodes) << "different seeds gave the same deal";
}

void check_recall(const Game& game, int deals) {
  constexpr int kPlays = 40;
  const auto env = game.new_env();
  for (int deal = 0; deal < deals; ++deal) {
    const auto seed = static_cast<std::uint64_t>(deal);
    SCOPED_TRACE(game.spec() + ", seed " + std::to_string(deal));
    const Seat me = deal % game.players();
    // By the bytes of an observation: the history that led to it.
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
        // At the end the hand is still visible, unless another one without decisions followed.
        hand_over = env->step(action).hands_finished > (env->current_player() == kTerminal ? 1 : 0);
      }
    }
    if (testing::Test::HasFailure()) return;
  }
}

void check_all(const Game& game, double share) {
  struct Check {
    const char* name;
    void (*check)(const Game&, int);
    int hands;
  };
  check_observation_spec(game);
  for (const auto& [name, check, hands] : {Check{"positions", check_positions, 2000},
                                           {"refusals", check_refusals, 200},
                                           {"choices", check_choices, 300},
                                           {"copies", check_copies, 1500},
                                           {"malformed positions", check_malformed_positions, 1000},
                                           {"sampling", check_sampling, 800},
                                           {"redealing", check_resampling, 200},
                                           {"malformed observations", check_malformed_observations, 800},
                                           {"recall", check_recall, 400},
                                           {"events", check_events, 800},
                                           {"tables", check_vector_env, 1600}}) {
    SCOPED_TRACE(name);
    check(game, std::max(3, repetitions(static_cast<int>(hands * share))));
    if (testing::Test::HasFailure()) return;
  }
}

std::uint64_t signature(const Game& game, int hands) {
  const auto env = game.new_env();
  std::uint64_t hash = 0;
  const auto add = [&](std::uint64_t word) { hash = mix64(hash ^ word); };
  for_episodes(*env, hands, 8, [&](std::uint64_t, RandomStream& rng) {
    play_randomly(
        *env, rng,
        [&](const Env& e) {
          const Seat seat = e.current_player() == kTerminal ? 0 : e.current_player();
          const Observation observation = e.observe(seat);
          add(observation.legal_mask);
          for (std::size_t i = 0; i < observation.data.size(); ++i)
            if (observation.data[i] != 0)
              add(std::uint64_t{i} << 32 | std::bit_cast<std::uint32_t>(observation.data[i]));
        },
        [&](const Step& step, Seat seat, Action action) {
          add(static_cast<std::uint64_t>(seat) << 32 | static_cast<std::uint64_t>(action));
          for (const double reward : step.rewards) add(std::bit_cast<std::uint64_t>(reward));
        });
  });
  return hash;
}

std::string playthrough(const Game& game) {
  const auto env = game.new_env({.keep_events = true});
  std::uint64_t seed = 0;
  const auto decides_nothing = [&] {
    env->reset(seed);
    RandomStream rng(seed, 9);
    play_randomly(*env, rng);
    const std::vector<double> returns = env->returns();
    return std::all_of(returns.begin(), returns.end(), [](double value) { return value == 0; });
  };
  while (decides_nothing()) ++seed;
  env->reset(seed);
  RandomStream rng(seed, 9);
  std::string text = fmt::format("game {}, {} players, {} actions, {} numbers, unit {}, seed {}\n", game.spec(),
                                 game.players(), game.num_actions(), game.observation_spec().size(), game.unit(), seed);
  play_randomly(
      *env, rng,
      [&](const Env& e) {
        const Seat to_act = e.current_player();
        for (Seat seat = 0; seat < game.players(); ++seat) {
          if (to_act != kTerminal && seat != to_act) continue;
          text += fmt::format("\n# seat {}\n{}{}", seat, e.to_string(seat), numbers(game, e.observe(seat)));
        }
        if (to_act == kTerminal) return;
        text += "legal:";
        for (const Action action : e.legal_actions()) text += fmt::format(" {}={}", action, e.action_to_string(action));
        text += '\n';
      },
      [&](const Step& step, Seat, Action action) {
        text += fmt::format("action: {}\n", action);
        if (step.hands_finished == 0) return;
        text += fmt::format("hands finished: {}, rewards: {}\n", step.hands_finished, fmt::join(step.rewards, " "));
      });
  text += "\n# the end\n";
  for (Seat seat = 0; seat < game.players(); ++seat) {
    text += env->to_json(seat).dump(2) + '\n';
    for (const Statistic& figure : env->statistics(seat))
      text += fmt::format("{} {}/{}\n", figure.name, figure.numerator, figure.denominator);
  }
  text += fmt::format("returns: {}\n\n# what happened\n", fmt::join(env->returns(), " "));
  for (const Event& event : env->events(kOmniscient)) text += to_json(event, game).dump() + '\n';
  return text;
}

void check_recorded(const std::filesystem::path& file, const std::string& text) {
  const char* record = std::getenv("DEALER_RECORD");
  if (record != nullptr && std::string_view(record) == "1") {
    std::filesystem::create_directories(file.parent_path());
    write_bytes(file, text);
  }
  ASSERT_TRUE(std::filesystem::exists(file)) << file << " is missing: record it with DEALER_RECORD=1";
  ASSERT_EQ(read_bytes(file), text) << "behaviour differs from " << file
                                    << ". If that is meant, record it anew with DEALER_RECORD=1";
}

void check_cases(const std::string& file, const std::function<std::string(const std::string& input)>& f) {
  const std::filesystem::path path = std::filesystem::path(source_dir()) / "tests/env/golden" / file;
  std::istringstream lines(read_bytes(path));
  std::string text, input;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t end = line.find("=> ");
    text += line.substr(0, end);
    if (!line.starts_with("//")) input += line.substr(0, end);
    if (end == std::string::npos) {
      if (!input.empty()) input += '\n';
    } else {
      text += "=> " + f(input);
      input.clear();
    }
    text += '\n';
  }
  check_recorded(path, text);
}

}  // namespace dealer::test
