#include "agents/nn/checkpoints.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "env/core/error.h"
#include "tests/support/error_message.h"
#include "tests/support/raw_safetensors.h"
#include "tests/support/temp_folder.h"

namespace dealer::checkpoints_test {
namespace {

namespace fs = std::filesystem;
using test::TempFolder;

TensorFile content(float value) {
  TensorFile file;
  file.tensors["w"] = {{1}, std::vector<float>{value}};
  return file;
}

TEST(Checkpoints, NamesSortAsTheStepsDo) {
  EXPECT_EQ(checkpoint_path("runs/a", 1500), fs::path("runs/a/checkpoints/step-000000001500.safetensors"));
  EXPECT_EQ(checkpoint_path("r", 1234567890123), fs::path("r/checkpoints/step-1234567890123.safetensors"));
}

TEST(Checkpoints, AreListedNewestFirstAndNothingElseIs) {
  const TempFolder run;
  EXPECT_TRUE(list_checkpoints(run.path()).empty());
  fs::create_directory(run / "checkpoints");
  EXPECT_TRUE(list_checkpoints(run.path()).empty());
  for (const char* name :
       {"step-000000000002.safetensors", "step-000000000010.safetensors", "step-1234567890123.safetensors",
        "step-000000000011.safetensors.malformed", "step-000000000012.safetensors.7-1.tmp", "step-.safetensors",
        "step--3.safetensors", "step-x.safetensors", "weights.safetensors", "step-99999999999999999999.safetensors"}) {
    test::write_bytes(run / ("checkpoints/" + std::string(name)), "");
  }
  std::vector<std::int64_t> steps;
  for (const CheckpointFile& file : list_checkpoints(run.path())) steps.push_back(file.step);
  EXPECT_EQ(steps, (std::vector<std::int64_t>{1234567890123, 10, 2}));
}

TEST(Checkpoints, TheLatestIsTheNewestThatCanBeRead) {
  const TempFolder run;
  EXPECT_FALSE(latest_checkpoint(run.path(), nullptr).has_value());
  fs::create_directory(run / "checkpoints");
  write_safetensors(checkpoint_path(run.path(), 7), content(7));
  write_safetensors(checkpoint_path(run.path(), 8), content(8));
  std::vector<std::string> malformed;
  EXPECT_EQ(latest_checkpoint(run.path(), &malformed)->step, 8);
  EXPECT_TRUE(malformed.empty());
  test::write_bytes(checkpoint_path(run.path(), 8), "short");
  EXPECT_EQ(latest_checkpoint(run.path(), nullptr)->step, 7);
  const auto latest = latest_checkpoint(run.path(), &malformed);
  EXPECT_EQ(latest->content.get<float>("w"), std::vector<float>{7});
  ASSERT_EQ(malformed.size(), 1U);
  EXPECT_EQ(malformed[0], checkpoint_path(run.path(), 8).string() +
                              ": malformed or no safetensors file: it has 5 bytes; expected at least 8");
}

// Earlier versions saved what had diverged.
TEST(Checkpoints, TheLatestIsTheNewestWhoseWeightsAreFinite) {
  const TempFolder run;
  fs::create_directory(run / "checkpoints");
  write_safetensors(checkpoint_path(run.path(), 7), content(7));
  test::write_bytes(checkpoint_path(run.path(), 8), test::raw_safetensors(content(std::nanf(""))));
  std::vector<std::string> malformed;
  EXPECT_EQ(latest_checkpoint(run.path(), &malformed)->step, 7);
  EXPECT_EQ(malformed, std::vector<std::string>{checkpoint_path(run.path(), 8).string() +
                                                ": tensor 'w' holds a number that is not finite"});
}

TEST(Checkpoints, AllMalformedIsAnError) {
  const TempFolder run;
  fs::create_directory(run / "checkpoints");
  test::write_bytes(checkpoint_path(run.path(), 8), "short");
  EXPECT_EQ(test::error_message<CheckpointError>([&] { latest_checkpoint(run.path(), nullptr); }),
            run.path().string() +
                ": no checkpoint can be read; of the newest: " + checkpoint_path(run.path(), 8).string() +
                ": malformed or no safetensors file: it has 5 bytes; expected at least 8");
}

TEST(Checkpoints, AFileInPlaceOfTheFolderIsAnError) {
  const TempFolder run;
  test::write_bytes(run / "checkpoints", "x");
  EXPECT_EQ(test::error_message<FileError>([&] { list_checkpoints(run.path()); }),
            "cannot read " + (run / "checkpoints").string() + ": Not a directory");
}

}  // namespace
}  // namespace dealer::checkpoints_test
