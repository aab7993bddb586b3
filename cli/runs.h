#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace dealer::cli {

// The runs of a folder as `dealer runs --json` prints them; those that cannot be read are left out. No runs where there
// is no such folder.
nlohmann::ordered_json runs_json(const std::filesystem::path& folder);

}  // namespace dealer::cli
