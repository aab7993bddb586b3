#include "cli/training.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include "env/core/error.h"
#include "env/core/version.h"
#include "train/backend_info.h"

namespace dealer::cli {
namespace {

std::optional<Training>& provided() {
  static std::optional<Training> training;
  return training;
}

// Under this name dealer tells dealer-train which version it is.
constexpr const char* kStartedBy = "DEALER_STARTED_BY";

// Built apart, the two may have been left at different versions.
void check_version() {
  const char* const other = std::getenv(kStartedBy);  // NOLINT(concurrency-mt-unsafe)
  if (other == nullptr || version() == other) return;
  throw FileError(
      fmt::format("dealer is {}, dealer-train {}: build both, 'cmake --build FOLDER --target dealer dealer-train'",
                  other, version()));
}

}  // namespace

std::filesystem::path training_program() {
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  return (self.parent_path() / DEALER_TRAIN_PROGRAM).lexically_normal();
}

void mark_as_started_by_dealer() {
  ::setenv(kStartedBy, version().c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
}

void provide_training(const Training& training) { provided() = training; }

const Training& need_training() {
  if (provided()) {
    check_version();
    use_fitting_blas_kernel();
    return *provided();
  }
  const std::filesystem::path program = training_program();
  mark_as_started_by_dealer();
  start_again_as(program);
  const int reason = errno;
  throw FileError(fmt::format("cannot start {}, the part of the program that trains: {}", program.string(),
                              std::generic_category().message(reason)));
}

}  // namespace dealer::cli
