#pragma once

#include <memory>
#include <string>
#include <vector>

#include "env/core/game.h"

namespace dealer {

// What a network is told beside the observation: facts that any player could work out from what it sees, such as the
// category and percentile of its hand. The same in training and in play. Immutable, for several threads at once.
class Encoder {
 public:
  virtual ~Encoder() = default;
  // Of the facts, in order: "hand.percentile". They tell one encoder from another in files of weights.
  virtual const std::vector<std::string>& names() const = 0;
  // observation: observation_spec().size() floats of a seat to act. facts: names().size() floats, about 0 to 1.
  virtual void encode(const float* observation, float* facts) const = 0;
};
using EncoderPtr = std::shared_ptr<const Encoder>;

// Of the game's family; null where there is none.
EncoderPtr make_encoder(const GamePtr& game);

}  // namespace dealer
