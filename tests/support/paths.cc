#include "tests/support/paths.h"

namespace dealer::test {

std::string source_dir() { return DEALER_SOURCE_DIR; }
std::string c_library() { return DEALER_C_LIBRARY; }
std::string program() { return DEALER_PROGRAM; }
std::string training_program() { return DEALER_TRAIN_PROGRAM; }

}  // namespace dealer::test
