#include "train/rank_place.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>

#include "env/core/error.h"
#include "env/core/numbers.h"

namespace dealer {
namespace {

constexpr int kMostRanks = 1 << 16;
constexpr int kDefaultPort = 29500;  // torchrun's
// Default port for jobs of Slurm and Open MPI without MASTER_PORT: below the ports that systems assign automatically.
constexpr int kFirstPort = 10'000, kPorts = 20'000;

class Variables {
 public:
  explicit Variables(const Environment& environment) : environment_(environment) {}

  // An empty variable counts as not set.
  std::optional<std::string> text(const char* name) const {
    const char* const value = environment_(name);
    if (value == nullptr || *value == '\0') return {};
    return value;
  }
  bool has(const char* name) const { return text(name).has_value(); }

  std::optional<std::int64_t> number(const char* name, std::int64_t low, std::int64_t high) const {
    const auto value = text(name);
    if (!value) return {};
    const std::optional<std::int64_t> number = number_in<std::int64_t>(*value);
    if (!number || *number < low || *number > high)
      throw UsageError(fmt::format("{} is '{}'; expected a whole number from {} to {}", name, *value, low, high));
    return number;
  }
  // A variable that is required when `with` is set.
  std::int64_t need(const char* name, const char* with, std::int64_t low, std::int64_t high) const {
    if (const auto value = number(name, low, high)) return *value;
    throw UsageError(
        fmt::format("{} is set, but not {}; expected both, as torchrun, mpirun and srun set them", with, name));
  }

 private:
  const Environment& environment_;
};

RankPlace read_place(const Variables& variables, const char* rank, const char* size, const char* local) {
  RankPlace place;
  place.size = static_cast<int>(variables.need(size, rank, 1, kMostRanks));
  place.rank = static_cast<int>(variables.need(rank, size, 0, kMostRanks));
  if (place.rank >= place.size)
    throw UsageError(fmt::format("{} is {} and {} is {}; expected a rank below the number of ranks", rank, place.rank,
                                 size, place.size));
  place.local_rank = static_cast<int>(variables.number(local, 0, kMostRanks).value_or(0));
  return place;
}

std::int64_t port_of(const Variables& variables, std::uint64_t job) {
  const auto fallback = static_cast<std::int64_t>(kFirstPort + job % kPorts);
  return variables.number("MASTER_PORT", 1, 65'535).value_or(fallback);
}

std::uint64_t hash(std::string_view text) {
  std::uint64_t sum = 0xcbf29ce484222325ULL;  // FNV-1a
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return sum ^ sum >> 32;
}

RankPlace of_torchrun(const Variables& variables) {
  RankPlace place = read_place(variables, "RANK", "WORLD_SIZE", "LOCAL_RANK");
  if (place.size == 1) return place;
  for (const char* name : {"MASTER_ADDR", "MASTER_PORT"})
    if (!variables.has(name))
      throw UsageError(fmt::format(
          "WORLD_SIZE is {}, but {} is not set; expected {}", place.size, name,
          std::string_view(name) == "MASTER_ADDR" ? "the machine of rank 0" : "a free port of rank 0's machine"));
  place.host = *variables.text("MASTER_ADDR");
  place.port = static_cast<int>(port_of(variables, kDefaultPort));
  place.store_is_there = variables.text("TORCHELASTIC_USE_AGENT_STORE") == "True";
  place.attempt = variables.text("TORCHELASTIC_RESTART_COUNT").value_or("0");
  return place;
}

// The first machine of Slurm's step or job.
std::optional<std::string> slurm_host(const Variables& variables) {
  for (const char* name : {"SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST", "SLURM_NODELIST"})
    if (const auto list = variables.text(name)) return first_host(*list);
  return {};
}

RankPlace of_open_mpi(const Variables& variables) {
  RankPlace place = read_place(variables, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK");
  if (place.size == 1) return place;
  const auto here = variables.number("OMPI_COMM_WORLD_LOCAL_SIZE", 1, kMostRanks);
  if (const auto host = variables.text("MASTER_ADDR"))
    place.host = *host;
  else if (here == place.size)
    place.host = "127.0.0.1";
  else if (const auto job = variables.text("SLURM_JOB_NODELIST"))
    place.host = first_host(*job);  // mpirun fills the job's machines in order
  else
    throw UsageError(
        "mpirun starts ranks on several machines, but MASTER_ADDR is not set; expected the machine of rank 0: "
        "mpirun -x MASTER_ADDR=HOST");
  const auto job = variables.text("PMIX_NAMESPACE");
  place.port =
      static_cast<int>(port_of(variables, job ? hash(*job) : static_cast<std::uint64_t>(kDefaultPort - kFirstPort)));
  return place;
}

// A shell of sbatch or salloc also has Slurm's variables, but is not a task of a step that srun started.
bool in_slurm_step(const Variables& variables) {
  constexpr std::int64_t kFirstReserved = 0xfffffff0;  // task numbers from here on mark such shells
  if (!variables.has("SLURM_PROCID")) return false;
  const auto step = variables.number("SLURM_STEP_ID", 0, std::numeric_limits<std::uint32_t>::max());
  return step && *step < kFirstReserved;
}

RankPlace of_slurm(const Variables& variables) {
  const char* const size = variables.has("SLURM_STEP_NUM_TASKS") ? "SLURM_STEP_NUM_TASKS" : "SLURM_NTASKS";
  RankPlace place = read_place(variables, "SLURM_PROCID", size, "SLURM_LOCALID");
  if (place.size == 1) return place;
  const auto host = variables.has("MASTER_ADDR") ? variables.text("MASTER_ADDR") : slurm_host(variables);
  if (!host)
    throw UsageError("neither SLURM_STEP_NODELIST nor SLURM_JOB_NODELIST is set; expected one, or MASTER_ADDR");
  place.host = *host;
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  const auto job = static_cast<std::uint64_t>(variables.number("SLURM_JOB_ID", 0, kMost).value_or(0));
  const auto step = static_cast<std::uint64_t>(variables.number("SLURM_STEP_ID", 0, kMost).value_or(0));
  place.port = static_cast<int>(port_of(variables, job * 16 + step));
  return place;
}

RankPlace without_timeout(const Variables& variables) {
  if (variables.has("RANK") || variables.has("WORLD_SIZE")) return of_torchrun(variables);
  if (variables.has("OMPI_COMM_WORLD_RANK") || variables.has("OMPI_COMM_WORLD_SIZE")) return of_open_mpi(variables);
  if (in_slurm_step(variables)) return of_slurm(variables);
  return {};
}

}  // namespace

std::string first_host(std::string_view list) {
  const auto refuse = [&](const char* what) {
    return UsageError(
        fmt::format("'{}' is not a list of machines: {}; expected Slurm's 'node[03-05,9],login'", list, what));
  };
  std::string host;
  for (std::size_t i = 0; i < list.size() && list[i] != ','; ++i) {
    if (list[i] == ']') throw refuse("a ']' without '['");
    if (list[i] != '[') {
      host += list[i];
      continue;
    }
    const std::size_t close = list.find(']', i);
    if (close == std::string_view::npos) throw refuse("a '[' is not closed");
    const std::string_view inside = list.substr(i + 1, close - i - 1);
    const std::string_view first = inside.substr(0, inside.find_first_of("-,"));
    if (first.empty() || first.find_first_not_of("0123456789") != std::string_view::npos)
      throw refuse("numbers are missing in '[]'");
    host += first;
    i = close;
  }
  if (host.empty()) throw refuse("the first has no name");
  return host;
}

RankPlace find_rank_place(const Environment& environment) {
  const Variables variables(environment);
  RankPlace place = without_timeout(variables);
  constexpr std::int64_t kLongest = 86'400;
  if (const auto timeout = variables.number("DEALER_RANKS_TIMEOUT", 1, kLongest))
    place.timeout = static_cast<double>(*timeout);
  place.shared_memory = variables.number("DEALER_RANKS_SHARED_MEMORY", 0, 1).value_or(1) != 0;
  return place;
}

RankPlace find_rank_place() {
  return find_rank_place([](const char* name) { return std::getenv(name); });  // NOLINT(concurrency-mt-unsafe)
}

}  // namespace dealer
