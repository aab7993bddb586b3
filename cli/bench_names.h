#pragma once

#include <string>
#include <vector>

namespace dealer::cli {

// The benchmarks that `dealer bench` runs when none are named.
std::vector<std::string> benchmark_names();

}  // namespace dealer::cli
