#pragma once

#include <filesystem>
#include <string>

namespace dealer {

// The file of weights that a key of a config names. "models/ofc.safetensors" is also found among the shipped models,
// wherever training runs. Throws ConfigError for a folder.
std::filesystem::path start_file(const std::string& key, const std::string& file);

}  // namespace dealer
