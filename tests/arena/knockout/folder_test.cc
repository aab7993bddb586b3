// The folder of knockout tournaments: resuming, and rejected folders.
#include "agents/nn/safetensors.h"
#include "tests/arena/knockout/support.h"

namespace dealer::knockout::folder_test {
namespace {

using namespace test;

class KnockoutFolder : public testing::Test {
 protected:
  Options knockout(const std::string& folder, std::int64_t tournaments) const {
    Options options = knockout_of("holdem", {"random", "moody", "random"}, 6, tournaments);
    options.stack = 300;
    options.folder = folder_ / folder;
    // Fails if it cannot bet.
    enter(options, random_agents("moody", [](const Observation& seen) {
            if (seen.legal_mask == 3) throw std::runtime_error("I don't feel like it: \"\xff\"\n");
          }));
    return options;
  }
  std::string file(const std::string& folder, const std::string& name) const {
    return read_bytes(folder_ / folder / name);
  }
  void expect_equal(const std::string& one, const std::string& other) const {
    for (const char* name : {"knockout.yaml", "tournaments.txt", "results.json", "report.html"})
      EXPECT_EQ(file(one, name), file(other, name)) << name;
  }
  std::string refusal(const Options& options) const {
    return error_message<UsageError>([&] { play(options); });
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  const TempFolder folder_;
};

TEST_F(KnockoutFolder, GoesOnAsIfItHadNeverStopped) {
  std::string all, log;
  Options whole = knockout("whole", 7);
  whole.log = [&](std::string_view text) { all += text; };
  const Result result = play(whole);
  EXPECT_GT(result.agents[1].failures.failed(), 0);
  Options parts = knockout("parts", 7);
  parts.log = [&](std::string_view text) { log += text; };
  std::int64_t done = 0;
  parts.progress = [&](std::int64_t now) { done = now; };
  for (const std::int64_t end : {2, 5}) {
    parts.stop = [&done, end] { return done >= end; };
    EXPECT_TRUE(play(parts).interrupted);
    EXPECT_EQ(done, end);
    EXPECT_EQ(nlohmann::json::parse(file("parts", "results.json"))["tournaments"], end);
  }
  parts.stop = nullptr;
  parts.threads = 3;
  Kept kept;
  parts.begin = [&](const Kept& there) { kept = there; };
  const Result rest = play(parts);
  EXPECT_EQ(kept.tournaments, 5);
  EXPECT_TRUE(kept.logged);
  EXPECT_FALSE(has(all.substr(0, at(kept.log)), "tournament 5,"));
  EXPECT_EQ(all.find("tournament 5, seating 0"), at(kept.log));
  EXPECT_EQ(log, all);
  EXPECT_FALSE(rest.interrupted);
  expect_equal("whole", "parts");
  EXPECT_FALSE(nlohmann::json::parse(file("whole", "results.json")).contains("seconds"));
  // Once more: nothing is played.
  parts.log = [](std::string_view) { FAIL(); };
  EXPECT_EQ(play(parts).games, 21);
  EXPECT_EQ(kept.tournaments, 7);
  expect_equal("whole", "parts");
}

TEST_F(KnockoutFolder, MoreAndFewerTournamentsAreThoseOfTheCommand) {
  play(knockout("two", 2));
  play(knockout("five", 5));
  const Result fewer = play(knockout("five", 2));
  EXPECT_EQ(fewer.tournaments, 2);
  EXPECT_FALSE(fewer.interrupted);
  EXPECT_EQ(file("five", "results.json"), file("two", "results.json"));
  play(knockout("two", 5));
  play(knockout("five", 5));
  expect_equal("two", "five");
}

TEST_F(KnockoutFolder, RefusesAnother) {
  play(knockout("a", 1));
  Options other = knockout("a", 1);
  other.seed = 5;
  EXPECT_TRUE(
      has(refusal(other), "'" + path("a") + "' holds a knockout with 'seed: 4', not 'seed: 5'; expected a new"));
  other = knockout("a", 1);
  other.agents[2] = "rule";
  EXPECT_TRUE(has(refusal(other), "with 'agent_3: \"random\"', not 'agent_3: \"rule\"'"));
  other = knockout("a", 1);
  other.game = make_game("holdem[raises_per_player=1]");
  EXPECT_TRUE(has(refusal(other), "'game: \"holdem\"'"));
  for (const auto& change : std::vector<std::function<void(Options&)>>{
           [](Options& options) { options.players = 12; }, [](Options& options) { options.table_size = 3; },
           [](Options& options) { options.stack = 200; }, [](Options& options) { options.raise_every = 1; },
           [](Options& options) { options.hands = 99; }, [](Options& options) { options.duplicate = false; }}) {
    other = knockout("a", 1);
    change(other);
    EXPECT_TRUE(has(refusal(other), "' holds a knockout with '"));
  }
}

TEST_F(KnockoutFolder, RefusesWhatIsNoneAndLeavesItAsItIs) {
  fs::create_directory(folder_ / "pairs");
  write_bytes(folder_ / "pairs/report.html", "of pairs");
  EXPECT_EQ(refusal(knockout("pairs", 1)),
            "'" + path("pairs") +
                "' holds 'report.html' but no knockout; expected a new folder, or the folder of this knockout");
  EXPECT_EQ(file("pairs", "report.html"), "of pairs");
  EXPECT_FALSE(fs::exists(folder_ / "pairs/knockout.yaml"));
  Options options = knockout("a", 1);
  std::string second;
  options.begin = [&](const Kept&) { second = refusal(knockout("a", 1)); };
  play(options);
  EXPECT_EQ(second, "'" + path("a") + "': another process is working on this knockout");
}

TEST_F(KnockoutFolder, RefusesAnAgentWhoseFileHasChanged) {
  const fs::path model = folder_ / "model.safetensors";
  fs::copy_file(source_dir() + "/models/holdem.safetensors", model);
  Options options = knockout("a", 1);
  options.agents = {model.string(), "random"};
  options.players = 4;
  options.table_size = 2;
  options.make = nullptr;
  play(options);
  EXPECT_TRUE(has(file("a", "knockout.yaml"), "agent_1_files: \"model.safetensors, "));
  TensorFile other = read_safetensors(model);
  other.metadata["note"] = "trained on";
  write_safetensors(model, other);
  EXPECT_TRUE(has(refusal(options), "' holds a knockout with 'agent_1_files: \"model.safetensors, "));
}

TEST_F(KnockoutFolder, AnAlteredLineIsNamed) {
  play(knockout("a", 3));
  const std::string lines = file("a", "tournaments.txt");
  const auto refusal = [&](const std::string& text) {
    write_bytes(folder_ / "a/tournaments.txt", text);
    const std::string message = error_message<FileError>([&] { play(knockout("a", 3)); });
    EXPECT_EQ(file("a", "tournaments.txt"), text);
    const std::string begin = path("a/tournaments.txt") + ":";
    EXPECT_TRUE(message.starts_with(begin)) << message;
    return message.substr(begin.size());
  };
  const auto altered = [](std::string text, const std::string& what, const std::string& by) {
    return text.replace(text.rfind(what), what.size(), by);
  };
  EXPECT_TRUE(refusal(altered(lines, ",1]", ",2]")).starts_with("6: lines 5 to 6 are damaged: "));
  const std::size_t second = lines.find('\n', lines.find('\n') + 1) + 1;
  EXPECT_TRUE(refusal(lines.substr(0, second) + lines).starts_with("4: lines 3 to 4 are damaged")) << "doubled";
  // In a file of an earlier version only impossible results are detected.
  const std::string old = without_sums(lines),
                    third = "5: this is not a line of the study; start again in another folder";
  for (const auto& [what, by] : {std::pair("{\"games\"", "{\"game\""),
                                 {"\"games\":3", "\"games\":2"},
                                 {"\"finishes\":[[", "\"finishes\":[[7,7],["},
                                 {"{\"games\"", "\"games\""},
                                 {",1]", ",2]"}})
    EXPECT_EQ(refusal(altered(old, what, by)), third) << by;
  EXPECT_EQ(refusal(old.substr(0, old.find('\n') + 1) + old),
            "3: this is not a line of the study; start again in another folder");
}

TEST_F(KnockoutFolder, AFullDiskLosesNothing) {
  Options options = knockout("a", 4);
  std::int64_t observed = 0;
  options.on_result = [&](const Result& result) { observed = result.tournaments; };
  {
    const FileLimit limit(4000);
    const std::string message = error_message<FileError>([&] { play(options); });
    EXPECT_TRUE(message.starts_with("cannot write " + path("a/report.html") + ": ")) << message;
  }
  EXPECT_EQ(observed, 4) << "before anything is written";
  {
    const FileLimit limit(fs::file_size(folder_ / "a/tournaments.txt") + 20);
    options.tournaments = 6;
    const std::string message = error_message<FileError>([&] { play(options); });
    EXPECT_TRUE(message.starts_with("cannot write " + path("a/tournaments.txt") + ": ")) << message;
  }
  play(options);
  play(knockout("whole", 6));
  expect_equal("a", "whole");
}

}  // namespace
}  // namespace dealer::knockout::folder_test
