#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/agent.h"
#include "agents/search/search.h"

namespace dealer {

// What an agent thinks of a turn and of what somebody has done in it.
struct ChoiceRating {
  std::vector<RatedChoice> choices;  // the best first; the given one is among them
  std::size_t given = 0;             // which one that is
  std::size_t favourite = 0;         // what the agent itself would do; the best unless a closer look said otherwise
  // What the favourite is worth more than the given one; below 0 where a closer look, or chance, said otherwise.
  // Nothing where the given one was not valued.
  std::optional<double> difference;
  // Its standard error; 0 where nothing is left to chance.
  double error = 0;
  // Differences as small as this say nothing, whatever the error: how far the agent's values are off.
  double doubt = 0;
  std::string method;  // "network", "exact", "search"
};

// Values the choices of whole turns. One object serves one thread; it keeps nothing from one turn to the next.
class ChoiceRater {
 public:
  virtual ~ChoiceRater() = default;
  // `given`: the actions of a turn, legal one after the other from what is seen on. The same observation, actions and
  // seed give the same rating. Throws UsageError when the observer is not to act or it is no observation of the game.
  virtual ChoiceRating rate(const Observation& seen, std::span<const Action> given, std::uint64_t seed) = 0;
};

// A factory whose agents value the choices of their turns.
class RatesChoices {
 public:
  virtual ~RatesChoices() = default;
  virtual std::unique_ptr<ChoiceRater> make_rater() const = 0;
};

}  // namespace dealer
