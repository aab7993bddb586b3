#pragma once

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
}

namespace dealer::cli {

struct Completion {
  std::string word;
  std::string what = {};  // in a line, may be empty
};

// What the last of these words may become; the ones before it are complete. Empty where a file belongs.
std::vector<Completion> complete(const CLI::App& program, const std::vector<std::string>& words);

}  // namespace dealer::cli
