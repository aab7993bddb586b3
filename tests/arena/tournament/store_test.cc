// The folder of a tournament: stored data, and rejected changes.
#include "arena/tournament/store.h"

#include <sqlite3.h>

#include "tests/arena/testing.h"

namespace dealer::tournament::store_test {
namespace {

using namespace test;

// The database of version 0.1.0 for 'rule' and 'random' after 100 deals of Kuhn poker with seed 3, with
// a checkpoint and a failed pair.
constexpr const char* kOldDatabase = R"(
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO settings VALUES('game','kuhn');
INSERT INTO settings VALUES('made_by','0.1.0 (e586115)');
INSERT INTO settings VALUES('move_time','0');
INSERT INTO settings VALUES('rules',replace('game: kuhn\ncards: 3\nante: 1\nbet: 1\nraises: 1\n','\n',char(10)));
INSERT INTO settings VALUES('seed','3');
CREATE TABLE agents (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, spec TEXT NOT NULL, file TEXT NOT NULL,
  digest TEXT NOT NULL, step INTEGER);
INSERT INTO agents VALUES(1,'rule','rule','','',NULL);
INSERT INTO agents VALUES(2,'random','random','','',NULL);
INSERT INTO agents VALUES(3,'step 500','runs/a/500','runs/a/500.safetensors','9 bytes',500);
CREATE TABLE pairs (id INTEGER PRIMARY KEY, a INTEGER NOT NULL REFERENCES agents, b INTEGER NOT NULL REFERENCES agents,
  deals INTEGER NOT NULL, hands INTEGER NOT NULL, points REAL NOT NULL, points_points REAL NOT NULL,
  points_hands REAL NOT NULL, hands_hands REAL NOT NULL, failure TEXT, CHECK (a < b), UNIQUE (a, b));
INSERT INTO pairs VALUES(1,1,2,100,200,101.0,303.0,202.0,400.0,NULL);
INSERT INTO pairs VALUES(2,1,3,0,0,0.0,0.0,0.0,0.0,'it rains');
PRAGMA application_id = 1684828788;
PRAGMA user_version = 1;
)";

class TournamentStore : public testing::Test {
 protected:
  std::unique_ptr<Store> open() const { return std::make_unique<Store>(folder_ / "t", settings_); }
  template <class E>
  std::string refusal() const {
    return error_message<E>([this] { open(); });
  }
  static Participant agent(const std::string& name) {
    return {.name = name,
            .spec = "spec of " + name,
            .factory = nullptr,
            .file = name + ".safetensors",
            .digest = "1 bytes",
            .step = {}};
  }
  static StoredPair pair(double first, std::int64_t deals = 2, std::string failure = {}) {
    StoredPair pair{deals, 5, {}, std::move(failure)};
    pair.points.add(first, 2);
    pair.points.add(-0.5, 3);
    return pair;
  }
  void make_database(const char* sql) const {
    fs::create_directories(folder_ / "t");
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open((path_ + "/tournament.sqlite").c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
    sqlite3_close(database);
  }

  const TempFolder folder_;
  const std::string path_ = (folder_ / "t").string();
  Settings settings_{"ante: 1\n", 7, 0};
};

TEST_F(TournamentStore, KeepsAgentsAndPairs) {
  {
    const auto store = open();
    store->enter({agent("a")});
    Participant checkpoint = agent("step 5");
    checkpoint.step = 5;
    store->enter({agent("b"), agent("a"), checkpoint});
    EXPECT_FALSE(store->pair("a", "b"));
    store->put("a", "b", pair(3));
    // From the other's view: b's winnings.
    store->put("b", "a", pair(4));
    StoredPair failed = pair(1, 2, "it rains");
    failed.failed = "step 5";
    store->put("step 5", "a", failed);
  }
  const auto store = open();
  const std::vector<Participant>& agents = store->agents();
  ASSERT_EQ(agents.size(), 3U);
  EXPECT_EQ(agents[0].name, "a");
  EXPECT_EQ(agents[1].spec, "spec of b");
  EXPECT_EQ(agents[1].file, "b.safetensors");
  EXPECT_FALSE(agents[1].step);
  EXPECT_EQ(agents[2].step, 5);
  const StoredPair one = *store->pair("a", "b"), other = *store->pair("b", "a");
  EXPECT_EQ(other.deals, 2);
  EXPECT_EQ(other.hands, 5);
  EXPECT_EQ(other.points.sums(), pair(4).points.sums());
  EXPECT_EQ(one.points.ratio(), -other.points.ratio());
  EXPECT_EQ(one.points.half_width95(), other.points.half_width95());
  EXPECT_EQ(one.failure, "");
  EXPECT_EQ(store->pair("a", "step 5")->failure, "it rains");
  EXPECT_EQ(store->pair("a", "step 5")->failed, "step 5");
}

TEST_F(TournamentStore, RefusesAnAgentThatIsNotWhatItWas) {
  const auto store = open();
  store->enter({agent("a")});
  Participant other = agent("a");
  other.digest = "2 bytes";
  EXPECT_EQ(error_message<UsageError>([&] {
              store->enter({agent("b"), other});
            }),
            "agent 'a' has changed since it played in '" + path_ +
                "': a.safetensors differs; expected a new folder, or the agent as it was");
  EXPECT_EQ(store->agents().size(), 1U) << "none of them is added";
}

TEST_F(TournamentStore, RefusesOtherSettings) {
  open();
  const Settings right = settings_;
  const std::string holds = "'" + path_ + "' holds a tournament with ",
                    rest = "; expected a new folder, or the same config as in " + path_ + "/tournament.yaml";
  for (const auto& [other, how] : {std::pair(Settings{right.rules, 8, 0}, "'seed: 7', not 'seed: 8'"),
                                   {Settings{right.rules, 7, 0.5}, "'move_time: 0', not 'move_time: 0.5'"},
                                   {Settings{"ante: 2\n", 7, 0}, "'rules.ante: 1', not 'rules.ante: 2'"}}) {
    settings_ = other;
    EXPECT_EQ(refusal<UsageError>(), holds + how + rest);
  }
}

TEST_F(TournamentStore, RefusesFoldersWithOtherThings) {
  fs::create_directory(folder_ / "t");
  write_bytes(folder_ / "t/letter.txt", "hello");
  EXPECT_EQ(
      refusal<UsageError>(),
      "'" + path_ + "' holds 'letter.txt' but no tournament; expected a new folder, or the folder of this tournament");
  EXPECT_FALSE(fs::exists(folder_ / "t/pairs.txt"));
  fs::remove_all(folder_ / "t");
  write_bytes(folder_ / "t", "a file");
  EXPECT_TRUE(refusal<FileError>().starts_with("cannot make folder " + path_ + ": ")) << refusal<FileError>();
}

TEST_F(TournamentStore, IsForOneProcess) {
  const auto store = open();
  EXPECT_EQ(refusal<UsageError>(), "'" + path_ + "': another process is working on this tournament");
}

TEST_F(TournamentStore, AnAlteredRecordIsNamed) {
  const std::string file = path_ + "/pairs.txt";
  {
    const auto store = open();
    store->enter({agent("a"), agent("b")});
    store->put("a", "b", pair(3));
  }
  std::string text = read_bytes(file);
  text.replace(text.find("\"deals\":2"), 9, "\"deals\":3");
  write_bytes(file, text);
  EXPECT_TRUE(refusal<FileError>().starts_with(file + ":5: lines 4 to 5 are damaged: the recorded checksum is "))
      << refusal<FileError>();
  EXPECT_EQ(read_bytes(file), text);
  // Lines as another version of the program might write them.
  for (const char* line : {"{}", "{\"a\": 1}", "[", "{\"agent\": \"a\"}"}) {
    write_bytes(file, std::string(line) + "\nrecords 1\n");
    EXPECT_EQ(refusal<FileError>(), file + ":1: this is not a line of the study; start again in another folder");
  }
}

TEST_F(TournamentStore, AFullDiskLosesNothing) {
  const auto store = open();
  store->enter({agent("a"), agent("b")});
  store->put("a", "b", pair(4));
  {
    const FileLimit limit(fs::file_size(folder_ / "t/pairs.txt") + 10);
    const std::string message = error_message<FileError>([&] { store->enter({agent("c")}); });
    EXPECT_TRUE(message.starts_with("cannot write " + path_ + "/pairs.txt: ")) << message;
    EXPECT_NE(error_message<FileError>([&] { store->put("a", "b", pair(5)); }), "(no error)");
  }
  EXPECT_EQ(store->agents().size(), 2U);
  EXPECT_EQ(store->pair("a", "b")->points.sums(), pair(4).points.sums());
  store->put("a", "b", pair(5));
  EXPECT_EQ(store->pair("a", "b")->points.sums(), pair(5).points.sums()) << "once there is room again";
}

// ---- Databases of earlier versions

TEST_F(TournamentStore, TakesOverADatabase) {
  make_database(kOldDatabase);
  settings_ = {"game: kuhn\ncards: 3\nante: 1\nbet: 1\nraises: 1\n", 3, 0};
  const std::string database = read_bytes(path_ + "/tournament.sqlite");
  for (const bool again : {false, true}) {
    const auto store = open();
    ASSERT_EQ(store->agents().size(), 3U) << again;
    EXPECT_EQ(store->agents()[0].name, "rule");
    EXPECT_FALSE(store->agents()[0].step);
    EXPECT_EQ(store->agents()[2].spec, "runs/a/500");
    EXPECT_EQ(store->agents()[2].file, "runs/a/500.safetensors");
    EXPECT_EQ(store->agents()[2].digest, "9 bytes");
    EXPECT_EQ(store->agents()[2].step, 500);
    const StoredPair pair = *store->pair("rule", "random");
    EXPECT_EQ(pair.deals, 100);
    EXPECT_EQ(pair.hands, 200);
    EXPECT_EQ(pair.points.sums(),
              (ClusteredRatio::Sums{.clusters = 100, .y = 101, .n = 200, .yy = 303, .yn = 202, .nn = 400}));
    EXPECT_EQ(pair.failure, "");
    EXPECT_EQ(store->pair("rule", "step 500")->failure, "it rains");
  }
  EXPECT_EQ(read_bytes(path_ + "/tournament.sqlite"), database);
  // An interrupted import starts again.
  fs::remove(path_ + "/tournament.yaml");
  EXPECT_EQ(open()->agents().size(), 3U);
  settings_.seed = 4;
  EXPECT_TRUE(has(refusal<UsageError>(), "with 'seed: 3', not 'seed: 4'"));
}

TEST_F(TournamentStore, ADamagedDatabaseIsNamed) {
  make_database(kOldDatabase);
  const std::string file = path_ + "/tournament.sqlite", whole = read_bytes(file);
  const std::string damaged = file + " is damaged (", rest = "); start again in another folder";
  write_bytes(file, "This is not a database, but a letter, and a long one, too. " + whole.substr(60));
  EXPECT_EQ(refusal<FileError>(), damaged + "file is not a database" + rest);
  write_bytes(file, whole.substr(0, whole.size() / 2));
  EXPECT_TRUE(refusal<FileError>().starts_with(damaged)) << refusal<FileError>();
  std::string holed = whole;
  std::fill(holed.begin() + 4096, holed.begin() + 8192, 'x');
  write_bytes(file, holed);
  EXPECT_TRUE(refusal<FileError>().starts_with(damaged)) << refusal<FileError>();
  const std::string other = file + " is not a tournament that this version of the program can read";
  write_bytes(file, "");
  EXPECT_TRUE(refusal<FileError>().starts_with(other)) << refusal<FileError>();
  make_database("CREATE TABLE letters (text TEXT)");
  EXPECT_TRUE(refusal<FileError>().starts_with(other)) << refusal<FileError>();
  EXPECT_FALSE(fs::exists(path_ + "/pairs.txt"));
}

}  // namespace
}  // namespace dealer::tournament::store_test
