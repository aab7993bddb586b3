#include "agents/policy/policy_network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "agents/policy/longer_history.h"
#include "env/core/error.h"

namespace dealer {
namespace {

constexpr std::size_t kMostLayers = 16;
constexpr std::int64_t kWidest = 1 << 14;

std::string weight_name(std::size_t layer) { return fmt::format("policy.{}.weight", layer); }
std::string bias_name(std::size_t layer) { return fmt::format("policy.{}.bias", layer); }

void check_finite(const TensorFile& file, const std::string& name, const std::vector<float>& numbers) {
  if (!std::all_of(numbers.begin(), numbers.end(), [](float x) { return std::isfinite(x); }))
    throw CheckpointError(fmt::format("{}: tensor '{}' holds a number that is not finite", file.name, name));
}

std::vector<std::string> read_facts(const TensorFile& file) {
  const auto json = nlohmann::json::parse(file.meta("facts"), nullptr, false);
  std::vector<std::string> facts;
  for (const auto& name : json.is_array() ? json : nlohmann::json::array())
    if (name.is_string()) facts.push_back(name);
  if (!json.is_array() || facts.size() != json.size())
    throw CheckpointError(fmt::format("{}: metadata 'facts' is no list of names", file.name));
  return facts;
}

// The width of the layer behind; what a shape announces is compared with the data by get().
std::int64_t outputs_of(const TensorFile& file, std::size_t layer) {
  const auto bias = file.tensors.find(bias_name(layer));
  if (bias == file.tensors.end() || bias->second.shape.size() != 1 || bias->second.shape[0] < 1 ||
      bias->second.shape[0] > kWidest)
    throw CheckpointError(fmt::format("{}: tensor '{}' is missing or of another shape than [n] with n from 1 to {}",
                                      file.name, bias_name(layer), kWidest));
  return bias->second.shape[0];
}

// The numbers that the first layer takes in.
std::int64_t inputs_of(const TensorFile& file) {
  const auto weight = file.tensors.find(weight_name(0));
  return weight == file.tensors.end() || weight->second.shape.empty() ? 0 : weight->second.shape[0];
}

// ", trained with procedure: stud, not procedure: draw": the first rules in which the game of the file differs.
std::string because_of_rules(const TensorFile& file, const Game& game) {
  constexpr std::size_t kShown = 3;
  const auto found = file.metadata.find("rules");
  if (found == file.metadata.end() || found->second == game.id().rules) return {};
  const auto lines = [](const std::string& rules) {
    std::map<std::string, std::string> result;
    std::istringstream text(rules);
    for (std::string line; std::getline(text, line);) result[line.substr(0, line.find(':'))] = line;
    return result;
  };
  const std::map<std::string, std::string> trained = lines(found->second), own = lines(game.id().rules);
  std::vector<std::string> differ;
  for (const auto& [key, line] : trained)
    if (const auto other = own.find(key); other != own.end() && other->second != line)
      differ.push_back(fmt::format("{}, not{}", line, other->second.substr(key.size() + 1)));
  if (differ.size() > kShown) differ.resize(kShown);
  return differ.empty() ? "; it was trained by other rules"
                        : fmt::format("; it was trained with {}", fmt::join(differ, "; "));
}

// The first layer for an observation with more turns in its history: those weigh nothing.
void widen(PolicyNetwork::Layer& layer, const std::vector<int>& places, int observation) {
  const int facts = layer.in - static_cast<int>(places.size()), out = layer.out;
  std::vector<float> weight(static_cast<std::size_t>(observation + facts) * static_cast<std::size_t>(out));
  for (int row = 0; row < layer.in; ++row) {
    const int place =
        row < layer.in - facts ? places[static_cast<std::size_t>(row)] : observation + row - (layer.in - facts);
    std::copy_n(layer.weight.begin() + std::ptrdiff_t{row} * out, out, weight.begin() + std::ptrdiff_t{place} * out);
  }
  layer.in = observation + facts;
  layer.weight = std::move(weight);
}

}  // namespace

ReluLayers PolicyNetwork::relu_layers() const {
  ReluLayers result;
  for (const Layer& layer : layers) result.add(layer.weight.data(), layer.bias.data(), layer.in, layer.out);
  return result;
}

void store(const PolicyNetwork& network, const Game& game, TensorFile& file) {
  file.metadata["format"] = kPolicyNetworkFormat;
  file.metadata["game"] = game.id().family;
  file.metadata["rules"] = game.id().rules;
  file.metadata["facts"] = nlohmann::json(network.facts).dump();
  file.metadata["value_unit"] = fmt::format("{}", network.value_unit);
  file.metadata["threshold"] = fmt::format("{}", network.threshold);
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const PolicyNetwork::Layer& layer = network.layers[i];
    file.tensors[weight_name(i)] = {{layer.in, layer.out}, layer.weight};
    file.tensors[bias_name(i)] = {{layer.out}, layer.bias};
  }
}

PolicyNetwork load_policy_network(const TensorFile& file, const GamePtr& game) {
  const auto format = file.metadata.find("format");
  if (format == file.metadata.end() || format->second != kPolicyNetworkFormat)
    throw CheckpointError(fmt::format("{}: no policy network: expected the format '{}', got '{}'", file.name,
                                      kPolicyNetworkFormat, format == file.metadata.end() ? "" : format->second));
  if (file.meta("game") != game->id().family)
    throw CheckpointError(fmt::format("{}: a network for games of the family '{}'; '{}' is one of '{}'", file.name,
                                      file.meta("game"), game->spec(), game->id().family));
  PolicyNetwork network;
  network.facts = read_facts(file);
  const EncoderPtr encoder = network.facts.empty() ? nullptr : make_encoder(game);
  if (!network.facts.empty() && (!encoder || encoder->names() != network.facts))
    throw CheckpointError(fmt::format(
        "{}: a network of other facts than this program works out for '{}', {} of them, "
        "the first '{}'{}",
        file.name, game->spec(), network.facts.size(), network.facts.front(), because_of_rules(file, *game)));
  const std::string& unit = file.meta("value_unit");
  network.value_unit = std::atof(unit.c_str());
  if (!(network.value_unit > 0 && std::isfinite(network.value_unit)))
    throw CheckpointError(fmt::format("{}: metadata 'value_unit' is '{}'; expected a number above 0", file.name, unit));
  // Those of before there was one have none.
  const auto threshold = file.metadata.find("threshold");
  if (threshold != file.metadata.end()) network.threshold = std::atof(threshold->second.c_str());
  if (!(network.threshold >= 0 && network.threshold <= 1))
    throw CheckpointError(
        fmt::format("{}: metadata 'threshold' is '{}'; expected a number from 0 to 1", file.name, threshold->second));
  const auto facts = static_cast<std::int64_t>(network.facts.size());
  std::int64_t in = game->observation_spec().size() + facts;
  std::vector<int> places;
  const auto rules = file.metadata.find("rules");
  if (const std::int64_t trained = inputs_of(file); trained > facts && trained < in && rules != file.metadata.end())
    places = places_of_inputs(*game, rules->second, static_cast<int>(trained - facts));
  if (!places.empty()) in = static_cast<std::int64_t>(places.size()) + facts;
  const std::string because = because_of_rules(file, *game);
  if (const std::int64_t trained = inputs_of(file); trained > 0 && trained != in && !because.empty())
    throw CheckpointError(
        fmt::format("{}: the network has {} inputs; '{}' has {}{}", file.name, trained, game->spec(), in, because));
  for (std::size_t i = 0; i < kMostLayers && file.tensors.contains(weight_name(i)); ++i) {
    const std::int64_t out = outputs_of(file, i);
    PolicyNetwork::Layer layer{static_cast<int>(in), static_cast<int>(out), file.get<float>(weight_name(i), {in, out}),
                               file.get<float>(bias_name(i), {out})};
    check_finite(file, weight_name(i), layer.weight);
    check_finite(file, bias_name(i), layer.bias);
    network.layers.push_back(std::move(layer));
    in = out;
  }
  if (network.layers.empty() || in != game->num_actions() + 1)
    throw CheckpointError(
        fmt::format("{}: the network has {} outputs; expected {}, one for each action of '{}' and the value{}",
                    file.name, network.layers.empty() ? 0 : in, game->num_actions() + 1, game->spec(), because));
  if (!places.empty()) widen(network.layers.front(), places, game->observation_spec().size());
  return network;
}

}  // namespace dealer
