#include <fmt/format.h>

#include "env/core/data_dir.h"
#include "env/core/error.h"
#include "train/ofc/trainer.h"
#include "train/policy/policy_trainer.h"
#include "train/seven_hand/trainer.h"
#include "train/trainer.h"

namespace dealer {
namespace {

using Algorithms = std::vector<std::pair<std::string, Algorithm>>;

// A new learner adds its line here.
Algorithms& all() {
  static Algorithms known = {
      {"ppo", {"policy-gradient self-play with a critic, for every game", make_policy_trainer}},
      {"afterstate_td",
       {"temporal differences on the positions a turn leads to, for OFC and 7-Hand Poker", make_afterstate_trainer}},
  };
  return known;
}

}  // namespace

std::filesystem::path start_file(const std::string& key, const std::string& file) {
  if (std::filesystem::is_directory(file))
    throw ConfigError(fmt::format("{}: '{}' is a folder; expected a .safetensors file", key, file));
  return file.starts_with("models/") && !std::filesystem::exists(file) ? data_path(file) : std::filesystem::path(file);
}

const Algorithms& algorithms() { return all(); }

void register_algorithm(std::string name, Algorithm algorithm) {
  for (const auto& [known, other] : all())
    if (known == name) throw UsageError(fmt::format("there is an algorithm '{}' already", name));
  all().emplace_back(std::move(name), std::move(algorithm));
}

std::vector<std::string_view> algorithm_names() {
  std::vector<std::string_view> names;
  for (const auto& [name, algorithm] : all()) names.push_back(name);
  return names;
}

std::unique_ptr<Trainer> make_afterstate_trainer(Config& config, const GamePtr& game, Ranks& ranks) {
  if (auto ofc = std::dynamic_pointer_cast<const ofc::Game>(game))
    return std::make_unique<ofc::OfcTrainer>(std::move(ofc), ofc::read_settings(config), ranks);
  if (auto seven_hand = std::dynamic_pointer_cast<const seven_hand::Game>(game))
    return std::make_unique<seven_hand::SevenHandTrainer>(std::move(seven_hand), seven_hand::read_settings(config),
                                                          ranks);
  throw UsageError(fmt::format("algorithm 'afterstate_td' learns ofc and seven_hand, not '{}'", game->spec()));
}

const Algorithm& read_algorithm(Config& config) {
  const std::vector<std::string_view> names = algorithm_names();
  return all()[config.get_choice("algorithm", names.front(), names)].second;
}

}  // namespace dealer
