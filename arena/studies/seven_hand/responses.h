#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "arena/studies/figure.h"
#include "arena/studies/seven_hand/hand.h"
#include "arena/studies/study.h"
#include "env/games/seven_hand/game.h"

namespace dealer::studies::seven_hand {

// The spec of an agent's sampled best response: it samples states weighted by the agent's policy, and takes the
// choice with the maximum mean result if the agent plays on in both seats. Throws UsageError if the agent has
// no policy, and as make_agents().
std::string responder_of(const std::string& agent, const GamePtr& game, std::int64_t simulations);

// Plays the deals missing in the file, which are those of the study's own games, each twice: the responder and the
// agent both get the same cards and turns. Returns false if stopped.
bool play_responses(const StudyContext& place, const AgentFactoryPtr& responder, const Study& study, std::int64_t deals,
                    const std::filesystem::path& file);
// Calls f for all hands of the file, in order, with the role of the responder in each.
void read_responses(const std::filesystem::path& file, const GamePtr& game, const Study& study, std::uint64_t seed,
                    std::int64_t deals,
                    const std::function<void(std::int64_t deal, const Hand& hand, int responder)>& f);

// Adds a value to the mean or share of the games against the responder, and to its difference from the games of the
// agent against itself: {"points", "less"}, and {"rate", "less"} for shares.
void add_fare(Figure& fare, std::int64_t deal, bool response, double y);

// Counts the agent's hands against its responder and against itself. Deals must be added in order, with the same
// numbers for both: equal numbers share their cards.
class ResponseCounter {
 public:
  ResponseCounter();
  void add_self(std::int64_t deal, const Hand& hand);
  void add_response(std::int64_t deal, const Hand& hand, int responder);
  // All figures but the classes, which GroupCounter counts.
  Figure figures(const std::string& responder) const;

 private:
  void add_faring(std::int64_t deal, const Hand& hand, const Laying& laying, bool response);
  void add_laying(std::int64_t deal, const Laying& laying, bool response);
  void add_naming(std::int64_t deal, const Laying& laying, bool response);

  std::int64_t hands_ = 0;
  Figure figures_;
};

}  // namespace dealer::studies::seven_hand
