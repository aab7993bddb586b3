#pragma once

#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "agents/encoder.h"

namespace dealer {

// The inputs of a game's networks for programs that have networks of their own: observations come from outside and are
// checked. For several threads at once.
class InputFeatures {
 public:
  explicit InputFeatures(const GamePtr& game);

  // Of the facts that networks are told beside the observation; empty where there are none.
  const std::vector<std::string>& names() const { return names_; }
  // observations: rows of observation_spec().size() numbers, of seats to act. facts: as many rows of names().size().
  // Throws UsageError when a row is no observation of the game or the sizes do not agree.
  void encode(std::span<const float> observations, std::span<float> facts) const;

  // How many binary features afterstates have; 0 where networks do not value those.
  int afterstate_size() const;
  // As AfterstateEncoder. Throws UsageError, too, where networks of the game do not value afterstates.
  std::vector<EncodedAfterstate> afterstates(const Observation& seen) const;

 private:
  const AfterstateEncoder* afterstate_encoder() const;

  GamePtr game_;
  EncoderPtr encoder_;
  std::vector<std::string> names_;
  // Made when asked for: it takes a while.
  mutable std::once_flag once_;
  mutable AfterstateEncoderPtr afterstates_;
};

}  // namespace dealer
