// The folder of knockout tournaments: going on, and what is refused.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "agents/nn/safetensors.h"
#include "agents/random_agent.h"
#include "arena/knockout/knockout.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "tests/arena/match_support.h"
#include "tests/arena/studies/store_support.h"
#include "tests/support/error_message.h"
#include "tests/support/file_limit.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"

namespace dealer::knockout::folder_test {
namespace {

namespace fs = std::filesystem;
using test::error_message;
using test::read_bytes;

// Fails where it cannot bet.
class Moody final : public RandomAgent {
 public:
  Decision act(const Observation& seen) override {
    if (seen.legal_mask == 3) throw std::runtime_error("I don't feel like it: \"\xff\"\n");
    return RandomAgent::act(seen);
  }
};

class KnockoutFolder : public testing::Test {
 protected:
  Options knockout(const std::string& folder, std::int64_t tournaments) const {
    Options options;
    options.game = make_game("holdem");
    options.agents = {"random", "moody", "random"};
    options.players = 6;
    options.tournaments = tournaments;
    options.stack = 300;
    options.seed = 4;
    options.folder = folder_ / folder;
    options.make = [](const std::string& spec, const GamePtr& game) {
      return spec == "moody" ? test::agents_of<Moody>(spec) : make_agents(spec, game);
    };
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

  const test::TempFolder folder_;
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
  EXPECT_TRUE(kept.told);
  EXPECT_EQ(all.substr(0, static_cast<std::size_t>(kept.log)).find("tournament 5,"), std::string::npos);
  EXPECT_EQ(all.find("tournament 5, seating 0"), static_cast<std::size_t>(kept.log));
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

TEST_F(KnockoutFolder, ACutLastLineIsPlayedAgain) {
  play(knockout("whole", 4));
  const std::string lines = file("whole", "tournaments.txt");
  for (const std::size_t cut : {std::size_t{1}, std::size_t{5}, std::size_t{40}, lines.size() / 2, lines.size()}) {
    fs::remove(folder_ / "whole/results.json");
    test::write_bytes(folder_ / "whole/tournaments.txt", lines.substr(0, lines.size() - cut));
    play(knockout("whole", 4));
    EXPECT_EQ(file("whole", "tournaments.txt"), lines) << cut;
    EXPECT_TRUE(fs::exists(folder_ / "whole/results.json"));
  }
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
  EXPECT_EQ(refusal(other), "'" + path("a") +
                                "' holds a knockout with 'seed: 4', not 'seed: 5'; expected a new folder, or the same "
                                "config as in " +
                                path("a/knockout.yaml"));
  other = knockout("a", 1);
  other.agents[2] = "rule";
  EXPECT_NE(refusal(other).find("with 'agent_3: \"random\"', not 'agent_3: \"rule\"'"), std::string::npos);
  other = knockout("a", 1);
  other.game = make_game("holdem[raises_per_player=1]");
  EXPECT_NE(refusal(other).find("'game: \"holdem\"'"), std::string::npos) << refusal(other);
  for (const auto& change : std::vector<std::function<void(Options&)>>{
           [](Options& options) { options.players = 12; }, [](Options& options) { options.table_size = 3; },
           [](Options& options) { options.stack = 200; }, [](Options& options) { options.raise_every = 1; },
           [](Options& options) { options.hands = 99; }, [](Options& options) { options.duplicate = false; }}) {
    other = knockout("a", 1);
    change(other);
    EXPECT_NE(refusal(other).find("' holds a knockout with '"), std::string::npos) << refusal(other);
  }
}

TEST_F(KnockoutFolder, RefusesWhatIsNoneAndLeavesItAsItIs) {
  fs::create_directory(folder_ / "pairs");
  test::write_bytes(folder_ / "pairs/report.html", "of pairs");
  EXPECT_EQ(
      refusal(knockout("pairs", 1)),
      "'" + path("pairs") + "' holds 'report.html' and no knockout; expected a new folder, or that of this knockout");
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
  fs::copy_file(test::source_dir() + "/models/holdem.safetensors", model);
  Options options = knockout("a", 1);
  options.agents = {model.string(), "random"};
  options.players = 4;
  options.table_size = 2;
  options.make = nullptr;
  play(options);
  EXPECT_NE(file("a", "knockout.yaml").find("agent_1_files: \"model.safetensors, "), std::string::npos);
  TensorFile other = read_safetensors(model);
  other.metadata["note"] = "trained on";
  write_safetensors(model, other);
  EXPECT_NE(refusal(options).find("' holds a knockout with 'agent_1_files: \"model.safetensors, "), std::string::npos);
}

TEST_F(KnockoutFolder, AnAlteredLineIsNamed) {
  play(knockout("a", 3));
  const std::string lines = file("a", "tournaments.txt");
  const auto refusal = [&](const std::string& text) {
    test::write_bytes(folder_ / "a/tournaments.txt", text);
    const std::string message = error_message<FileError>([&] { play(knockout("a", 3)); });
    EXPECT_EQ(file("a", "tournaments.txt"), text);
    const std::string begin = path("a/tournaments.txt") + ":";
    EXPECT_EQ(message.find(begin), 0U) << message;
    return message.substr(begin.size());
  };
  const auto altered = [](std::string text, const std::string& what, const std::string& by) {
    return text.replace(text.rfind(what), what.size(), by);
  };
  EXPECT_EQ(refusal(altered(lines, ",1]", ",2]")).find("6: lines 5 to 6 are not what was written: "), 0U);
  const std::size_t second = lines.find('\n', lines.find('\n') + 1) + 1;
  EXPECT_EQ(refusal(lines.substr(0, second) + lines).find("4: lines 3 to 4 are not"), 0U) << "doubled";
  // Of an earlier version's file only what cannot be is seen.
  const std::string old = test::without_sums(lines),
                    third = "5: this is no line of the study; start again in another folder";
  EXPECT_EQ(refusal(altered(old, "{\"games\"", "{\"game\"")), third);
  EXPECT_EQ(refusal(altered(old, "\"games\":3", "\"games\":2")), third);
  EXPECT_EQ(refusal(altered(old, "\"finishes\":[[", "\"finishes\":[[7,7],[")), third);
  EXPECT_EQ(refusal(altered(old, "{\"games\"", "\"games\"")), third);
  EXPECT_EQ(refusal(altered(old, ",1]", ",2]")), third);
  EXPECT_EQ(refusal(old.substr(0, old.find('\n') + 1) + old),
            "3: this is no line of the study; start again in another folder");
}

TEST_F(KnockoutFolder, FoldersOfEarlierVersionsAreGoneOnWith) {
  play(knockout("whole", 4));
  play(knockout("old", 2));
  test::write_bytes(folder_ / "old/tournaments.txt", test::without_sums(file("old", "tournaments.txt")));
  Options options = knockout("old", 4);
  Kept kept;
  options.begin = [&](const Kept& there) { kept = there; };
  play(options);
  EXPECT_EQ(kept.tournaments, 2);
  EXPECT_EQ(file("old", "results.json"), file("whole", "results.json"));
  EXPECT_EQ(test::without_sums(file("old", "tournaments.txt")), test::without_sums(file("whole", "tournaments.txt")));
}

TEST_F(KnockoutFolder, AFullDiskLosesNothing) {
  Options options = knockout("a", 4);
  std::int64_t told = 0;
  options.tell = [&](const Result& result) { told = result.tournaments; };
  {
    const test::FileLimit limit(4000);
    const std::string message = error_message<FileError>([&] { play(options); });
    EXPECT_EQ(message.find("cannot write " + path("a/report.html") + ": "), 0U) << message;
  }
  EXPECT_EQ(told, 4) << "before anything is written";
  {
    const test::FileLimit limit(fs::file_size(folder_ / "a/tournaments.txt") + 20);
    options.tournaments = 6;
    const std::string message = error_message<FileError>([&] { play(options); });
    EXPECT_EQ(message.find("cannot write " + path("a/tournaments.txt") + ": "), 0U) << message;
  }
  play(options);
  play(knockout("whole", 6));
  expect_equal("a", "whole");
}

}  // namespace
}  // namespace dealer::knockout::folder_test
