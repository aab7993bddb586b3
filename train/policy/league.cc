#include "train/policy/league.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "env/core/error.h"
#include "env/core/weighted_index.h"

namespace dealer {
namespace {

// Step size of the running average of results.
constexpr double kRate = 0.1;

std::string prefix_of(std::size_t member) { return fmt::format("league.{}.", member); }

}  // namespace

void League::consider(const std::vector<PolicyNetwork::Layer>& layers, std::int64_t iteration) {
  if (settings_.share == 0 || iteration % settings_.every != 0) return;
  members_.push_back({layers, 0, false});
  if (members_.size() > given() + static_cast<std::size_t>(settings_.size))
    members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(given()));
}

std::size_t League::choose(RandomStream& rng, double unit) const {
  if (settings_.choice == LeagueSettings::Choice::kLatest) return members_.size() - 1;
  if (settings_.choice == LeagueSettings::Choice::kUniform)
    return rng.below(static_cast<std::uint32_t>(members_.size()));
  std::vector<double> weight;
  double sum = 0;
  for (const Member& member : members_) {
    weight.push_back(std::exp(-std::clamp(member.result / unit, -5.0, 5.0)));
    sum += weight.back();
  }
  return weighted_index(weight, static_cast<double>(rng.uniform()) * sum);
}

void League::record(std::size_t member, std::int64_t episodes, double won) {
  if (episodes == 0) return;
  Member& met = members_[member];
  const double mean = won / static_cast<double>(episodes);
  met.result = met.met ? met.result + kRate * (mean - met.result) : mean;
  met.met = true;
}

void League::save(TensorFile& file) const {
  std::vector<double> results;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    results.push_back(members_[m].result);
    results.push_back(members_[m].met ? 1 : 0);
    store_layers(members_[m].layers, prefix_of(m), file);
  }
  file.tensors["league.results"] = {{static_cast<std::int64_t>(members_.size()), 2}, std::move(results)};
}

void League::load(const TensorFile& file, const std::vector<PolicyNetwork::Layer>& like) {
  const auto found = file.tensors.find("league.results");
  const std::int64_t count = found == file.tensors.end() || found->second.shape.empty() ? 0 : found->second.shape[0];
  const auto least = static_cast<std::int64_t>(given()), most = least + settings_.size;
  if (count > most || count < least)
    throw CheckpointError(fmt::format("{}: tensor 'league.results' has {} members; expected {} to {}, by the config",
                                      file.name, count, least, most));
  const auto& results = file.get<double>("league.results", {count, 2});
  members_.clear();
  for (std::size_t m = 0; m < static_cast<std::size_t>(count); ++m) {
    if (!std::isfinite(results[2 * m]))
      throw CheckpointError(fmt::format("{}: tensor 'league.results' holds a number that is not finite", file.name));
    members_.push_back({read_layers(file, prefix_of(m), like), results[2 * m], results[2 * m + 1] != 0});
  }
}

}  // namespace dealer
