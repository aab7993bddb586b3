#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "env/core/game.h"

namespace dealer {

// Computes the input features of a network beside the observation: values that any player could derive from what it
// sees, such as the category and percentile of its hand. The same in training and in play. Immutable, thread-safe.
class Encoder {
 public:
  virtual ~Encoder() = default;
  // The names of the features, in order: "hand.percentile". Files of weights identify their encoder by them.
  virtual const std::vector<std::string>& names() const = 0;
  // observation: observation_spec().size() floats of a seat to act. input_features: names().size() floats, about 0 to 1
  virtual void encode(const float* observation, float* input_features) const = 0;
};
using EncoderPtr = std::shared_ptr<const Encoder>;

// The encoder of the game's family; null if it has none.
EncoderPtr make_encoder(const GamePtr& game);

// A choice of a turn, and the network's inputs for the position right after it.
struct EncodedAfterstate {
  std::vector<Action> actions;  // the actions that play it from here on
  std::string text;             // for people
  // The binary features that are 1: a row for each opponent who is in the game (OFC), or a single one.
  std::vector<std::vector<std::uint16_t>> rows;
};

// The choices of a turn as seen by networks that value afterstates. Immutable, thread-safe.
class AfterstateEncoder {
 public:
  virtual ~AfterstateEncoder() = default;
  // The number of binary features.
  virtual int size() const = 0;
  // Every choice of the observer's turn; empty if no network is needed, as in Fantasyland. Throws UsageError if the
  // observer is not to act or if it is not an observation of the game.
  virtual std::vector<EncodedAfterstate> encode(const Observation& seen) const = 0;
};
using AfterstateEncoderPtr = std::shared_ptr<const AfterstateEncoder>;

// The afterstate encoder of the game's family; null if it has none.
AfterstateEncoderPtr make_afterstate_encoder(const GamePtr& game);

}  // namespace dealer
