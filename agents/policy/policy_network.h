#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "agents/encoder.h"
#include "agents/nn/relu_layers.h"
#include "agents/nn/safetensors.h"
#include "env/core/game.h"

namespace dealer {

// A player as a network: dense layers with ReLUs between them. In: the observation, then the encoder's facts. Out: a
// logit for every action, then the value of the position for the observer.
struct PolicyNetwork {
  using Layer = DenseLayer;
  std::vector<Layer> layers;
  std::vector<std::string> facts;  // names of the encoder's; empty without
  double value_unit = 1;           // the value output counts in so many of the game's unit
  double threshold = 0;            // agents do not play actions that are less likely

  int inputs() const { return layers.front().in; }
  // Without the value.
  int actions() const { return layers.back().out - 1; }
  ReluLayers relu_layers() const { return ReluLayers(layers); }
};

// The metadata `format` of such files.
inline constexpr const char* kPolicyNetworkFormat = "dealer.policy_network.1";

// With what find_model() and load_policy_network() want to know of the game.
void store(const PolicyNetwork& network, const Game& game, TensorFile& file);
// Of a network that was trained with fewer chips at the table, the turns of the history that it has never seen weigh
// nothing (longer_history.h). Throws CheckpointError when the file holds something else, a network of another game, one
// of facts that this program does not work out, or numbers that are not finite.
PolicyNetwork load_policy_network(const TensorFile& file, const GamePtr& game);

// A round of betting can be longer where there are more chips at the table, as in tournaments: the history in the
// observation then has more turns, and everything else is the same, scaled alike. A network that was trained with fewer
// plays there, blind to the turns that it has never seen.
//
// The places in the game's observation of the `inputs` numbers that a network of the rules `trained` knows, in order.
// Empty when the game differs in more than chips from those rules, or not by whole turns.
std::vector<int> places_of_inputs(const Game& game, std::string_view trained, int inputs);

}  // namespace dealer
