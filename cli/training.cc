#include "cli/training.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>

#include "env/core/error.h"
#include "train/backend_info.h"

namespace dealer::cli {
namespace {

std::optional<Training>& provided() {
  static std::optional<Training> training;
  return training;
}

// As laid out in the build folder and in an installation alike.
std::filesystem::path training_program() {
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  return (self.parent_path() / DEALER_TRAIN_PROGRAM).lexically_normal();
}

}  // namespace

void provide_training(const Training& training) { provided() = training; }

const Training& need_training() {
  if (provided()) {
    use_fitting_blas_kernel();
    return *provided();
  }
  const std::filesystem::path program = training_program();
  start_again_as(program);
  const int reason = errno;
  throw FileError(fmt::format("cannot start {}, the part of the program that trains: {}", program.string(),
                              std::generic_category().message(reason)));
}

}  // namespace dealer::cli
