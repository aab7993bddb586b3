#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <sstream>
#include <thread>

#include "env/core/error.h"
#include "train/heartbeat.h"
#include "train/interrupt.h"
#include "train/ranks.h"
#include "train/shared_sum.h"
#include "train/sockets.h"

#ifdef DEALER_GLOO
#ifndef USE_C10D_GLOO
#define USE_C10D_GLOO
#endif
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#ifdef DEALER_NCCL
#ifndef USE_C10D_NCCL
#define USE_C10D_NCCL
#endif
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif
#endif

namespace dealer {

#ifdef DEALER_GLOO
namespace {

// libtorch's own limits: longer than the heartbeat's, which decides that a rank is gone.
constexpr std::chrono::milliseconds kNever = std::chrono::hours(24 * 365);

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "localhost";
  return name.data();
}

// Removes the source locations that follow libtorch's messages.
std::string first_line(const std::exception& error) {
  const std::string text = error.what();
  return text.substr(0, text.find('\n'));
}

std::vector<std::uint8_t> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }
std::string text_of(const std::vector<std::uint8_t>& bytes) { return {bytes.begin(), bytes.end()}; }

#ifdef DEALER_NCCL
// Identifies the GPU in all processes, whatever its index there.
std::string gpu_name(int gpu) {
  const auto& id = at::cuda::getDeviceProperties(static_cast<c10::DeviceIndex>(gpu))->uuid;
  return {id.bytes, sizeof id.bytes};
}

bool all_differ(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) == names.end();
}
#endif

// The store for exchanging addresses. Rank 0 hosts it, unless torchrun does.
c10::intrusive_ptr<c10d::Store> open_store(const RankPlace& place) {
  const bool serves = place.rank == 0 && !place.store_is_there;
  const Heartbeat::Seconds timeout(place.timeout);
  // Checked before, since libtorch's exceptions have additional lines.
  std::string reason;
  if (serves) {
    if (!sockets::can_listen(place.port, reason))
      throw Error(fmt::format("rank 0 cannot listen on port {} of {} (MASTER_PORT): {}; expected a port that is free",
                              place.port, host_name(), reason));
  } else {
    const int socket = sockets::connect(place.host, place.port, timeout, reason);
    if (socket < 0)
      throw Error(
          fmt::format("no answer at {}:{} (MASTER_ADDR, MASTER_PORT) within {:.0f} s: {}; expected rank 0 there, or a "
                      "longer DEALER_RANKS_TIMEOUT",
                      place.host, place.port, place.timeout, reason));
    ::close(socket);
  }
  c10d::TCPStoreOptions options;
  options.port = static_cast<std::uint16_t>(place.port);
  options.isServer = serves;
  options.waitWorkers = false;
  options.timeout = std::chrono::duration_cast<std::chrono::milliseconds>(timeout);
  try {
    // It listens at every address of the machine, so rank 0 need not know itself by that name.
    auto store = c10::make_intrusive<c10d::TCPStore>(serves ? "localhost" : place.host, options);
    return c10::make_intrusive<c10d::PrefixStore>("dealer." + place.attempt, store);
  } catch (const std::exception& error) {
    throw Error(fmt::format("{}:{} (MASTER_ADDR, MASTER_PORT): {}", place.host, place.port, first_line(error)));
  }
}

std::unique_ptr<Heartbeat> open_heartbeat(const RankPlace& place, c10d::Store& store) {
  Heartbeat::Hello hello{
      place.rank, place.size, host_name(), {}, Heartbeat::Seconds(place.timeout), Heartbeat::Seconds(place.timeout)};
  if (place.rank == 0) {
    hello.run = fmt::format("{}-{}", ::getpid(), std::chrono::system_clock::now().time_since_epoch().count());
    auto heartbeat = Heartbeat::listen(hello);
    store.set("heartbeat", bytes_of(fmt::format("{} {} {}", hello.run, heartbeat->port(), hello.host)));
    heartbeat->accept();
    return heartbeat;
  }
  std::string run, port, host;
  try {
    std::istringstream words(text_of(store.get("heartbeat")));
    words >> run >> port >> host;
  } catch (const std::exception&) {
    throw Error(fmt::format("rank 0 did not connect to {}:{} within {:.0f} s (DEALER_RANKS_TIMEOUT)", place.host,
                            place.port, place.timeout));
  }
  hello.run = run;
  // torchrun may run the store on another machine than rank 0's.
  return Heartbeat::connect(hello, place.store_is_there && host != hello.host ? host : place.host, std::stoi(port));
}

c10::intrusive_ptr<c10d::ProcessGroupGloo> open_gloo(const c10::intrusive_ptr<c10d::Store>& store,
                                                     const RankPlace& place, const std::string& address) {
  auto options = c10d::ProcessGroupGloo::Options::create(kNever);
  // By default Gloo uses the address of the machine's own name, which Debian sets to 127.0.1.1.
  const char* const interface = std::getenv("GLOO_SOCKET_IFNAME");  // NOLINT(concurrency-mt-unsafe)
  options->devices.push_back(interface != nullptr && *interface != '\0'
                                 ? c10d::ProcessGroupGloo::createDeviceForInterface(interface)
                                 : c10d::ProcessGroupGloo::createDeviceForHostname(address));
  options->threads = 1;
  return c10::make_intrusive<c10d::ProcessGroupGloo>(c10::make_intrusive<c10d::PrefixStore>("gloo", store), place.rank,
                                                     place.size, options);
}

class TorchRanks final : public Ranks {
 public:
  TorchRanks(const RankPlace& place, EndProgram end)
      : Ranks(place.rank, place.size, place.local_rank),
        end_(std::move(end)),
        verdict_(place.timeout + 5),
        store_(open_store(place)) {
    heartbeat_ = open_heartbeat(place, *store_);
    heartbeat_->watch({[this](const std::string& what, int status) { over(what, status); }, InterruptGuard::signal,
                       InterruptGuard::request});
    take_part([&] { gloo_ = open_gloo(store_, place, heartbeat_->address()); });
    shared_ = SharedSum::open(*this, place.shared_memory);
  }
  // Destroyed first: the heartbeat calls members of this object.
  ~TorchRanks() override { heartbeat_.reset(); }

  std::string name(int rank) const override { return heartbeat_->name(rank); }

  std::string_view sums_by() const override { return shared_ ? "shared memory" : "Gloo"; }

  void sum(std::span<float> values) override {
    take_part([&] {
      if (shared_) return shared_->sum(values);
      std::vector<at::Tensor> tensors = {at::from_blob(values.data(), {static_cast<std::int64_t>(values.size())})};
      gloo_->allreduce(tensors)->wait();
    });
  }

  bool sum_on_gpu([[maybe_unused]] float* values, [[maybe_unused]] std::size_t count,
                  [[maybe_unused]] int gpu) override {
#ifdef DEALER_NCCL
    // NCCL rejects ranks that share a GPU.
    if (!own_gpus_) own_gpus_ = all_differ(gather(gpu_name(gpu), true));
    if (!*own_gpus_) return false;
    const auto options = at::TensorOptions().device(at::kCUDA, static_cast<c10::DeviceIndex>(gpu));
    take_part([&] {
      if (!nccl_)
        nccl_ = c10::make_intrusive<c10d::ProcessGroupNCCL>(c10::make_intrusive<c10d::PrefixStore>("nccl", store_),
                                                            rank(), size());
      std::vector<at::Tensor> tensors = {at::from_blob(values, {static_cast<std::int64_t>(count)}, options)};
      nccl_->allreduce(tensors)->wait();
    });
    return true;
#else
    return false;
#endif
  }

  std::vector<std::string> gather(const std::string& own, bool to_all) override {
    std::vector<std::string> all(static_cast<std::size_t>(size()));
    take_part([&] {
      std::vector<std::vector<at::Tensor>> outputs(1);
      std::vector<at::Tensor> inputs = {at::full({1}, static_cast<std::int64_t>(own.size()), at::kLong)};
      for (int r = 0; r < size(); ++r) outputs[0].push_back(at::zeros({1}, at::kLong));
      gloo_->allgather(outputs, inputs)->wait();
      std::vector<std::size_t> lengths;
      for (const at::Tensor& length : outputs[0])
        lengths.push_back(static_cast<std::size_t>(length.item<std::int64_t>()));
      // All parts must have equal length.
      const auto longest = static_cast<std::int64_t>(*std::max_element(lengths.begin(), lengths.end()));
      if (longest == 0) return;
      inputs[0] = at::zeros({longest}, at::kByte);
      std::copy(own.begin(), own.end(), reinterpret_cast<char*>(inputs[0].data_ptr<std::uint8_t>()));
      const bool receives = to_all || rank() == 0;
      if (receives)
        for (at::Tensor& output : outputs[0]) output = at::zeros({longest}, at::kByte);
      else
        outputs.clear();
      if (to_all)
        gloo_->allgather(outputs, inputs)->wait();
      else
        gloo_->gather(outputs, inputs)->wait();
      for (std::size_t r = 0; receives && r < all.size(); ++r)
        all[r].assign(reinterpret_cast<const char*>(outputs[0][r].data_ptr<std::uint8_t>()), lengths[r]);
    });
    if (!to_all && rank() != 0) all.clear();
    return all;
  }

  std::string from_first(const std::string& own) override {
    std::string text = own;
    take_part([&] {
      std::vector<at::Tensor> length = {at::full({1}, static_cast<std::int64_t>(own.size()), at::kLong)};
      gloo_->broadcast(length)->wait();
      text.resize(static_cast<std::size_t>(length[0].item<std::int64_t>()));
      if (text.empty()) return;
      std::vector<at::Tensor> bytes = {
          at::from_blob(text.data(), {static_cast<std::int64_t>(text.size())}, at::TensorOptions(at::kByte))};
      gloo_->broadcast(bytes)->wait();
    });
    return text;
  }

  void fail(const std::string& message, int status) override { heartbeat_->fail(message, status); }

  void set_exit_message(ExitMessage exit_message) override {
    const std::lock_guard lock(mutex_);
    exit_message_ = std::move(exit_message);
  }

 private:
  // When a rank is gone, libtorch only reports a closed connection, often of a rank that ends for the same reason. The
  // heartbeat identifies the rank, and ends the process.
  template <class F>
  void take_part(const F& call) {
    const auto start = std::chrono::steady_clock::now();
    try {
      call();
      add_seconds(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    } catch (const std::exception& error) {
      std::this_thread::sleep_for(verdict_);
      throw Error(fmt::format("the ranks cannot exchange data: {}", first_line(error)));
    }
  }

  void over(const std::string& what, int status) {
    ExitMessage exit_message;
    {
      const std::lock_guard lock(mutex_);
      exit_message = exit_message_;
    }
    end_(exit_message ? exit_message(what) : what, status);
  }

  EndProgram end_;
  std::chrono::duration<double> verdict_;  // time limit for the heartbeat to identify the lost rank
  std::mutex mutex_;
  ExitMessage exit_message_;
  c10::intrusive_ptr<c10d::Store> store_;
  std::unique_ptr<Heartbeat> heartbeat_;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> gloo_;
  std::unique_ptr<SharedSum> shared_;  // null: not all are on one machine
#ifdef DEALER_NCCL
  std::optional<bool> own_gpus_;
  c10::intrusive_ptr<c10d::ProcessGroupNCCL> nccl_;
#endif
};

}  // namespace

std::unique_ptr<Ranks> join_ranks(const RankPlace& place, EndProgram end) {
  if (place.size == 1) return make_single_rank(place.local_rank);
  return std::make_unique<TorchRanks>(place, std::move(end));
}

#else

std::unique_ptr<Ranks> join_ranks(const RankPlace& place, EndProgram) {
  if (place.size == 1) return make_single_rank(place.local_rank);
  throw Error(
      fmt::format("{} ranks are asked for, but this program was built without libtorch's Gloo: install "
                  "libgloo-dev and build it again, or start one rank",
                  place.size));
}

#endif

}  // namespace dealer
