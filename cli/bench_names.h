#pragma once

#include <string>
#include <vector>

namespace dealer::cli {

// What `dealer bench` measures when nothing is named.
std::vector<std::string> benchmark_names();

}  // namespace dealer::cli
