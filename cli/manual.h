#pragma once

#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
}

namespace dealer::cli {

// dealer.1: every command and option as the help has them, in the language of man pages (roff).
std::string manual_page(const CLI::App& program);

}  // namespace dealer::cli
