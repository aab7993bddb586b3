// Trainings of several ranks, each a process, on this machine's loopback.
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <thread>

#include "agents/nn/checkpoints.h"
#include "agents/nn/safetensors.h"
#include "tests/cli/run_dealer.h"
#include "tests/support/child_process.h"

namespace dealer::test::cli_ranks_test {
namespace {

using namespace std::chrono_literals;
using Variables = std::map<std::string, std::string>;

constexpr const char* kConfig = R"(
algorithm: ppo
game: kuhn
hands: 4000
workers: 1
self_play: {tables: 16, steps: 8}
network: {hidden_sizes: [16]}
critic: {hidden_sizes: [16]}
learner: {batch: 128, epochs: 2}
checkpoint: {every_hands: 500, keep: 50}
evaluation: {every_hands: 1000, deals: 20, final_deals: 20, opponents: [random]}
)";

int free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  EXPECT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), length), 0);
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length);
  ::close(socket);
  return ntohs(address.sin_port);
}

// Variables as set by torchrun.
Variables torchrun(int rank, int size, int port) {
  return {{"RANK", std::to_string(rank)}, {"WORLD_SIZE", std::to_string(size)},  {"LOCAL_RANK", "0"},
          {"MASTER_ADDR", "127.0.0.1"},   {"MASTER_PORT", std::to_string(port)}, {"DEALER_RANKS_TIMEOUT", "60"}};
}

class RanksOfTrainingThorough : public CommandInFolder {
 protected:
  struct Rank {
    pid_t process = -1;
    int status = 0;  // after its end: shell-style exit status
    std::string out, err;
  };
  using All = std::vector<Rank>;

  RanksOfTrainingThorough() { write("tiny.yaml", kConfig); }
  ~RanksOfTrainingThorough() override {
    for (const pid_t process : alive_) signal_child(process, SIGKILL);
  }

  Rank start(const std::string& arguments, const Variables& variables) {
    const std::string name = at("rank" + std::to_string(started_++));
    std::string line = "exec env";
    for (const auto& [key, value] : variables) line += ' ' + key + '=' + quoted(value);
    line += std::string(" " + program() + " ") + arguments + " >" + name + ".out 2>" + name + ".err </dev/null";
    Rank rank{::fork(), 0, name + ".out", name + ".err"};
    if (rank.process == 0) {
      ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
      ::_exit(127);
    }
    alive_.push_back(rank.process);
    return rank;
  }
  // With separate variables for each, if given.
  All start_all(int size, const std::string& arguments, const std::vector<Variables>& own = {}) {
    const int port = free_port();
    All ranks;
    for (int r = 0; r < size; ++r) {
      Variables variables = own.empty() ? Variables() : own[static_cast<std::size_t>(r)];
      variables.merge(torchrun(r, size, port));
      ranks.push_back(start(arguments, variables));
    }
    return ranks;
  }
  void wait_all(All& ranks) {
    for (Rank& rank : ranks) {
      int status = 0;
      ::waitpid(rank.process, &status, 0);
      std::erase(alive_, rank.process);
      rank.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      rank.out = read_bytes(rank.out);
      rank.err = read_bytes(rank.err);
    }
  }
  // Kills one; the others must end soon.
  void lose(All& ranks, int victim) {
    const auto start = std::chrono::steady_clock::now();
    signal_child(ranks[static_cast<std::size_t>(victim)].process, SIGKILL);
    wait_all(ranks);
    EXPECT_LT(std::chrono::steady_clock::now() - start, 30s);
    ranks.erase(ranks.begin() + victim);
  }
  // Waits for all to end; returns rank 0's output.
  Json run(int size, const std::string& arguments, const std::vector<Variables>& own = {}) {
    All ranks = start_all(size, arguments + " --json --quiet", own);
    wait_all(ranks);
    for (const Rank& rank : ranks) {
      EXPECT_EQ(rank.status, 0) << rank.err;
      EXPECT_EQ(rank.err, "");
      EXPECT_TRUE(rank.out.empty() || &rank == ranks.data()) << "rank 0 tells";
    }
    return Json::parse(ranks[0].out, nullptr, false);
  }
  // Expects this exit status and a line with these parts.
  static void expect_failed(const Rank& rank, int status, const Words& parts) {
    EXPECT_EQ(rank.status, status) << rank.err;
    expect_parts(rank.err, parts);
    EXPECT_EQ(count(rank.err, "\n"), 1) << rank.err;
  }
  // Waits until a file exists and contains that text.
  static bool wait_for(const std::string& file, const std::string& text) {
    for (int i = 0; i < 6000; ++i) {
      if (fs::exists(file) && contains(read_bytes(file), text)) return true;
      std::this_thread::sleep_for(10ms);
    }
    return false;
  }

  const std::string train_ = "train " + at("tiny.yaml");
  std::vector<pid_t> alive_;
  int started_ = 0;
};

TEST_F(RanksOfTrainingThorough, TrainTogetherAndResumeToTheSameBits) {
  const Json result = run(2, train_ + " --out " + at("whole"));
  EXPECT_GE(result["hands"].get<int>(), 4000);
  EXPECT_EQ(result["interrupted"], false);
  expect_parts(read("whole/log.txt"), {"2 ranks"});
  run(2, train_ + " --out " + at("part"));
  fs::remove(at("part/model.safetensors"));
  auto checkpoints = list_checkpoints(at("part"));
  ASSERT_GT(checkpoints.size(), 3U);
  checkpoints.resize(checkpoints.size() - 2);
  for (const CheckpointFile& later : checkpoints) fs::remove(later.path);
  const std::string resume = "train --resume " + at("part");
  run(2, resume);
  for (const std::string file : {"/metrics.jsonl", "/model.safetensors"})
    EXPECT_EQ(read("part" + file), read("whole" + file)) << file;
  // Finished, on all ranks.
  EXPECT_EQ(run(2, resume)["was_finished"], true);
  // Continues with three, for longer.
  write("part/config.yaml", changed(kConfig, "4000", "6000"));
  EXPECT_GE(run(3, resume)["hands"].get<int>(), 6000);
  EXPECT_EQ(read_safetensors(list_checkpoints(at("part")).front().path).get<std::int64_t>("self_play.begun").size(),
            3U);
}

// The sum of two numbers is the same in either order; if one rank disables shared memory all use Gloo.
TEST_F(RanksOfTrainingThorough, TheSameThroughSharedMemoryAndGloo) {
  for (const std::string wanted : {"00", "11", "01"}) {
    std::vector<Variables> own;
    for (const char each : wanted) own.push_back({{"DEALER_RANKS_SHARED_MEMORY", std::string(1, each)}});
    run(2, train_ + " hands=1000 --out " + at(wanted), own);
    expect_parts(read(wanted + "/log.txt"),
                 {wanted == "11" ? "sums on the processor by shared memory" : "sums on the processor by Gloo"});
    for (const std::string file : {"/metrics.jsonl", "/model.safetensors"})
      EXPECT_EQ(read(wanted + file), read("00" + file)) << file;
  }
}

TEST_F(RanksOfTrainingThorough, TheOfcLearner) {
  const std::string small = "train ofc hands=200 workers=1 self_play.tables=4 learner.batch=32 evaluation.deals=0 ";
  EXPECT_EQ(run(2, small + "evaluation.final_deals=0 --out " + at("ofc"))["interrupted"], false);
}

// Under mpirun on one machine, without MASTER_ADDR.
TEST_F(RanksOfTrainingThorough, OfMpirun) {
  const std::string port = std::to_string(free_port());
  All ranks;
  for (const char* rank : {"0", "1"})
    ranks.push_back(start(train_ + " --quiet --out " + at("run"), {{"OMPI_COMM_WORLD_RANK", rank},
                                                                   {"OMPI_COMM_WORLD_SIZE", "2"},
                                                                   {"OMPI_COMM_WORLD_LOCAL_RANK", rank},
                                                                   {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
                                                                   {"MASTER_PORT", port}}));
  wait_all(ranks);
  for (const Rank& rank : ranks) EXPECT_EQ(rank.status, 0) << rank.err;
}

TEST_F(RanksOfTrainingThorough, ALostRankStopsTheOthers) {
  for (const int victim : {1, 0}) {
    const std::string run = at("lost" + std::to_string(victim));
    All ranks = start_all(3, train_ + " hands=1000000000 evaluation.deals=0 --quiet --out " + run);
    ASSERT_TRUE(wait_for(run + "/metrics.jsonl", "\"step\":30,")) << read_bytes(ranks[0].err);
    lose(ranks, victim);
    for (const Rank& rank : ranks)
      expect_failed(rank, 1,
                    {fmt::format("dealer: rank {} on ", victim), " was lost; stopped after ",
                     "dealer train --resume " + run + '\n'});
    EXPECT_EQ(contains(read_bytes(run + "/log.txt"), "rank 1 on "), victim == 1);
    ASSERT_FALSE(list_checkpoints(run).empty());
    EXPECT_NO_THROW(read_safetensors(list_checkpoints(run).front().path));
  }
  All rest = start_all(2, "train --resume " + at("lost1"));
  ASSERT_TRUE(wait_for(at("lost1/log.txt"), "resumed after ")) << "the others wait for rank 0";
  for (const Rank& rank : rest) signal_child(rank.process, SIGTERM);
  wait_all(rest);
}

// While rank 0 plays matches and the others wait.
TEST_F(RanksOfTrainingThorough, AlsoWhileRankZeroEvaluates) {
  for (const int victim : {1, 0}) {
    const std::string run = at("evaluated" + std::to_string(victim));
    All ranks = start_all(2, train_ + " hands=500 evaluation.final_deals=10000000 --quiet --out " + run);
    ASSERT_TRUE(wait_for(run + "/model.safetensors", "")) << read_bytes(ranks[0].err);
    std::this_thread::sleep_for(200ms);
    lose(ranks, victim);
    expect_failed(ranks[0], 1, {fmt::format("dealer: rank {} on ", victim)});
  }
}

// A signal to any of them.
TEST_F(RanksOfTrainingThorough, StopAndSaveWhenOneIsAsked) {
  for (const auto& [run, overrides, file, text] :
       {std::tuple("playing", " hands=1000000000 evaluation.deals=0", "/metrics.jsonl", "\"step\":3,"),
        {"evaluating", " hands=500 evaluation.final_deals=10000000", "/model.safetensors", ""}}) {
    All ranks = start_all(2, train_ + overrides + " --quiet --out " + at(run));
    ASSERT_TRUE(wait_for(at(run) + file, text));
    signal_child(ranks[1].process, SIGTERM);
    wait_all(ranks);
    for (const Rank& rank : ranks) EXPECT_EQ(rank.status, 128 + SIGTERM) << rank.err;
    expect_parts(ranks[0].err, {"stopped and saved; continue with: dealer train --resume " + at(run)});
    EXPECT_EQ(ranks[1].err, "");
    EXPECT_FALSE(list_checkpoints(at(run)).empty());
  }
}

TEST_F(RanksOfTrainingThorough, MisuseIsOneLine) {
  const auto refused = [&](Variables variables, const std::string& key, const std::string& value, int status,
                           const std::string& message) {
    if (!key.empty()) variables[key] = value;
    All ranks = {start(train_ + " --quiet --out " + at("none"), variables)};
    wait_all(ranks);
    expect_failed(ranks[0], status, {message});
    EXPECT_FALSE(fs::exists(at("none")));
  };
  const Variables one = torchrun(1, 2, free_port());
  refused(one, "RANK", "one", 2, "RANK is 'one'");
  refused(one, "RANK", "2", 2, "RANK is 2 and WORLD_SIZE is 2");
  refused(one, "MASTER_ADDR", "", 2, "MASTER_ADDR is not set");
  refused(one, "DEALER_RANKS_TIMEOUT", "1", 1, "no answer at 127.0.0.1:");
  refused(torchrun(0, 2, free_port()), "DEALER_RANKS_TIMEOUT", "1", 1, "of 2 ranks 1 did not connect within 1 s");
  // A port in use.
  const int socket = ::socket(AF_INET6, SOCK_STREAM, 0);
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  socklen_t length = sizeof address;
  ASSERT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), length), 0);
  ASSERT_EQ(::listen(socket, 1), 0);
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length);
  refused(torchrun(0, 2, ntohs(address.sin6_port)), "", "", 1, "rank 0 cannot listen on port");
  ::close(socket);
}

TEST_F(RanksOfTrainingThorough, MustAgree) {
  for (const auto& [first, second, message] :
       {std::tuple("", " learner.batch=64", "learner.batch: 64 instead of learner.batch: 128"),
        {"", " handz=4", "did you mean 'hands'?"},
        {" handz=4", "", "did you mean 'hands'?"}}) {
    const int port = free_port();
    All ranks = {start(train_ + first + " --quiet --out " + at("none"), torchrun(0, 2, port)),
                 start(train_ + second + " --quiet --out " + at("none"), torchrun(1, 2, port))};
    wait_all(ranks);
    for (const Rank& rank : ranks) expect_failed(rank, 2, {message});
    EXPECT_FALSE(fs::exists(at("none")));
  }
  // All ranks report the failure of one.
  fs::create_directories(at("taken"));
  write("taken/file", "");
  All ranks = start_all(2, train_ + " --quiet --out " + at("taken"));
  wait_all(ranks);
  for (const Rank& rank : ranks) EXPECT_EQ(rank.status, 2);
  expect_parts(ranks[0].err, {"the folder is not empty"});
  expect_parts(ranks[1].err, {"rank 0 on ", "the folder is not empty"});
}

}  // namespace
}  // namespace dealer::test::cli_ranks_test
