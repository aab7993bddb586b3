#include "arena/studies/sweep/condition.h"

#include <fmt/format.h>

#include <cmath>

#include "agents/agent_registry.h"
#include "arena/studies/fantasyland/rivals.h"
#include "env/core/config_tree.h"
#include "env/core/error.h"
#include "env/core/registry.h"

namespace dealer::studies {
namespace {

// The agent's own value of Fantasyland; nullopt if it cannot be set.
std::optional<double> counted(const SweepTable& table) {
  try {
    const GamePtr game = make_game(table.game);
    make_agents(fantasyland::with_counted_value(table.agent, 0), game);
    return make_agents(table.agent, game)->option("fantasyland");
  } catch (const ConfigError&) {
  } catch (const UsageError&) {
  }
  return std::nullopt;
}

StudyJob round_of(const SweepTable& table, const std::string& agent, std::int64_t deals, int threads) {
  return read_study("fantasyland",
                    {"game=" + yaml_quoted(table.game), "agent=" + yaml_quoted(agent), "values=[]", "openings=false",
                     fmt::format("deals={}", deals), fmt::format("threads={}", threads)});
}

}  // namespace

void check_conditioned(const SweepValue& value, const SweepTable& table) {
  if (counted(table)) return;
  throw UsageError(fmt::format(
      "--condition: '{}' has no option for the value of Fantasyland, which {} changes; expected a trained agent of "
      "Open-Face Chinese poker, or no --condition",
      table.agent, value.name));
}

std::optional<std::string> conditioned(const SweepTable& table, std::int64_t deals, int threads,
                                       const std::filesystem::path& folder, const std::function<bool()>& stop) {
  std::string agent = fantasyland::with_counted_value(table.agent, std::round(100 * counted(table).value()) / 100);
  for (int round = 1; round <= kConditionRounds; ++round) {
    std::filesystem::path own = folder;
    own += fmt::format("-{}", round);
    StudyHooks hooks;
    hooks.stop = stop;
    const StudyOutcome outcome = run_study(round_of(table, agent, deals, threads), own, hooks);
    if (outcome.interrupted) return std::nullopt;
    const auto& value = outcome.results["figures"]["chain"]["value"]["value"];
    if (!value.is_number())
      throw UsageError(
          fmt::format("--condition {}: '{}' was never in Fantasyland; expected more deals", deals, table.game));
    agent = fantasyland::with_counted_value(table.agent, std::round(100 * value.get<double>()) / 100);
  }
  return agent;
}

}  // namespace dealer::studies
