#include <fmt/format.h>

#include "env/core/error.h"
#include "train/afterstate/algorithm.h"
#include "train/policy/policy_trainer.h"
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

const Algorithm& read_algorithm(Config& config) {
  const std::vector<std::string_view> names = algorithm_names();
  return all()[config.get_choice("algorithm", names.front(), names)].second;
}

}  // namespace dealer
