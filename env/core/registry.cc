#include "env/core/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include "env/core/data_dir.h"
#include "env/core/error.h"
#include "env/core/nearest.h"
#include "env/core/numbers.h"

namespace dealer {
namespace {

struct Registered {
  GameFamilies families;
  EventWords words;

  Registered() {
    register_games(families);
    for (const auto& [name, family] : families) add(family.words);
  }
  void add(const EventWords& more) {
    if (words.seats.empty()) words.seats = more.seats;
    if (words.slot.empty()) words.slot = more.slot;
    words.own.insert(words.own.end(), more.own.begin(), more.own.end());
    words.places.insert(words.places.end(), more.places.begin(), more.places.end());
  }
};

Registered& registered() {
  static Registered all;
  return all;
}

// Start of the options; npos: none. A command may contain brackets: its options are a last pair of them at the end of
// the text.
std::size_t begin_of_options(std::string_view text) {
  if (!text.starts_with("exec:")) {
    // After a colon it is an IPv6 address: tcp:[::1]:5555.
    const std::size_t first = text.find('[');
    const bool address = first != std::string_view::npos && first > 0 && text[first - 1] == ':';
    return address ? text.find('[', text.find(']', first)) : first;
  }
  if (text.back() != ']') return std::string_view::npos;
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    depth += text[i] == ']' ? 1 : text[i] == '[' ? -1 : 0;
    if (depth == 0) return i;
  }
  return std::string_view::npos;
}

}  // namespace

const GameFamilies& game_families() { return registered().families; }
const EventWords& event_words() { return registered().words; }

void register_game_family(std::string name, GameMaker maker, EventWords words) {
  const auto [place, added] = registered().families.emplace(std::move(name), GameFamily{maker, std::move(words)});
  if (!added) throw UsageError(fmt::format("there is a family of games '{}' already", place->first));
  registered().add(place->second.words);
}

Spec parse_spec(std::string_view text) {
  const std::string_view whole = trimmed(text);
  Spec spec;
  const std::size_t open = begin_of_options(whole);
  spec.name = std::string(trimmed(whole.substr(0, open)));
  const auto fail = [&](const std::string& what) {
    throw ParseError(fmt::format("'{}': {}; expected NAME or NAME[key=value,...]", text, what));
  };
  if (spec.name.empty()) fail("the name is missing");
  if (open == std::string_view::npos) return spec;
  if (whole.back() != ']') fail("the options do not end with ']'");
  const std::string_view body = whole.substr(open + 1, whole.size() - open - 2);
  int depth = 0;
  char quote = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= body.size(); ++i) {
    if (i < body.size()) {
      const char c = body[i];
      if (quote != 0) {
        if (c == quote) quote = 0;
        continue;
      }
      if (c == '"' || c == '\'') quote = c;
      depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
      if (depth < 0) fail("a bracket is closed that was never opened");
      if (c != ',' || depth > 0) continue;
    }
    const std::string_view option = trimmed(body.substr(begin, i - begin));
    begin = i + 1;
    if (option.empty() && body.empty()) break;
    const std::size_t equals = option.find('=');
    if (equals == std::string_view::npos || equals == 0) fail(fmt::format("option '{}' is not key=value", option));
    const std::string_view key = trimmed(option.substr(0, equals));
    if (std::any_of(spec.options.begin(), spec.options.end(), [&](const auto& other) { return other.first == key; }))
      fail(fmt::format("option '{}' is given twice", key));
    spec.options.emplace_back(std::string(key), std::string(trimmed(option.substr(equals + 1))));
  }
  if (quote != 0) fail("a quote is never closed");
  if (depth != 0) fail("a bracket is never closed");
  return spec;
}

std::string to_string(const Spec& spec) {
  std::string text = spec.name;
  for (std::size_t i = 0; i < spec.options.size(); ++i)
    text += fmt::format("{}{}={}", i == 0 ? "[" : ",", spec.options[i].first, spec.options[i].second);
  return spec.options.empty() ? text : text + "]";
}

std::vector<std::string> config_names(std::string_view folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(data_path(folder)))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

namespace {

// The kinds of configs in order, each with a key that files of later kinds do not have.
struct ConfigKind {
  std::string_view name, key;
};
constexpr std::array<ConfigKind, 5> kConfigKinds = {
    {{"study", "study"}, {"training config", "algorithm"}, {"deck", "suits"}, {"ranking", "order"}, {"game", "game"}}};

// "games", "studies".
std::string plural(std::string_view what) {
  return what.ends_with('y') ? fmt::format("{}ies", what.substr(0, what.size() - 1)) : fmt::format("{}s", what);
}

// "draw(_default), kuhn": draw and draw_default are grouped.
std::string short_list(const std::vector<std::string>& names) {
  constexpr std::string_view kLonger = "_default";
  const auto known = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::vector<std::string> parts;
  for (const std::string& name : names) {
    if (name.ends_with(kLonger) && known(name.substr(0, name.size() - kLonger.size()))) continue;
    parts.push_back(known(name + std::string(kLonger)) ? fmt::format("{}({})", name, kLonger) : name);
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

void expect_config(std::string_view what, const Config& config, std::string_view file) {
  if (config.empty()) throw ConfigError(fmt::format("{}: the file is empty; expected a {}", file, what));
  const auto is = [&](const ConfigKind& kind) {
    // A deck has a mapping there; small games have a number of suits.
    return kind.key == "suits" ? !config.names(kind.key).empty() : config.has(kind.key);
  };
  const auto kind = std::find_if(kConfigKinds.begin(), kConfigKinds.end(), is);
  if (kind != kConfigKinds.end() && kind->name != what)
    throw ConfigError(
        fmt::format("{}: this is a {}, as its key '{}' says; expected a {}", file, kind->name, kind->key, what));
}

std::filesystem::path config_file(std::string_view what, std::string_view folder, const std::string& name) {
  const bool is_path = name.find('/') != std::string::npos || name.ends_with(".yaml");
  const std::vector<std::string> known = config_names(folder);
  if (!is_path && std::find(known.begin(), known.end(), name) != known.end())
    return data_path(fmt::format("{}/{}.yaml", folder, name));
  std::error_code unreadable;
  if (is_path && std::filesystem::exists(name, unreadable)) {
    if (!std::filesystem::is_directory(name, unreadable)) return name;
    throw UsageError(
        fmt::format("'{}' is a folder; {}: {}, or the path of a .yaml file", name, plural(what), short_list(known)));
  }
  throw UsageError(fmt::format("there is no {} '{}'{}; {}: {}, or the path of a .yaml file", what, name,
                               is_path ? "" : did_you_mean(name, known), plural(what), short_list(known)));
}

NamedConfig open_config(std::string_view what, std::string_view folder, std::string_view text) {
  const Spec spec = parse_spec(text);
  const std::filesystem::path file = config_file(what, folder, spec.name);
  std::string name = file.stem().string();
  Config config = Config::load(file, folder);
  expect_config(what, config, file.string());
  for (const auto& [key, value] : spec.options) config.set(fmt::format("{}={}", key, value));
  return {std::move(name), to_string(spec), std::move(config)};
}

std::vector<std::string> game_names() { return config_names("configs/games"); }

GamePtr make_game(std::string_view text) {
  NamedConfig found_config = open_config("game", "configs/games", text);
  const std::string& name = found_config.name;
  Config& config = found_config.config;
  const std::string family = config.get_string("game", name);
  const auto found = game_families().find(family);
  if (found == game_families().end()) {
    std::vector<std::string_view> families;
    for (const auto& [key, known] : game_families()) families.push_back(key);
    // Rejects the file's key `game:`; a file without that key must be named after its family.
    if (config.has("game")) config.get_choice("game", families.front(), families);
    throw ConfigError(fmt::format("{}: '{}' is not allowed; expected one of: {}", config.where("game"), family,
                                  fmt::join(families, ", ")));
  }
  GamePtr game = found->second.make({name, found_config.spec, family, {}}, config);
  config.finish();
  return game;
}

}  // namespace dealer
