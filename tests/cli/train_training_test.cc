// dealer train and dealer best-response as dealer-train runs them, in this process.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <csignal>

#include "agents/nn/checkpoints.h"
#include "cli/training.h"
#include "env/core/registry.h"
#include "tests/cli/run_dealer.h"
#include "tests/support/fake_agents.h"
#include "train/backend_info.h"

namespace dealer::test::train_training_test {
namespace {

constexpr const char* kConfig = R"(
algorithm: afterstate_td
game: ofc
hands: 300
workers: 1
self_play: {tables: 8, turns_per_iteration: 20}
learner: {hidden_sizes: [16, 8], batch: 64}
checkpoint: {every_hands: 100, keep: 5}
evaluation: {every_hands: 150, deals: 2, final_deals: 3, opponents: [random, rule]}
)";
const std::string kUnevaluated = "evaluation.final_deals=0";

class TrainCommand : public CommandInFolder {
 protected:
  static void SetUpTestSuite() {
    use_fitting_blas_kernel();
    cli::provide_training({cli::train, cli::check, cli::best_response, cli::learn_responses});
  }
  TrainCommand() { write("tiny.yaml", kConfig); }

  static ProgramResult run(const Words& words) {
    constexpr cli::AddCommand kCommands[] = {cli::add_train, cli::add_best_response, cli::add_plot, cli::add_runs};
    return run_here_with(kCommands, words);
  }
  ProgramResult train(const std::string& out, const Words& more = {}) const {
    return run(joined({"train", config_, "--quiet", "--out", at(out)}, more));
  }
  ProgramResult resume(const std::string& run_folder, const Words& more = {}) const {
    return run(joined({"train", "--quiet", "--resume", at(run_folder)}, more));
  }
  static Json parsed(const ProgramResult& result, int status = 0) {
    EXPECT_EQ(result.status, status) << result.err;
    return Json::parse(result.out, nullptr, false);
  }
  // Gives a run another number of hands.
  void set_hands(const std::string& run_folder, const std::string& from, const std::string& to) const {
    const std::string file = run_folder + "/config.yaml", config = read(file);
    ASSERT_TRUE(contains(config, "\nhands: " + from + '\n')) << config;
    write(file, replaced(config, "\nhands: " + from + '\n', "\nhands: " + to + '\n'));
  }

  const std::string config_ = at("tiny.yaml");
};

// The readable output: the end of the text, the picture, the curves of several runs and the list of runs.
TEST_F(TrainCommand, ShowsHowStrongItGrew) {
  const ProgramResult one = run({"train", config_, "--out", at("runs/one"), "evaluation.deals=12"});
  EXPECT_EQ(one.status, 0) << one.err;
  expect_parts(one.out, {"hands in 0:", "against default", "curve   " + at("runs/one/learning.svg")});
  expect_parts(read("runs/one/learning.svg"), {"<svg xmlns=", "points a hand against random", "default", "polygon"});
  const Json level = Json::parse(read("runs/one/level.json"));
  expect_members(level, {{"agent", "default"}, {"against", "random"}, {"unit", "points"}});
  EXPECT_EQ(train("runs/two", {"seed=5", "evaluation.deals=12"}).status, 0);

  const Json curves = parsed(run({"plot", at("runs/one"), at("runs/two"), "--json", "--out", at("both.svg")}));
  ASSERT_EQ(curves.size(), 2U);
  std::vector<Json> lines;
  for (const std::string& line : lines_of(read("runs/one/metrics.jsonl")))
    if (Json parsed = Json::parse(line); parsed.contains("match/random")) lines.push_back(parsed);
  ASSERT_EQ(curves[0]["points"].size(), lines.size());
  // The final results, from other deals, replace the last evaluation.
  const Json last = Json::parse(lines_of(read("runs/one/metrics.jsonl")).back());
  EXPECT_EQ(curves[0]["points"].back()["value"], last["final/random"]);
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    const Json& point = curves[0]["points"][i];
    EXPECT_EQ(point["hands"], lines[i]["hands"]);
    EXPECT_EQ(point["iterations"], lines[i]["step"]);
    EXPECT_EQ(point["value"], lines[i]["match/random"]);
    EXPECT_EQ(point["ci95"], lines[i]["match/random_ci95"]);
    EXPECT_GE(point["seconds"].get<double>(), i == 0 ? 0 : curves[0]["points"][i - 1]["seconds"].get<double>());
  }
  EXPECT_EQ(curves[0]["default"]["value"], level["value"]);
  expect_parts(read("both.svg"), {">one</text>", ">two</text>"});
  const ProgramResult other = run({"plot", at("runs/one"), "--by", "iterations", "--against", "rule"});
  expect_parts(other.out, {"points a hand against rule", "iterations", "*    one: "});
  const ProgramResult nobody = run({"plot", at("runs/one"), "--against", "rul"});
  EXPECT_EQ(nobody.status, 2);
  expect_parts(nobody.err, {"not evaluated against 'rul'", "random, rule"});
  EXPECT_EQ(run({"plot", at("runs")}).status, 2);

  const Json runs = parsed(run({"runs", at("runs"), "--json"}));
  ASSERT_EQ(runs.size(), 2U);
  for (const Json& each : runs) {
    expect_members(each, {{"game", "ofc"}, {"state", "finished"}, {"planned", 300}, {"measure", "match/random"}});
    EXPECT_GE(each["hands"], 300);
    EXPECT_LT(each["age_seconds"].get<double>(), 600);
  }
  EXPECT_EQ(runs[0]["run"], "two") << "the newest first";
  expect_parts(run({"runs", at("runs")}).out, {"finished", "points against random"});
}

TEST_F(TrainCommand, GoesOnLongerThanPlanned) {
  EXPECT_EQ(train("run", {kUnevaluated}).status, 0);
  const std::string comment = lines_of(read("run/config.yaml")).front();
  const Json longer = parsed(resume("run", {"hands=450", "--json"}));
  EXPECT_GE(longer["hands"], 450);
  EXPECT_FALSE(longer.contains("was_finished"));
  expect_parts(read("run/config.yaml"), {comment, "\nhands: 450\n"});
  const ProgramResult refused = resume("run", {"seed=4"});
  EXPECT_EQ(refused.status, 2);
  expect_parts(refused.err, {"hands=N"});
  const std::string config = read("run/config.yaml");
  const ProgramResult fewer = resume("run", {"hands=100"});
  EXPECT_EQ(fewer.status, 2);
  expect_parts(fewer.err, {"hands=100 is less than the 450 of the run"});
  EXPECT_EQ(read("run/config.yaml"), config);
  EXPECT_EQ(resume("run", {"--out", at("other")}).status, 2);
  fs::create_directories(at("empty"));
  write_bytes(at("empty/config.yaml"), "");
  expect_parts(resume("empty", {}).err, {"the file is empty; expected a training config"});
}

TEST_F(TrainCommand, ReportsTheRunThatItLeaves) {
  const Json result = parsed(train("run", {"seed=7", "hands=250", "--json"}));
  expect_members(result, {{"run", at("run")}, {"model", at("run/model.safetensors")}, {"interrupted", false}});
  EXPECT_GE(result["hands"], 250);
  ASSERT_EQ(result["matches"].size(), 3U) << "default is met in the end";
  for (const auto& [opponent, match] : result["matches"].items()) {
    expect_members(match, {{"agents", {"trained", opponent}}, {"hands", 3}, {"unit", "points/hand"}});
    EXPECT_EQ(match["mean"][0].get<double>(), -match["mean"][1].get<double>());
  }
  expect_parts(read("run/config.yaml"), {"\nseed: 7\n", "\nhands: 250\n"});
  std::vector<Json> lines;
  for (const std::string& line : lines_of(read("run/metrics.jsonl"))) lines.push_back(Json::parse(line));
  ASSERT_GT(lines.size(), 1U);
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) EXPECT_EQ(lines[i]["step"], i + 1);
  EXPECT_EQ(lines.back()["step"], lines.size() - 1) << "the final results belong to the last step";
  EXPECT_TRUE(lines.back().contains("final/random") && lines.back().contains("final/rule_ci95"));
  EXPECT_EQ(lines.back()["hands"], result["hands"]);
  EXPECT_EQ(std::count_if(lines.begin(), lines.end(), [](const auto& line) { return line.contains("match/rule"); }), 1)
      << "at 150 hands";
  const auto checkpoints = list_checkpoints(at("run"));
  ASSERT_EQ(checkpoints.size(), 3U) << "at 100 and 200 hands and at the end";
  EXPECT_EQ(checkpoints.front().step, static_cast<std::int64_t>(lines.size() - 1));
  EXPECT_TRUE(contains(read("run/log.txt"), "points a hand against rule"));
  const auto is_events = [](const fs::directory_entry& entry) {
    return entry.path().filename().string().starts_with("events.out.tfevents.") && entry.file_size() > 0;
  };
  EXPECT_EQ(std::count_if(fs::directory_iterator(at("run")), fs::directory_iterator(), is_events), 1);
}

TEST_F(TrainCommand, TellsPeopleWhereTheNewRunLies) {
  const std::string out =
      output_of(run({"train", config_, "name=mine", kUnevaluated, "--quiet", "--runs", at("runs")}), false);
  const fs::path made = fs::directory_iterator(at("runs"))->path();
  EXPECT_TRUE(made.filename().string().starts_with("mine-"));
  EXPECT_TRUE(fs::exists(made / "model.safetensors"));
  expect_parts(out, {"agent   " + (made / "model.safetensors").string()});
  EXPECT_TRUE(Json::parse(out, nullptr, false).is_discarded());
}

// The starting model of a run may be gone when the run is resumed.
TEST_F(TrainCommand, ResumesWithoutTheModelItStartedFrom) {
  const auto brief = [&](const std::string& out, const Words& more) {
    return run(joined(
        {"train", "kuhn", "hands=20000", "self_play.tables=64", kUnevaluated, "--quiet", "--out", at(out)}, more));
  };
  const std::string start = "start=" + at("first/model.safetensors");
  ASSERT_EQ(brief("first", {}).status, 0);
  ASSERT_EQ(brief("second", {start, "checkpoint.every_hands=5000", "checkpoint.keep=9"}).status, 0);
  fs::remove_all(at("first"));
  fs::remove(list_checkpoints(at("second")).back().path);
  const ProgramResult resumed = resume("second");
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_TRUE(contains(refusal_in(brief("third", {start}), 1, start), "first/model.safetensors"));
  EXPECT_FALSE(fs::exists(at("third")));
}

TEST_F(TrainCommand, AFinishedRunIsLeftAsItIs) {
  output_of(train("run", {kUnevaluated}), false);
  const std::string metrics = read("run/metrics.jsonl"), text = output_of(resume("run"), false);
  EXPECT_TRUE(text.starts_with(at("run") + " is finished: 3")) << text;
  expect_parts(text, {"agent   " + at("run/model.safetensors")});
  expect_members(parsed(resume("run", {"--json"})), {{"was_finished", true}, {"run", at("run")}});
  expect_parts(refusal_in(train("run"), 2, "a folder in use"), {"there is already a run"});
  EXPECT_EQ(read("run/metrics.jsonl"), metrics);
}

// The interrupted matches do not count, and the run can be stopped at the same place again.
TEST_F(TrainCommand, StopsWhileItIsEvaluated) {
  for (const auto& [when, signal] : {std::pair("evaluation.deals", SIGTERM), {"evaluation.final_deals", SIGINT}}) {
    const std::string run_folder = std::string("run") + std::to_string(signal);
    int decisions = 0;
    register_random_agent("stopping", [&decisions, signal = signal] {
      if (++decisions % 50 == 0) std::raise(signal);
    });
    const Words more = {"evaluation.opponents=[stopping]", when + std::string("=1000000"), "--json"};
    ProgramResult result = train(run_folder, more);
    for (const bool again : {false, true}) {
      const auto json = parsed(result, 128 + signal);
      expect_members(json, {{"interrupted", true}, {"run", at(run_folder)}});
      EXPECT_EQ(result.err, "dealer: stopped and saved; continue with: dealer train --resume " + at(run_folder) + '\n');
      EXPECT_FALSE(contains(read(run_folder + "/metrics.jsonl"), "stopping"));
      EXPECT_FALSE(list_checkpoints(at(run_folder)).empty());
      if (!again) result = resume(run_folder, {"--json"});
    }
  }
}

TEST_F(TrainCommand, MisuseIsOneLineAndLeavesNothing) {
  write("broken.yaml", "hands: [1,\n");
  write("list.yaml", "- 1\n");
  write("game.yaml", "game: ofc\n");
  write("hands.yaml", "hands: 100\n");
  write("empty.yaml", "# nothing\n");
  const std::string configs = source_dir() + "/configs/";
  expect_refused({"train", "--out", at("run")},
                 {{{config_, "handz=3"}, "did you mean 'hands'?"},
                  {{config_, "hands=0"}, "hands: 0 is not allowed"},
                  {{config_, "hands=many"}, "hands"},
                  {{config_, "learner.hidden_sizes=[]"}, "learner.hidden_sizes"},
                  {{config_, "game=chess"}, "there is no game 'chess'"},
                  {{config_, "game=kuhn"}, "'afterstate_td' learns ofc and seven_hand, not 'kuhn'"},
                  {{config_, "game=ofc[episode=match]"}, "expected episode hand or chain"},
                  {{config_, "algorithm=magic"}, "magic"},
                  {{config_, "evaluation.exploitability=true"}, "the tree of 'ofc' is too large to walk"},
                  {{config_, "hands=3", "another"}, "'another' is not an override"},
                  {{config_, "evaluation.opponents=[rule,rule]"}, "evaluation.opponents: 'rule' is given twice"},
                  {{config_, "name=a/b"}, "name: 'a/b' is not allowed; expected a name without '/'"},
                  {{config_, "seed=9223372036854775808"}, "expected an integer of at most 9223372036854775807"},
                  {{config_, "hands=3", "hands=4"}, "'hands' is given twice: there is override 'hands=3' already"},
                  {{config_, "--resume", at("run")}, "--resume"},
                  {{config_, "--workers", "2"}, "no option '--workers'"},
                  {{"draw", "learner.value_unit=1e-300"}, "learner.value_unit: 1e-300 is not allowed; expected "},
                  {{at("broken.yaml")}, "broken.yaml:"},
                  {{at("list.yaml")}, "list.yaml"},
                  {{at("empty.yaml")}, "the file is empty; expected a training config"},
                  {{at("game.yaml")}, "this is a game"},
                  {{at("hands.yaml")}, "the key 'algorithm' is missing; expected a training config"},
                  {{configs + "games/holdem.yaml"}, "this is a game, as its key 'game' says"},
                  {{configs + "decks/standard_52.yaml"}, "this is a deck, as its key 'suits' says"},
                  {{configs + "rankings/high.yaml"}, "this is a ranking, as its key 'order' says"}},
                 run);
  EXPECT_FALSE(fs::exists(at("run")));
}

TEST_F(TrainCommand, ChecksAConfigAndPrintsItWithItsDefaults) {
  const ProgramResult checked = run({"train", config_, "hands=400", "--check", "--out", at("run")});
  EXPECT_EQ(checked.status, 0) << checked.err;
  expect_parts(checked.out, {"hands: 400\n", "  hidden_sizes: [16, 8]\n", "  ema_decay: 0.999\n"});
  const auto plan = [this](const Words& words) {
    return parsed(run(joined({"train", config_, "--check", "--json"}, words)));
  };
  expect_members(plan({}), {{"game", "ofc"}, {"unit", "points"}, {"hands", 300}, {"measure", "match/random"}});
  EXPECT_EQ(plan({"evaluation.opponents=[]"})["measure"], "match/default");
  EXPECT_TRUE(plan({kUnevaluated})["measure"].is_null());
  EXPECT_EQ(run({"train", config_, "hands=400", "--check"}).out, checked.out);
  expect_refused({"train", config_, "--check"},
                 {{{"hands=0"}, "hands: 0 is not allowed"}, {{"start=" + at("none")}, "cannot read " + at("none"), 1}},
                 run);
  write("whole.yaml", checked.out);  // a config itself
  EXPECT_EQ(run({"train", at("whole.yaml"), "--check"}).out, checked.out);
  EXPECT_FALSE(fs::exists(at("run")));
}

// The agent's strength is unknown if its opponent is missing.
TEST_F(TrainCommand, AnOpponentThatIsNotThereIsAnError) {
  const std::string missing = "cannot start '/nowhere/bot': No such file or directory\n";
  for (const std::string when : {"evaluation.every_hands=100", "evaluation.every_hands=100000"}) {
    const std::string error = refusal_in(train(when, {"evaluation.opponents=[\"exec:/nowhere/bot\"]", when}), 1, when);
    EXPECT_TRUE(error.starts_with("dealer: agent 'exec:/nowhere/bot' in seat ")) << error;
    EXPECT_TRUE(error.ends_with(" of deal 0: " + missing)) << error;
  }
  EXPECT_EQ(refusal_in(
                run({"best-response", "--game", "kuhn", "--against", "exec:/nowhere/bot", "--quiet", "--out", at("b")}),
                1, "best-response"),
            "dealer: agent 'exec:/nowhere/bot': " + missing);
}

// Random play in Kuhn poker loses 0.4583 chips a hand to its best response.
TEST_F(TrainCommand, ABestResponseGainsWhatItCan) {
  const auto json = parsed(run({"best-response", "--game", "kuhn", "--against", "random", "hands=60000",
                                "evaluation.deals=0", "--quiet", "--deals", "3000", "--out", at("best"), "--json"}));
  expect_members(json, {{"game", "kuhn"}, {"against", "random"}, {"unit", "chips"}});
  const double gain = json["gain"], ci95 = json["ci95"];
  EXPECT_GT(gain, 0.35);
  EXPECT_LT(gain - ci95, 0.4584) << "nothing gains more than the best response";
  EXPECT_GT(json["decisions"], 60'000);
  EXPECT_GT(json["seconds"], 0);
  expect_refused({"best-response", "--out", at("none")},
                 {{{"--game", "kuhn"}, "--against is required"},
                  {{"--game", "kuhnn", "--against", "random"}, "did you mean 'kuhn'?"},
                  {{"--game", "kuhn", "--against", "nobody"}, "there is no agent 'nobody'"}},
                 run);
  EXPECT_FALSE(fs::exists(at("none")));
}

TEST_F(TrainCommand, NamesTheConfigsAndRunsThereAre) {
  // The message mentions one of two related options.
  const std::vector<std::string> all = config_names("configs/train");
  std::vector<std::string> names;
  for (const std::string& name : all) {
    if (name.ends_with("_default")) continue;
    const bool longer = std::find(all.begin(), all.end(), name + "_default") != all.end();
    names.push_back(longer ? name + "(_default)" : name);
  }
  EXPECT_NE(std::find(names.begin(), names.end(), "mini_draw(_default)"), names.end());
  EXPECT_NE(std::find(names.begin(), names.end(), "mini_draw_single"), names.end());
  const std::string known = fmt::format("; training configs: {}, or the path of a .yaml file", fmt::join(names, ", "));
  for (const char* made : {"runs/a-1", "runs/a-2", "runs/b", "runs/empty"}) fs::create_directories(at(made));
  for (const char* made : {"runs/a-1", "runs/a-2", "runs/b"}) write(std::string(made) + "/config.yaml", "");
  const std::string runs =
      fmt::format(": not a run folder (expected config.yaml in it); runs: {0}/b, {0}/a-2, {0}/a-1", at("runs"));
  std::vector<Refused> cases = {
      {{"ofcc"}, "dealer: there is no training config 'ofcc'; did you mean 'ofc'?" + known},
      {{"nosuch"}, "dealer: there is no training config 'nosuch'" + known},
      {{at("none.yaml")}, "dealer: there is no training config '" + at("none.yaml") + "'" + known},
      {{at("")}, "dealer: '" + at("") + "' is a folder" + known}};
  for (const char* folder : {"runs", "runs/none", "runs/empty"})
    cases.push_back({{"--resume", at(folder)}, "dealer: " + at(folder) + runs});
  expect_refused({"train"}, cases, run);
}

TEST_F(TrainCommand, ASingleDealHasNoInterval) {
  expect_parts(output_of(train("run", {"hands=1", "evaluation.deals=0", "evaluation.final_deals=1"}), false),
               {" ± unknown points a hand\n"});
}

}  // namespace
}  // namespace dealer::test::train_training_test
