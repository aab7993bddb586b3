#pragma once

#include <compare>
#include <map>
#include <vector>

#include "arena/knockout/knockout.h"
#include "arena/knockout/levels.h"

namespace dealer::knockout {

// An agent at a table of so many players on a level: each plays a game of its own.
struct PairingKey {
  int agent = 0, size = 0, level = 0;
  auto operator<=>(const PairingKey&) const = default;
};

// What all threads of a tournament share.
struct Setup {
  // Checks the options, and that every agent plays every game that a table can come to have. Throws as play().
  explicit Setup(const Options& given);

  int agents() const { return static_cast<int>(options.agents.size()); }
  int seatings() const { return options.duplicate ? agents() : 1; }
  int entries() const { return options.players / agents(); }  // of each agent

  Options options;  // with what was left out
  Levels levels;
  std::map<PairingKey, AgentFactoryPtr> makers;
  int side_by_side = 1;  // seatings that a thread plays at once
  int most_threads = 1 << 20;
};

}  // namespace dealer::knockout
