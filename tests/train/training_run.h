#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "agents/nn/safetensors.h"
#include "tests/support/temp_folder.h"
#include "train/train.h"

namespace dealer::test {

// Trainings with a test config, in separate folders. The test defines the evaluations.
class TrainingRun : public testing::Test {
 protected:
  explicit TrainingRun(const char* config) { write_bytes(folder_ / "config.yaml", config); }

  TrainRequest request(const std::string& name, const std::vector<std::string>& overrides = {}) const {
    TrainRequest request;
    request.config = folder_ / "config.yaml";
    request.overrides = overrides;
    request.out = folder_ / name;
    request.quiet = true;
    return request;
  }
  TrainOutcome train(const std::string& name, const std::vector<std::string>& overrides = {}) {
    return run(request(name, overrides));
  }
  TrainOutcome resume(const std::filesystem::path& run_folder) {
    TrainRequest request;
    request.resume = run_folder;
    request.quiet = true;
    return run(request);
  }
  virtual TrainOutcome run(const TrainRequest& request) { return run_training(request, evaluations_); }

  static std::string metrics_of(const std::filesystem::path& run_folder) {
    return read_bytes(run_folder / "metrics.jsonl");
  }
  // Equal in their numbers and in their model.
  static void expect_equal_runs(const std::filesystem::path& one, const std::filesystem::path& other) {
    EXPECT_EQ(metrics_of(one), metrics_of(other));
    EXPECT_EQ(read_safetensors(one / "model.safetensors").tensors,
              read_safetensors(other / "model.safetensors").tensors);
  }

  const TempFolder folder_;
  Evaluations evaluations_;
};

}  // namespace dealer::test
