#include "cli/sweep_settings.h"

#include <filesystem>

#include "tests/cli/run_dealer.h"
#include "tests/support/testing.h"

namespace dealer::cli::sweep_settings_test {
namespace {

using Values = std::vector<std::string>;

TEST(SweepSettings, AreCutAtCommasAndRangesCounted) {
  EXPECT_EQ(sweep_values("", "0.001,0.003"), (Values{"0.001", "0.003"}));
  EXPECT_EQ(sweep_values("", "[64,64],[128,128]"), (Values{"[64,64]", "[128,128]"}));
  EXPECT_EQ(sweep_values("", "1..3,7"), (Values{"1", "2", "3", "7"}));
  EXPECT_EQ(sweep_values("", R"('a,b',"c'd")"), (Values{"'a,b'", R"("c'd")"}));
  EXPECT_EQ(sweep_values("", "models/..x"), (Values{"models/..x"}));
  for (const char* wrong : {"1,,2", "", "3,3", "3..1", "1..5000"})
    EXPECT_THROW(sweep_values("key=" + std::string(wrong), wrong), UsageError) << wrong;
}

TEST(SweepSettings, AreCombinedTheFirstSlowest) {
  const std::vector<SweepRun> runs = sweep_runs(Values{"a.b=1,2", "hands=100", "seed=5..6"});
  ASSERT_EQ(runs.size(), 4U);
  EXPECT_EQ(runs[1].overrides, (Values{"a.b=1", "hands=100", "seed=6"}));
  EXPECT_EQ(runs[1].setting, "a.b=1");
  EXPECT_EQ(runs[1].seed, "6");
  EXPECT_EQ(runs[2].setting, "a.b=2");
  EXPECT_EQ(runs[1].name(), "a.b=1_hands=100_seed=6");
  const std::vector<SweepRun> one = sweep_runs({});
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].setting, "as it stands");
  EXPECT_EQ(one[0].name(), "as_it_stands");
  for (const Values& wrong : {Values{"hands"}, Values{"=3"}, Values{"a=1", "a=2"}})
    EXPECT_THROW(sweep_runs(wrong), UsageError);
}

// Trainings are separate processes, two at a time.
TEST(SweepCommand, TrainsEachCombinationAndComparesThem) {
  const test::TempFolder folder;
  const std::string out = (folder / "rates").string();
  const Values command = {"sweep",     "kuhn",       "learner.learning_rate.first=0.001,0.003",
                          "seed=1..2", "hands=3000", "evaluation.every_hands=1000",
                          "--out",     out};
  const test::ProgramResult commands = test::run_here(test::joined(command, {"--commands"}));
  EXPECT_EQ(test::lines_of(commands.out).size(), 4U) << commands.err;
  test::expect_parts(commands.out, {"dealer train 'kuhn' 'learner.learning_rate.first=0.003' 'seed=2' 'hands=3000'"});
  const test::Json json = test::json_of(test::joined(command, {"--jobs", "2"}));
  test::expect_members(json, {{"config", "kuhn"}, {"measure", "exploitability"}, {"unit", "chips"}});
  ASSERT_EQ(json["settings"].size(), 2U);
  for (const test::Json& setting : json["settings"]) {
    ASSERT_EQ(setting["runs"].size(), 2U);
    const double a = setting["runs"][0]["value"], b = setting["runs"][1]["value"];
    EXPECT_NEAR(setting["value"], (a + b) / 2, 1e-12);
    // Student's t of one degree of freedom times the standard error of two.
    EXPECT_NEAR(setting["ci95"], 12.706 * std::abs(a - b) / 2, 1e-3 * setting["ci95"].get<double>());
  }
  EXPECT_EQ(json["settings"][1]["setting"], "learner.learning_rate.first=0.003");
  test::expect_parts(test::read_bytes(json["report"].get<std::string>()), {"<svg", "While they learned"});
  // Nothing is left to do: the folders give the same results.
  EXPECT_EQ(test::run_here(test::joined(command, {"--commands"})).out, "");
  EXPECT_EQ(test::json_of(command), json);
  // Its runs are not those of another config.
  test::expect_refused({"sweep"}, {{{"leduc", "seed=1..2", "--out", out}, "holds a sweep of another config, " + out}});
}

// The mistakes of every run, before the first one is trained.
TEST(SweepCommand, ChecksAllRunsFirst) {
  const test::TempFolder folder;
  const std::string out = (folder / "checked").string();
  test::expect_refused({"sweep", "kuhn", "--out", out, "hands=3000"},
                       {{{"seed=1", "learner.learning_rate.first=0.001,-1"}, "learner.learning_rate.first"},
                        {{"game=kuhn,leduc"},
                         "'hands=3000 game=kuhn' would be measured by exploitability at 'kuhn', but "
                         "'hands=3000 game=leduc' by exploitability at 'leduc'; expected runs of one game"},
                        {{"evaluation.exploitability=true,false", "evaluation.ship=last"}, "by match/rule at 'kuhn'"},
                        {{"evaluation.exploitability=false", "evaluation.ship=last", "evaluation.final_deals=0"},
                         "the run would have no final result to compare; expected evaluation.final_deals above 0"}});
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(SweepCommand, RefusesOneFolderForTwoSettings) {
  const test::TempFolder folder;
  test::expect_refused({"sweep", "kuhn", "--out", (folder / "a").string()},
                       {{{"start=a/b,a_b"}, "'start=a/b' and 'start=a_b' would have one folder, start=a_b"}});
  const std::string odd = (folder / "it's").string();
  test::expect_parts(test::output_of(test::run_here({"sweep", "kuhn", "name=it's", "--commands", "--out", odd})),
                     {R"( 'name=it'\''s' --out )", R"(/it'\''s/name=it_s')"});
}

}  // namespace
}  // namespace dealer::cli::sweep_settings_test
