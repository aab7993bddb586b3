#include "train/worker_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "env/core/error.h"
#include "env/core/random.h"

namespace dealer {
namespace {

constexpr const char* kBegun = "self_play.begun";
constexpr const char* kMost = "self_play.most_workers";
constexpr std::int64_t kMostWorkers = std::int64_t{1} << 24;

std::string tensor_name(std::size_t worker) { return fmt::format("self_play.{}", worker); }

// Packs several texts into one, and unpacks them.
std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) {
    const std::uint64_t length = text.size();
    all.append(reinterpret_cast<const char*>(&length), sizeof length).append(text);
  }
  return all;
}

std::vector<std::string_view> parted(std::string_view all) {
  std::vector<std::string_view> texts;
  while (!all.empty()) {
    std::uint64_t length = 0;
    std::memcpy(&length, all.data(), sizeof length);
    texts.push_back(all.substr(sizeof length, length));
    all.remove_prefix(sizeof length + length);
  }
  return texts;
}

}  // namespace

WorkerTables::WorkerTables(std::uint64_t seed, int workers, Ranks& ranks)
    : seed_(seed),
      workers_(workers),
      ranks_(ranks),
      begun_(static_cast<std::size_t>(workers) * static_cast<std::size_t>(ranks.size())),
      most_(this->workers()) {}

std::uint64_t WorkerTables::seed(int worker) const {
  const std::size_t index = number(worker);
  const std::uint64_t first = derive(seed_, index + 1);
  return begun_[index] == 0 ? first : derive(first, static_cast<std::uint64_t>(begun_[index]));
}

void WorkerTables::save(const std::vector<std::string>& own, TensorFile& file) const {
  std::size_t worker = 0;
  for (const std::string& rank : ranks_.gather(joined(own), false))
    for (const std::string_view text : parted(rank))
      file.tensors[tensor_name(worker++)] = {{static_cast<std::int64_t>(text.size())},
                                             std::vector<std::uint8_t>(text.begin(), text.end())};
  file.tensors[kBegun] = {{workers()}, begun_};
  file.tensors[kMost] = {{1}, std::vector<std::int64_t>{most_}};
}

std::vector<std::string> WorkerTables::load(const TensorFile& file, std::int64_t iteration) {
  // Files from before ranks existed have no such entry.
  std::vector<std::int64_t> begun(static_cast<std::size_t>(workers_));
  if (file.tensors.contains(kBegun)) begun = file.get<std::int64_t>(kBegun);
  std::int64_t most = static_cast<std::int64_t>(begun.size());
  if (file.tensors.contains(kMost)) most = file.get<std::int64_t>(kMost, {1})[0];
  for (const std::int64_t after : begun)
    if (after < 0 || after > std::max<std::int64_t>(0, iteration))
      throw CheckpointError(
          fmt::format("{}: tensor '{}' holds {}; expected 0 to {}", file.name, kBegun, after, iteration));
  if (begun.empty() || most < static_cast<std::int64_t>(begun.size()) || most > kMostWorkers)
    throw CheckpointError(fmt::format("{}: tensor '{}' holds {} for {} workers; expected {} to {}", file.name, kMost,
                                      most, begun.size(), std::max<std::size_t>(1, begun.size()), kMostWorkers));
  std::vector<std::string> own;
  for (int worker = 0; worker < workers_; ++worker) {
    own.emplace_back();
    if (number(worker) >= begun.size()) continue;
    const auto& bytes = file.get<std::uint8_t>(tensor_name(number(worker)));
    if (bytes.empty())
      throw CheckpointError(fmt::format("{}: tensor '{}' is empty", file.name, tensor_name(number(worker))));
    own.back().assign(bytes.begin(), bytes.end());
  }
  begun.resize(begun_.size(), iteration);
  begun_ = std::move(begun);
  most_ = std::max(most, workers());
  return own;
}

}  // namespace dealer
