#include <csignal>

#include "agents/nn/checkpoints.h"
#include "agents/nn/model_files.h"
#include "env/core/version.h"
#include "tests/support/first_value.h"
#include "tests/support/testing.h"
#include "tests/train/training_run.h"
#include "train/backend_info.h"

namespace dealer::training_test {
namespace {

namespace fs = std::filesystem;
using test::error_message;
using test::first_value;
using test::TempFolder;

constexpr const char* kConfig = R"(
algorithm: afterstate_td
game: ofc
hands: 600
workers: 2
self_play: {tables: 8, turns_per_iteration: 20}
learner: {hidden_sizes: [16, 8], batch: 64}
checkpoint: {every_hands: 150}
evaluation: {every_hands: 200, deals: 3, final_deals: 4, opponents: [rule]}
)";

class Training : public test::TrainingRun {
 protected:
  Training() : TrainingRun(kConfig) {
    // Replaces a match: the result is the model's own value of a hand.
    evaluations_.match = [this](const AgentFactoryPtr& agent, const std::string& opponent, const GamePtr& game,
                                int deals, std::uint64_t) {
      EXPECT_EQ(opponent, "rule");
      EXPECT_EQ(game->name(), "ofc");
      deals_.push_back(deals);
      if (deals_.size() == stop_at_) std::raise(SIGINT);
      const double value = first_value(agent, game);
      return Evaluation{value, 0.25, {{"mean", {value, -value}}}};
    };
  }
  // An uninterrupted training, shared by all tests.
  const TrainOutcome& whole() {
    static const TempFolder folder;
    static const TrainOutcome outcome = [&] {
      TrainRequest whole = request("");
      whole.out = folder / "whole";
      TrainOutcome result = run(whole);
      EXPECT_EQ(deals_, (std::vector<int>{3, 3, 3, 4})) << "at 200, 400 and 600 hands, and at the end";
      return result;
    }();
    deals_.clear();
    return outcome;
  }
  fs::path copy_of_whole() {
    fs::copy(whole().run, folder_ / "copy", fs::copy_options::recursive);
    return folder_ / "copy";
  }
  // A run stopped as by Ctrl-C at the evaluation of that number.
  TrainOutcome stopped_at(std::size_t evaluation, const std::string& name = "part") {
    deals_.clear();
    stop_at_ = evaluation;
    TrainOutcome outcome = train(name);
    EXPECT_TRUE(outcome.interrupted);
    stop_at_ = 0;
    return outcome;
  }

  std::vector<int> deals_;  // of the evaluations so far
  std::size_t stop_at_ = 0;
};

TEST_F(Training, LeavesAModelMetricsAndCheckpoints) {
  const TrainOutcome& outcome = whole();
  EXPECT_FALSE(outcome.interrupted);
  EXPECT_GE(outcome.result["hands"].get<int>(), 600);
  // The last evaluation is of the final model, as its files have it.
  const GamePtr game = make_game("ofc");
  const double value = outcome.result["matches"]["rule"]["mean"][0];
  EXPECT_EQ(first_value(make_agents((outcome.run / "model.safetensors").string(), game), game), value);
  EXPECT_EQ(first_value(make_agents(outcome.run.string(), game), game), value);
  std::istringstream lines(test::read_bytes(outcome.run / "metrics.jsonl"));
  int steps = 0;
  std::set<double> values;
  nlohmann::json last;
  for (std::string line; std::getline(lines, line); ++steps) {
    const auto json = last = nlohmann::json::parse(line);
    if (json.contains("final/rule")) break;
    EXPECT_EQ(json["step"].get<int>(), steps + 1);
    EXPECT_GT(json["loss/value"], 0);
    if (!json.contains("match/rule")) continue;
    values.insert(json["match/rule"].get<double>());
    EXPECT_EQ(json["match/rule_ci95"], 0.25);
  }
  EXPECT_GT(steps, 5);
  EXPECT_EQ(values.size(), 3U) << "evaluated at 200, 400 and 600 hands, and learned between";
  EXPECT_EQ(
      last,
      nlohmann::json(
          {{"step", steps}, {"hands", outcome.result["hands"]}, {"final/rule", value}, {"final/rule_ci95", 0.25}}));
  std::string more;
  EXPECT_FALSE(std::getline(lines, more)) << "it is the last line";
}

TEST_F(Training, SaysWithWhatItWasMade) {
  const fs::path run = copy_of_whole();
  EXPECT_TRUE(test::read_bytes(run / "config.yaml").starts_with("# dealer " + version() + ", libtorch "));
  const std::string made = "dealer " + version() + ", libtorch " + libtorch_version() + ", BLAS ";
  const auto times = [&] {
    const std::string log = test::read_bytes(run / "log.txt");
    int count = 0;
    for (std::size_t at = log.find(made); at != std::string::npos; at = log.find(made, at + 1)) ++count;
    return count;
  };
  EXPECT_EQ(times(), 1);
  fs::remove(list_checkpoints(run).front().path);
  resume(run);
  EXPECT_EQ(times(), 2) << "another program may go on";
}

TEST_F(Training, AFinishedRunIsLeftAsItIs) {
  const fs::path run = copy_of_whole();
  const TrainOutcome again = resume(run);
  EXPECT_FALSE(whole().was_finished);
  EXPECT_TRUE(again.was_finished);
  EXPECT_FALSE(again.interrupted);
  EXPECT_EQ(again.result["hands"], whole().result["hands"]);
  EXPECT_EQ(again.result["model"], (run / "model.safetensors").string());
  EXPECT_TRUE(deals_.empty());
  EXPECT_EQ(metrics_of(run), metrics_of(whole().run));
  // More hands in the config extend the training.
  std::string config = test::read_bytes(run / "config.yaml");
  config.replace(config.find("\nhands: 600"), 11, "\nhands: 700");
  test::write_bytes(run / "config.yaml", config);
  const TrainOutcome longer = resume(run);
  EXPECT_FALSE(longer.was_finished);
  EXPECT_GE(longer.result["hands"].get<int>(), 700);
}

// Killed during the final evaluations: they are played again, and written once.
TEST_F(Training, FinalResultsAreWrittenOnce) {
  const fs::path run = copy_of_whole();
  const std::string metrics = metrics_of(run);
  const auto last = list_checkpoints(run).front().path;
  TensorFile checkpoint = read_safetensors(last);
  ASSERT_EQ(checkpoint.metadata.erase("finished"), 1U);
  checkpoint.metadata["metrics_bytes"] = std::to_string(metrics.rfind('\n', metrics.size() - 2) + 1);
  write_safetensors(last, checkpoint);
  EXPECT_FALSE(resume(run).was_finished);
  EXPECT_EQ(deals_.size(), 1U);
  EXPECT_EQ(metrics_of(run), metrics);
}

// Also from checkpoints that name no rules.
TEST_F(Training, ResumedEqualsUninterrupted) {
  const TrainOutcome& uninterrupted = whole();
  for (const std::size_t stop : {1U, 2U}) {
    const TrainOutcome part = stopped_at(stop, "part" + std::to_string(stop));
    ASSERT_NE(metrics_of(part.run), metrics_of(uninterrupted.run));
    for (const CheckpointFile& checkpoint : list_checkpoints(part.run)) {
      TensorFile file = read_safetensors(checkpoint.path);
      ASSERT_EQ(file.metadata.erase("rules"), 1U);
      if (stop == 1) write_safetensors(checkpoint.path, file);
    }
    EXPECT_NO_THROW(make_agents(part.run.string(), make_game("ofc")));
    ASSERT_FALSE(resume(part.run).interrupted);
    expect_equal_runs(part.run, uninterrupted.run);
  }
}

// In the middle of a match: its result is not recorded, and it is played when the run is resumed.
TEST_F(Training, ResumedEqualsUninterruptedWhileItIsEvaluated) {
  const TrainOutcome& uninterrupted = whole();
  const Evaluate complete = evaluations_.match;
  for (const std::size_t stop : {1U, 3U, 4U}) {
    evaluations_.match = [&](const auto&... what) {
      Evaluation result = complete(what...);
      if (deals_.size() == stop_at_) result = {-1e9, 0, {}, true};
      return result;
    };
    const TrainOutcome first = stopped_at(stop, "part" + std::to_string(stop));
    EXPECT_TRUE(first.result.empty() || !first.result.contains("matches")) << stop;
    const std::string part = metrics_of(first.run);
    EXPECT_EQ(metrics_of(uninterrupted.run).substr(0, part.size()), part);
    // Stopped again at the same place, nothing is lost either.
    deals_.clear();
    stop_at_ = 1;
    ASSERT_TRUE(resume(first.run).interrupted) << stop;
    stop_at_ = 0;
    const TrainOutcome last = resume(first.run);
    ASSERT_FALSE(last.interrupted) << stop;
    expect_equal_runs(last.run, uninterrupted.run);
    EXPECT_EQ(last.result["matches"], uninterrupted.result["matches"]);
  }
}

// After an interrupted evaluation no hand is played twice: the progress before it is saved at once, and after it before
// anything else.
TEST_F(Training, AnInterruptedEvaluationIsSavedBeforeAndAfter) {
  const TrainOutcome& uninterrupted = whole();
  const auto newest = [](const fs::path& run) { return list_checkpoints(run).front(); };
  const auto unevaluated = [&](const fs::path& run) {
    return read_safetensors(newest(run).path).metadata.count("unevaluated");
  };
  const Evaluate complete = evaluations_.match;
  evaluations_.match = [&](const auto&... what) {
    Evaluation result = complete(what...);
    result.interrupted = true;
    std::raise(SIGINT);
    return result;
  };
  const TrainOutcome part = train("part", {"checkpoint.every_hands=1000000"});
  ASSERT_TRUE(part.interrupted);
  ASSERT_EQ(list_checkpoints(part.run).size(), 1U);
  const std::int64_t step = newest(part.run).step;
  EXPECT_EQ(unevaluated(part.run), 1U);
  evaluations_.match = [&](const auto&... what) {
    EXPECT_EQ(newest(part.run).step, step) << "no other is saved until the training ends";
    EXPECT_EQ(unevaluated(part.run), deals_.size() == 1 ? 1U : 0U);
    if (deals_.size() == 2) std::raise(SIGINT);
    return complete(what...);
  };
  ASSERT_TRUE(resume(part.run).interrupted);
  EXPECT_EQ(deals_.size(), 3U);
  evaluations_.match = complete;
  EXPECT_FALSE(resume(part.run).interrupted);
  EXPECT_EQ(metrics_of(part.run), metrics_of(uninterrupted.run));
}

TEST_F(Training, RefusesUnevaluatedFiguresThatAreNone) {
  const TrainOutcome part = stopped_at(1);
  const CheckpointFile newest = list_checkpoints(part.run).front();
  TensorFile file = read_safetensors(newest.path);
  const auto with = [&](const std::string& figures) {
    file.metadata["unevaluated"] = figures;
    write_safetensors(newest.path, file);
    return error_message<CheckpointError>([&] { resume(part.run); });
  };
  for (const char* figures :
       {"", "hands", "{}", "[]", "7", "null", R"({"hands": 1})", "[1]", R"([["hands"]])", R"([["hands", 1, 2]])",
        R"([[1, 2]])", R"([["hands", "many"]])", R"([["hands", [1]]])", R"([["hands", 1], 3])", R"([["hands", 1])"})
    EXPECT_EQ(with(figures), newest.path.string() + ": metadata 'unevaluated' is not a list of results") << figures;
  // Non-finite numbers, which JSON cannot represent.
  EXPECT_EQ(with(R"([["hands", 1], ["loss/value", null]])"), "(no error)");
  const std::string metrics = test::read_bytes(part.run / "metrics.jsonl");
  EXPECT_TRUE(test::has(metrics, R"("loss/value":null,)")) << metrics.substr(0, 500);
}

// Without the checksum, as after manual editing: no run may be endless, or continue from an impossible state.
TEST_F(Training, RefusesProgressThatCannotBe) {
  const TrainOutcome part = stopped_at(2);
  const auto path = list_checkpoints(part.run).front().path;
  const TensorFile sound = read_safetensors(path);
  const auto refused = [&](const std::string& tensor, std::size_t place, std::int64_t number) {
    // Otherwise older ones would be continued.
    for (const CheckpointFile& file : list_checkpoints(part.run)) fs::remove(file.path);
    TensorFile file = sound;
    std::get<std::vector<std::int64_t>>(file.tensors.at(tensor).data).at(place) = number;
    write_safetensors(path, file);
    return error_message<CheckpointError>([&] { resume(part.run); });
  };
  const auto& progress = sound.get<std::int64_t>("trainer.progress", {3});
  const std::string start = path.string() + ": tensor 'trainer.progress' holds ";
  const std::int64_t most = std::int64_t{1} << 62;
  for (const auto& [number, wrong] : std::vector<std::pair<std::size_t, std::int64_t>>{{0, -1},
                                                                                       {0, -most},
                                                                                       {0, 0},
                                                                                       {0, progress[0] * 20},
                                                                                       {0, most},
                                                                                       {1, -1},
                                                                                       {1, most},
                                                                                       {1, progress[1] + 1},
                                                                                       {2, -1},
                                                                                       {2, most}})
    EXPECT_TRUE(refused("trainer.progress", number, wrong)
                    .starts_with(wrong == progress[1] + 1 ? path.string() + ": the file is of step"
                                                          : fmt::format("{}{}", start, wrong)))
        << number << ": " << wrong;
  EXPECT_TRUE(test::has(refused("trainer.chain_counts", 7, -1), "'trainer.chain_counts' holds -1"));
  EXPECT_TRUE(test::has(refused("learner.updates", 0, -1), "'learner.updates' holds -1"));
  EXPECT_EQ(refused("trainer.progress", 0, progress[0]), "(no error)");
}

// The run continues if more hands are requested.
TEST_F(Training, PlaysNoMoreThanItsHands) {
  const TrainOutcome few = train("few", {"hands=10", "self_play.turns_per_iteration=1000"});
  EXPECT_GE(few.result["hands"], 10);
  // One hand at each of the 16 tables.
  EXPECT_LT(few.result["hands"], 2 * 16);
  TrainRequest more;
  more.resume = folder_ / "few";
  more.overrides = {"hands=100"};
  more.quiet = true;
  const TrainOutcome longer = run(more);
  EXPECT_GE(longer.result["hands"], 100);
  EXPECT_LT(longer.result["hands"], 200);
}

TEST_F(Training, RefusesWhatTheMachineHasNoMemoryFor) {
  const std::vector<std::string> huge = {"workers=256", "self_play.tables=65536",
                                         "self_play.turns_per_iteration=65536"};
  EXPECT_TRUE(test::refuses<UsageError>("self-play by 256 workers with 65536 tables of 65536 turns each needs",
                                        [&] { train("huge", huge); }));
  EXPECT_FALSE(fs::exists(folder_ / "huge"));
}

// Killed without warning, in the middle of writing a checkpoint: the previous one is used.
TEST_F(Training, GoesOnAfterAKill) {
  const fs::path run = copy_of_whole();
  const auto checkpoints = list_checkpoints(run);
  ASSERT_GT(checkpoints.size(), 1U);
  fs::resize_file(checkpoints.front().path, fs::file_size(checkpoints.front().path) / 2);
  resume(run);
  EXPECT_EQ(metrics_of(run), metrics_of(whole().run));
}

// So that `default` finds the model of exactly these rules, whatever its file name.
TEST_F(Training, TheModelSaysWhichRulesItWasTrainedFor) {
  evaluations_.match = [](const auto&, const auto&, const auto&, int, std::uint64_t) { return Evaluation{0, 0, {}}; };
  const TrainOutcome outcome = train("run", {"game=ofc[episode=hand]"});
  const GamePtr game = make_game("ofc[episode=hand]");
  const auto checkpoint = list_checkpoints(outcome.run).front().path, model = outcome.run / "model.safetensors";
  for (const auto& file : {checkpoint, model}) {
    const TempFolder models;
    fs::copy_file(file, models / "a.safetensors");
    TensorFile general;
    general.metadata = {{"game", "ofc"}};
    write_safetensors(models / "ofc.safetensors", general);
    EXPECT_EQ(find_model(*game, models.path()).filename(), "a.safetensors");
    EXPECT_EQ(find_model(*make_game("ofc"), models.path()).filename(), "ofc.safetensors");
  }
}

// docs/contributing.md, "Adding a learner".
TEST_F(Training, RefusesWhatItCannotDo) {
  evaluations_.has_exploitability = [](const Game& game) { return game.name() != "ofc"; };
  for (const auto& [assignment, message] :
       {std::pair("self_play.lamda=0.5", "did you mean 'self_play.lambda'"),
        {"hands=0", "hands: 0 is not allowed"},
        {"learner.hidden_sizes=[]", "1 to 8"},
        {"game=ofc[episode=match]", "expected episode hand or chain"},
        {"game=chess", "there is no game 'chess'"},
        {"evaluation.exploitability=true", "the tree of 'ofc' is too large to walk"}}) {
    const std::string error = error_message<UsageError>([&] { train("bad", {assignment}); });
    EXPECT_TRUE(test::has(error, message));
    EXPECT_FALSE(fs::exists(folder_ / "bad")) << assignment;
  }
  TrainRequest both = request("both");
  both.resume = folder_.path();
  EXPECT_TRUE(test::refuses<UsageError>("--resume", [&] { run(both); }));
}

}  // namespace
}  // namespace dealer::training_test
