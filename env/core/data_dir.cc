#include "env/core/data_dir.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <string>
#include <system_error>

#include "env/core/error.h"

namespace dealer {
namespace {

namespace fs = std::filesystem;

// Before the source tree, or an installed program would follow every later edit there. Programs lie in bin/ or
// libexec/dealers_choice/.
void add_beside_program(std::vector<fs::path>& folders) {
  std::error_code unreadable;
  const fs::path program = fs::read_symlink("/proc/self/exe", unreadable);
  if (unreadable) return;
  fs::path folder = program.parent_path().parent_path();
  folders.push_back(folder / "share" / "dealers_choice");
  if (program.parent_path().filename() == "dealers_choice")
    folders.push_back(folder.parent_path() / "share" / "dealers_choice");
}

}  // namespace

std::vector<fs::path> data_folders() {
  if (const char* set = std::getenv("DEALER_DATA"); set != nullptr && *set != '\0') return {set};
  std::vector<fs::path> folders;
  add_beside_program(folders);
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
