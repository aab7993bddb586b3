#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "arena/studies/run.h"
#include "train/progress.h"

namespace dealer::cli {

// The bar of a study, and Ctrl-C. It must outlive what its hooks are given to.
class StudyProgress {
 public:
  StudyProgress(std::string title, std::int64_t deals, bool quiet)
      : title_(std::move(title)), deals_(deals), quiet_(quiet) {}
  studies::StudyHooks hooks();
  void finish();

 private:
  void show(const std::string& unit, std::int64_t done, std::int64_t total);

  std::string title_;
  std::int64_t deals_;
  bool quiet_;
  std::string unit_;
  std::optional<Progress> progress_;
};

}  // namespace dealer::cli
