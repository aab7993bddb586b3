#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "arena/studies/seven_hand/figures.h"
#include "arena/studies/study.h"
#include "env/games/seven_hand/game.h"

namespace dealer::studies::seven_hand {

// The spec of an agent's sampled best response: it draws states by how likely the agent's play makes them, and takes
// the choice after which it fares best while the agent plays on in both seats. Throws UsageError when the agent does
// not tell its policy, and as make_agents().
std::string responder_of(const std::string& agent, const GamePtr& game, std::int64_t simulations);

// Plays the deals that the file lacks, those of the study's own games, each twice: the same cards and turns to the
// responder and to the agent. False when stopped.
bool play_responses(const StudyContext& place, const AgentFactoryPtr& responder, const Study& study, std::int64_t deals,
                    const std::filesystem::path& file);
// Tells all hands of the file, in order, and which role the responder had in each.
void read_responses(const std::filesystem::path& file, const GamePtr& game, const Study& study, std::uint64_t seed,
                    std::int64_t deals,
                    const std::function<void(std::int64_t deal, const Hand& hand, int responder)>& f);

// Counts the agent's hands against its responder beside those against itself. Deals come one after the other, of both
// the same: what has the same number shares its cards.
class ResponseTally {
 public:
  void add_self(std::int64_t deal, const Hand& hand);
  void add_response(std::int64_t deal, const Hand& hand, int responder);
  // Without the responder's spec, and without classes, which GroupTally counts.
  void read(ResponseFigures& figures) const;

 private:
  // Of the games with the responder, and less those of the agent against itself.
  struct Means {
    DealMean mean;
    ClusterDifference less;
    void add(std::int64_t deal, bool response, double y, double n = 1);
  };
  struct Shares {
    DealMean mean;
    ShareDifference less;
    void add(std::int64_t deal, bool response, bool happened);
  };
  template <class T, std::size_t rows, std::size_t n>
  using Table = std::array<std::array<T, n>, rows>;

  void add_faring(std::int64_t deal, const Hand& hand, const Laying& laying, bool response);
  void add_laying(std::int64_t deal, const Laying& laying, bool response);
  void add_naming(std::int64_t deal, const Laying& laying, bool response);

  std::int64_t hands_ = 0;
  DealMean points_, win_rate_;
  Table<Means, kMostLaid, kChips> sent_;
  Table<Means, kTurns, kMostLaid> turns_;
  Table<Shares, kMostLaid, kChips> named_;
  Table<Shares, kTurns, kMostLaid> laid_;
  Means cards_, middle_many_, middle_few_;
};

}  // namespace dealer::studies::seven_hand
