#include "agents/agent_registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <system_error>

#include "agents/abstraction/bucket_solver.h"
#include "agents/acpc/acpc_agents.h"
#include "agents/acpc/holdem.h"
#include "agents/nn/checkpoints.h"
#include "agents/nn/model_files.h"
#include "agents/nn/safetensors.h"
#include "agents/poker/draw_preference.h"
#include "agents/poker/mixture.h"
#include "agents/poker/resolving_agent.h"
#include "agents/policy/policy_agent.h"
#include "agents/random_agent.h"
#include "agents/remote/connection.h"
#include "agents/search/search_agent.h"
#include "env/core/data_dir.h"
#include "env/core/error.h"
#include "env/core/nearest.h"

namespace dealer {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWeights = ".safetensors", kDefault = "default", kZoo = "zoo";

class FunctionFactory final : public AgentFactory {
 public:
  FunctionFactory(std::string spec, std::function<std::unique_ptr<Agent>()> make)
      : AgentFactory(std::move(spec)), make_(std::move(make)) {}
  std::unique_ptr<Agent> make() const override { return make_(); }
  int tables_at_once() const override { return 1; }

 private:
  std::function<std::unique_ptr<Agent>()> make_;
};

FamilyAgents family_of(const Game& game) {
  for (const auto& [name, family] : agent_families())
    if (family.plays(game)) return family;
  return {};
}

using MakeAgents = std::function<AgentFactoryPtr(const Spec& own)>;

// Wraps an agent if its spec has options of the wrapper, which are hidden from the inner agent; else just the agent.
AgentFactoryPtr with_options(const Spec& spec, const std::function<bool(std::string_view key)>& is_own,
                             const std::function<AgentFactoryPtr(AgentFactoryPtr agents)>& around,
                             const MakeAgents& make) {
  Spec own{spec.name, {}};
  for (const auto& option : spec.options)
    if (!is_own(option.first)) own.options.push_back(option);
  return own.options.size() == spec.options.size() ? make(spec) : around(make(own));
}

// The options of poker agents: a preference at the last draw, and betting rounds re-solved in play.
AgentFactoryPtr with_poker_options(const Spec& spec, const GamePtr& game, const MakeAgents& make) {
  const auto prefers = [&](std::string_view key) { return poker::is_draw_preference(*game, key); };
  return with_options(
      spec, resolve::is_resolve_option,
      [&](AgentFactoryPtr agents) { return resolve::make_resolving_agents(spec, std::move(agents), game); },
      [&](const Spec& other) {
        return with_options(
            other, prefers,
            [&](AgentFactoryPtr agents) { return poker::make_preferring_agents(other, std::move(agents), game); },
            make);
      });
}

// Adds search to an agent if its spec has options of search; otherwise returns the agent itself.
AgentFactoryPtr with_search(const Spec& spec, const GamePtr& game, const MakeAgents& make) {
  Spec own;
  const Spec options = search_options_of(spec, own);
  AgentFactoryPtr agents;
  try {
    agents = with_poker_options(own, game, make);
  } catch (const UnknownKeyError& error) {
    throw error.beside(search_option_names());
  }
  return options.options.empty() ? agents : make_search_agents(spec, options, agents, game);
}

AgentFactoryPtr make_random(const Spec& spec, const GamePtr& game) {
  const FamilyAgents family = family_of(*game);
  return with_search(spec, game, [&](const Spec& own) {
    return (family.random != nullptr ? family.random : make_random_agents)(own, game);
  });
}

AgentFactoryPtr make_rule(const Spec& spec, const GamePtr& game) {
  return with_search(spec, game, [&](const Spec& own) { return family_of(*game).rule(own, game); });
}

// Policy networks work in any game, bucket policies in draw games and hold'em; everything else is up to the family. The
// options of a mixture's spec apply to its members.
AgentFactoryPtr make_trained(const Spec& spec, const fs::path& file, const GamePtr& game) {
  if (file.extension() == kMixtureSuffix) {
    const ModelFile mixture = read_model_file(file);
    if (mixture.rules != game->id().rules)
      throw CheckpointError(
          fmt::format("{}: it plays a game under other rules than those of '{}'", file.string(), game->spec()));
    std::vector<AgentFactoryPtr> members;
    for (const fs::path& member : mixture.members)
      members.push_back(make_trained({member.string(), spec.options}, agent_file(member), game));
    return poker::make_mixture(to_string(spec), std::move(members), game);
  }
  const auto metadata = read_safetensors_metadata(file);
  const auto format = metadata.find("format");
  const FamilyAgents family = family_of(*game);
  if (format != metadata.end() && format->second == abstraction::kBucketPolicyFormat)
    return abstraction::make_bucket_agents(spec, read_safetensors(file), game);
  if (family.trained == nullptr || (format != metadata.end() && format->second == kPolicyNetworkFormat))
    return make_policy_agents(spec, file, game);
  return family.trained(spec, file, game);
}

// The trained agent of `named`, at a table of `game`.
AgentFactoryPtr make_default(const Spec& spec, const GamePtr& game, const Game& named) {
  return with_search(spec, game, [&](const Spec& own) {
    return make_trained(own, find_model(named, *game, data_path("models")), game);
  });
}

bool names_a_path(std::string_view name) {
  std::error_code unreadable;
  return name.find('/') != std::string_view::npos || name.ends_with(kWeights) || name.ends_with(kMixtureSuffix) ||
         fs::exists(name, unreadable);
}

AgentFactoryPtr make_from_path(const Spec& spec, const GamePtr& game) {
  return with_search(spec, game, [&](const Spec& own) { return make_trained(own, agent_file(own.name), game); });
}

std::vector<std::string> rule_styles(const Game& game) {
  const auto styles = family_of(game).styles;
  if (styles == nullptr) return {};
  return {styles().begin(), styles().end()};
}

}  // namespace

std::span<const SimplePlayer> zoo_of(const Game& game) { return family_of(game).zoo; }

namespace {

std::vector<std::string> zoo_names(const Game& game) {
  std::vector<std::string> names;
  for (const SimplePlayer& player : zoo_of(game)) names.emplace_back(player.name);
  return names;
}

AgentFactoryPtr make_simple(const Spec& spec, const GamePtr& game) {
  Config options = agent_options(spec);
  options.finish();
  const std::string name = agent_argument(spec);
  for (const SimplePlayer& player : zoo_of(*game))
    if (player.name == name) return player.make(player, to_string(spec), game);
  const std::vector<std::string> names = zoo_names(*game);
  throw UsageError(
      fmt::format("'zoo:{}': the zoo of this game has {}{}", name, fmt::join(names, ", "), did_you_mean(name, names)));
}

bool has_rule(const Game& game) { return family_of(game).rule != nullptr; }
// Families with their own learners report themselves what is missing.
bool has_default(const Game& game) {
  return family_of(game).trained != nullptr || has_model(game, data_path("models"));
}

using Kinds = std::vector<std::pair<std::string, AgentKind>>;

// "exec:COMMAND"
AgentKind with_argument(
    AgentFactoryPtr (*make)(const Spec& spec, const GamePtr& game), std::string what,
    bool (*plays)(const Game& game) = [](const Game&) { return true; }) {
  return {.make = make, .plays = plays, .what = std::move(what), .takes_argument = true, .needs_argument = true};
}

Kinds& kinds() {
  static Kinds all = {
      {"random", {.make = make_random, .what = "any legal action"}},
      {"rule",
       {.make = make_rule,
        .plays = has_rule,
        .what = "the heuristic agent, rule:STYLE in another style",
        .takes_argument = true,
        .arguments = rule_styles}},
      {std::string(kZoo),
       {.make = make_simple,
        .plays = [](const Game& game) { return !zoo_of(game).empty(); },
        .what = "a simple player that follows one idea: zoo:NAME (zoo: alone lists the names)",
        .takes_argument = true,
        .needs_argument = true,
        .arguments = zoo_names}},
      {std::string(kDefault),
       {.make = [](const Spec& spec, const GamePtr& game) { return make_default(spec, game, *game); },
        .plays = has_default,
        .what = "the trained agent that comes with the game"}},
      {"search",
       {.make = [](const Spec& spec, const GamePtr& game) { return make_search_agents(spec, game); },
        .what = "looks ahead using only the rules of the game, without training: search[simulations=1000]"}},
      {"exec", with_argument(remote::make_remote_agents, "a program that speaks the bot protocol: exec:COMMAND")},
      {"tcp", with_argument(remote::make_remote_agents, "a bot that listens: tcp:HOST:PORT")},
      {"ws", with_argument(remote::make_remote_agents, "the same over WebSocket: ws:HOST:PORT/PATH")},
      {"acpc", with_argument(acpc::make_acpc_agents,
                             "a bot of the Annual Computer Poker Competition that connects to a port: acpc:PORT",
                             acpc::Holdem::is_holdem)},
      {"mixture",
       with_argument(
           poker::make_mixture_agents,
           "one of several agents for each hand, drawn with equal probability from its cards: mixture:AGENT+AGENT",
           poker::plays_mixtures)},
      {"path",
       {.make = make_from_path,
        .what = "a run folder, a .safetensors file or the .yaml file of a mixture",
        .recognises = names_a_path}},
  };
  return all;
}

bool is_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
  });
}

// Null if there is none.
const AgentKind* kind_of(const std::string& name) {
  const std::string head = name.substr(0, name.find(':'));
  for (const auto& [known, kind] : kinds())
    if (!kind.recognises && (known == name || (kind.takes_argument && known == head))) return &kind;
  for (const auto& [known, kind] : kinds())
    if (kind.recognises && kind.recognises(name)) return &kind;
  return nullptr;
}

// True for text that looks like a program with arguments, or a script.
bool is_command(std::string_view name) {
  return name.find(' ') != std::string_view::npos || name.ends_with(".py") || name.ends_with(".sh");
}

AgentFactoryPtr make_of_kind(const Spec& spec, const GamePtr& game, const Game& named) {
  const AgentKind* kind = kind_of(spec.name);
  const Game& asked = spec.name == kDefault ? named : *game;
  const std::vector<std::string> known = agent_names(asked);
  if (kind == nullptr)
    throw UsageError(
        fmt::format("there is no agent '{}' for '{}'{}; agents: {}, or the path of a run folder or {} file", spec.name,
                    game->spec(),
                    is_command(spec.name) ? fmt::format("; did you mean 'exec:{}'?", spec.name)
                                          : did_you_mean(spec.name.substr(0, spec.name.find(':')), known),
                    fmt::join(known, ", "), kWeights));
  if (kind->plays && !kind->plays(asked))
    throw UsageError(fmt::format("agent '{}' does not play '{}'; agents: {}", to_string(spec), asked.spec(),
                                 fmt::join(known, ", ")));
  return spec.name == kDefault ? make_default(spec, game, named) : kind->make(spec, game);
}

}  // namespace

const AgentFamilies& agent_families() {
  static const AgentFamilies kFamilies = [] {
    AgentFamilies families;
    register_agents(families);
    return families;
  }();
  return kFamilies;
}

EncoderPtr make_encoder(const GamePtr& game) {
  const FamilyAgents family = family_of(*game);
  return family.input_features != nullptr ? family.input_features(game) : nullptr;
}

AfterstateEncoderPtr make_afterstate_encoder(const GamePtr& game) {
  const FamilyAgents family = family_of(*game);
  return family.afterstates != nullptr ? family.afterstates(game) : nullptr;
}

std::vector<LegalMask> action_kinds(const Game& game) {
  const FamilyAgents family = family_of(game);
  return family.kinds != nullptr ? family.kinds(game) : std::vector<LegalMask>();
}

void register_agent_kind(std::string name, AgentKind kind) {
  if (!is_name(name))
    throw UsageError(
        fmt::format("'{}' is not a name for a kind of agents; expected letters, digits, '_' and '-'", name));
  for (const auto& [known, other] : kinds())
    if (known == name) throw UsageError(fmt::format("there is a kind of agents '{}' already", name));
  kinds().emplace_back(std::move(name), std::move(kind));
}

const Kinds& agent_kinds() { return kinds(); }

std::string agent_argument(const Spec& spec) {
  const std::size_t colon = spec.name.find(':');
  return colon == std::string::npos ? "" : spec.name.substr(colon + 1);
}

std::vector<std::string> expand_zoo(std::span<const std::string> specs, const Game& game) {
  std::vector<std::string> expanded;
  for (const std::string& spec : specs) {
    if (spec != kZoo) {
      expanded.push_back(spec);
      continue;
    }
    if (zoo_of(game).empty()) throw UsageError(fmt::format("'{}': there is no zoo of '{}'", kZoo, game.spec()));
    for (const std::string& name : zoo_names(game))
      if (const std::string member = fmt::format("{}:{}", kZoo, name);
          std::find(specs.begin(), specs.end(), member) == specs.end())
        expanded.push_back(member);
  }
  return expanded;
}

std::vector<std::string> agent_names(const Game& game) {
  std::vector<std::string> names;
  for (const auto& [name, kind] : kinds())
    if (!kind.recognises && (!kind.plays || kind.plays(game))) names.push_back(kind.needs_argument ? name + ':' : name);
  return names;
}

Config agent_options(const Spec& spec, const std::function<bool(std::string_view key)>& is_own) {
  Config options = Config::parse("", "options");
  for (const auto& [key, value] : spec.options)
    if (!is_own || is_own(key)) options.set(key + "=" + value);
  return options;
}

Config rule_options(const Spec& spec) {
  Config options = agent_options(spec);
  if (spec.name != "rule") options.set("style=" + agent_argument(spec));
  return options;
}

fs::path agent_file(const fs::path& path) {
  std::error_code unreadable;
  if (fs::is_directory(path, unreadable)) {
    if (fs::path best = best_model_path(path); fs::exists(best, unreadable)) return best;
    const std::vector<CheckpointFile> checkpoints = list_checkpoints(path);
    if (checkpoints.empty())
      throw FileError(fmt::format("'{}' has no checkpoint: expected files such as {}", path.string(),
                                  checkpoint_path(path, 0).string()));
    return checkpoints.front().path;
  }
  if (!fs::exists(path, unreadable))
    throw FileError(fmt::format("no agent at '{}': expected a run folder, a {} file or the {} file of a mixture",
                                path.string(), kWeights, kMixtureSuffix));
  return path;
}

AgentFactoryPtr make_agents_of_file(const fs::path& file, const GamePtr& game) {
  return make_trained(Spec{file.string(), {}}, file, game);
}

AgentFactoryPtr make_factory(std::string spec, std::function<std::unique_ptr<Agent>()> make) {
  return std::make_shared<FunctionFactory>(std::move(spec), std::move(make));
}

AgentFactoryPtr make_agents(std::string_view text, const GamePtr& game) { return make_agents(text, game, *game); }

AgentFactoryPtr make_agents(std::string_view text, const GamePtr& game, const Game& named) {
  const Spec spec = parse_spec(text);
  try {
    return make_of_kind(spec, game, named);
  } catch (const ConfigError& error) {
    throw ConfigError(fmt::format("agent '{}': {}", to_string(spec), error.what()));
  }
}

}  // namespace dealer
