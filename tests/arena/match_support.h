#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "arena/match.h"
#include "env/core/registry.h"

namespace dealer::test {

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

// A line for every hand, with all that was decided in it.
inline void write_log(MatchOptions& options, std::string& text) {
  options.describe = [](const PlayedHand& hand) {
    std::string line = std::to_string(hand.deal) + '/' + std::to_string(hand.seating) + '/' + std::to_string(hand.hand);
    for (const PlayedDecision& each : hand.decisions) line += ' ' + std::to_string(each.seat) + ' ' + each.text;
    for (const double points : hand.points) line += ' ' + std::to_string(points);
    return line + '\n';
  };
  options.log = [&text](std::string_view more) { text += more; };
}

// Result and log of a match, to be compared.
inline std::pair<std::string, std::string> played(MatchOptions options, int threads, int num_envs) {
  std::string text;
  write_log(options, text);
  options.threads = threads;
  options.num_envs = num_envs;
  const std::string result = without_time(play_match(options));
  return {result, text};
}

// Agents, or batches of agents, of a function's making.
class Factory final : public AgentFactory {
 public:
  using Make = std::function<std::unique_ptr<Agent>()>;
  using MakeBatch = std::function<std::unique_ptr<AgentBatch>(int tables)>;

  Factory(std::string spec, Make make, MakeBatch make_batch = {}, int tables_at_once = 1)
      : spec_(std::move(spec)),
        make_(std::move(make)),
        make_batch_(std::move(make_batch)),
        tables_at_once_(tables_at_once) {}
  std::unique_ptr<Agent> make() const override { return make_(); }
  std::unique_ptr<AgentBatch> make_batch(int tables) const override {
    return make_batch_ ? make_batch_(tables) : AgentFactory::make_batch(tables);
  }
  int tables_at_once() const override { return tables_at_once_; }
  const std::string& spec() const override { return spec_; }

 private:
  std::string spec_;
  Make make_;
  MakeBatch make_batch_;
  int tables_at_once_;
};

template <class A, class... Arguments>
AgentFactoryPtr agents_of(std::string spec, Arguments... arguments) {
  return std::make_shared<Factory>(std::move(spec), [=] { return std::make_unique<A>(arguments...); });
}

}  // namespace dealer::test
