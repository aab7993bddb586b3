#pragma once

#include <string>

namespace dealer::cli {

// Version and revision, libtorch, BLAS and its kernel, and the instructions the program was compiled for, a line each.
std::string version_text();

}  // namespace dealer::cli
