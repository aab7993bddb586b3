#include "env/core/config_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <set>
#include <sstream>
#include <utility>

#include "env/core/error.h"

namespace dealer {
namespace {

std::string at_line(const std::string& name, int line) { return name + ":" + std::to_string(line); }

bool is_null_word(std::string_view text) { return text == "null" || text == "Null" || text == "NULL" || text == "~"; }

// Builds the tree from parse events, not from YAML::Node: this keeps the position of every value, detects repeated
// keys, and rejects aliases before they can multiply.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(std::string name, std::string origin) : name_(std::move(name)), origin_(std::move(origin)) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) fail(mark, "a second document starts here; one is allowed");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { add(mark, make(mark, ConfigNode::Kind::kNull)); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    fail(mark, "aliases (*name) are not allowed; write the value out");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, const std::string& value) override {
    const bool quoted = tag == "!";
    check_tag(mark, tag);
    ConfigNode node = make(mark, ConfigNode::Kind::kScalar);
    node.quoted = quoted;
    node.text = value;
    if (!quoted && is_null_word(value)) node.kind = ConfigNode::Kind::kNull;
    add(mark, std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    check_tag(mark, tag);
    open(mark, ConfigNode::Kind::kSequence);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, YAML::EmitterStyle::value) override {
    check_tag(mark, tag);
    open(mark, ConfigNode::Kind::kMapping);
  }
  void OnMapEnd() override { close(); }

  ConfigNode take() { return std::move(root_); }

 private:
  struct Frame {
    ConfigNode node;
    std::set<std::string> keys;
    std::string key;  // waiting for its value
    int key_line = 0;
    bool has_key = false;
  };

  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& what) const { fail_at(mark.line + 1, what); }
  [[noreturn]] void fail_at(int line, const std::string& what) const {
    throw ConfigError((origin_.empty() ? at_line(name_, line) : origin_) + ": " + what);
  }

  ConfigNode make(const YAML::Mark& mark, ConfigNode::Kind kind) const {
    ConfigNode node;
    node.kind = kind;
    node.line = origin_.empty() ? mark.line + 1 : 0;
    node.origin = origin_;
    return node;
  }

  // yaml-cpp gives "?" for plain and "!" for quoted values; anything else is a tag in the file.
  void check_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (!tag.empty() && tag != "?" && tag != "!") fail(mark, "the tag '" + tag + "' is not allowed");
  }

  bool expects_key() const {
    return !frames_.empty() && frames_.back().node.kind == ConfigNode::Kind::kMapping && !frames_.back().has_key;
  }

  void open(const YAML::Mark& mark, ConfigNode::Kind kind) {
    if (expects_key()) fail(mark, "a key must be a plain name");
    if (static_cast<int>(frames_.size()) >= kMaxConfigDepth) {
      fail(mark, "nested deeper than " + std::to_string(kMaxConfigDepth) + " levels");
    }
    frames_.push_back(Frame{make(mark, kind), {}, {}, 0, false});
  }

  void close() {
    ConfigNode node = std::move(frames_.back().node);
    frames_.pop_back();
    place(std::move(node));
  }

  void add(const YAML::Mark& mark, ConfigNode node) {
    if (!expects_key()) return place(std::move(node));
    const auto control = [](char c) { return static_cast<unsigned char>(c) < ' '; };
    if (node.kind != ConfigNode::Kind::kScalar || node.text.empty() ||
        std::any_of(node.text.begin(), node.text.end(), control))
      fail(mark, "a key must be a plain name");
    Frame& frame = frames_.back();
    if (!frame.keys.insert(node.text).second) fail(mark, "key '" + node.text + "' is given twice");
    frame.key = std::move(node.text);
    frame.key_line = node.line;
    frame.has_key = true;
  }

  void place(ConfigNode node) {
    if (frames_.empty()) {
      root_ = std::move(node);
      return;
    }
    Frame& frame = frames_.back();
    if (frame.has_key) {
      node.key = std::move(frame.key);
      node.line = frame.key_line;
      frame.has_key = false;
    }
    frame.node.children.push_back(std::move(node));
  }

  std::string name_;
  std::string origin_;
  int documents_ = 0;
  std::vector<Frame> frames_;
  ConfigNode root_;
};

// Length of the UTF-8 sequence at the start of `text`; 0 if it is invalid or a control character not allowed in text.
std::size_t text_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return (first >= 0x20 && first != 0x7f) || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
  const std::size_t length = first >= 0xf5 ? 0 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  const bool surrogate_or_beyond = (first == 0xed && byte(1) >= 0xa0) || (first == 0xf4 && byte(1) >= 0x90);
  return overlong || surrogate_or_beyond ? 0 : length;
}

void check_text(std::string_view text, const std::string& name) {
  if (text.size() > kMaxConfigBytes) {
    throw ConfigError(name + ": " + std::to_string(text.size()) + " bytes are too many for a config; allowed are " +
                      std::to_string(kMaxConfigBytes));
  }
  int line = 1;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = text_length(text.substr(i));
    if (length == 0) throw ConfigError(at_line(name, line) + ": not a text file (expected UTF-8)");
    if (text[i] == '\n') ++line;
    i += length;
  }
}

ConfigNode parse(std::string_view text, const std::string& name, const std::string& origin) {
  check_text(text, origin.empty() ? name : origin);
  std::istringstream stream{std::string(text)};
  TreeBuilder builder(name, origin);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    if (!origin.empty()) throw ConfigError(origin + ": " + error.msg);
    throw ConfigError((error.mark.is_null() ? name : at_line(name, error.mark.line + 1)) + ": " + error.msg);
  }
  return builder.take();
}

void emit(const ConfigNode& mapping, int depth, std::string& out) {
  for (const ConfigNode& node : mapping.children) {
    if (!node.asked) continue;
    const std::string indent(static_cast<std::size_t>(depth) * 2, ' ');
    if (!node.is_section) {
      out += indent + yaml_text(node.key) + ": " + node.in_use + "\n";
      continue;
    }
    std::string inner;
    emit(node, depth + 1, inner);
    if (!inner.empty()) out += indent + yaml_text(node.key) + ":\n" + inner;
  }
}

}  // namespace

ConfigNode* ConfigNode::find(std::string_view child) {
  return const_cast<ConfigNode*>(std::as_const(*this).find(child));
}

const ConfigNode* ConfigNode::find(std::string_view child) const {
  if (kind != Kind::kMapping) return nullptr;
  const auto at = std::find_if(children.begin(), children.end(), [&](const auto& node) { return node.key == child; });
  return at == children.end() ? nullptr : &*at;
}

ConfigNode& ConfigNode::child(std::string_view child_key) {
  if (ConfigNode* node = find(child_key)) return *node;
  ConfigNode node;
  node.key = child_key;
  node.given = false;
  children.push_back(std::move(node));
  return children.back();
}

ConfigNode parse_config(std::string_view text, const std::string& name) {
  ConfigNode root = parse(text, name, "");
  if (root.kind == ConfigNode::Kind::kNull) root.kind = ConfigNode::Kind::kMapping;
  if (root.kind != ConfigNode::Kind::kMapping) {
    throw ConfigError(at_line(name, std::max(1, root.line)) + ": expected a mapping of keys to values");
  }
  return root;
}

void inherit(ConfigNode& mapping, const ConfigNode& base, const std::string& file) {
  const auto sign = [&file](const auto& self, ConfigNode& node) -> void {
    if (node.file.empty()) node.file = file;
    for (ConfigNode& child : node.children) self(self, child);
  };
  std::vector<ConfigNode> children = base.children;
  for (ConfigNode& child : children) sign(sign, child);
  // In the order of the base, so that equal rules are equal texts (GameId::rules); keys that the base lacks keep their
  // predecessor from their own file.
  std::ptrdiff_t next = 0;
  for (ConfigNode& own : mapping.children) {
    auto place =
        std::find_if(children.begin(), children.end(), [&](const auto& child) { return child.key == own.key; });
    if (place == children.end()) {
      place = children.insert(children.begin() + next, std::move(own));
    } else if (own.kind == ConfigNode::Kind::kMapping && place->kind == ConfigNode::Kind::kMapping) {
      const ConfigNode theirs = std::exchange(*place, std::move(own));
      inherit(*place, theirs, file);
    } else {
      *place = std::move(own);
    }
    next = place - children.begin() + 1;
  }
  mapping.children = std::move(children);
}

ConfigNode parse_override_value(std::string_view text, const std::string& origin) {
  ConfigNode node = parse(text, "", origin);
  node.origin = origin;
  if (node.kind == ConfigNode::Kind::kMapping) {
    throw ConfigError(origin + ": expected one value or a list such as [1, 2]; text with ': ' needs quotes");
  }
  if (text.empty()) {
    node.kind = ConfigNode::Kind::kScalar;
    node.quoted = true;
  }
  return node;
}

std::string yaml_quoted(std::string_view text) {
  YAML::Emitter emitter;
  emitter << YAML::DoubleQuoted << std::string(text);
  return emitter.c_str();
}

std::string yaml_text(std::string_view text) {
  const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto inner = [&](char c) { return plain(c) || c == '.' || c == '/' || c == '-'; };
  if (!text.empty() && plain(text.front()) && std::all_of(text.begin(), text.end(), inner) && !is_null_word(text)) {
    return std::string(text);
  }
  return yaml_quoted(text);
}

std::string shown(const ConfigNode& node) {
  switch (node.kind) {
    case ConfigNode::Kind::kNull:
      return "null";
    case ConfigNode::Kind::kSequence:
      return "a list";
    case ConfigNode::Kind::kMapping:
      return "a mapping";
    case ConfigNode::Kind::kScalar:
      break;
  }
  std::size_t end = std::min<std::size_t>(node.text.size(), 80);
  while (end < node.text.size() && (static_cast<unsigned char>(node.text[end]) & 0xc0) == 0x80) --end;
  const std::string text = node.text.substr(0, end) + (end < node.text.size() ? "..." : "");
  return node.quoted || text.find('\n') != std::string::npos ? yaml_quoted(text) : text;
}

std::string emit_config(const ConfigNode& mapping) {
  std::string out;
  emit(mapping, 0, out);
  return out;
}

}  // namespace dealer
