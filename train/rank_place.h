#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace dealer {

// Where a process stands among those that train together, and where they meet.
struct RankPlace {
  int rank = 0, size = 1;
  int local_rank = 0;  // among those of its machine
  std::string host;    // of rank 0, and the port that it listens on; empty when there is one rank
  int port = 0;
  bool store_is_there = false;  // torchrun itself listens on that port
  std::string attempt = "0";    // torchrun may start the ranks again
  double timeout = 30;          // seconds to wait for a rank to come, or for a word of one that has
  bool shared_memory = true;    // ranks that are all on one machine add up in memory that they share
};

// The value of an environment variable, or null.
using Environment = std::function<const char*(const char* name)>;

// By torchrun's variables, else Open MPI's, else Slurm's, else one rank. Open MPI comes before Slurm since its mpirun
// starts daemons through srun, whose variables then are not the ranks'. MASTER_ADDR and MASTER_PORT say where to meet
// under all three; DEALER_RANKS_TIMEOUT sets the timeout, DEALER_RANKS_SHARED_MEMORY=0 does without shared memory.
// Throws UsageError naming the variable that is missing or wrong.
RankPlace find_rank_place(const Environment& environment);
// Of this process.
RankPlace find_rank_place();

// The first of Slurm's "node[03-05,9]-ib,login": "node03-ib". Throws UsageError.
std::string first_host(std::string_view list);

}  // namespace dealer
