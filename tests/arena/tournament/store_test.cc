// The folder of a tournament: what it keeps, and what it refuses.
#include "arena/tournament/store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "env/core/error.h"
#include "tests/support/error_message.h"
#include "tests/support/file_limit.h"
#include "tests/support/temp_folder.h"

namespace dealer::tournament::store_test {
namespace {

namespace fs = std::filesystem;

class TournamentStore : public testing::Test {
 protected:
  std::unique_ptr<Store> open() const { return std::make_unique<Store>(folder_ / "t", settings_); }
  template <class E>
  std::string refusal() const {
    return test::error_message<E>([this] { open(); });
  }
  static StoredAgent agent(const std::string& name) {
    return {.name = name, .spec = "spec of " + name, .file = name + ".safetensors", .digest = "1 bytes", .step = {}};
  }
  static std::vector<StoredAgent> many(int count) {
    std::vector<StoredAgent> agents;
    for (int i = 0; i < count; ++i) agents.push_back(agent("agent number " + std::to_string(i)));
    return agents;
  }
  static ClusteredRatio points(double first) {
    ClusteredRatio points;
    points.add(first, 2);
    points.add(-0.5, 3);
    return points;
  }

  const test::TempFolder folder_;
  const std::string path_ = (folder_ / "t").string();
  Settings settings_{"kuhn", "ante: 1\n", 7, 0};
};

TEST_F(TournamentStore, KeepsAgentsAndPairs) {
  std::int64_t a = 0, b = 0, c = 0;
  {
    const auto store = open();
    a = store->enter({agent("a")}).at(0);
    StoredAgent checkpoint = agent("step 5");
    checkpoint.step = 5;
    const auto ids = store->enter({agent("b"), agent("a"), checkpoint});
    b = ids.at(0);
    c = ids.at(2);
    EXPECT_EQ(ids.at(1), a);
    EXPECT_EQ(store->pair(a, b).deals, 0);
    EXPECT_EQ(store->pair(a, b).id, 0);
    store->add(store->pair(a, b), points(4), 2, 5);
    // As the other sees it: what b wins.
    store->add(store->pair(b, a), points(1), 2, 5);
    store->fail(store->pair(c, a), "it rains");
  }
  const auto store = open();
  const std::vector<StoredAgent> agents = store->agents();
  ASSERT_EQ(agents.size(), 3U);
  EXPECT_EQ(agents[0].name, "a");
  EXPECT_EQ(agents[1].spec, "spec of b");
  EXPECT_EQ(agents[1].file, "b.safetensors");
  EXPECT_FALSE(agents[1].step);
  EXPECT_EQ(agents[2].step, 5);
  const StoredPair pair = store->pair(a, b), other = store->pair(b, a);
  EXPECT_EQ(pair.deals, 4);
  EXPECT_EQ(pair.hands, 10);
  ClusteredRatio both = points(4);
  both.add(-1, 2);
  both.add(0.5, 3);
  EXPECT_EQ(pair.points.sums(), both.sums());
  EXPECT_EQ(other.points.ratio(), -pair.points.ratio());
  EXPECT_EQ(other.points.half_width95(), pair.points.half_width95());
  EXPECT_EQ(store->pair(a, c).failure, "it rains");
  EXPECT_EQ(store->pair(a, c).points.clusters(), 0);
  store->add(store->pair(a, c), points(1), 2, 5);
  EXPECT_EQ(store->pair(a, c).failure, "") << "played on";
  store->fail(store->pair(a, c), "again");
  EXPECT_EQ(store->pair(a, c).deals, 2) << "what was played stays";
}

TEST_F(TournamentStore, RefusesAnAgentThatIsNotWhatItWas) {
  const auto store = open();
  store->enter({agent("a")});
  StoredAgent other = agent("a");
  other.digest = "2 bytes";
  EXPECT_EQ(test::error_message<UsageError>([&] {
              store->enter({agent("b"), other});
            }),
            "agent 'a' is not what it was when it played in '" + path_ +
                "': a.safetensors has changed; expected a new folder, or the agent as it was");
  EXPECT_EQ(store->agents().size(), 1U) << "none of them is added";
}

TEST_F(TournamentStore, RefusesOtherSettings) {
  open();
  const Settings right = settings_;
  const std::string holds = "'" + path_ + "' holds a tournament ";
  settings_.seed = 8;
  EXPECT_EQ(refusal<UsageError>(), holds + "with seed 7, not 8; expected a new folder, or --seed 7");
  settings_ = right;
  settings_.move_time = 0.5;
  EXPECT_EQ(refusal<UsageError>(), holds + "with a move time of 0, not 0.5; expected a new folder, or --move-time 0");
  settings_ = {"leduc", "ranks: 3\n", 7, 0};
  EXPECT_EQ(refusal<UsageError>(), holds + "of 'kuhn', not of 'leduc'; expected a new folder, or --game 'kuhn'");
  settings_.game = "kuhn";
  EXPECT_EQ(refusal<UsageError>(), holds + "of 'kuhn' by other rules; expected a new folder");
  settings_ = right;
  settings_.game = "my/kuhn.yaml";
  EXPECT_EQ(refusal<UsageError>(), "(no error)") << "the same rules";
}

TEST_F(TournamentStore, RefusesFoldersWithOtherThings) {
  fs::create_directory(folder_ / "t");
  test::write_bytes(folder_ / "t/letter.txt", "hello");
  EXPECT_EQ(refusal<UsageError>(), "'" + path_ +
                                       "' holds 'letter.txt' and no tournament; expected a new folder, or that of this "
                                       "tournament");
  EXPECT_FALSE(fs::exists(folder_ / "t/tournament.sqlite"));
  fs::remove_all(folder_ / "t");
  test::write_bytes(folder_ / "t", "a file");
  EXPECT_EQ(refusal<FileError>().rfind("cannot make folder " + path_ + ": ", 0), 0U) << refusal<FileError>();
}

TEST_F(TournamentStore, IsForOneProcess) {
  const auto store = open();
  EXPECT_EQ(refusal<UsageError>(), "'" + path_ + "': another process is working on this tournament");
}

TEST_F(TournamentStore, ADamagedFileIsNamed) {
  const std::string file = path_ + "/tournament.sqlite";
  {
    const auto store = open();
    store->enter(many(300));
  }
  const std::string whole = test::read_bytes(file);
  const std::string damaged = file + " is damaged (";
  test::write_bytes(file, "This is no database, but a letter, and a long one, too. " + whole.substr(60));
  EXPECT_EQ(refusal<FileError>(), damaged + "file is not a database); start again in another folder");
  test::write_bytes(file, whole.substr(0, whole.size() / 2));
  EXPECT_EQ(refusal<FileError>(), damaged + "database disk image is malformed); start again in another folder");
  std::string holed = whole;
  std::fill(holed.begin() + 8192, holed.begin() + 16384, 'x');
  test::write_bytes(file, holed);
  EXPECT_EQ(refusal<FileError>(), damaged + "database disk image is malformed); start again in another folder");
  test::write_bytes(file, whole);
  EXPECT_EQ(open()->agents().size(), 300U);
  test::write_bytes(file, "");
  EXPECT_EQ(open()->agents().size(), 0U) << "as after a kill while it was made";
  test::write_bytes(file, "");
  test::write_bytes(path_ + "/results.json", "{}");
  EXPECT_EQ(refusal<FileError>(), damaged + "it is empty); start again in another folder");
  EXPECT_EQ(fs::file_size(file), 0U);
}

TEST_F(TournamentStore, RefusesSomebodyElsesDatabase) {
  fs::create_directory(folder_ / "t");
  {
    Database other(folder_ / "t/tournament.sqlite");
    other.execute("CREATE TABLE letters (text TEXT)");
  }
  EXPECT_EQ(refusal<FileError>(), path_ +
                                      "/tournament.sqlite is no tournament that this version of the program can read; "
                                      "start again in another folder");
}

TEST_F(TournamentStore, AFullDiskLosesNothing) {
  const auto store = open();
  const std::int64_t a = store->enter({agent("a")}).at(0), b = store->enter({agent("b")}).at(0);
  store->add(store->pair(a, b), points(4), 2, 5);
  const auto size = fs::file_size(folder_ / "t/tournament.sqlite");
  {
    const test::FileLimit limit(size);
    const std::string message = test::error_message<FileError>([&] { store->enter(many(1000)); });
    EXPECT_EQ(message.rfind("cannot write " + path_ + "/tournament.sqlite: ", 0), 0U) << message;
  }
  EXPECT_EQ(store->agents().size(), 2U);
  EXPECT_EQ(store->pair(a, b).deals, 2);
  store->add(store->pair(a, b), points(4), 2, 5);
  EXPECT_EQ(store->pair(a, b).deals, 4) << "once there is room again";
}

}  // namespace
}  // namespace dealer::tournament::store_test
