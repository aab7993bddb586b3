#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace dealer::cli {

// The runs of a folder in the format of `dealer runs --json`; unreadable ones are left out. Empty if the folder does
// not exist.
nlohmann::ordered_json runs_json(const std::filesystem::path& folder);

}  // namespace dealer::cli
