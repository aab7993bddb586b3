#include "env/core/data_dir.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#ifndef __EMSCRIPTEN__
#include <dlfcn.h>
#include <link.h>
#endif

#include <cstdlib>
#include <string>
#include <system_error>

#include "env/core/error.h"

namespace dealer {
namespace {

namespace fs = std::filesystem;

// The path of the shared library containing this code, else of the program. Empty if unknown.
fs::path find_own_file() {
#ifdef __EMSCRIPTEN__
  return {};  // none in a browser
#else
  std::error_code unreadable;
  Dl_info file;
  link_map* object = nullptr;
  const bool found =
      dladdr1(reinterpret_cast<void*>(&data_folders), &file, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) != 0;
  // For the program itself there is no name.
  const bool library = found && object != nullptr && object->l_name != nullptr && *object->l_name != '\0';
  fs::path path = library ? fs::canonical(object->l_name, unreadable) : fs::read_symlink("/proc/self/exe", unreadable);
  return unreadable ? fs::path() : path;
#endif
}

// Resolved at load time: a library may have been found by a path relative to the working directory at that time.
const fs::path& own_file() {
  static const fs::path kFile = find_own_file();
  return kFile;
}
[[maybe_unused]] const bool kAskedEarly = !own_file().empty();

// Checked before the source tree, or an installed program would use later edits there. Programs are in bin/ or
// libexec/dealers_choice/, libraries in lib/, lib64/ or, as on Debian, lib/x86_64-linux-gnu/; a Python package
// brings its data along.
void add_beside_own_file(std::vector<fs::path>& folders) {
  if (own_file().empty()) return;
  const fs::path folder = own_file().parent_path(), above = folder.parent_path();
  folders.push_back(folder / "share" / "dealers_choice");
  folders.push_back(above / "share" / "dealers_choice");
  if (folder.filename() == "dealers_choice" || above.filename() == "lib")
    folders.push_back(above.parent_path() / "share" / "dealers_choice");
}

}  // namespace

std::vector<fs::path> data_folders() {
  if (const char* set = std::getenv("DEALER_DATA"); set != nullptr && *set != '\0') return {set};
  std::vector<fs::path> folders;
  add_beside_own_file(folders);
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
