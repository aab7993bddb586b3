#include "agents/agent_registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <system_error>
#include <utility>

#include "agents/nn/checkpoints.h"
#include "agents/random_agent.h"
#include "env/core/data_dir.h"
#include "env/core/error.h"
#include "env/core/nearest.h"

namespace dealer {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWeights = ".safetensors";

class FunctionFactory final : public AgentFactory {
 public:
  FunctionFactory(std::string spec, std::function<std::unique_ptr<Agent>()> make)
      : spec_(std::move(spec)), make_(std::move(make)) {}
  std::unique_ptr<Agent> make() const override { return make_(); }
  const std::string& spec() const override { return spec_; }

 private:
  std::string spec_;
  std::function<std::unique_ptr<Agent>()> make_;
};

FamilyAgents family_of(const Game& game) {
  for (const auto& [name, family] : agent_families())
    if (family.plays(game)) return family;
  return {};
}

bool names_a_path(const std::string& name) {
  std::error_code unreadable;
  return name.find('/') != std::string::npos || name.ends_with(kWeights) || fs::exists(name, unreadable);
}

AgentFactoryPtr make_trained(const Spec& spec, const GamePtr& game) {
  const FamilyAgents family = family_of(*game);
  if (family.trained == nullptr)
    throw UsageError(fmt::format("agent '{}': there are no trained agents for '{}'; agents: {}", to_string(spec),
                                 game->spec(), fmt::join(agent_names(*game), ", ")));
  const fs::path file =
      spec.name == "default" ? data_path("models/" + game->name() + std::string(kWeights)) : agent_file(spec.name);
  return family.trained(spec, file, game);
}

AgentFactoryPtr make_named(Spec spec, const GamePtr& game) {
  if (spec.name == "default") return make_trained(spec, game);
  const FamilyAgents family = family_of(*game);
  if (spec.name == "random") return (family.random != nullptr ? family.random : make_random_agents)(spec, game);
  // "rule:bold" is short for "rule[style=bold]".
  if (spec.name.starts_with("rule:")) {
    spec.options.emplace_back("style", spec.name.substr(5));
    spec.name = "rule";
  }
  if (spec.name == "rule" && family.rule != nullptr) return family.rule(spec, game);
  if (names_a_path(spec.name)) return make_trained(spec, game);
  const std::vector<std::string> known = agent_names(*game);
  throw UsageError(fmt::format("there is no agent '{}' for '{}'{}; agents: {}, or the path of a run folder or {} file",
                               spec.name, game->spec(), did_you_mean(spec.name, known), fmt::join(known, ", "),
                               kWeights));
}

}  // namespace

std::vector<std::string> agent_names(const Game& game) {
  const FamilyAgents family = family_of(game);
  std::vector<std::string> names = {"random"};
  if (family.rule != nullptr) names.emplace_back("rule");
  if (family.trained != nullptr) names.emplace_back("default");
  return names;
}

Config agent_options(const Spec& spec) {
  Config options = Config::parse("", "options");
  for (const auto& [key, value] : spec.options) options.set(key + "=" + value);
  return options;
}

fs::path agent_file(const fs::path& path) {
  std::error_code unreadable;
  if (fs::is_directory(path, unreadable)) {
    const std::vector<CheckpointFile> checkpoints = list_checkpoints(path);
    if (checkpoints.empty())
      throw FileError(fmt::format("'{}' has no checkpoint: expected files as {}", path.string(),
                                  checkpoint_path(path, 0).string()));
    return checkpoints.front().path;
  }
  if (!fs::exists(path, unreadable))
    throw FileError(fmt::format("no agent at '{}': expected a run folder or a {} file", path.string(), kWeights));
  return path;
}

AgentFactoryPtr make_factory(std::string spec, std::function<std::unique_ptr<Agent>()> make) {
  return std::make_shared<FunctionFactory>(std::move(spec), std::move(make));
}

AgentFactoryPtr make_agents(std::string_view text, const GamePtr& game) {
  const Spec spec = parse_spec(text);
  try {
    return make_named(spec, game);
  } catch (const ConfigError& error) {
    throw ConfigError(fmt::format("agent '{}': {}", to_string(spec), error.what()));
  }
}

}  // namespace dealer
