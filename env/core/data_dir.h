#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace dealer {

// The file or folder `relative` ("configs/games/ofc.yaml", "models") of the data that comes with the project. Where the
// variable DEALER_DATA is set, only that folder is looked at; otherwise, in this order, share/dealers_choice and
// ../share/dealers_choice seen
// from the shared library that this is linked into or else from the running program, the source tree it was built from,
// and the prefix it was to be installed under.
// Throws FileError naming the places where it looked.
std::filesystem::path data_path(std::string_view relative);

// The folders that data_path looks into, whether they exist or not.
std::vector<std::filesystem::path> data_folders();

}  // namespace dealer
