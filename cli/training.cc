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

template <class Part>
std::optional<Part>& provided() {
  static std::optional<Part> part;
  return part;
}

// The variable in which dealer passes its version to dealer-train.
constexpr const char* kStartedBy = "DEALER_STARTED_BY";

constexpr const char* kTrainingName = "dealer-train";
constexpr const char* kSpeedsName = "dealer-bench";

// Built separately, the two may be of different versions.
void check_version(const char* name) {
  const char* const other = std::getenv(kStartedBy);  // NOLINT(concurrency-mt-unsafe)
  if (other == nullptr || version() == other) return;
  throw FileError(fmt::format("dealer is {}, {} {}: build both, 'cmake --build FOLDER --target dealer {}'", other, name,
                              version(), name));
}

std::filesystem::path program_named(const char* name) {
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  std::filesystem::path beside = self.parent_path() / name;
  if (std::filesystem::exists(beside)) return beside;
  return (self.parent_path() / DEALER_TRAIN_DIR / name).lexically_normal();
}

template <class Part>
const Part& need(const char* name) {
  if (provided<Part>()) {
    check_version(name);
    use_fitting_blas_kernel();
    return *provided<Part>();
  }
  const std::filesystem::path program = program_named(name);
  mark_as_started_by_dealer();
  start_again_as(program);
  const int reason = errno;
  throw FileError(fmt::format("cannot start {}, the part of the program that trains: {}", program.string(),
                              std::generic_category().message(reason)));
}

}  // namespace

std::filesystem::path training_program() { return program_named(kTrainingName); }

void mark_as_started_by_dealer() {
  ::setenv(kStartedBy, version().c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
}

void provide_training(const Training& training) { provided<Training>() = training; }
void provide_training_speeds(const TrainingSpeeds& speeds) { provided<TrainingSpeeds>() = speeds; }

const Training& need_training() { return need<Training>(kTrainingName); }
const TrainingSpeeds& need_training_speeds() { return need<TrainingSpeeds>(kSpeedsName); }

}  // namespace dealer::cli
