#include "cli/picture_file.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <vector>

#include "env/core/error.h"
#include "env/core/files.h"

namespace dealer::cli {
namespace {

// Uses rsvg-convert, which renders SVG as browsers do.
void write_png(const std::filesystem::path& file, const std::string& svg) {
  const std::filesystem::path drawn = file.string() + ".svg" + std::string(kTemporarySuffix);
  write_file(drawn, svg);
  std::vector<std::string> words = {"rsvg-convert", "--zoom", "2", "--output", file.string(), drawn.string()};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t pid = 0;
  int status = 0;
  const int error = ::posix_spawnp(&pid, arguments[0], nullptr, nullptr, arguments.data(), environ);
  if (error == 0) ::waitpid(pid, &status, 0);
  std::filesystem::remove(drawn);
  if (error != 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw FileError(
        fmt::format("cannot write {}: rsvg-convert is missing or failed; expected a name that ends with .svg, "
                    "or the package librsvg2-bin",
                    file.string()));
}

}  // namespace

void write_picture(const std::string& file, const std::string& svg) {
  const std::string kind = std::filesystem::path(file).extension().string();
  if (kind != ".png" && kind != ".svg")
    throw UsageError(
        fmt::format("--out: '{}' is not the name of a picture; expected one that ends with .svg or .png", file));
  if (kind == ".png")
    write_png(file, svg);
  else
    write_file(file, svg);
}

}  // namespace dealer::cli
