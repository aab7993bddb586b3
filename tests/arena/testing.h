#pragma once

// Helpers for tests of matches, tournaments and studies.
#include <atomic>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "agents/agent_error.h"
#include "agents/agent_registry.h"
#include "agents/random_agent.h"
#include "agents/tabular/policy.h"
#include "agents/tabular/values.h"
#include "arena/match.h"
#include "env/core/data_dir.h"
#include "env/core/files.h"
#include "env/core/typed_env.h"
#include "tests/support/cards.h"
#include "tests/support/fake_agents.h"
#include "tests/support/file_limit.h"
#include "tests/support/paths.h"
#include "tests/support/play.h"
#include "tests/support/testing.h"
#include "tests/support/texts.h"
#include "tests/support/well_formed.h"

namespace dealer::test {

// Failures are counted in arrays by kind.
using dealer::at;
constexpr std::size_t at(FailureKind kind) { return static_cast<std::size_t>(kind); }

inline MatchOptions match(const std::string& game, const std::vector<std::string>& agents, std::int64_t deals) {
  MatchOptions options;
  options.game = make_game(game);
  for (const std::string& agent : agents) options.agents.push_back(make_agents(agent, options.game));
  options.deals = deals;
  options.seed = 11;
  return options;
}

inline std::string without_time(const MatchResult& result) {
  nlohmann::json json = to_json(result);
  json.erase("seconds");
  return json.dump();
}

// One line per hand, with all its decisions.
inline void write_log(MatchOptions& options, std::string& text) {
  options.describe = [](const PlayedHand& hand) {
    std::string line = std::to_string(hand.deal) + '/' + std::to_string(hand.seating) + '/' + std::to_string(hand.hand);
    for (const PlayedDecision& each : hand.decisions) line += ' ' + std::to_string(each.seat) + ' ' + each.text;
    for (const double points : hand.points) line += ' ' + std::to_string(points);
    return line + '\n';
  };
  options.log = [&text](std::string_view more) { text += more; };
}

// The result and the log of a match, for comparison.
inline std::pair<std::string, std::string> played(MatchOptions options, int threads, int num_envs) {
  std::string text;
  write_log(options, text);
  options.threads = threads;
  options.num_envs = num_envs;
  const std::string result = without_time(play_match(options));
  return {result, text};
}

template <class A, class... Arguments>
AgentFactoryPtr agents_of(std::string spec, Arguments... arguments) {
  return std::make_shared<FakeFactory>(std::move(spec), [=] { return std::make_unique<A>(arguments...); });
}

// Agents defined by a policy: a function gives the weight of every legal action, in any unit.
using Chance = std::function<double(const Observation& seen, Action)>;
inline AgentFactoryPtr by_policy(const Chance& chance) {
  return std::make_shared<FakeFactory>("test", [chance] {
    const auto rng = std::make_shared<RandomStream>();
    const auto policy = [chance](const Observation& seen) {
      std::vector<double> chances;
      for (const Action action : seen.legal_actions()) chances.push_back(chance(seen, action));
      const double sum = std::accumulate(chances.begin(), chances.end(), 0.0);
      for (double& p : chances) p /= sum;
      return chances;
    };
    FakeAgent::Functions own;
    own.reset = [rng](Seat, std::uint64_t seed) { *rng = RandomStream(seed); };
    own.policy = policy;
    own.act = [rng, policy](const Observation& seen) -> Decision {
      const std::vector<double> chances = policy(seen);
      double point = static_cast<double>(rng->uniform());
      std::size_t i = 0;
      while (i + 1 < chances.size() && (point -= chances[i]) >= 0) ++i;
      return seen.legal_actions()[i];
    };
    return std::make_unique<FakeAgent>(own);
  });
}

// The exact mean winnings of the first policy against the second per hand, over both seats.
inline double mean_against(const tabular::GameTree& tree, const tabular::Policy& a, const tabular::Policy& b) {
  double sum = 0;
  for (Seat seat = 0; seat < 2; ++seat) {
    tabular::Policy both = b;
    const auto first = tree.first_sequence(seat), end = tree.first_sequence(seat + 1);
    std::copy(a.probability.begin() + first, a.probability.begin() + end, both.probability.begin() + first);
    sum += tabular::expected_returns(tree, both)[at(seat)];
  }
  return sum / 2;
}

// A file of results (arena/lines_file.h) in the format before checksums. In such a file only impossible lines are
// detected, which checksums would hide.
inline std::string without_sums(const std::string& text) {
  return std::regex_replace(text, std::regex(" crc32c [0-9a-f]{8}\n"), "\n");
}

}  // namespace dealer::test
