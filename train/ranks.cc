#include "train/ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "env/core/error.h"

namespace dealer {
namespace {

class SingleRank final : public Ranks {
 public:
  explicit SingleRank(int local_rank) : Ranks(0, 1, local_rank) {}
  std::string name(int) const override { return "rank 0"; }
  std::string_view sums_by() const override { return "nothing"; }
  void sum(std::span<float>) override {}
  bool sum_on_gpu(float*, std::size_t, int) override { return true; }
  std::vector<std::string> gather(const std::string& own, bool) override { return {own}; }
  std::string from_first(const std::string& own) override { return own; }
  void fail(const std::string&, int) override {}
  void set_exit_message(ExitMessage) override {}
};

}  // namespace

Ranks& single_rank() {
  static SingleRank alone(0);
  return alone;
}

std::unique_ptr<Ranks> make_single_rank(int local_rank) { return std::make_unique<SingleRank>(local_rank); }

void check_weights(const Ranks& ranks, int rank, std::uint32_t first, std::uint32_t other) {
  if (first != other)
    throw Error(fmt::format("the weights of {} and {} differ: expected one build of dealer, on processors of one kind",
                            ranks.name(0), ranks.name(rank)));
}

SharedBatches::SharedBatches(std::span<const std::size_t> samples, int rank, std::size_t batch, bool whole)
    : used_(samples.begin(), samples.end()), rank_(static_cast<std::size_t>(rank)) {
  const std::size_t all = std::accumulate(samples.begin(), samples.end(), std::size_t{0});
  count_ = all / batch;
  if (!whole && all > 0) count_ = std::max<std::size_t>(1, count_);
  if (whole && all > 0)
    for (std::size_t& used : used_) used = used * (count_ * batch) / all;
}

std::size_t SharedBatches::size(std::size_t batch) const {
  std::size_t all = 0;
  for (std::size_t r = 0; r < used_.size(); ++r) all += cut(r, batch + 1) - cut(r, batch);
  return all;
}

}  // namespace dealer
