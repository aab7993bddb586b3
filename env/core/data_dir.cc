#include "env/core/data_dir.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <link.h>

#include <cstdlib>
#include <string>
#include <system_error>

#include "env/core/error.h"

namespace dealer {
namespace {

namespace fs = std::filesystem;

// The program or the shared library that this code is in. The loader calls the program what it was called by.
fs::path own_binary() {
  Dl_info info;
  link_map* map = nullptr;
  std::error_code unreadable;
  if (dladdr1(reinterpret_cast<const void*>(&data_folders), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) !=
          0 &&
      map != nullptr && *map->l_name != '\0')
    return fs::canonical(map->l_name, unreadable);
  return fs::read_symlink("/proc/self/exe", unreadable);
}

// Before the source tree, or an installed program would follow every later edit there. Programs lie in bin/ or
// libexec/dealers_choice/; a Python package brings its data along.
void add_beside_binary(std::vector<fs::path>& folders) {
  const fs::path binary = own_binary();
  if (binary.empty()) return;
  folders.push_back(binary.parent_path() / "share" / "dealers_choice");
  fs::path folder = binary.parent_path().parent_path();
  folders.push_back(folder / "share" / "dealers_choice");
  if (binary.parent_path().filename() == "dealers_choice")
    folders.push_back(folder.parent_path() / "share" / "dealers_choice");
}

}  // namespace

std::vector<fs::path> data_folders() {
  if (const char* set = std::getenv("DEALER_DATA"); set != nullptr && *set != '\0') return {set};
  std::vector<fs::path> folders;
  add_beside_binary(folders);
  folders.emplace_back(DEALER_SOURCE_DATA);
  folders.emplace_back(DEALER_INSTALLED_DATA);
  return folders;
}

fs::path data_path(std::string_view relative) {
  const std::vector<fs::path> folders = data_folders();
  std::vector<std::string> looked;
  for (const fs::path& folder : folders) {
    fs::path path = folder / relative;
    std::error_code unreadable;
    if (fs::exists(path, unreadable)) return path;
    looked.push_back(path.string());
  }
  throw FileError(fmt::format("no data file {}: looked for {} (DEALER_DATA names another folder)", relative,
                              fmt::join(looked, ", ")));
}

}  // namespace dealer
