// Behaviour written down: one number, and one game to read.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/env/harness/game_harness.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/temp_folder.h"

namespace dealer::test {
namespace {

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

}  // namespace dealer::test
