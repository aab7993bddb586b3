#include "env/core/config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "env/core/config_extends.h"
#include "env/core/config_tree.h"
#include "env/core/nearest.h"
#include "env/core/numbers.h"

namespace dealer {
namespace {

constexpr double kSmallestNumber = 1e-30;  // except 0

// A whole plain scalar as a number; nothing if it is none or out of T's range.
template <class T>
std::optional<T> to_number(const ConfigNode& node) {
  if (node.kind != ConfigNode::Kind::kScalar || node.quoted) return std::nullopt;
  std::string_view text = node.text;
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  if constexpr (std::is_same_v<T, std::int64_t>) return integer_in(text);
  return number_in<T>(text);
}

template <class T>
std::string range(std::string_view what, T low, T high) {
  const bool from = low > std::numeric_limits<T>::lowest();
  const bool to = high < std::numeric_limits<T>::max();
  if (from && to) return fmt::format("{} from {} to {}", what, low, high);
  if (from) return fmt::format("{} of at least {}", what, low);
  if (to) return fmt::format("{} of at most {}", what, high);
  return std::string(what);
}

// "[1, 2]": a list in one line.
template <class Values, class Write>
std::string flow_list(const Values& values, Write write) {
  std::string out = "[";
  for (const auto& value : values) {
    if (out.size() > 1) out += ", ";
    out += write(value);
  }
  return out + "]";
}

// The values of a list, or the fallback if none is given.
template <class T, class Read, class Write>
std::vector<T> list_of(ConfigNode& node, std::vector<T> values, Read read, Write write) {
  if (node.given) values.clear();
  for (std::size_t i = 0; node.given && i < node.children.size(); ++i) values.push_back(read(node.children[i]));
  node.in_use = flow_list(values, write);
  return values;
}

}  // namespace

UnknownKeyError::UnknownKeyError(std::string place, std::string section, std::string key,
                                 std::vector<std::string> allowed)
    : ConfigError([&] {
        const std::string near = nearest(key, allowed);
        return fmt::format("{}: unknown key '{}{}'{} allowed: {}", place, section, key,
                           near.empty() ? ";" : fmt::format("; did you mean '{}{}'?", section, near),
                           allowed.empty() ? "none" : fmt::format("{}", fmt::join(allowed, ", ")));
      }()),
      place_(std::move(place)),
      section_(std::move(section)),
      key_(std::move(key)),
      allowed_(std::move(allowed)) {}

struct Config::Document {
  std::string name;
  ConfigNode root;
};

Config::Config(std::shared_ptr<Document> document, std::vector<std::string> path)
    : document_(std::move(document)), path_(std::move(path)) {}

Config Config::load(const std::filesystem::path& file, std::string_view named) {
  auto document = std::make_shared<Document>();
  document->root = load_config(file, named);
  document->name = file.string();
  return {std::move(document), {}};
}

Config Config::parse(std::string_view text, std::string name) {
  auto document = std::make_shared<Document>();
  document->root = parse_config(text, name);
  document->name = std::move(name);
  return {std::move(document), {}};
}

void Config::set(std::string_view assignment) {
  const std::string origin = fmt::format("override '{}'", assignment);
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) throw ConfigError(origin + ": expected key=value or section.key=value");
  const std::vector<std::string_view> parts = split(assignment.substr(0, equals), '.');
  if (std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part.empty(); })) {
    throw ConfigError(origin + ": the key is empty; expected key=value or section.key=value");
  }
  ConfigNode value = parse_override_value(assignment.substr(equals + 1), origin);

  ConfigNode* node = &mapping();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool fresh = node->find(parts[i]) == nullptr;
    ConfigNode& child = node->child(parts[i]);
    const bool last = i + 1 == parts.size();
    if (!last && child.kind == ConfigNode::Kind::kNull) child.kind = ConfigNode::Kind::kMapping;
    if (!last && child.kind != ConfigNode::Kind::kMapping) {
      throw ConfigError(fmt::format("{}: {} is {}, not a section", origin, parts[i], shown(child)));
    }
    if (last && child.given && !child.origin.empty())
      throw ConfigError(fmt::format("{}: '{}' is given twice: there is {} already", origin,
                                    assignment.substr(0, equals), child.origin));
    if (fresh || !child.given) child.origin = origin;
    child.given = true;
    node = &child;
  }
  value.key = node->key;
  *node = std::move(value);
}

bool Config::get_bool(std::string_view key, bool fallback) {
  ConfigNode& node = ask(key);
  bool value = fallback;
  if (node.given) {
    const bool plain = node.kind == ConfigNode::Kind::kScalar && !node.quoted;
    value = plain && node.text == "true";
    if (!value && !(plain && node.text == "false")) refuse(key, node, "true or false");
  }
  node.in_use = value ? "true" : "false";
  return value;
}

std::int64_t Config::read_int(std::string_view key, std::int64_t fallback, std::int64_t low, std::int64_t high) {
  ConfigNode& node = ask(key);
  const std::int64_t value = node.given ? to_int(key, node, low, high) : fallback;
  node.in_use = std::to_string(value);
  return value;
}

std::optional<std::int64_t> Config::get_optional_int(std::string_view key, std::optional<std::int64_t> fallback,
                                                     std::int64_t low, std::int64_t high) {
  ConfigNode& node = ask(key);
  std::optional<std::int64_t> value = fallback;
  if (node.given) {
    value = to_number<std::int64_t>(node);
    const bool allowed = value ? *value >= low && *value <= high : node.kind == ConfigNode::Kind::kNull;
    if (!allowed) refuse(key, node, range("null or an integer", low, high));
  }
  node.in_use = value ? std::to_string(*value) : "null";
  return value;
}

double Config::get_double(std::string_view key, double fallback, double low, double high) {
  ConfigNode& node = ask(key);
  const double value = node.given ? to_double(key, node, low, high) : fallback;
  node.in_use = fmt::format("{}", value);
  return value;
}

double Config::get_double_or_zero(std::string_view key, double fallback, double low, double high) {
  ConfigNode& node = ask(key);
  double value = fallback;
  if (node.given) {
    const auto number = to_number<double>(node);
    const bool allowed = number && (*number == 0 || (*number >= low && *number <= high));
    if (!allowed) refuse(key, node, range("a number", low, high) + ", or 0");
    value = *number;
  }
  node.in_use = fmt::format("{}", value);
  return value;
}

std::string Config::get_string(std::string_view key, std::string_view fallback) {
  ConfigNode& node = ask(key);
  std::string value = node.given ? to_text(key, node) : std::string(fallback);
  node.in_use = yaml_text(value);
  return value;
}

std::size_t Config::get_choice(std::string_view key, std::string_view fallback,
                               std::span<const std::string_view> names) {
  const auto index = [&](std::string_view name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  ConfigNode& node = ask(key);
  const std::string_view name =
      node.given && node.kind == ConfigNode::Kind::kScalar ? std::string_view(node.text) : fallback;
  if ((node.given && node.kind != ConfigNode::Kind::kScalar) || index(name) == names.size()) {
    if (!node.given) throw std::logic_error(fmt::format("{}: fallback '{}' is not a choice", key, fallback));
    const std::vector<std::string> known(names.begin(), names.end());
    const bool word = node.kind == ConfigNode::Kind::kScalar;
    refuse(key, node, fmt::format("one of {}", fmt::join(names, ", ")) + (word ? did_you_mean(node.text, known) : ""));
  }
  node.in_use = yaml_text(name);
  return index(name);
}

std::vector<double> Config::get_doubles(std::string_view key, const std::vector<double>& fallback, double low,
                                        double high) {
  ConfigNode& node = ask(key);
  if (node.given) check_list(key, node, "numbers");
  return list_of(
      node, fallback, [&](const ConfigNode& child) { return to_double(key, child, low, high); },
      [](double value) { return fmt::format("{}", value); });
}

std::vector<std::int64_t> Config::get_ints(std::string_view key, const std::vector<std::int64_t>& fallback,
                                           std::int64_t low, std::int64_t high) {
  ConfigNode& node = ask(key);
  if (node.given) check_list(key, node, "integers");
  return list_of(
      node, fallback, [&](const ConfigNode& child) { return to_int(key, child, low, high); },
      [](std::int64_t value) { return std::to_string(value); });
}

std::optional<std::vector<std::int64_t>> Config::get_optional_ints(std::string_view key, std::int64_t low,
                                                                   std::int64_t high) {
  ConfigNode& node = ask(key);
  if (node.given && node.kind != ConfigNode::Kind::kNull) return get_ints(key, {}, low, high);
  node.in_use = "null";
  return std::nullopt;
}

std::vector<std::string> Config::get_strings(std::string_view key, const std::vector<std::string>& fallback) {
  ConfigNode& node = ask(key);
  if (node.given) check_list(key, node, "words");
  return list_of(
      node, fallback, [&](const ConfigNode& child) { return to_text(key, child); },
      [](const std::string& value) { return yaml_text(value); });
}

std::vector<std::string> Config::get_string_or_strings(std::string_view key) {
  if (ConfigNode& node = ask(key); node.given && node.kind == ConfigNode::Kind::kSequence) return get_strings(key, {});
  const std::string one = get_string(key, "");
  return one.empty() ? std::vector<std::string>() : std::vector{one};
}

Config Config::section(std::string_view key) {
  ConfigNode& node = ask(key);
  if (node.kind == ConfigNode::Kind::kNull) node.kind = ConfigNode::Kind::kMapping;
  if (node.kind != ConfigNode::Kind::kMapping) refuse(key, node, "a section (a mapping of keys to values)");
  node.is_section = true;
  std::vector<std::string> path = path_;
  path.emplace_back(key);
  return {document_, std::move(path)};
}

std::vector<std::string> Config::names(std::string_view key) const {
  std::vector<std::string> keys;
  const ConfigNode* node = mapping().find(key);
  if (node == nullptr || node->kind != ConfigNode::Kind::kMapping) return keys;
  for (const ConfigNode& child : node->children)
    if (child.given) keys.push_back(child.key);
  return keys;
}

bool Config::has(std::string_view key) const {
  const ConfigNode* node = mapping().find(key);
  return node != nullptr && node->given;
}

std::string Config::where(std::string_view key) const {
  const ConfigNode* node = &mapping();
  for (const std::string_view part : split(key, '.')) {
    if (node->kind == ConfigNode::Kind::kSequence) {
      const auto index = number_in<std::size_t>(part);
      if (!index || *index >= node->children.size()) break;
      node = &node->children[*index];
      continue;
    }
    const ConfigNode* below = node->find(part);
    if (below == nullptr || !below->given) return document_->name + ": " + dotted(key);
    node = below;
  }
  return place(*node) + ": " + dotted(key);
}

bool Config::empty() const {
  const std::vector<ConfigNode>& children = mapping().children;
  return std::none_of(children.begin(), children.end(), [](const ConfigNode& child) { return child.given; });
}

void Config::finish() const { check_asked(mapping(), path_.empty() ? "" : dotted("")); }

std::string Config::resolved() const { return emit_config(mapping()); }

std::vector<std::pair<std::string, std::string>> Config::settings() const {
  std::vector<std::pair<std::string, std::string>> all;
  const auto add = [&](const auto& self, const ConfigNode& node, const std::string& before) -> void {
    for (const ConfigNode& child : node.children) {
      if (!child.asked) continue;
      if (child.is_section)
        self(self, child, before + child.key + ".");
      else
        all.emplace_back(before + child.key, child.in_use);
    }
  };
  add(add, mapping(), "");
  return all;
}

ConfigNode& Config::mapping() const {
  ConfigNode* node = &document_->root;
  for (const std::string& key : path_) {
    node = &node->child(key);
    if (node->kind == ConfigNode::Kind::kNull) node->kind = ConfigNode::Kind::kMapping;
  }
  return *node;
}

ConfigNode& Config::ask(std::string_view key) {
  ConfigNode& node = mapping().child(key);
  node.asked = true;
  return node;
}

std::string Config::dotted(std::string_view key) const {
  std::string out;
  for (const std::string& part : path_) out += part + ".";
  return out += key;
}

std::string Config::place(const ConfigNode& node) const {
  if (!node.origin.empty()) return node.origin;
  return (node.file.empty() ? document_->name : node.file) + ":" + std::to_string(node.line);
}

void Config::refuse(std::string_view key, const ConfigNode& node, const std::string& expected) const {
  throw ConfigError(
      fmt::format("{}: {}: {} is not allowed; expected {}", place(node), dotted(key), shown(node), expected));
}

std::int64_t Config::to_int(std::string_view key, const ConfigNode& node, std::int64_t low, std::int64_t high) const {
  const auto value = to_number<std::int64_t>(node);
  if (!value || *value < low || *value > high) {
    // The limit of 64 bits is named only where it is exceeded.
    const bool too_long =
        !value && !node.quoted && !node.text.empty() && node.text.find_first_not_of("0123456789") == std::string::npos;
    refuse(key, node, too_long ? fmt::format("an integer of at most {}", high) : range("an integer", low, high));
  }
  return *value;
}

double Config::to_double(std::string_view key, const ConfigNode& node, double low, double high) const {
  const auto value = to_number<double>(node);
  if (!value || !std::isfinite(*value) || *value < low || *value > high)
    refuse(key, node, range("a number", low, high));
  if (*value != 0 && std::abs(*value) < kSmallestNumber)
    refuse(key, node, range("a number", low, high) + fmt::format(", 0 or at least {} in size", kSmallestNumber));
  return *value;
}

std::string Config::to_text(std::string_view key, const ConfigNode& node) const {
  if (node.kind != ConfigNode::Kind::kScalar) refuse(key, node, "text");
  return node.text;
}

void Config::check_list(std::string_view key, const ConfigNode& node, std::string_view of) const {
  if (node.kind != ConfigNode::Kind::kSequence) refuse(key, node, fmt::format("a list of {}", of));
}

void Config::check_asked(const ConfigNode& node, const std::string& prefix) const {
  for (const ConfigNode& child : node.children) {
    if (child.asked) {
      if (child.is_section) check_asked(child, prefix + child.key + ".");
      continue;
    }
    if (!child.given) continue;
    std::vector<std::string> allowed;
    for (const ConfigNode& known : node.children) {
      if (known.asked) allowed.push_back(known.key);
    }
    throw UnknownKeyError(place(child), prefix, child.key, std::move(allowed));
  }
}

}  // namespace dealer
