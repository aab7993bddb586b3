#pragma once

#include <string>

#include "agents/nn/safetensors.h"

namespace dealer::cli {

// Before long work: throws FileError when no file could be made at the path.
void expect_writable(const std::string& file);

// After it: where the file cannot be written any more, the folder for temporary files or the current one gets it
// instead; throws FileError saying what went wrong and where it is.
void write_solution(const std::string& file, const TensorFile& content);

}  // namespace dealer::cli
