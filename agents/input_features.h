#pragma once

#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "agents/encoder.h"

namespace dealer {

// The inputs of a game's networks, for programs with networks of their own: observations come from outside
// and are validated. Thread-safe.
class InputFeatures {
 public:
  explicit InputFeatures(const GamePtr& game);

  // The names of the input features beside the observation; empty if there are none.
  const std::vector<std::string>& names() const { return names_; }
  // observations: rows of observation_spec().size() numbers, of seats to act. input_features: as many rows of
  // names().size(). Throws UsageError if a row is not an observation of the game or the sizes do not agree.
  void encode(std::span<const float> observations, std::span<float> input_features) const;

  // The number of binary features of an afterstate; 0 if the game's networks do not value afterstates.
  int afterstate_size() const;
  // As AfterstateEncoder::encode(). Throws UsageError also if the game's networks do not value afterstates.
  std::vector<EncodedAfterstate> afterstates(const Observation& seen) const;

 private:
  const AfterstateEncoder* afterstate_encoder() const;

  GamePtr game_;
  EncoderPtr encoder_;
  std::vector<std::string> names_;
  // Created on first use: it takes a while.
  mutable std::once_flag once_;
  mutable AfterstateEncoderPtr afterstates_;
};

}  // namespace dealer
