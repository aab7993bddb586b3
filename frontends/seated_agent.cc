#include "frontends/seated_agent.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "agents/agent.h"
#include "env/core/at.h"
#include "env/core/random.h"

namespace dealer {

SeatedAgent::SeatedAgent(std::unique_ptr<Agent> agent, Seat seat)
    : agent_(*agent), seat_(seat), observes_(agent->observes()) {
  table_.open = true;
  table_.seats.resize(at(seat) + 1);
  std::vector<std::unique_ptr<Agent>> agents;
  agents.push_back(std::move(agent));
  place().batch = add_batch(batch_of(std::move(agents)));
}

void SeatedAgent::reset(std::uint64_t seed) {
  place().observed = {};
  TableLoop::reset(table_, seat_, seed);
}

void SeatedAgent::begin_episode(std::uint64_t seed) {
  seed_ = seed;
  resets_ = 0;
  const std::size_t batch = place().batch;
  place() = {};
  place().batch = batch;
  reset(seed);
  if (place().forfeits) failure_ = "it is gone after earlier failures";  // AgentGone counts as no new failure
}

void SeatedAgent::end_hand(Env& env) {
  table_.env = &env;
  TableLoop::end_hand(table_);
  place().observed = env.cursor();  // people's tables keep the events of the whole episode
}

bool SeatedAgent::ask(Env& env, const std::function<void(Agent&)>& what) {
  table_.env = &env;
  if (!place().failed) notify(table_, seat_);
  if (place().failed) return false;
  try {
    what(agent_);
  } catch (...) {
    fail(table_, seat_);
  }
  return !place().failed;
}

std::optional<std::vector<Decision>> SeatedAgent::plan_turn(
    const Env& env, const std::function<Decision(Agent&, const Observation&)>& choose,
    const std::function<bool(const Env&)>& goes_on) {
  std::vector<Decision> turn;
  const std::unique_ptr<Env> table = env.clone();
  const auto decide = [&](Agent& agent) {
    turn.push_back(choose(agent, table->observe(seat_)));
    table->step(turn.back());
  };
  bool planned = ask(*table, decide);
  while (planned && goes_on(*table)) planned = ask(*table, decide);
  // It has observed decisions that may never be played. New seeds, or its samples would be the same every time.
  if (observes_ && turn.size() > 1) reset(derive(seed_, ++resets_));
  return planned ? std::optional(std::move(turn)) : std::nullopt;
}

std::string SeatedAgent::play(Env& env) {
  table_.env = &env;
  play_round({&table_});
  return std::move(words_);
}

void SeatedAgent::on_failure(LoopTable& /*table*/, Seat /*seat*/, FailureKind kind, std::string what) {
  failure_ = what.substr(0, what.find('\n'));
  failures_.count(kind, failure_);
}

void SeatedAgent::on_decision(LoopTable& table, const Decision& decision, bool own) {
  words_ = table.env->decision_to_string(decision);
  table.env->step(decision);
  decided_ = decided_ || own;
}

}  // namespace dealer
