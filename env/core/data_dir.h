#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace dealer {

// The file or folder `relative` ("configs/games/ofc.yaml", "models") of the project's data. If the
// environment variable DEALER_DATA is set, only that folder is searched; otherwise, in this order:
// share/dealers_choice and ../share/dealers_choice relative to the shared library that contains this
// code or else to the running program, the source tree it was built from, and the configured install
// prefix.
// Throws FileError naming the places searched.
std::filesystem::path data_path(std::string_view relative);

// The folders that data_path searches, existing or not.
std::vector<std::filesystem::path> data_folders();

}  // namespace dealer
