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

// Points, or another mean or share, in the games against the responder, and how many more than in those of the agent
// against itself: {"points", "less"}, and {"rate", "less"} for shares.
void add_fare(Figure& fare, std::int64_t deal, bool response, double y);

// Counts the agent's hands against its responder beside those against itself. Deals come one after the other, of both
// the same: what has the same number shares its cards.
class ResponseCounter {
 public:
  ResponseCounter();
  void add_self(std::int64_t deal, const Hand& hand);
  void add_response(std::int64_t deal, const Hand& hand, int responder);
  // All but the classes, which GroupCounter counts.
  Figure figures(const std::string& responder) const;

 private:
  void add_faring(std::int64_t deal, const Hand& hand, const Laying& laying, bool response);
  void add_laying(std::int64_t deal, const Laying& laying, bool response);
  void add_naming(std::int64_t deal, const Laying& laying, bool response);

  std::int64_t hands_ = 0;
  Figure figures_;
};

}  // namespace dealer::studies::seven_hand
