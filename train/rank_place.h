#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace dealer {

// A process's place among the ranks of a training, and their meeting point.
struct RankPlace {
  int rank = 0, size = 1;
  int local_rank = 0;  // rank among those of its machine
  std::string host;    // host of rank 0, with its port below; empty for one rank
  int port = 0;
  bool store_is_there = false;  // torchrun already listens on that port
  std::string attempt = "0";    // changes when torchrun restarts the ranks
  double timeout = 30;          // seconds to wait for a rank to connect, or for a message of a connected one
  bool shared_memory = true;    // ranks on one machine add up in shared memory
};

// The value of an environment variable, or null.
using Environment = std::function<const char*(const char* name)>;

// From torchrun's variables, else Open MPI's, else Slurm's, else one rank. Open MPI comes before Slurm since its mpirun
// starts daemons through srun, whose variables then do not describe the ranks. MASTER_ADDR and MASTER_PORT set the
// meeting point in all three cases; DEALER_RANKS_TIMEOUT sets the timeout, DEALER_RANKS_SHARED_MEMORY=0 disables shared
// memory. Throws UsageError naming the variable that is missing or wrong.
RankPlace find_rank_place(const Environment& environment);
// The place of this process.
RankPlace find_rank_place();

// The first host of Slurm's "node[03-05,9]-ib,login": "node03-ib". Throws UsageError.
std::string first_host(std::string_view list);

}  // namespace dealer
