#include "train/rank_place.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "env/core/error.h"
#include "tests/support/error_message.h"

namespace dealer::rank_place_test {
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
    EXPECT_EQ(alone.size, 1);
    EXPECT_EQ(alone.rank, 0);
    EXPECT_EQ(alone.host, "");
    EXPECT_EQ(alone.timeout, 30);
    EXPECT_TRUE(alone.shared_memory);
  }
}

TEST(RankPlace, Torchruns) {
  const RankPlace torchrun = place(kTorchrun);
  EXPECT_EQ(torchrun.rank, 3);
  EXPECT_EQ(torchrun.size, 4);
  EXPECT_EQ(torchrun.local_rank, 1);
  EXPECT_EQ(torchrun.host, "node01");
  EXPECT_EQ(torchrun.port, 29400);
  EXPECT_FALSE(torchrun.store_is_there);
  const RankPlace again = place(changed(
      kTorchrun,
      {{"TORCHELASTIC_USE_AGENT_STORE", "True"}, {"TORCHELASTIC_RESTART_COUNT", "2"}, {"DEALER_RANKS_TIMEOUT", "90"}}));
  EXPECT_TRUE(again.store_is_there);
  EXPECT_EQ(again.attempt, "2");
  EXPECT_EQ(again.timeout, 90);
  EXPECT_TRUE(again.shared_memory);
  EXPECT_FALSE(place(changed(kTorchrun, {{"DEALER_RANKS_SHARED_MEMORY", "0"}})).shared_memory);
  // Inside an allocation torchrun's own variables count.
  EXPECT_EQ(place(changed(changed(kSlurm, kOpenMpi), kTorchrun)).rank, 3);
}

TEST(RankPlace, Slurms) {
  const RankPlace slurm = place(kSlurm);
  EXPECT_EQ(slurm.rank, 5);
  EXPECT_EQ(slurm.size, 8);
  EXPECT_EQ(slurm.local_rank, 2);
  EXPECT_EQ(slurm.host, "node03");
  EXPECT_EQ(slurm.port, 10'000 + (1234567 * 16 + 1) % 20'000);
  EXPECT_NE(place(changed(kSlurm, {{"SLURM_STEP_ID", "2"}})).port, slurm.port) << "steps side by side";
  const RankPlace step = place(changed(kSlurm, {{"SLURM_STEP_NUM_TASKS", "6"}, {"SLURM_STEP_NODELIST", "login"}}));
  EXPECT_EQ(step.size, 6);
  EXPECT_EQ(step.host, "login");
  const RankPlace told = place(changed(kSlurm, {{"MASTER_ADDR", "10.0.0.1"}, {"MASTER_PORT", "4000"}}));
  EXPECT_EQ(told.host, "10.0.0.1");
  EXPECT_EQ(told.port, 4000);
}

TEST(RankPlace, OpenMpis) {
  const RankPlace here = place(kOpenMpi);
  EXPECT_EQ(here.rank, 1);
  EXPECT_EQ(here.size, 2);
  EXPECT_EQ(here.local_rank, 1);
  EXPECT_EQ(here.host, "127.0.0.1");
  EXPECT_GE(here.port, 10'000);
  EXPECT_LT(here.port, 30'000);
  EXPECT_NE(place(changed(kOpenMpi, {{"PMIX_NAMESPACE", "3811115010"}})).port, here.port) << "jobs side by side";
  const Variables apart = changed(kOpenMpi, {{"OMPI_COMM_WORLD_LOCAL_SIZE", "1"}});
  EXPECT_EQ(place(changed(apart, {{"MASTER_ADDR", "node01"}})).host, "node01");
  // mpirun's daemons are steps of Slurm's, their variables not the ranks'.
  EXPECT_EQ(place(changed(apart, kSlurm)).rank, 1);
  EXPECT_EQ(place(changed(apart, kSlurm)).host, "node03");
  EXPECT_NE(refused(apart).find("mpirun -x MASTER_ADDR=HOST"), std::string::npos) << refused(apart);
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
    EXPECT_NE(error_message<UsageError>([&] { first_host(list); }).find("Slurm's 'node[03-05,9],login'"),
              std::string::npos)
        << list;
}

}  // namespace
}  // namespace dealer::rank_place_test
