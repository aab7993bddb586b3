#include "env/core/config_extends.h"

#include <fmt/format.h>

#include <string>
#include <system_error>

#include "env/core/data_dir.h"
#include "env/core/error.h"
#include "env/core/files.h"

namespace dealer {
namespace {

constexpr const char* kExtends = "extends";
constexpr int kMostBases = 8;

bool is_file(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

// The meaning of `extends` in a file of that folder.
std::filesystem::path find_base(const std::filesystem::path& folder, const std::string& text, std::string_view named) {
  std::filesystem::path base = folder / text;
  if (!base.has_extension()) base += ".yaml";
  const bool is_name = text.find('/') == std::string::npos;
  if (is_file(base) || named.empty() || !is_name) return base;
  try {
    return data_path(fmt::format("{}/{}", named, base.filename().string()));
  } catch (const FileError&) {
    return base;
  }
}

ConfigNode load_tree(const std::filesystem::path& file, std::string_view named, int depth) {
  // One byte more than allowed suffices for the parser to reject it, whatever follows the name.
  ConfigNode root = parse_config(read_file(file, kMaxConfigBytes + 1), file.string());
  const ConfigNode* const found = root.find(kExtends);
  if (found == nullptr) return root;
  const std::string place = fmt::format("{}:{}: {}", file.string(), found->line, kExtends);
  if (found->kind != ConfigNode::Kind::kScalar || found->text.empty())
    throw ConfigError(
        fmt::format("{}: {} is not allowed; expected the name or path of a config", place, shown(*found)));
  if (depth == kMostBases)
    throw ConfigError(fmt::format("{}: more than {} configs extend each other", place, kMostBases));
  const std::filesystem::path base = find_base(file.parent_path(), found->text, named);
  if (!is_file(base)) throw ConfigError(fmt::format("{}: there is no config '{}'", place, base.string()));
  std::erase_if(root.children, [](const ConfigNode& node) { return node.key == kExtends; });
  inherit(root, load_tree(base, named, depth + 1), base.string());
  return root;
}

}  // namespace

ConfigNode load_config(const std::filesystem::path& file, std::string_view named) { return load_tree(file, named, 0); }

}  // namespace dealer
