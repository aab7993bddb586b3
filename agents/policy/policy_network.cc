#include "agents/policy/policy_network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "env/core/at.h"
#include "env/core/error.h"

namespace dealer {
namespace {

constexpr std::size_t kMostLayers = 16;
constexpr std::int64_t kWidest = 1 << 14;

std::string prefix_of(std::size_t layer) { return fmt::format("policy.{}.", layer); }

std::vector<std::string> read_feature_names(const TensorFile& file) {
  const auto json = nlohmann::json::parse(file.meta("facts"), nullptr, false);
  std::vector<std::string> input_features;
  for (const auto& name : json.is_array() ? json : nlohmann::json::array())
    if (name.is_string()) input_features.push_back(name);
  if (!json.is_array() || input_features.size() != json.size())
    throw CheckpointError(fmt::format("{}: metadata 'facts' is not a list of names", file.name));
  return input_features;
}

// The width of the next layer; get() compares the declared shape with the data.
std::int64_t outputs_of(const TensorFile& file, std::size_t layer) {
  const std::string name = prefix_of(layer) + "bias";
  const auto bias = file.tensors.find(name);
  if (bias == file.tensors.end() || bias->second.shape.size() != 1 || bias->second.shape[0] < 1 ||
      bias->second.shape[0] > kWidest)
    throw CheckpointError(fmt::format("{}: tensor '{}' is missing or of another shape than [n] with n from 1 to {}",
                                      file.name, name, kWidest));
  return bias->second.shape[0];
}

// The number of inputs of the first layer.
std::int64_t inputs_of(const TensorFile& file) {
  const auto weight = file.tensors.find(prefix_of(0) + "weight");
  return weight == file.tensors.end() || weight->second.shape.empty() ? 0 : weight->second.shape[0];
}

// ", trained with procedure: stud, not procedure: draw": the first rule in which the file's game differs.
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

// Extends the first layer to an observation with more history turns: these get zero weight.
void widen(DenseLayer& layer, const std::vector<int>& places, int observation) {
  const int input_features = layer.in - static_cast<int>(places.size()), out = layer.out;
  std::vector<float> weight(at(observation + input_features) * at(out));
  for (int row = 0; row < layer.in; ++row) {
    const int place =
        row < layer.in - input_features ? places[at(row)] : observation + row - (layer.in - input_features);
    std::copy_n(layer.weight.begin() + std::ptrdiff_t{row} * out, out, weight.begin() + std::ptrdiff_t{place} * out);
  }
  layer.in = observation + input_features;
  layer.weight = std::move(weight);
}

// The rules that a tournament changes in a game: chips and forced or minimum bets.
constexpr std::array<std::string_view, 7> kChips = {"tournament_chips", "stack",   "ante",   "blinds",
                                                    "bring_in",         "min_bet", "big_bet"};

std::set<std::string_view> without_chips(std::string_view rules) {
  std::set<std::string_view> lines;
  while (!rules.empty()) {
    const std::string_view line = rules.substr(0, rules.find('\n'));
    rules.remove_prefix(std::min(rules.size(), line.size() + 1));
    if (std::find(kChips.begin(), kChips.end(), line.substr(0, line.find(':'))) == kChips.end()) lines.insert(line);
  }
  return lines;
}

}  // namespace

void store(const PolicyNetwork& network, const Game& game, TensorFile& file) {
  file.metadata["format"] = kPolicyNetworkFormat;
  file.metadata["game"] = game.id().family;
  file.metadata["rules"] = game.id().rules;
  file.metadata["facts"] = nlohmann::json(network.input_features).dump();
  file.metadata["value_unit"] = fmt::format("{}", network.value_unit);
  file.metadata["threshold"] = fmt::format("{}", network.threshold);
  store_layers(network.layers, "policy.", file);
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
  network.input_features = read_feature_names(file);
  const EncoderPtr encoder = network.input_features.empty() ? nullptr : make_encoder(game);
  if (!network.input_features.empty() && (!encoder || encoder->names() != network.input_features))
    throw CheckpointError(fmt::format(
        "{}: the network has other input features than this program computes for '{}': {} of them, the first '{}'{}",
        file.name, game->spec(), network.input_features.size(), network.input_features.front(),
        because_of_rules(file, *game)));
  const std::string& unit = file.meta("value_unit");
  network.value_unit = std::atof(unit.c_str());
  if (!(network.value_unit > 0 && std::isfinite(network.value_unit)))
    throw CheckpointError(fmt::format("{}: metadata 'value_unit' is '{}'; expected a number above 0", file.name, unit));
  // Files of earlier versions have none.
  const auto threshold = file.metadata.find("threshold");
  if (threshold != file.metadata.end()) network.threshold = std::atof(threshold->second.c_str());
  if (!(network.threshold >= 0 && network.threshold <= 1))
    throw CheckpointError(
        fmt::format("{}: metadata 'threshold' is '{}'; expected a number from 0 to 1", file.name, threshold->second));
  const auto input_features = static_cast<std::int64_t>(network.input_features.size());
  std::int64_t in = game->observation_spec().size() + input_features;
  std::vector<int> places;
  const auto rules = file.metadata.find("rules");
  if (const std::int64_t trained = inputs_of(file);
      trained > input_features && trained < in && rules != file.metadata.end())
    places = places_of_inputs(*game, rules->second, static_cast<int>(trained - input_features));
  if (!places.empty()) in = static_cast<std::int64_t>(places.size()) + input_features;
  const std::string because = because_of_rules(file, *game);
  if (const std::int64_t trained = inputs_of(file); trained > 0 && trained != in && !because.empty())
    throw CheckpointError(
        fmt::format("{}: the network has {} inputs; '{}' has {}{}", file.name, trained, game->spec(), in, because));
  for (std::size_t i = 0; i < kMostLayers && file.tensors.contains(prefix_of(i) + "weight"); ++i) {
    const std::int64_t out = outputs_of(file, i);
    network.layers.push_back(DenseLayer::read(file, prefix_of(i), in, out));
    in = out;
  }
  if (network.layers.empty() || in != game->num_actions() + 1)
    throw CheckpointError(
        fmt::format("{}: the network has {} outputs; expected {}, one for each action of '{}' and the value{}",
                    file.name, network.layers.empty() ? 0 : in, game->num_actions() + 1, game->spec(), because));
  double largest = 1;  // of inputs
  for (const ObservationPart& part : game->observation_spec().parts())
    largest = std::max({largest, std::abs(static_cast<double>(part.low)), std::abs(static_cast<double>(part.high))});
  refuse_overflow(network.layers, largest, file.name);
  if (!places.empty()) widen(network.layers.front(), places, game->observation_spec().size());
  return network;
}

std::vector<int> places_of_inputs(const Game& game, std::string_view trained, int inputs) {
  const ObservationSpec& spec = game.observation_spec();
  const ObservationPart* const history = spec.find("history");
  if (history == nullptr || history->shape.size() != 4 || without_chips(trained) != without_chips(game.id().rules))
    return {};
  const int rounds = history->shape[0], turns = history->shape[1], turn = history->shape[2] * history->shape[3];
  const int unknown = spec.size() - inputs, each = rounds * turn;
  if (unknown < 0 || unknown % each != 0 || unknown / each >= turns) return {};
  const int known = turns - unknown / each;
  std::vector<int> places;
  for (int i = 0; i < spec.size(); ++i) {
    const int inside = i - history->offset;
    if (inside < 0 || inside >= history->size() || inside / turn % turns < known) places.push_back(i);
  }
  return places;
}

}  // namespace dealer
