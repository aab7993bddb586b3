#include "train/start_file.h"

#include <fmt/format.h>

#include "env/core/data_dir.h"
#include "env/core/error.h"

namespace dealer {

std::filesystem::path start_file(const std::string& key, const std::string& file) {
  if (std::filesystem::is_directory(file))
    throw ConfigError(fmt::format("{}: '{}' is a folder; expected a .safetensors file", key, file));
  return file.starts_with("models/") && !std::filesystem::exists(file) ? data_path(file) : std::filesystem::path(file);
}

}  // namespace dealer
