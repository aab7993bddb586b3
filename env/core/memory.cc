#include "env/core/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "env/core/error.h"

namespace dealer {
namespace {

namespace fs = std::filesystem;

// The number after a word that begins a line of the file: "MemAvailable:" in kilobytes, "inactive_file".
std::optional<double> number_after(const fs::path& file, std::string_view word) {
  std::ifstream in(file);
  double number = 0;
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(word)) {
      const std::string rest = line.substr(word.size());
      if (std::sscanf(rest.c_str(), "%lf", &number) == 1) return number;
    }
  return std::nullopt;
}

// Memory left in a control group: its limit less its use; cached files count as free, since they are evicted.
std::optional<double> left_in_group(const fs::path& limit, const fs::path& used, const fs::path& parts) {
  const std::optional<double> most = number_after(limit, ""), now = number_after(used, "");
  if (!most || !now) return std::nullopt;
  double files = 0;
  for (const char* part : {"inactive_file ", "active_file "}) files += number_after(parts, part).value_or(0);
  return std::max(0.0, *most - std::max(0.0, *now - files));
}

}  // namespace

std::optional<double> available_memory(const fs::path& root) {
  std::optional<double> least;
  const auto offer = [&](std::optional<double> bytes) {
    if (bytes && (!least || *bytes < *least)) least = bytes;
  };
  if (const auto kilobytes = number_after(root / "proc/meminfo", "MemAvailable:")) offer(*kilobytes * 1024);
  const fs::path groups = root / "sys/fs/cgroup";
  offer(left_in_group(groups / "memory.max", groups / "memory.current", groups / "memory.stat"));
  const fs::path old = groups / "memory";
  offer(left_in_group(old / "memory.limit_in_bytes", old / "memory.usage_in_bytes", old / "memory.stat"));
  return least;
}

std::string memory_text(double bytes) {
  constexpr const char* kUnits[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  for (; bytes >= 999.5 && unit + 1 < std::size(kUnits); ++unit) bytes /= 1000;
  return fmt::format("{:.{}f} {}", bytes, bytes < 9.95 && unit > 0 ? 1 : 0, kUnits[unit]);
}

void expect_memory(double bytes, std::string_view what, std::string_view advice, std::optional<double> available) {
  if (available && bytes > *available)
    throw UsageError(fmt::format("{} needs {} of memory, {} are available; {}", what, memory_text(bytes),
                                 memory_text(*available), advice));
}

}  // namespace dealer
