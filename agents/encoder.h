#pragma once

#include <cstdint>
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

// A choice of a turn, and the inputs of a network that values the position right after it.
struct EncodedAfterstate {
  std::vector<Action> actions;  // that play it from here on
  std::string text;             // for people
  // The binary features that are 1: a row for each opponent who is in the game (OFC), or a single one.
  std::vector<std::vector<std::uint16_t>> rows;
};

// The choices of a turn as networks see them that value afterstates. Immutable, for several threads at once.
class AfterstateEncoder {
 public:
  virtual ~AfterstateEncoder() = default;
  // How many binary features there are.
  virtual int size() const = 0;
  // Every choice of the observer's turn; none where its players need no network: in Fantasyland. Throws UsageError when
  // the observer is not to act or it is no observation of the game.
  virtual std::vector<EncodedAfterstate> encode(const Observation& seen) const = 0;
};
using AfterstateEncoderPtr = std::shared_ptr<const AfterstateEncoder>;

// Of the game's family; null where there is none.
AfterstateEncoderPtr make_afterstate_encoder(const GamePtr& game);

}  // namespace dealer
