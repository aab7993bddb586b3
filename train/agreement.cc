#include "train/agreement.h"

#include <fmt/format.h>

#include <sstream>
#include <string>
#include <vector>

#include "env/core/error.h"
#include "env/core/version.h"
#include "train/backend_info.h"

namespace dealer {
namespace {

// Keys with their sections.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  std::string section;
  for (std::string line; std::getline(stream, line);) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string::npos) continue;
    if (begin == 0) section = line.substr(0, line.find(':'));
    lines.push_back(begin == 0 ? line : section + '.' + line.substr(begin));
  }
  return lines;
}

}  // namespace

std::string first_difference(const std::string& first, const std::string& other) {
  const std::vector<std::string> a = lines_of(first), b = lines_of(other);
  std::size_t i = 0;
  while (i < a.size() && i < b.size() && a[i] == b[i]) ++i;
  if (i == a.size() && i == b.size()) return {};
  const std::string nothing = "nothing";
  return fmt::format("{} instead of {}", i < b.size() ? b[i] : nothing, i < a.size() ? a[i] : nothing);
}

void check_agreement(Ranks& ranks, const Config& config, const Game& game) {
  const std::string own = fmt::format("dealer: {}\nlibtorch: {}\n{}\n{}\n", version(), libtorch_version(),
                                      config.resolved(), game.id().rules);
  const std::vector<std::string> all = ranks.gather(own, true);
  for (std::size_t r = 1; r < all.size(); ++r)
    if (const std::string what = first_difference(all[0], all[r]); !what.empty())
      throw UsageError(fmt::format("{} has {}, which {} has; expected the same program, config and rules on all ranks",
                                   ranks.name(static_cast<int>(r)), what, ranks.name(0)));
}

}  // namespace dealer
