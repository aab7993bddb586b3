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

std::string tensor_name(std::size_t member, std::size_t layer, const char* what) {
  return fmt::format("league.{}.{}.{}", member, layer, what);
}

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
    for (std::size_t i = 0; i < members_[m].layers.size(); ++i) {
      const PolicyNetwork::Layer& layer = members_[m].layers[i];
      file.tensors[tensor_name(m, i, "weight")] = {{layer.in, layer.out}, layer.weight};
      file.tensors[tensor_name(m, i, "bias")] = {{layer.out}, layer.bias};
    }
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
    Member member{like, results[2 * m], results[2 * m + 1] != 0};
    if (!std::isfinite(member.result))
      throw CheckpointError(fmt::format("{}: tensor 'league.results' holds a number that is not finite", file.name));
    for (std::size_t i = 0; i < like.size(); ++i) {
      member.layers[i].weight = file.get<float>(tensor_name(m, i, "weight"), {like[i].in, like[i].out});
      member.layers[i].bias = file.get<float>(tensor_name(m, i, "bias"), {like[i].out});
    }
    members_.push_back(std::move(member));
  }
}

}  // namespace dealer
