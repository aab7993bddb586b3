#pragma once

#include <string>

namespace dealer {

// The version and, where the sources come from git, the revision built: "0.2.0 (1949a82)", with "-modified" after the
// revision if the sources differed from it.
std::string version();

}  // namespace dealer
