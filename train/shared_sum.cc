#include "train/shared_sum.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <random>

namespace dealer {
namespace {

// Values added up at a time: player and critic of a shipped config fit into one piece.
constexpr std::size_t kPiece = std::size_t{1} << 19;
constexpr std::size_t kHeaderBytes = 4096;

std::size_t bytes_for(int ranks) {
  return kHeaderBytes + (static_cast<std::size_t>(ranks) + 1) * kPiece * sizeof(float);
}

// Creates a segment with an unused name.
struct Meeting {
  std::uint64_t token;
  std::string name;
  Meeting() {
    std::random_device random;
    token = static_cast<std::uint64_t>(random()) << 32 | random();
    name = fmt::format("/dealer-{}-{:016x}", ::getpid(), token);
  }
};

}  // namespace

struct SharedSum::Header {
  std::uint64_t token;
  pthread_barrier_t barrier;
};

void* SharedSum::map(const std::string& name, bool creates, std::size_t bytes, int size, std::uint64_t token) {
  const int file = ::shm_open(name.c_str(), O_RDWR | O_CLOEXEC | (creates ? O_CREAT | O_EXCL : 0), 0600);
  if (file < 0) return nullptr;
  struct stat status {};
  // Missing memory would otherwise show only on writing, as SIGBUS.
  const bool there = creates ? ::posix_fallocate(file, 0, static_cast<off_t>(bytes)) == 0
                             : ::fstat(file, &status) == 0 && status.st_size == static_cast<off_t>(bytes);
  void* memory = there ? ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  ::close(file);
  if (memory == MAP_FAILED) return nullptr;
  auto* const header = static_cast<Header*>(memory);
  bool good = false;
  if (creates) {
    new (header) Header{token, {}};
    pthread_barrierattr_t attributes;
    ::pthread_barrierattr_init(&attributes);
    good = ::pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) == 0 &&
           ::pthread_barrier_init(&header->barrier, &attributes, static_cast<unsigned>(size)) == 0;
    ::pthread_barrierattr_destroy(&attributes);
  } else {
    good = header->token == token;
  }
  if (good) return memory;
  ::munmap(memory, bytes);
  return nullptr;
}

std::unique_ptr<SharedSum> SharedSum::open(Ranks& ranks, bool wanted) {
  static_assert(sizeof(Header) <= kHeaderBytes);
  const bool first = ranks.rank() == 0;
  const std::size_t bytes = bytes_for(ranks.size());
  Meeting meeting;
  void* memory = first && wanted ? map(meeting.name, true, bytes, ranks.size(), meeting.token) : nullptr;
  const std::string all = ranks.from_first(fmt::format("{} {}", meeting.token, meeting.name));
  if (!first && wanted) {
    const std::size_t space = all.find(' ');
    memory = map(all.substr(space + 1), false, bytes, ranks.size(), std::stoull(all.substr(0, space)));
  }
  const std::vector<char> there = ranks.gather_values(static_cast<char>(memory != nullptr));
  if (first) ::shm_unlink(meeting.name.c_str());
  if (std::all_of(there.begin(), there.end(), [](char yes) { return yes != 0; }))
    return std::unique_ptr<SharedSum>(new SharedSum(ranks.rank(), ranks.size(), memory, bytes));
  if (memory != nullptr) ::munmap(memory, bytes);
  return nullptr;
}

SharedSum::SharedSum(int rank, int size, void* memory, std::size_t bytes)
    : rank_(rank),
      size_(size),
      memory_(memory),
      bytes_(bytes),
      parts_(reinterpret_cast<float*>(static_cast<char*>(memory) + kHeaderBytes)),
      total_(parts_ + static_cast<std::size_t>(size) * kPiece) {}

SharedSum::~SharedSum() { ::munmap(memory_, bytes_); }

// If a rank does not come, the heartbeat ends this process.
void SharedSum::wait() { ::pthread_barrier_wait(&static_cast<Header*>(memory_)->barrier); }

void SharedSum::sum(std::span<float> values) {
  for (std::size_t done = 0; done < values.size(); done += kPiece) {
    const std::span<float> piece = values.subspan(done, std::min(kPiece, values.size() - done));
    std::memcpy(parts_ + static_cast<std::size_t>(rank_) * kPiece, piece.data(), piece.size_bytes());
    wait();
    // Each adds up its share of the elements. All have arrived, so no rank still reads the previous total.
    const auto rank = static_cast<std::size_t>(rank_), size = static_cast<std::size_t>(size_);
    const std::size_t begin = piece.size() * rank / size, end = piece.size() * (rank + 1) / size;
    std::copy(parts_ + begin, parts_ + end, total_ + begin);
    for (std::size_t other = 1; other < size; ++other) {
      const float* const part = parts_ + other * kPiece;
      for (std::size_t i = begin; i < end; ++i) total_[i] += part[i];
    }
    wait();
    std::memcpy(piece.data(), total_, piece.size_bytes());
  }
}

}  // namespace dealer
