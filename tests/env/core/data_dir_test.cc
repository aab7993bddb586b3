#include "env/core/data_dir.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "env/core/error.h"
#include "tests/support/paths.h"

namespace dealer::data_dir_test {
namespace {

namespace fs = std::filesystem;

// Sets DEALER_DATA for one test and puts the old value back.
class ScopedData {
 public:
  explicit ScopedData(const std::string& value) {
    if (const char* old = getenv("DEALER_DATA")) old_ = old;
    setenv("DEALER_DATA", value.c_str(), 1);
  }
  ScopedData(const ScopedData&) = delete;
  ScopedData& operator=(const ScopedData&) = delete;
  ~ScopedData() {
    if (old_.empty()) {
      unsetenv("DEALER_DATA");
    } else {
      setenv("DEALER_DATA", old_.c_str(), 1);
    }
  }

 private:
  std::string old_;
};

fs::path make_folder(const std::string& name) {
  fs::path folder = fs::path(testing::TempDir()) / name;
  fs::create_directories(folder / "configs");
  std::ofstream(folder / "configs" / "only_here.yaml") << "a: 1\n";
  return folder;
}

TEST(DataPath, SourceTreeIsFoundWithoutAnySetting) {
  const ScopedData none("");
  const fs::path found = data_path("configs");
  EXPECT_TRUE(fs::equivalent(found, fs::path(test::source_dir()) / "configs"));
}

TEST(DataPath, SettingIsTheOnlyPlaceLookedAt) {
  const fs::path folder = make_folder("dealer_data_dir_test");
  const ScopedData set(folder.string());
  EXPECT_EQ(data_path("configs/only_here.yaml"), folder / "configs" / "only_here.yaml");
  EXPECT_THROW(data_path("models"), FileError);  // the source tree has that folder
  fs::remove_all(folder);
}

TEST(DataPath, MissingFileNamesEveryPlace) {
  const ScopedData none("");
  try {
    const fs::path found = data_path("configs/no_such_file.yaml");
    FAIL() << "found " << found;
  } catch (const FileError& error) {
    const std::string message = error.what();
    for (const fs::path& folder : data_folders()) {
      EXPECT_NE(message.find((folder / "configs/no_such_file.yaml").string()), std::string::npos) << message;
    }
    EXPECT_NE(message.find("DEALER_DATA"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace dealer::data_dir_test
