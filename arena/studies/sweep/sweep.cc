#include "arena/studies/sweep/sweep.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "agents/agent_registry.h"
#include "agents/nn/model_files.h"
#include "arena/studies/sweep/condition.h"
#include "env/core/config_tree.h"
#include "env/core/data_dir.h"
#include "env/core/error.h"
#include "env/core/registry.h"

namespace dealer::studies {
namespace {

using Words = std::vector<std::string>;

constexpr std::string_view kOfGame = "game.";
constexpr std::size_t kMostValues = 20;
// Keys that are not rules: the subject of the study, and settings that affect only chance.
constexpr std::array<std::string_view, 5> kNoRules = {"study", "extends", "deals", "seed", "threads"};
constexpr std::array<std::string_view, 3> kAgentKeys = {"agent", "agents", "substitute"};

bool is_of_game(const std::string& key) { return key.starts_with(kOfGame); }
std::string option_of(const std::string& key) { return key.substr(kOfGame.size()); }

std::string_view key_of(std::string_view word) { return word.substr(0, word.find('=')); }
template <class Keys>
bool is_one_of(std::string_view key, const Keys& keys) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

std::string folder_name(std::string name) {
  for (char& c : name) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       std::string_view("._+=-").find(c) != std::string_view::npos;
    if (!plain) c = '_';
  }
  constexpr std::size_t kLongest = 100;
  return name.substr(0, kLongest);
}

// A game without one of its options.
std::string without_option(const std::string& game, const std::string& option) {
  Spec spec = parse_spec(game);
  std::erase_if(spec.options, [&](const auto& other) { return other.first == option; });
  return to_string(spec);
}
std::string with_option(const std::string& game, const std::string& option, const std::string& value) {
  Spec spec = parse_spec(game);
  for (auto& [key, old] : spec.options) {
    if (key != option) continue;
    old = value;
    return to_string(spec);
  }
  spec.options.emplace_back(option, value);
  return to_string(spec);
}

std::string list_of(const Words& words) {
  Words quoted;
  for (const std::string& word : words) quoted.push_back(yaml_quoted(word));
  return fmt::format("[{}]", fmt::join(quoted, ", "));
}

// Overrides without those of some keys.
template <class Keys>
Words words_without(Words words, const Keys& keys) {
  std::erase_if(words, [&](const std::string& word) { return is_one_of(key_of(word), keys); });
  return words;
}

// If several agents play the same game, the labels include their names.
void add_labels(std::vector<SweepTable>& tables) {
  std::multiset<std::string> labels;
  for (const SweepTable& table : tables) labels.insert(table.label);
  for (SweepTable& table : tables)
    if (labels.count(table.label) > 1) table.label += ", " + table.agent;
}

// The games of the study at a value. If agents are trained, the config's agents do not matter.
std::vector<SweepTable> tables_at(const Sweep& sweep, const NamedTables& named, const std::string& value) {
  const std::string& key = sweep.request.key;
  std::vector<SweepTable> tables;
  for (std::size_t i = 0; i < named.games.size(); ++i) {
    SweepTable table;
    const std::string& game = named.games[i];
    table.label = table.base = is_of_game(key) ? without_option(game, option_of(key)) : game;
    table.game = is_of_game(key) ? with_option(game, option_of(key), value) : game;
    if (!sweep.trains()) table.agent = named.agents.size() == 1 ? named.agents.front() : named.agents.at(i);
    const bool known = std::any_of(tables.begin(), tables.end(), [&](const SweepTable& other) {
      return other.game == table.game && other.agent == table.agent;
    });
    if (!known) tables.push_back(std::move(table));
  }
  add_labels(tables);
  return tables;
}

Words overrides_at(const Sweep& sweep, const NamedTables& named, const SweepValue& value) {
  const SweepRequest& request = sweep.request;
  Words words = request.overrides;
  if (!is_of_game(request.key)) {
    words.push_back(fmt::format("{}={}", request.key, value.value));
    return words;
  }
  if (sweep.makes_agents()) words = words_without(words, kAgentKeys);
  words = words_without(words, std::array<std::string_view, 2>{"game", "games"});
  if (!sweep.several) {
    words.push_back("game=" + yaml_quoted(value.tables.front().game));
    return words;
  }
  Words games, agents;
  for (const SweepTable& table : value.tables) {
    games.push_back(table.game);
    agents.push_back(table.agent);
  }
  words.push_back("games=" + list_of(games));
  // Games that have become equal are merged.
  if (named.agents.size() > 1 && !sweep.makes_agents()) {
    words = words_without(words, std::array<std::string_view, 2>{"agent", "agents"});
    words.push_back("agents=" + list_of(agents));
  }
  return words;
}

// Stands in for a trained agent that does not exist yet: the shipped one, if there is one.
std::string stand_in(const std::string& game) {
  const GamePtr made = make_game(game);
  try {
    make_agents("default", made);
    return "default";
  } catch (const Error&) {
    return "random";
  }
}

// Checks that the games have the option, and that two values differ.
void check_rules(const Sweep& sweep) {
  const std::string& key = sweep.request.key;
  std::vector<std::vector<std::string>> rules;
  for (const SweepValue& value : sweep.values) {
    std::vector<std::string>& own = rules.emplace_back();
    for (const SweepTable& table : value.tables) {
      try {
        own.push_back(make_game(table.game)->id().rules);
      } catch (const UsageError& error) {
        throw ConfigError(fmt::format("--sweep {}: '{}': {}", key, table.base, error.what()));
      }
    }
    for (std::size_t i = 0; i + 1 < rules.size(); ++i)
      if (rules[i] == own)
        throw UsageError(fmt::format("--sweep {}: {} and {} are the same rules; expected each once", key,
                                     sweep.values[i].value, value.value));
  }
}

// Rejects agents that do not support a changed game: a network for another observation, for instance.
void refuse_agents(const SweepValue& value) {
  for (const SweepTable& table : value.tables) {
    const GamePtr game = make_game(table.game);
    try {
      make_agents(table.agent, game);
    } catch (const Error& error) {
      throw UsageError(
          fmt::format("--sweep {}: '{}' cannot play it: {}; expected agent=rule, or --train-budget to train "
                      "one for each value",
                      value.name, table.agent, error.what()));
    }
  }
}

// Reports a rule that was given as if it were a key of the study.
void check_key(const Sweep& sweep, const NamedTables& named) {
  const SweepRequest& request = sweep.request;
  if (is_of_game(request.key)) return;
  try {
    make_game(with_option(named.games.front(), request.key, request.values.front()));
  } catch (const Error&) {
    return;
  }
  throw UsageError(fmt::format("--sweep {}: it is a rule of the game; expected --sweep {}{}={}", request.key, kOfGame,
                               request.key, fmt::join(request.values, ",")));
}

}  // namespace

std::pair<std::vector<std::string>, bool> parts_at_commas(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  char quote = '\0';
  for (const char sign : text) {
    if (quote != '\0')
      quote = sign == quote ? '\0' : quote;
    else if (sign == '"' || sign == '\'')
      quote = sign;
    else
      depth += sign == '[' || sign == '{' ? 1 : sign == ']' || sign == '}' ? -1 : 0;
    if (sign == ',' && depth == 0 && quote == '\0')
      parts.emplace_back();
    else
      parts.back() += sign;
  }
  return {std::move(parts), depth == 0 && quote == '\0'};
}

void read_key_and_values(std::string_view text, SweepRequest& request) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    throw UsageError(fmt::format("--sweep: '{}' is not KEY=V1,V2,..., as in game.fantasyland.cards=13,14,15", text));
  request.key = std::string(text.substr(0, equals));
  const std::string rest(text.substr(equals + 1));
  const auto fail = [&](const std::string& what) {
    throw UsageError(
        fmt::format("--sweep {}: {}; expected two to {} values, KEY=V1,V2,...", request.key, what, kMostValues));
  };
  request.values.clear();
  const auto [parts, closed] = parts_at_commas(rest);
  for (const std::string& value : parts) {
    if (!closed && &value == &parts.back()) fail(fmt::format("'{}' has an unbalanced bracket or quote", rest));
    if (value.empty()) fail(rest.empty() ? "there is no value" : "a value is empty");
    if (is_one_of(value, request.values)) fail(fmt::format("'{}' is given twice", value));
    request.values.push_back(value);
  }
  if (request.values.size() < 2) fail(fmt::format("'{}' is one value", rest));
  if (request.values.size() > kMostValues) fail(fmt::format("there are {} values", request.values.size()));
}

Sweep make_sweep(const SweepRequest& request) {
  if (is_one_of(request.key, kNoRules) || request.key == "game.")
    throw UsageError(
        fmt::format("--sweep: '{}' cannot be swept; expected a rule as game.KEY, or another key of the "
                    "study than {}",
                    request.key, fmt::join(kNoRules, ", ")));
  Sweep sweep{request, false, {}};
  if (sweep.trains()) {
    for (const std::string& word : request.overrides)
      if (is_one_of(key_of(word), kAgentKeys))
        throw UsageError(fmt::format("'{}': agents are trained for each value; expected no named agents", word));
    if (is_one_of(request.key, kAgentKeys))
      throw UsageError(fmt::format("--sweep {}: agents are trained for each value; expected another key", request.key));
  }
  for (const std::string& word : request.overrides)
    if (key_of(word) == request.key)
      throw UsageError(fmt::format("'{}': the key is swept; expected its values only after --sweep", word));
  check_key(sweep, named_tables(request.study, request.overrides));
  if (sweep.trains() && sweep.conditions())
    throw UsageError("--condition: agents are trained for each value; expected one of --condition and --train-budget");
  if (sweep.conditions() && !is_of_game(request.key))
    throw UsageError(
        fmt::format("--condition: '{}' is not a rule of a game; expected --sweep game.KEY=V1,V2,...", request.key));
  std::set<std::string> folders;
  for (const std::string& text : request.values) {
    SweepValue value;
    value.value = text;
    value.name = fmt::format("{}={}", request.key, text);
    value.folder = folder_name(value.name);
    for (int number = 2; !folders.insert(value.folder).second; ++number)
      value.folder = fmt::format("{}-{}", folder_name(value.name), number);
    Words words = request.overrides;
    if (!is_of_game(request.key)) words.push_back(value.name);
    const NamedTables named = named_tables(request.study, words);
    sweep.several = named.several;
    if (!sweep.trains() && named.agents.size() != 1 && named.agents.size() != named.games.size())
      read_study(request.study, words);  // reports the error
    value.tables = tables_at(sweep, named, text);
    value.overrides = overrides_at(sweep, named, value);
    sweep.values.push_back(std::move(value));
  }
  if (is_of_game(request.key)) check_rules(sweep);
  for (const SweepValue& value : sweep.values) {
    Words stand_ins;
    for (const SweepTable& table : value.tables) {
      if (sweep.conditions()) check_conditioned(value, table);
      if (sweep.makes_agents()) stand_ins.push_back(sweep.trains() ? stand_in(table.game) : table.agent);
    }
    job_of(sweep, value, stand_ins);
  }
  return sweep;
}

StudyJob job_of(const Sweep& sweep, const SweepValue& value, const Words& made) {
  Words words = value.overrides;
  if (sweep.makes_agents())
    words.push_back(sweep.several ? "agents=" + list_of(made) : "agent=" + yaml_quoted(made.front()));
  try {
    return read_study(sweep.request.study, words);
  } catch (const Error& error) {
    if (is_of_game(sweep.request.key) && !sweep.trains()) refuse_agents(value);
    throw UsageError(fmt::format("--sweep {}: {}", value.name, error.what()));
  }
}

bool trained_for_other_rules(const std::string& agent, const Game& game) {
  try {
    const std::string name = parse_spec(agent).name;
    std::error_code unreadable;
    if (name != "default" && !std::filesystem::exists(name, unreadable)) return false;
    const std::string rules =
        read_model_file(name == "default" ? find_model(game, data_path("models")) : agent_file(name)).rules;
    // A file without rules is for its family's default game.
    return (!rules.empty() ? rules : make_game(game.id().family)->id().rules) != game.id().rules;
  } catch (const Error&) {
    return false;  // no trained agent
  }
}

}  // namespace dealer::studies
