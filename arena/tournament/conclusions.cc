#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "arena/studies/report/text.h"
#include "arena/tournament/report.h"

namespace dealer::tournament {
namespace {

using studies::Estimate;
using studies::Unit;

std::string text(const Estimate& estimate) { return studies::text_of(estimate, Unit::kNumber); }

std::string best(const Results& results) {
  const AgentStanding& first = results.agents.front();
  std::string out =
      fmt::format("Best: {} wins {} {} from the field", first.name, text(to_estimate(first.rating)), results.unit);
  if (results.agents.size() < 2 || !results.agents[1].rating.known) return out + ".";
  const Estimate lead = between(results, 0, 1);
  if (lead.above(0)) return out + fmt::format(", and {} from {}, the second.", text(lead), results.agents[1].name);
  if (lead.below(0))
    return out + fmt::format(", but loses {} to {}, the second.", text({-lead.value, lead.ci95, lead.count}),
                             results.agents[1].name);
  if (lead.count > 0)
    return out + fmt::format("; from {}, the second, {}, which is not told apart.", results.agents[1].name, text(lead));
  return out + fmt::format("; {} is second.", results.agents[1].name);
}

std::string nash(const Results& results) {
  constexpr double kShare = 0.0005;  // what is shown as more than zero
  std::vector<std::string> within;
  for (const AgentStanding& agent : results.agents)
    if (agent.nash >= kShare) within.push_back(fmt::format("{} {}%", agent.name, studies::fixed(100 * agent.nash, 1)));
  if (within.size() == 1)
    return fmt::format("Nash average: {} alone; nobody among these beats it.",
                       std::find_if(results.agents.begin(), results.agents.end(), [](const AgentStanding& agent) {
                         return agent.nash >= kShare;
                       })->name);
  return fmt::format("Nash average: {}.", fmt::join(within, ", "));
}

std::string progress(const std::vector<const AgentStanding*>& curve, const std::string& unit) {
  const AgentStanding& first = *curve.front();
  const AgentStanding& last = *curve.back();
  const auto [worst, top] = std::minmax_element(curve.begin(), curve.end(), [](const auto* one, const auto* other) {
    return one->rating.value < other->rating.value;
  });
  return fmt::format("Training: from {} at step {} to {} {} at step {}; the highest is step {}, the lowest step {}.",
                     text(to_estimate(first.rating)), *first.step, text(to_estimate(last.rating)), unit, *last.step,
                     *(*top)->step, *(*worst)->step);
}

std::string cycles_text(const Results& results) {
  const Cycles& cycles = results.cycles;
  if (cycles.found == 0) return "Cycles: none seen in which each beats the next and the last the first.";
  const std::int64_t certain =
      std::count_if(cycles.shown.begin(), cycles.shown.end(), [](const Cycle& cycle) { return cycle.certain; });
  return fmt::format("Cycles: {}, of which {} certain; the clearest: {}.", cycles.found, certain,
                     cycle_text(results, cycles.shown.front()));
}

}  // namespace

std::string cycle_text(const Results& results, const Cycle& cycle) {
  std::vector<std::string> names;
  for (const int agent : cycle.agents) names.push_back(results.agents[static_cast<std::size_t>(agent)].name);
  names.push_back(names.front());
  return fmt::format("{}", fmt::join(names, " beats "));
}

std::vector<const AgentStanding*> curve_of(const Results& results) {
  std::vector<const AgentStanding*> curve;
  for (const AgentStanding& agent : results.agents)
    if (agent.step && agent.rating.known) curve.push_back(&agent);
  std::sort(curve.begin(), curve.end(), [](const auto* one, const auto* other) { return *one->step < *other->step; });
  return curve;
}

std::vector<std::string> conclusions_of(const Results& results) {
  std::vector<std::string> all;
  if (results.has_ratings()) all.push_back(best(results));
  if (const auto curve = curve_of(results); curve.size() > 1) all.push_back(progress(curve, results.unit));
  if (results.has_nash) all.push_back(nash(results));
  if (results.agents.size() > 2 && results.has_ratings()) {
    all.push_back(cycles_text(results));
    // Between two there is nothing that one number each could not say.
    all.push_back(
        fmt::format("Ratings: they explain {}% of the head-to-head results; the rest is non-transitivity or noise.",
                    studies::fixed(100 * results.explained, 1)));
  }
  std::vector<std::string> unrated;
  for (const AgentStanding& agent : results.agents)
    if (!agent.rating.known) unrated.push_back(agent.name);
  if (!unrated.empty())
    all.push_back(fmt::format("Without a rating: {}, for want of games with the others.", fmt::join(unrated, ", ")));
  if (results.failed() > 0)
    all.push_back(fmt::format("Failed: {} of {} pairs; the same command tries them again.", results.failed(),
                              results.pairs.size()));
  return all;
}

}  // namespace dealer::tournament
