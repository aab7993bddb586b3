#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agents/encoder.h"
#include "agents/nn/relu_layers.h"
#include "agents/nn/safetensors.h"
#include "env/core/game.h"

namespace dealer {

// A policy-value network: dense layers with ReLUs between them. Inputs: the observation, then the encoder's input
// features. Outputs: a logit for every action, then the value of the position for the observer.
struct PolicyNetwork {
  using Layer = DenseLayer;
  std::vector<Layer> layers;
  std::vector<std::string> input_features;  // names of the encoder's features; empty without an encoder
  double value_unit = 1;                    // one unit of the value output, in the game's unit
  double threshold = 0;                     // agents do not play actions less probable than this

  int inputs() const { return layers.front().in; }
  // The number of actions: all outputs but the value.
  int actions() const { return layers.back().out - 1; }
  ReluLayers relu_layers() const { return ReluLayers(layers); }
};

// The metadata `format` of such files.
inline constexpr const char* kPolicyNetworkFormat = "dealer.policy_network.1";

// Writes the network with the metadata that find_model() and load_policy_network() need.
void store(const PolicyNetwork& network, const Game& game, TensorFile& file);
// If the network was trained with fewer chips at the table, history turns that it has never seen get zero weight
// (longer_history.h). Throws CheckpointError if the file holds something else, a network of another game, one with
// input features that this program does not compute, or numbers that are not finite.
PolicyNetwork load_policy_network(const TensorFile& file, const GamePtr& game);

// A betting round can be longer with more chips at the table, as in tournaments: the history in the observation then
// has more turns, and everything else is the same, scaled alike. A network that was trained with fewer chips plays
// there without seeing the additional turns.
//
// The indices in the game's observation of the `inputs` numbers that a network for the rules `trained` takes, in order.
// Empty if the game differs from those rules in more than chips, or not by whole turns.
std::vector<int> places_of_inputs(const Game& game, std::string_view trained, int inputs);

}  // namespace dealer
