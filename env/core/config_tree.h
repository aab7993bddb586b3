#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dealer {

// The tree behind Config: a YAML document with the place of every value and a record of the keys asked for.
struct ConfigNode {
  enum class Kind { kNull, kScalar, kSequence, kMapping };

  Kind kind = Kind::kNull;
  std::string key;                   // within the parent mapping
  std::string text;                  // the scalar's
  bool quoted = false;               // a quoted scalar is text, never a number, truth value or null
  int line = 0;                      // from 1; 0 when the value stands in no file
  std::string file;                  // file of the value; empty: the document's own
  std::string origin;                // "override 'a.b=3'", empty for a value of the file
  std::vector<ConfigNode> children;  // elements of a sequence or mapping, in file order

  bool given = true;        // false: made by asking for a key that is not there
  bool asked = false;       // the program asked for this key
  bool is_section = false;  // asked for as a section: its own keys must be asked for one by one
  std::string in_use;       // the value in use as YAML text in one line; sections have none

  ConfigNode* find(std::string_view child);
  const ConfigNode* find(std::string_view child) const;
  // The child of that key, made (not given, not asked) when absent.
  ConfigNode& child(std::string_view child_key);
};

// Documents are small: anything larger or deeper is not a config.
inline constexpr std::size_t kMaxConfigBytes = std::size_t{1} << 20;
inline constexpr int kMaxConfigDepth = 32;

// Reads one YAML document whose root is a mapping (or nothing). `name` starts the messages.
// Throws ConfigError on malformed YAML, more than one document, a root that is not a mapping, a key given twice, a key
// that is not a plain name, aliases, tags, bytes that are not UTF-8 text, and beyond the limits above.
ConfigNode parse_config(std::string_view text, const std::string& name);

// Adds to a mapping the keys of the base that it lacks, sections key by key, in the order of the base. `file` is the
// file of the base.
void inherit(ConfigNode& mapping, const ConfigNode& base, const std::string& file);

// The value of an override: a scalar or a flow list; an empty value is the empty text. Its nodes have this origin.
// Throws ConfigError.
ConfigNode parse_override_value(std::string_view text, const std::string& origin);

// A text as a YAML scalar in one line that reads back as the same text: in double quotes, or only where it needs them.
std::string yaml_quoted(std::string_view text);
std::string yaml_text(std::string_view text);

// A value for messages, shortened: "null", "a list", "a mapping" or its text.
std::string shown(const ConfigNode& node);

// Every key asked for below a mapping with its value in use, as YAML lines.
std::string emit_config(const ConfigNode& mapping);

}  // namespace dealer
