#pragma once

#include <string>

namespace dealer::test {

// Absolute paths of this checkout and of what was built from it. They stand in one source, so that all others compile
// to the same in every clone.
std::string source_dir();
std::string c_library();
std::string program();
std::string training_program();

}  // namespace dealer::test
