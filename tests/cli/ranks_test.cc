// Trainings of several ranks, each a process, on this machine's loopback.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "agents/nn/checkpoints.h"
#include "agents/nn/safetensors.h"
#include "tests/cli/run_dealer.h"
#include "tests/support/temp_folder.h"

namespace dealer {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::contains;
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

// As torchrun sets them.
Variables torchrun(int rank, int size, int port) {
  return {{"RANK", std::to_string(rank)}, {"WORLD_SIZE", std::to_string(size)},  {"LOCAL_RANK", "0"},
          {"MASTER_ADDR", "127.0.0.1"},   {"MASTER_PORT", std::to_string(port)}, {"DEALER_RANKS_TIMEOUT", "60"}};
}

class RanksOfTraining : public testing::Test {
 protected:
  struct Rank {
    pid_t process = -1;
    int status = 0;  // once it has ended: as a shell says it
    std::string out, err;
  };

  RanksOfTraining() { test::write_bytes(config_, kConfig); }
  ~RanksOfTraining() override {
    for (const pid_t process : alive_) ::kill(process, SIGKILL);
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  Rank start(const std::string& arguments, const Variables& variables) {
    const std::string name = path("rank" + std::to_string(started_++));
    std::string line = "exec env";
    for (const auto& [key, value] : variables) line += ' ' + key + '=' + test::quoted(value);
    line += std::string(" " DEALER_PROGRAM " ") + arguments + " >" + name + ".out 2>" + name + ".err </dev/null";
    Rank rank{::fork(), 0, name + ".out", name + ".err"};
    if (rank.process == 0) {
      ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
      ::_exit(127);
    }
    alive_.push_back(rank.process);
    return rank;
  }
  void wait(Rank& rank) {
    int status = 0;
    ::waitpid(rank.process, &status, 0);
    std::erase(alive_, rank.process);
    rank.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    rank.out = test::read_bytes(rank.out);
    rank.err = test::read_bytes(rank.err);
  }
  std::vector<Rank> start_all(int size, const std::string& arguments, const Variables& more = {}) {
    const int port = free_port();
    std::vector<Rank> ranks;
    for (int r = 0; r < size; ++r) {
      Variables variables = torchrun(r, size, port);
      variables.insert(more.begin(), more.end());
      ranks.push_back(start(arguments, variables));
    }
    return ranks;
  }
  void wait_all(std::vector<Rank>& ranks) {
    for (Rank& rank : ranks) wait(rank);
  }
  // To the end; rank 0's output.
  nlohmann::json run(int size, const std::string& arguments, const Variables& more = {}) {
    std::vector<Rank> ranks = start_all(size, arguments + " --json --quiet", more);
    wait_all(ranks);
    for (const Rank& rank : ranks) {
      EXPECT_EQ(rank.status, 0) << rank.err;
      EXPECT_EQ(rank.err, "");
    }
    for (std::size_t r = 1; r < ranks.size(); ++r) EXPECT_EQ(ranks[r].out, "") << "rank 0 tells";
    return nlohmann::json::parse(ranks[0].out, nullptr, false);
  }
  // Until a file has that text in it.
  static bool wait_for(const std::string& file, const std::string& text) {
    for (int i = 0; i < 6000; ++i) {
      std::ifstream stream(file);
      if (stream && contains({std::istreambuf_iterator<char>(stream), {}}, text)) return true;
      std::this_thread::sleep_for(10ms);
    }
    return false;
  }

  const test::TempFolder folder_;
  const std::string config_ = path("tiny.yaml");
  std::vector<pid_t> alive_;
  int started_ = 0;
};

TEST_F(RanksOfTraining, TrainTogetherAndResumeToTheSameBits) {
  const nlohmann::json result = run(2, "train " + config_ + " --out " + path("whole"));
  EXPECT_GE(result["hands"].get<int>(), 4000);
  EXPECT_EQ(result["interrupted"], false);
  EXPECT_TRUE(contains(test::read_bytes(path("whole") + "/log.txt"), "2 ranks"));
  run(2, "train " + config_ + " --out " + path("part"));
  fs::remove(path("part") + "/model.safetensors");
  auto checkpoints = list_checkpoints(path("part"));
  ASSERT_GT(checkpoints.size(), 3U);
  checkpoints.resize(checkpoints.size() - 2);
  for (const CheckpointFile& later : checkpoints) fs::remove(later.path);
  run(2, "train --resume " + path("part"));
  for (const char* file : {"metrics.jsonl", "model.safetensors"})
    EXPECT_EQ(test::read_bytes(folder_ / "part" / file), test::read_bytes(folder_ / "whole" / file)) << file;
  // Finished, for all.
  EXPECT_EQ(run(2, "train --resume " + path("part"))["was_finished"], true);
  // And on with three, for longer.
  std::ofstream(path("part") + "/config.yaml")
      << std::string(kConfig).replace(std::string(kConfig).find("4000"), 4, "6000");
  EXPECT_GE(run(3, "train --resume " + path("part"))["hands"].get<int>(), 6000);
  EXPECT_EQ(read_safetensors(list_checkpoints(path("part")).front().path).get<std::int64_t>("self_play.begun").size(),
            3U);
}

// Of two numbers the sum is the same in either order.
TEST_F(RanksOfTraining, TheSameThroughSharedMemoryAndGloo) {
  for (const char* shared : {"0", "1"})
    run(2, "train " + config_ + " hands=1000 --out " + path(shared), {{"DEALER_RANKS_SHARED_MEMORY", shared}});
  // One that does not want it is enough.
  const int port = free_port();
  std::vector<Rank> ranks;
  for (int r = 0; r < 2; ++r) {
    Variables variables = torchrun(r, 2, port);
    variables["DEALER_RANKS_SHARED_MEMORY"] = std::to_string(r);
    ranks.push_back(start("train " + config_ + " hands=1000 --quiet --out " + path("one"), variables));
  }
  wait_all(ranks);
  EXPECT_TRUE(contains(test::read_bytes(path("one") + "/log.txt"), "2 ranks, sums on the processor by Gloo"));
  for (const char* file : {"metrics.jsonl", "model.safetensors"})
    EXPECT_EQ(test::read_bytes(folder_ / "0" / file), test::read_bytes(folder_ / "1" / file)) << file;
  EXPECT_TRUE(contains(test::read_bytes(path("0") + "/log.txt"), "2 ranks, sums on the processor by Gloo"));
  EXPECT_TRUE(contains(test::read_bytes(path("1") + "/log.txt"), "2 ranks, sums on the processor by shared memory"));
}

TEST_F(RanksOfTraining, TheOfcLearner) {
  EXPECT_EQ(run(2,
                "train ofc hands=200 workers=1 self_play.tables=4 learner.batch=32 evaluation.deals=0 "
                "evaluation.final_deals=0 --out " +
                    path("ofc"))["interrupted"],
            false);
}

// Under mpirun on one machine, without MASTER_ADDR.
TEST_F(RanksOfTraining, OfMpirun) {
  const std::string port = std::to_string(free_port());
  std::vector<Rank> ranks;
  for (const char* rank : {"0", "1"})
    ranks.push_back(start("train " + config_ + " --quiet --out " + path("run"), {{"OMPI_COMM_WORLD_RANK", rank},
                                                                                 {"OMPI_COMM_WORLD_SIZE", "2"},
                                                                                 {"OMPI_COMM_WORLD_LOCAL_RANK", rank},
                                                                                 {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
                                                                                 {"MASTER_PORT", port}}));
  wait_all(ranks);
  for (const Rank& rank : ranks) EXPECT_EQ(rank.status, 0) << rank.err;
}

TEST_F(RanksOfTraining, ALostRankStopsTheOthers) {
  for (const int victim : {1, 0}) {
    const std::string run = path("lost" + std::to_string(victim));
    std::vector<Rank> ranks =
        start_all(3, "train " + config_ + " hands=1000000000 evaluation.deals=0 --quiet --out " + run);
    ASSERT_TRUE(wait_for(run + "/metrics.jsonl", "\"step\":30,")) << test::read_bytes(ranks[0].err);
    const auto start = std::chrono::steady_clock::now();
    ::kill(ranks[static_cast<std::size_t>(victim)].process, SIGKILL);
    wait_all(ranks);
    EXPECT_LT(std::chrono::steady_clock::now() - start, 30s);
    for (int r = 0; r < 3; ++r) {
      const Rank& rank = ranks[static_cast<std::size_t>(r)];
      if (r == victim) continue;
      EXPECT_EQ(rank.status, 1);
      EXPECT_TRUE(rank.err.starts_with(fmt::format("dealer: rank {} on ", victim))) << rank.err;
      EXPECT_TRUE(contains(rank.err, " was lost; stopped after ")) << rank.err;
      EXPECT_TRUE(contains(rank.err, "dealer train --resume " + run + '\n')) << rank.err;
      EXPECT_EQ(std::count(rank.err.begin(), rank.err.end(), '\n'), 1) << rank.err;
    }
    EXPECT_EQ(contains(test::read_bytes(run + "/log.txt"), "rank 1 on "), victim == 1);
    ASSERT_FALSE(list_checkpoints(run).empty());
    EXPECT_NO_THROW(read_safetensors(list_checkpoints(run).front().path));
  }
  std::vector<Rank> rest = start_all(2, "train --resume " + path("lost1"));
  ASSERT_TRUE(wait_for(path("lost1") + "/log.txt", "resumed after ")) << "the others wait for rank 0";
  for (const Rank& rank : rest) ::kill(rank.process, SIGTERM);
  wait_all(rest);
}

// The gradient is the same on all, so all end, whoever is first.
TEST_F(RanksOfTraining, AllEndWhereTheLearnerDiverges) {
  for (const std::string overlap : {"false", "true"}) {
    const std::string folder = path("diverged-" + overlap);
    run(2, "train " + config_ + " hands=500 self_play.overlap=" + overlap + " --out " + folder);
    // A critic whose weights are finite, but too large for what they are multiplied with.
    const fs::path last = list_checkpoints(folder).front().path;
    TensorFile file = read_safetensors(last);
    auto& weights = std::get<std::vector<float>>(file.tensors.at("critic.averages.critic.0.weight").data);
    std::fill(weights.begin(), weights.end(), 3e38F);
    write_safetensors(last, file);
    const std::string config = test::read_bytes(folder + "/config.yaml"), hands = "hands: 500\n";
    ASSERT_TRUE(contains(config, hands));
    test::write_bytes(folder + "/config.yaml",
                      std::string(config).replace(config.find(hands), hands.size(), "hands: 100000000\n"));
    const auto start = std::chrono::steady_clock::now();
    std::vector<Rank> ranks = start_all(2, "train --resume " + folder + " --quiet");
    wait_all(ranks);
    EXPECT_LT(std::chrono::steady_clock::now() - start, 60s);
    for (const Rank& rank : ranks) {
      EXPECT_EQ(rank.status, 1);
      EXPECT_TRUE(contains(rank.err, "the gradient norm of the player is nan in update ")) << rank.err;
      EXPECT_TRUE(contains(rank.err, "the last good checkpoint is " + last.string())) << rank.err;
      EXPECT_EQ(std::count(rank.err.begin(), rank.err.end(), '\n'), 1) << rank.err;
    }
    EXPECT_EQ(list_checkpoints(folder).front().path, last);
  }
}

// While rank 0 plays matches and the others wait.
TEST_F(RanksOfTraining, AlsoWhileRankZeroEvaluates) {
  for (const int victim : {1, 0}) {
    const std::string run = path("evaluated" + std::to_string(victim));
    std::vector<Rank> ranks =
        start_all(2, "train " + config_ + " hands=500 evaluation.final_deals=10000000 --quiet --out " + run);
    ASSERT_TRUE(wait_for(run + "/model.safetensors", "")) << test::read_bytes(ranks[0].err);
    std::this_thread::sleep_for(200ms);
    ::kill(ranks[static_cast<std::size_t>(victim)].process, SIGKILL);
    wait_all(ranks);
    const Rank& other = ranks[static_cast<std::size_t>(1 - victim)];
    EXPECT_EQ(other.status, 1);
    EXPECT_TRUE(other.err.starts_with(fmt::format("dealer: rank {} on ", victim))) << other.err;
  }
}

// A signal to any of them.
TEST_F(RanksOfTraining, StopAndSaveWhenOneIsAsked) {
  for (const bool evaluating : {false, true}) {
    const std::string run = path(evaluating ? "asked" : "asked_evaluating");
    std::vector<Rank> ranks = start_all(
        2, "train " + config_ +
               (evaluating ? " hands=500 evaluation.final_deals=10000000" : " hands=1000000000 evaluation.deals=0") +
               " --quiet --out " + run);
    ASSERT_TRUE(evaluating ? wait_for(run + "/model.safetensors", "")
                           : wait_for(run + "/metrics.jsonl", "\"step\":3,"));
    ::kill(ranks[1].process, SIGTERM);
    wait_all(ranks);
    for (const Rank& rank : ranks) EXPECT_EQ(rank.status, 128 + SIGTERM) << rank.err;
    EXPECT_TRUE(contains(ranks[0].err, "stopped and saved; go on with: dealer train --resume " + run));
    EXPECT_EQ(ranks[1].err, "");
    EXPECT_FALSE(list_checkpoints(run).empty());
  }
}

TEST_F(RanksOfTraining, MisuseIsOneLine) {
  const auto refused = [&](Variables variables, const std::string& by, int status, const std::string& message) {
    const auto [key, value] = std::pair(by.substr(0, by.find('=')), by.substr(by.find('=') + 1));
    if (!key.empty()) variables[key] = value;
    Rank rank = start("train " + config_ + " --quiet --out " + path("none"), variables);
    wait(rank);
    EXPECT_EQ(rank.status, status) << rank.err;
    EXPECT_TRUE(contains(rank.err, message)) << rank.err;
    EXPECT_EQ(std::count(rank.err.begin(), rank.err.end(), '\n'), 1) << rank.err;
    EXPECT_FALSE(fs::exists(path("none")));
  };
  const Variables one = torchrun(1, 2, free_port());
  refused(one, "RANK=one", 2, "RANK is 'one'");
  refused(one, "RANK=2", 2, "RANK is 2 and WORLD_SIZE is 2");
  refused(one, "MASTER_ADDR=", 2, "MASTER_ADDR is not set");
  refused(one, "DEALER_RANKS_TIMEOUT=1", 1, "nobody answers at 127.0.0.1:");
  refused(torchrun(0, 2, free_port()), "DEALER_RANKS_TIMEOUT=1", 1, "of 2 ranks 1 did not come within 1 s");
  // A port that is taken.
  const int socket = ::socket(AF_INET6, SOCK_STREAM, 0);
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  socklen_t length = sizeof address;
  ASSERT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), length), 0);
  ASSERT_EQ(::listen(socket, 1), 0);
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length);
  refused(torchrun(0, 2, ntohs(address.sin6_port)), "", 1, "rank 0 cannot listen on port");
  ::close(socket);
}

TEST_F(RanksOfTraining, MustAgree) {
  const auto differ = [&](const std::string& first, const std::string& other, int status, const std::string& message) {
    const int port = free_port();
    std::vector<Rank> ranks = {start(first + " --quiet --out " + path("none"), torchrun(0, 2, port)),
                               start(other + " --quiet --out " + path("none"), torchrun(1, 2, port))};
    wait_all(ranks);
    for (const Rank& rank : ranks) {
      EXPECT_EQ(rank.status, status) << rank.err;
      EXPECT_TRUE(contains(rank.err, message)) << rank.err;
      EXPECT_EQ(std::count(rank.err.begin(), rank.err.end(), '\n'), 1) << rank.err;
    }
    EXPECT_FALSE(fs::exists(path("none")));
  };
  const std::string train = "train " + config_;
  differ(train, train + " learner.batch=64", 2, "learner.batch: 64 instead of learner.batch: 128");
  differ(train, train + " handz=4", 2, "did you mean 'hands'?");
  differ(train + " handz=4", train, 2, "did you mean 'hands'?");
  // A failure of one is told by all.
  fs::create_directories(path("taken"));
  test::write_bytes(path("taken") + "/file", "");
  std::vector<Rank> ranks = start_all(2, train + " --quiet --out " + path("taken"));
  wait_all(ranks);
  EXPECT_EQ(ranks[0].status, 2);
  EXPECT_EQ(ranks[1].status, 2);
  EXPECT_TRUE(contains(ranks[0].err, "the folder is not empty")) << ranks[0].err;
  EXPECT_TRUE(contains(ranks[1].err, "rank 0 on ") && contains(ranks[1].err, "the folder is not empty"))
      << ranks[1].err;
}

}  // namespace
}  // namespace dealer
