#include <csignal>

#include "agents/nn/checkpoints.h"
#include "env/core/version.h"
#include "tests/cli/run_dealer.h"

namespace dealer::test::launcher_test {
namespace {

// The launcher ./dealer in a test source tree, with a script in place of cmake: it records the requested targets, and
// creates a program that prints its arguments.
class Launcher : public testing::Test {
 protected:
  Launcher() {
    for (const char* file : {"dealer", "scripts/quietly.sh"}) {
      fs::create_directories((tree_ / file).parent_path());
      fs::copy_file(fs::path(source_dir()) / file, tree_ / file);
    }
    for (const char* folder :
         {"cmake", "env", "agents", "train", "arena", "frontends", "cli", "bench", "tests", "tools"})
      fs::create_directories(tree_ / folder);
    write_bytes(tree_ / "CMakeLists.txt", "");
    write_bytes(tree_ / "CMakePresets.json", "");
    write_bytes(tree_ / "env/game.cc", "");
    script("scripts/setup", "");
    script("tools/cmake", "cd " + tree_.path().string() + R"(
[[ $1 == --build ]] || exit 0
[[ ! -f broken ]] || { echo 'FAILED: game.cc'; exit 1; }
for ((i = 1; i <= 40; ++i)); do echo "[$i/40] Building"; done
while [[ $1 != --target ]]; do shift; done
echo "${*:2}" >>built
program=build/release/bin/dealer trainer=build/release/libexec/dealers_choice/dealer-train
mkdir -p "${program%/*}" "${trainer%/*}"
printf '#!/bin/sh\necho "program: $*"\n' >$program
printf '#!/bin/sh\necho "trainer: $*"\n' >$trainer
chmod +x $program $trainer)");
    // Sources are older than newly built files.
    age();
  }

  void script(const std::string& name, const std::string& text) const {
    write_bytes(tree_ / name, "#!/usr/bin/env bash\n" + text + "\n");
    fs::permissions(tree_ / name, fs::perms::owner_all);
  }

  void age() const {
    for (const auto& entry : fs::recursive_directory_iterator(tree_.path()))
      fs::last_write_time(entry, fs::file_time_type::clock::now() - std::chrono::hours(1));
  }

  ProgramResult launch(const std::string& arguments, const std::string& before = {}) const {
    return run_script("env -u DEALER_BUILD_DIR PATH=" + (tree_ / "tools").string() + ":\"$PATH\" DEALER_JOBS=1 " +
                          before + ' ' + (tree_ / "dealer").string() + ' ' + arguments + " >out 2>err",
                      "");
  }

  // The targets built since the last query.
  std::string built() const {
    const std::string log = fs::exists(tree_ / "built") ? read_bytes(tree_ / "built") : "";
    fs::remove(tree_ / "built");
    return log;
  }

  const TempFolder tree_;
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
  struct Launched {
    std::string arguments, out, built;
  };
  for (const auto& [arguments, out, parts] : {Launched{"games", "program: games\n", "dealer\n"},
                                              {"study draw --out a", "program: study draw --out a\n", ""},
                                              {"train", "trainer: train\n", "dealer-train\n"},
                                              {"best-response", "trainer: best-response\n", ""},
                                              {"bench", "program: bench\n", "dealer dealer-bench\n"}}) {
    EXPECT_EQ(launch(arguments).out, out);
    EXPECT_EQ(built(), parts) << arguments;
  }
}

TEST_F(Launcher, AStudyThatTrainsNeedsLibtorchsPart) {
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
  fs::remove(tree_ / "build/release/bin/dealer");
  changed("the program went");
  const std::string git = "git -C " + tree_.path().string() + " -c user.name=a -c user.email=a@b ";
  ASSERT_EQ(std::system((git + "init -q && " + git + "commit -q --allow-empty -m one").c_str()), 0);  // NOLINT
  changed("a commit");
  write_bytes(tree_ / "tests/new_test.cc", "");
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
  expect_parts(result.err,
               {"dealer: building: step 10 of 40 after 0 s, about 0 s left", "dealer: building: step 40 of 40 after "});
  EXPECT_FALSE(contains(result.err, "11 of 40")) << result.err;
}

TEST_F(Launcher, AFailedBuildIsShownAndTriedAgain) {
  write_bytes(tree_ / "broken", "");
  const ProgramResult result = launch("games");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out, "");
  expect_parts(result.err, {"FAILED: game.cc\n", "dealer: building failed; all of it: "});
  fs::remove(tree_ / "broken");
  EXPECT_EQ(launch("games").out, "program: games\n");
}

// The two programs: dealer train executes dealer-train, and dealer alone starts fast. train_training_test.cc covers
// trainings themselves, in one process.

class Train : public CommandInFolder {};

// Asks the job to stop as soon as there is a line of metrics.
TEST_F(Train, TheProgramStopsAndSavesWhenAsked) {
  const std::string run = at("run");
  const ProgramResult result =
      run_script("DEALER train kuhn hands=1000000000 evaluation.deals=0 --json --out " + run +
                 " >out 2>err & job=$!; until [ -s " + run +
                 "/metrics.jsonl ] || ! kill -0 $job; do sleep 0.02; done; kill -TERM $job; wait $job");
  EXPECT_EQ(result.status, 128 + SIGTERM) << result.err;
  expect_parts(result.err, {"dealer train --resume " + run});
  expect_members(Json::parse(result.out, nullptr, false), {{"interrupted", true}, {"run", run}});
  const auto checkpoints = list_checkpoints(run);
  ASSERT_FALSE(checkpoints.empty());
  EXPECT_EQ(checkpoints.front().step, static_cast<std::int64_t>(lines_of(read("run/metrics.jsonl")).size()));
  EXPECT_FALSE(fs::exists(run + "/model.safetensors"));
}

// Built separately, dealer and dealer-train may have different versions: dealer passes its own, dealer-train compares.
TEST_F(Train, TheTwoProgramsAreOfOneVersion) {
  const std::string train = training_program(), tree = at("tree");
  const ProgramResult other =
      run_script("DEALER_STARTED_BY=9.9 " + train + " train hands=1 --out " + at("run") + " >out 2>err");
  EXPECT_EQ(other.status, 1);
  EXPECT_EQ(other.out + other.err, "dealer: dealer is 9.9, dealer-train " + version() +
                                       ": build both, 'cmake --build FOLDER --target dealer dealer-train'\n");
  EXPECT_FALSE(fs::exists(at("run")));
  // A program that prints its input replaces dealer-train.
  for (const char* folder : {"/bin", "/libexec/dealers_choice"}) fs::create_directories(tree + folder);
  fs::copy_file(program(), tree + "/bin/dealer");
  const std::string echo = tree + "/libexec/dealers_choice/dealer-train";
  write_bytes(echo, "#!/bin/sh\necho \"$DEALER_STARTED_BY\"\n");
  fs::permissions(echo, fs::perms::owner_all);
  EXPECT_EQ(run_script(tree + "/bin/dealer train >out 2>err").out, version() + "\n");
}

TEST_F(Train, ALocalBestResponseNeedsNoTraining) {
  const Words command =
      words_in("best-response --game kuhn --against random --local --deals 3000 --seed 2 --quiet --threads");
  const Json json = timeless_json_of(joined(command, {"1"}));
  EXPECT_EQ(json, timeless_json_of(joined(command, {"3"})));
  expect_members(json, {{"method", "local"}, {"unit", "chips"}, {"deals", 3000}});
  EXPECT_GE(json["decisions"], 6000);
  const double gain = json["gain"], ci95 = json["ci95"];
  EXPECT_GT(gain, 0.35);
  EXPECT_LT(gain - ci95, 0.4584) << "nothing gains more than the best response";
  expect_parts(output_of({"best-response", "--game", "kuhn", "--against", "rule", "--local"}),
               {"exploits rule for 0."});
  expect_refused({"best-response", "--against", "random", "--game"},
                 {{{"kuhn", "--local", "hands=3"}, "OVERRIDE"},
                  {{"kuhn", "--local", "--out", at("none")}, "--out"},
                  {{"kuhn", "--samples", "5"}, "--local"}});
  expect_refused({"best-response", "--game", "draw", "--against", "rule", "--local"},
                 {{{}, "agent 'rule' gives no action probabilities"}});
}

TEST(Start, LibtorchIsLoadedByWhatTrainsAlone) {
  const auto libraries = [](const std::string& program) {
    return output_of(run_script("ldd " + program + " >out 2>err"), false);
  };
  const std::string plain = libraries(program());
  expect_parts(plain, {"libc.so"});
  expect_none(plain, {"torch", "blas"});
  EXPECT_LT(count(plain, "\n"), 20) << plain;
  expect_parts(libraries(training_program()), {"torch"});
}

}  // namespace
}  // namespace dealer::test::launcher_test
