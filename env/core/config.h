#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "env/core/error.h"

namespace dealer {

struct ConfigNode;

// A key that the program never reads.
class UnknownKeyError : public ConfigError {
 public:
  // place: its position in the file. section: "learner." for the key "learner.lr", or nothing. allowed: its keys.
  UnknownKeyError(std::string place, std::string section, std::string key, std::vector<std::string> allowed);

  // True if other keys are allowed, too.
  UnknownKeyError beside(const std::vector<std::string>& others) const {
    std::vector<std::string> all = allowed_;
    all.insert(all.end(), others.begin(), others.end());
    return {place_, section_, key_, std::move(all)};
  }

 private:
  std::string place_, section_, key_;
  std::vector<std::string> allowed_;
};

// A YAML document being read. Every key is asked for by name, with its default; finish() then rejects keys that the
// program never asked for, so that a misspelt key never passes silently. A handle: copies and sections share one
// document and its bookkeeping. Not thread-safe.
//
// All reading functions throw ConfigError in one line with place, key, value and what is allowed:
//   configs/games/ofc.yaml:12: players: 4 is not allowed; expected an integer from 2 to 3
// Quoted values are text, so `players: "2"` is not an integer; a plain 2 will do where text is expected.
class Config {
 public:
  // Keys missing from the file come from the file named by its key `extends`: a path relative to it, or the name of a
  // file beside it or in `named`, a folder of the project's data ("configs/train"). Sections are merged key by key.
  // Throws FileError when a file cannot be read, ConfigError when it is not a YAML mapping or its `extends` names no
  // file.
  static Config load(const std::filesystem::path& file, std::string_view named = {});
  // `name` stands for the file in messages.
  static Config parse(std::string_view text, std::string name);

  // Overrides the document by "key=value" or "section.key=value", the value a YAML scalar or flow list; "key=" is the
  // empty text. Messages call its origin "override 'section.key=value'". Each key at most once; call before reading.
  void set(std::string_view assignment);

  bool get_bool(std::string_view key, bool fallback);
  // An integer within [low, high] and within T.
  template <class T = std::int64_t>
  T get_int(std::string_view key, std::type_identity_t<T> fallback,
            std::type_identity_t<T> low = std::numeric_limits<T>::min(),
            std::type_identity_t<T> high = std::numeric_limits<T>::max()) {
    static_assert(std::is_integral_v<T> && (std::is_signed_v<T> || sizeof(T) < sizeof(std::int64_t)));
    return static_cast<T>(read_int(key, fallback, low, high));
  }
  // Like get_int, but null (`raises_per_player: null`) is allowed and means none.
  std::optional<std::int64_t> get_optional_int(std::string_view key, std::optional<std::int64_t> fallback,
                                               std::int64_t low, std::int64_t high);
  // A finite number within [low, high], 0 or at least 1e-30 in size: anything nearer to 0 is a typing error, and single
  // precision would round it to 0 or make dividing by it infinite.
  double get_double(std::string_view key, double fallback, double low = std::numeric_limits<double>::lowest(),
                    double high = std::numeric_limits<double>::max());
  // The same, but 0 is allowed in addition to the range, to turn a feature off.
  double get_double_or_zero(std::string_view key, double fallback, double low, double high);
  std::string get_string(std::string_view key, std::string_view fallback);
  // One of the names; returns its index. The fallback must be one of them.
  std::size_t get_choice(std::string_view key, std::string_view fallback, std::span<const std::string_view> names);
  std::size_t get_choice(std::string_view key, std::string_view fallback,
                         std::initializer_list<std::string_view> names) {
    return get_choice(key, fallback, std::span(names.begin(), names.size()));
  }
  // Lists: every element within [low, high].
  std::vector<double> get_doubles(std::string_view key, const std::vector<double>& fallback,
                                  double low = std::numeric_limits<double>::lowest(),
                                  double high = std::numeric_limits<double>::max());
  std::vector<std::int64_t> get_ints(std::string_view key, const std::vector<std::int64_t>& fallback,
                                     std::int64_t low = std::numeric_limits<std::int64_t>::min(),
                                     std::int64_t high = std::numeric_limits<std::int64_t>::max());
  // The same, but null is allowed and means none.
  std::optional<std::vector<std::int64_t>> get_optional_ints(std::string_view key, std::int64_t low, std::int64_t high);
  std::vector<std::string> get_strings(std::string_view key, const std::vector<std::string>& fallback);
  // A list, or a single element without brackets; the empty text and a missing key mean an empty list.
  std::vector<std::string> get_string_or_strings(std::string_view key);

  // A nested mapping, empty when absent.
  Config section(std::string_view key);
  // Keys of a nested mapping in file order, for sections whose keys the user invents. Does not count as asking.
  std::vector<std::string> names(std::string_view key) const;

  // True if the document or an override gives the key (null counts). Does not count as asking.
  bool has(std::string_view key) const;
  // True if neither gives any key.
  bool empty() const;
  // Start of a custom error message: "file:line: section.key", "override 'a.b=3': a.b", or "file: key" when absent. The
  // key may be a path: "raises.cap", or "order.3" for an entry of a list, counted from 0.
  std::string where(std::string_view key) const;

  // Throws ConfigError naming the first key of this section that the program never asked for.
  void finish() const;

  // YAML text of every key asked for with the value in use, defaults included. Reads back as the same values.
  std::string resolved() const;
  // The same as a list: dotted keys, and values as YAML text.
  std::vector<std::pair<std::string, std::string>> settings() const;

 private:
  struct Document;

  Config(std::shared_ptr<Document> document, std::vector<std::string> path);

  std::int64_t read_int(std::string_view key, std::int64_t fallback, std::int64_t low, std::int64_t high);
  ConfigNode& mapping() const;
  // The node of a key, marked as asked for.
  ConfigNode& ask(std::string_view key);
  std::string dotted(std::string_view key) const;
  std::string place(const ConfigNode& node) const;
  [[noreturn]] void refuse(std::string_view key, const ConfigNode& node, const std::string& expected) const;
  std::int64_t to_int(std::string_view key, const ConfigNode& node, std::int64_t low, std::int64_t high) const;
  double to_double(std::string_view key, const ConfigNode& node, double low, double high) const;
  std::string to_text(std::string_view key, const ConfigNode& node) const;
  void check_list(std::string_view key, const ConfigNode& node, std::string_view of) const;
  void check_asked(const ConfigNode& node, const std::string& prefix) const;

  std::shared_ptr<Document> document_;
  std::vector<std::string> path_;  // path of this section from the root
};

}  // namespace dealer
