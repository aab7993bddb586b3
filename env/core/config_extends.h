#pragma once

#include <filesystem>
#include <string_view>

#include "env/core/config_tree.h"

namespace dealer {

// Reads a YAML document with everything it inherits by its key `extends`, the name or path of another one
// (Config::load).
ConfigNode load_config(const std::filesystem::path& file, std::string_view named);

}  // namespace dealer
