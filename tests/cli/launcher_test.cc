#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/cli/run_dealer.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"

namespace dealer::launcher_test {
namespace {

namespace fs = std::filesystem;
using test::contains;
using test::ProgramResult;

// The launcher ./dealer in a source tree of its own, where a script stands for cmake: it notes what it is asked to
// build, and leaves a program that says its arguments.
class Launcher : public testing::Test {
 protected:
  Launcher() {
    for (const char* file : {"dealer", "scripts/quietly.sh"}) {
      fs::create_directories((tree_ / file).parent_path());
      fs::copy_file(fs::path(test::source_dir()) / file, tree_ / file);
    }
    for (const char* folder :
         {"cmake", "env", "agents", "train", "arena", "frontends", "cli", "bench", "tests", "tools"})
      fs::create_directories(tree_ / folder);
    test::write_bytes(tree_ / "CMakeLists.txt", "");
    test::write_bytes(tree_ / "CMakePresets.json", "");
    test::write_bytes(tree_ / "env/game.cc", "");
    script("scripts/setup", "");
    script("tools/cmake",
           "[[ $1 == --build ]] || exit 0\n"
           "[[ ! -f " +
               (tree_ / "broken").string() +
               " ]] || { echo 'FAILED: game.cc'; exit 1; }\n"
               "for ((i = 1; i <= 40; ++i)); do echo \"[$i/40] Building\"; done\n"
               "while [[ $1 != --target ]]; do shift; done\n"
               "echo \"${*:2}\" >>" +
               (tree_ / "built").string() +
               "\n"
               "mkdir -p " +
               (tree_ / "build/release/bin").string() +
               "\n"
               "printf '#!/bin/sh\\necho \"program: $*\"\\n' >" +
               program() + "\nmkdir -p " + fs::path(trainer()).parent_path().string() +
               "\nprintf '#!/bin/sh\\necho \"trainer: $*\"\\n' >" + trainer() + "\nchmod +x " + program() + ' ' +
               trainer());
    // Sources are older than whatever is built now.
    age();
  }

  std::string trainer() const { return (tree_ / "build/release/libexec/dealers_choice/dealer-train").string(); }
  std::string program() const { return (tree_ / "build/release/bin/dealer").string(); }

  void script(const std::string& name, const std::string& text) const {
    test::write_bytes(tree_ / name, "#!/usr/bin/env bash\n" + text + "\n");
    fs::permissions(tree_ / name, fs::perms::owner_all);
  }

  void age() const {
    for (const auto& entry : fs::recursive_directory_iterator(tree_.path()))
      fs::last_write_time(entry, fs::file_time_type::clock::now() - std::chrono::hours(1));
  }

  ProgramResult launch(const std::string& arguments, const std::string& before = {}) const {
    return test::run_script("env -u DEALER_BUILD_DIR PATH=" + (tree_ / "tools").string() + ":\"$PATH\" DEALER_JOBS=1 " +
                                before + ' ' + (tree_ / "dealer").string() + ' ' + arguments + " >out 2>err",
                            "");
  }

  // What has been built since the last question.
  std::string built() const {
    const std::string log = fs::exists(tree_ / "built") ? test::read_bytes(tree_ / "built") : "";
    fs::remove(tree_ / "built");
    return log;
  }

  const test::TempFolder tree_;
};

TEST_F(Launcher, BuildsOnceAndThenRunsAtOnce) {
  const ProgramResult first = launch("games --json");
  EXPECT_EQ(first.status, 0) << first.err;
  EXPECT_EQ(first.out, "program: games --json\n");
  EXPECT_EQ(built(), "dealer\n");
  const ProgramResult second = launch("match 'a b'");
  EXPECT_EQ(second.out, "program: match a b\n");
  EXPECT_EQ(second.err, "");
  EXPECT_EQ(built(), "");
}

TEST_F(Launcher, LibtorchsPartIsBuiltForWhatTrains) {
  launch("games");
  EXPECT_EQ(built(), "dealer\n");
  for (const std::string command : {"train", "best-response"}) {
    EXPECT_EQ(launch(command).out, "trainer: " + command + '\n');
    EXPECT_EQ(built(), command == "train" ? "dealer-train\n" : "") << "the same parts";
  }
  EXPECT_EQ(launch("bench").out, "program: bench\n");
  EXPECT_EQ(built(), "dealer dealer-bench\n");
}

TEST_F(Launcher, AStudyThatTrainsNeedsLibtorchsPart) {
  launch("study draw --out a");
  EXPECT_EQ(built(), "dealer\n");
  launch("study draw --out a --sweep game.ante=5,10 --train-budget 10m");
  EXPECT_EQ(built(), "dealer dealer-train\n");
}

TEST_F(Launcher, BuildsAgainAfterAChange) {
  launch("games");
  built();
  const auto changed = [&](const std::string& what, const std::string& before = {}) {
    launch("games", before);
    EXPECT_EQ(built(), "dealer\n") << what;
    age();
    fs::last_write_time(tree_ / "build/release/.dealer-is-built", fs::file_time_type::clock::now());
    launch("games", before);
    EXPECT_EQ(built(), "") << "after " << what;
  };
  fs::last_write_time(tree_ / "env/game.cc", fs::file_time_type::clock::now() + std::chrono::seconds(2));
  changed("a source");
  fs::remove(tree_ / "env/game.cc");
  fs::last_write_time(tree_ / "env", fs::file_time_type::clock::now() + std::chrono::seconds(2));
  changed("a source that went");
  changed("another libtorch", "DEALER_TORCH=/opt/torch");
  launch("games");
  built();
  fs::remove(program());
  changed("the program went");
  const std::string git = "git -C " + tree_.path().string() + " -c user.name=a -c user.email=a@b ";
  ASSERT_EQ(std::system((git + "init -q && " + git + "commit -q --allow-empty -m one").c_str()), 0);  // NOLINT
  changed("a commit");
  test::write_bytes(tree_ / "tests/new_test.cc", "");
  launch("games");
  EXPECT_EQ(built(), "") << "tests are no part of the program";
}

TEST_F(Launcher, TheTabKeyDoesNotWaitForABuild) {
  EXPECT_EQ(launch("complete -- ma").status, 1);
  launch("games");
  built();
  fs::last_write_time(tree_ / "env/game.cc", fs::file_time_type::clock::now() + std::chrono::seconds(2));
  EXPECT_EQ(launch("complete -- ma").out, "program: complete -- ma\n");
  EXPECT_EQ(built(), "");
}

TEST_F(Launcher, TellsHowFarTheBuildIs) {
  const ProgramResult result = launch("games");
  for (const char* line :
       {"dealer: building: step 10 of 40 after 0 s, about 0 s left", "dealer: building: step 40 of 40 after "})
    EXPECT_TRUE(contains(result.err, line)) << result.err;
  EXPECT_FALSE(contains(result.err, "11 of 40")) << result.err;
}

TEST_F(Launcher, AFailedBuildIsShownAndTriedAgain) {
  test::write_bytes(tree_ / "broken", "");
  const ProgramResult result = launch("games");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(contains(result.err, "FAILED: game.cc\n")) << result.err;
  EXPECT_TRUE(contains(result.err, "dealer: building failed; all of it: ")) << result.err;
  fs::remove(tree_ / "broken");
  EXPECT_EQ(launch("games").out, "program: games\n");
}

}  // namespace
}  // namespace dealer::launcher_test
