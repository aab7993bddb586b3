#include "train/ranks.h"

#include <unistd.h>

#include "tests/support/testing.h"
#include "tests/support/thread_ranks.h"
#include "train/agreement.h"
#include "train/rank_place.h"
#include "train/schedule.h"
#include "train/shared_sum.h"

namespace dealer::train_ranks_test {
namespace {

using test::error_message;

using Variables = std::map<std::string, std::string>;

RankPlace place(const Variables& variables) {
  return find_rank_place([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

std::string refused(const Variables& variables) {
  return error_message<UsageError>([&] { place(variables); });
}

// Rank, number of ranks, local rank, meeting point.
std::string observed(const Variables& variables) {
  const RankPlace found = place(variables);
  return fmt::format("{} of {}, {}, {}:{}", found.rank, found.size, found.local_rank, found.host, found.port);
}

Variables changed(Variables variables, const Variables& by) {
  for (const auto& [name, value] : by)
    if (value == "-")
      variables.erase(name);
    else
      variables[name] = value;
  return variables;
}

const Variables kTorchrun = {
    {"RANK", "3"}, {"WORLD_SIZE", "4"}, {"LOCAL_RANK", "1"}, {"MASTER_ADDR", "node01"}, {"MASTER_PORT", "29400"}};
const Variables kSlurm = {{"SLURM_PROCID", "5"},       {"SLURM_NTASKS", "8"},
                          {"SLURM_LOCALID", "2"},      {"SLURM_STEP_ID", "1"},
                          {"SLURM_JOB_ID", "1234567"}, {"SLURM_JOB_NODELIST", "node[03-05,9],login"}};
const Variables kOpenMpi = {{"OMPI_COMM_WORLD_RANK", "1"},
                            {"OMPI_COMM_WORLD_SIZE", "2"},
                            {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                            {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
                            {"PMIX_NAMESPACE", "3811115009"}};

TEST(RankPlace, OneRankWhereNobodySays) {
  for (const Variables& variables :
       {Variables{}, Variables{{"MASTER_ADDR", "node01"}}, Variables{{"RANK", ""}, {"WORLD_SIZE", ""}},
        Variables{{"RANK", "0"}, {"WORLD_SIZE", "1"}}, changed(kSlurm, {{"SLURM_STEP_ID", "-"}}),
        changed(kSlurm, {{"SLURM_STEP_ID", "4294967290"}}), changed(kSlurm, {{"SLURM_STEP_ID", "4294967291"}}),
        changed(kSlurm, {{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "1"}})}) {
    const RankPlace alone = place(variables);
    EXPECT_TRUE(alone.size == 1 && alone.rank == 0 && alone.host.empty()) << observed(variables);
    EXPECT_EQ(alone.timeout, 30);
    EXPECT_TRUE(alone.shared_memory);
  }
}

TEST(RankPlace, Torchruns) {
  EXPECT_EQ(observed(kTorchrun), "3 of 4, 1, node01:29400");
  EXPECT_FALSE(place(kTorchrun).store_is_there);
  const RankPlace again = place(changed(
      kTorchrun,
      {{"TORCHELASTIC_USE_AGENT_STORE", "True"}, {"TORCHELASTIC_RESTART_COUNT", "2"}, {"DEALER_RANKS_TIMEOUT", "90"}}));
  EXPECT_TRUE(again.store_is_there && again.shared_memory);
  EXPECT_EQ(again.attempt, "2");
  EXPECT_EQ(again.timeout, 90);
  EXPECT_FALSE(place(changed(kTorchrun, {{"DEALER_RANKS_SHARED_MEMORY", "0"}})).shared_memory);
  // Inside an allocation torchrun's own variables take precedence.
  EXPECT_EQ(place(changed(changed(kSlurm, kOpenMpi), kTorchrun)).rank, 3);
}

TEST(RankPlace, Slurms) {
  const int port = 10'000 + (1234567 * 16 + 1) % 20'000;
  EXPECT_EQ(observed(kSlurm), fmt::format("5 of 8, 2, node03:{}", port));
  EXPECT_NE(place(changed(kSlurm, {{"SLURM_STEP_ID", "2"}})).port, port) << "steps side by side";
  EXPECT_EQ(observed(changed(kSlurm, {{"SLURM_STEP_NUM_TASKS", "6"}, {"SLURM_STEP_NODELIST", "login"}})),
            fmt::format("5 of 6, 2, login:{}", port));
  EXPECT_EQ(observed(changed(kSlurm, {{"MASTER_ADDR", "10.0.0.1"}, {"MASTER_PORT", "4000"}})),
            "5 of 8, 2, 10.0.0.1:4000");
}

TEST(RankPlace, OpenMpis) {
  const RankPlace here = place(kOpenMpi);
  EXPECT_EQ(observed(kOpenMpi), fmt::format("1 of 2, 1, 127.0.0.1:{}", here.port));
  EXPECT_GE(here.port, 10'000);
  EXPECT_LT(here.port, 30'000);
  EXPECT_NE(place(changed(kOpenMpi, {{"PMIX_NAMESPACE", "3811115010"}})).port, here.port) << "jobs side by side";
  const Variables apart = changed(kOpenMpi, {{"OMPI_COMM_WORLD_LOCAL_SIZE", "1"}});
  EXPECT_EQ(place(changed(apart, {{"MASTER_ADDR", "node01"}})).host, "node01");
  // mpirun's daemons are steps of Slurm, whose variables are not the ranks'.
  EXPECT_EQ(place(changed(apart, kSlurm)).rank, 1);
  EXPECT_EQ(place(changed(apart, kSlurm)).host, "node03");
  EXPECT_TRUE(test::has(refused(apart), "mpirun -x MASTER_ADDR=HOST"));
}

TEST(RankPlace, NamesTheVariableThatIsWrong) {
  for (const auto& [by, message] : std::vector<std::pair<Variables, std::string>>{
           {{{"RANK", "two"}}, "RANK is 'two'; expected a whole number from 0 to 65536"},
           {{{"RANK", "-1"}}, "RANK is '-1'; expected a whole number from 0 to 65536"},
           {{{"RANK", "4"}}, "RANK is 4 and WORLD_SIZE is 4; expected a rank below the number of ranks"},
           {{{"WORLD_SIZE", "0"}}, "WORLD_SIZE is '0'; expected a whole number from 1 to 65536"},
           {{{"WORLD_SIZE", "4 "}}, "WORLD_SIZE is '4 '; expected a whole number from 1 to 65536"},
           {{{"LOCAL_RANK", "x"}}, "LOCAL_RANK is 'x'; expected a whole number from 0 to 65536"},
           {{{"MASTER_ADDR", "-"}}, "WORLD_SIZE is 4, but MASTER_ADDR is not set; expected the machine of rank 0"},
           {{{"MASTER_PORT", "-"}},
            "WORLD_SIZE is 4, but MASTER_PORT is not set; expected a free port of rank 0's machine"},
           {{{"MASTER_PORT", "70000"}}, "MASTER_PORT is '70000'; expected a whole number from 1 to 65535"},
           {{{"DEALER_RANKS_TIMEOUT", "0"}}, "DEALER_RANKS_TIMEOUT is '0'; expected a whole number from 1 to 86400"},
           {{{"DEALER_RANKS_SHARED_MEMORY", "no"}},
            "DEALER_RANKS_SHARED_MEMORY is 'no'; expected a whole number from 0 to 1"},
       })
    EXPECT_EQ(refused(changed(kTorchrun, by)), message);
  EXPECT_EQ(refused(changed(kTorchrun, {{"RANK", "-"}})).rfind("WORLD_SIZE is set, but not RANK", 0), 0U);
  EXPECT_EQ(refused(changed(kTorchrun, {{"WORLD_SIZE", "-"}})).rfind("RANK is set, but not WORLD_SIZE", 0), 0U);
  EXPECT_EQ(refused(changed(kOpenMpi, {{"OMPI_COMM_WORLD_SIZE", "1"}})),
            "OMPI_COMM_WORLD_RANK is 1 and OMPI_COMM_WORLD_SIZE is 1; expected a rank below the number of ranks");
  EXPECT_EQ(refused(changed(kSlurm, {{"SLURM_JOB_NODELIST", "-"}})).rfind("neither SLURM_STEP_NODELIST", 0), 0U);
}

TEST(RankPlace, TheFirstOfSlurmsMachines) {
  for (const auto& [list, host] :
       std::vector<std::pair<std::string, std::string>>{{"node7", "node7"},
                                                        {"a,b", "a"},
                                                        {"node[03-05,9]", "node03"},
                                                        {"node[9,03-05]", "node9"},
                                                        {"rack[1-2]node[007-9]-ib,x", "rack1node007-ib"},
                                                        {"n-1.cluster.org,n-2", "n-1.cluster.org"}})
    EXPECT_EQ(first_host(list), host);
  for (const char* list : {"", ",a", "node[", "node[]", "node[a-b]", "node]3", "node[-3]"})
    EXPECT_TRUE(test::refuses<UsageError>("Slurm's 'node[03-05,9],login'", [&] { first_host(list); })) << list;
}

TEST(SharedBatches, OneRankHasThemAsItAlwaysHad) {
  const std::vector<std::size_t> samples = {103};
  const SharedBatches all(samples, 0, 10, false), whole(samples, 0, 10, true);
  ASSERT_EQ(all.count(), 10U);
  ASSERT_EQ(whole.count(), 10U);
  for (std::size_t b = 0; b < 10; ++b) {
    EXPECT_EQ(all.begin(b), 103 * b / 10);
    EXPECT_EQ(all.end(b), 103 * (b + 1) / 10);
    EXPECT_EQ(whole.begin(b), 10 * b);
    EXPECT_EQ(whole.end(b), 10 * (b + 1));
    EXPECT_EQ(whole.size(b), 10U);
  }
}

TEST(SharedBatches, RanksMakeTheSameUpdatesOfAllTheirSamples) {
  const std::vector<std::size_t> samples = {40, 0, 7, 53};
  for (const bool whole : {false, true}) {
    std::vector<std::size_t> seen(4);
    for (int rank = 0; rank < 4; ++rank) {
      const SharedBatches batches(samples, rank, 30, whole);
      ASSERT_EQ(batches.count(), 3U);
      for (std::size_t b = 0; b < 3; ++b) {
        EXPECT_EQ(batches.begin(b), b == 0 ? 0 : batches.end(b - 1));
        seen[b] += batches.end(b) - batches.begin(b);
        EXPECT_NEAR(static_cast<double>(batches.size(b)), whole ? 30 : 100 / 3.0, 3);
        seen[3] = batches.end(b);
      }
      EXPECT_EQ(seen[3], whole ? samples[at(rank)] * 90 / 100 : samples[at(rank)]);
    }
    for (std::size_t b = 0; b < 3; ++b) EXPECT_EQ(seen[b], SharedBatches(samples, 0, 30, whole).size(b));
  }
}

TEST(SharedBatches, TooFewSamples) {
  const std::vector<std::size_t> few = {3, 4}, none = {0, 0};
  EXPECT_EQ(SharedBatches(few, 1, 10, false).count(), 1U);
  EXPECT_EQ(SharedBatches(few, 1, 10, false).end(0), 4U);
  EXPECT_EQ(SharedBatches(few, 1, 10, true).count(), 0U);
  EXPECT_EQ(SharedBatches(none, 0, 10, false).count(), 0U);
}

TEST(Agreement, SaysWhatDiffers) {
  const std::string first = "seed: 1\nlearner:\n  batch: 32\n  epochs: 2\n";
  EXPECT_EQ(first_difference(first, first), "");
  EXPECT_EQ(first_difference(first, "seed: 2\nlearner:\n  batch: 32\n  epochs: 2\n"), "seed: 2 instead of seed: 1");
  EXPECT_EQ(first_difference(first, "seed: 1\nlearner:\n  batch: 64\n  epochs: 2\n"),
            "learner.batch: 64 instead of learner.batch: 32");
  EXPECT_EQ(first_difference(first, "seed: 1\nlearner:\n  batch: 32\n"), "nothing instead of learner.epochs: 2");
}

TEST(Ranks, TheirWeightsAreCompared) {
  EXPECT_NO_THROW(check_weights(single_rank(), 1, 7, 7));
  EXPECT_TRUE(test::refuses<Error>("differ: expected one build", [] { check_weights(single_rank(), 1, 7, 8); }));
}

Schedule read(const std::string& text) {
  Config config = Config::parse(text, "test.yaml");
  const Schedule schedule = read_schedule(config, "entropy", {0.5, 0.1, Schedule::Shape::kLinear}, 0, 10);
  config.finish();
  return schedule;
}

TEST(Schedule, HasTheShapesOfItsNames) {
  using Shape = Schedule::Shape;
  EXPECT_EQ((Schedule{2, 1, Shape::kConstant}).at(0.7, 9), 2);
  EXPECT_DOUBLE_EQ((Schedule{2, 1, Shape::kLinear}).at(0.25, 9), 1.75);
  EXPECT_DOUBLE_EQ((Schedule{2, 1, Shape::kCosine}).at(0, 9), 2);
  EXPECT_DOUBLE_EQ((Schedule{2, 1, Shape::kCosine}).at(0.5, 9), 1.5);
  EXPECT_DOUBLE_EQ((Schedule{2, 1, Shape::kCosine}).at(1, 9), 1);
  EXPECT_DOUBLE_EQ((Schedule{4, 1, Shape::kExponential}).at(0.5, 9), 2);
  EXPECT_DOUBLE_EQ((Schedule{6, 1, Shape::kInverseRoot}).at(0.5, 9), 2);
  EXPECT_DOUBLE_EQ((Schedule{6, 1, Shape::kInverseRoot}).at(0.5, 100), 1);
  // Constant beyond the end.
  EXPECT_DOUBLE_EQ((Schedule{2, 1, Shape::kLinear}).at(3, 9), 1);
}

TEST(Schedule, IsReadFromASection) {
  const Schedule fallback = read("");
  EXPECT_EQ(fallback.first, 0.5);
  EXPECT_EQ(fallback.last, 0.1);
  EXPECT_EQ(fallback.shape, Schedule::Shape::kLinear);
  const Schedule other = read("entropy: {first: 3, last: 2, shape: cosine}");
  EXPECT_EQ(other.first, 3);
  EXPECT_EQ(other.last, 2);
  EXPECT_EQ(other.shape, Schedule::Shape::kCosine);
  EXPECT_EQ(read("entropy: {first: 3}").last, 3) << "one number alone does not change";
  const Schedule stays = read("entropy: 0.25");
  EXPECT_EQ(stays.at(0, 1), 0.25);
  EXPECT_EQ(stays.at(1, 100), 0.25);
}

TEST(Schedule, RefusesWhatIsNone) {
  const auto message = [](const std::string& text) { return test::error_message<ConfigError>([&] { read(text); }); };
  EXPECT_TRUE(test::has(message("entropy: {first: 11}"), "0 to 10"));
  EXPECT_TRUE(test::has(message("entropy: {shape: round}"), "inverse_root"));
  EXPECT_TRUE(test::has(message("entropy: 11"), "0 to 10"));
  EXPECT_TRUE(test::has(message("entropy: {frist: 1}"), "frist"));
  EXPECT_TRUE(test::has(message("entropy: {first: 1, last: 0, shape: exponential}"), "above 0"));
}

// Ranks of which one gets a different message from the others.
class Misled final : public test::PassingRanks {
 public:
  using Hears = std::function<std::string(const std::string&)>;
  Misled(Ranks& ranks, Hears observes) : PassingRanks(ranks), observes_(std::move(observes)) {}
  std::string from_first(const std::string& own) override {
    const std::string first = PassingRanks::from_first(own);
    return rank() == 1 ? observes_(first) : first;
  }

 private:
  Hears observes_;
};

std::vector<std::filesystem::path> left_over() {
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator("/dev/shm"))
    if (file.path().filename().string().starts_with("dealer-" + std::to_string(::getpid()) + "-"))
      files.push_back(file.path());
  return files;
}

TEST(SharedSum, AddsUpInTheOrderOfTheRanks) {
  constexpr std::size_t kPiece = std::size_t{1} << 19;
  for (const int size : {2, 3, 5})
    test::ThreadRanks::run(size, [&](Ranks& ranks) {
      const auto shared = SharedSum::open(ranks);
      EXPECT_NE(shared, nullptr);
      if (shared == nullptr) return;  // for all
      // Floats make the order of a sum visible.
      const auto value = [](int rank, std::size_t i) {
        return rank == 0 ? 1e8F : rank == 1 ? static_cast<float>(3 * (i % 1000)) : -1e8F + static_cast<float>(rank);
      };
      for (const std::size_t count :
           {std::size_t{1}, std::size_t{0}, kPiece - 1, kPiece, 2 * kPiece + 3, std::size_t{7}}) {
        std::vector<float> values(count);
        for (std::size_t i = 0; i < count; ++i) values[i] = value(ranks.rank(), i);
        shared->sum(values);
        // Each rank stays until the others are done.
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < count; ++i) {
          float sum = value(0, i);
          for (int r = 1; r < size; ++r) sum += value(r, i);
          wrong += values[i] != sum ? 1 : 0;
        }
        EXPECT_EQ(wrong, 0U) << "of " << count;
      }
    });
}

TEST(SharedSum, OneAfterTheOtherDoNotMix) {
  test::ThreadRanks::run(3, [](Ranks& ranks) {
    const auto shared = SharedSum::open(ranks);
    EXPECT_NE(shared, nullptr);
    if (shared == nullptr) return;
    int wrong = 0;
    for (int round = 0; round < 3000; ++round) {
      std::vector<float> values(50, static_cast<float>(round * (ranks.rank() + 1)));
      shared->sum(values);
      for (const float sum : values) wrong += sum != static_cast<float>(6 * round) ? 1 : 0;
    }
    EXPECT_EQ(wrong, 0);
  });
}

TEST(SharedSum, LeavesNothingBehind) {
  test::ThreadRanks::run(2, [](Ranks& ranks) {
    const auto shared = SharedSum::open(ranks);
    EXPECT_NE(shared, nullptr);
    // Rank 0, which creates the name, removes it while the memory is in use.
    if (ranks.rank() == 0) {
      EXPECT_TRUE(left_over().empty());
    }
  });
  EXPECT_TRUE(left_over().empty());
}

// A rank on another machine has no memory of that name, or another program's.
TEST(SharedSum, NobodyHasItUnlessAllDo) {
  for (const bool there : {false, true})
    test::ThreadRanks::run(3, [&](Ranks& ranks) {
      Misled misled(ranks, [&](const std::string& said) {
        return there ? "1" + said.substr(said.find(' ')) : said + "-elsewhere";
      });
      EXPECT_EQ(SharedSum::open(misled), nullptr);
    });
  EXPECT_TRUE(left_over().empty());
}

}  // namespace
}  // namespace dealer::train_ranks_test
