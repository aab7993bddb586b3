#include "frontends/seated_agent.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "agents/give_up.h"
#include "env/core/random.h"

namespace dealer {

SeatedAgent::SeatedAgent(std::unique_ptr<Agent> agent, Seat seat)
    : agent_(std::move(agent)), seat_(seat), observes_(agent_->observes()) {}

bool SeatedAgent::attempt(const std::function<void(Agent&)>& what) {
  try {
    what(*agent_);
    return true;
  } catch (...) {
    failure_ = current_failure().what;
    failure_ = failure_.substr(0, failure_.find('\n'));
  }
  if (first_failure_.empty()) first_failure_ = failure_;
  failed_ = true;
  return false;
}

void SeatedAgent::reset(std::uint64_t seed) {
  observed_ = {};
  broken_ = !attempt([&](Agent& agent) { agent.reset(seat_, seed); });
}

void SeatedAgent::begin_episode(std::uint64_t seed) {
  seed_ = seed;
  resets_ = 0;
  reset(seed);
}

bool SeatedAgent::notify(const Env& env) {
  if (!observes_) return true;
  const std::vector<Event> news = env.events(seat_, std::exchange(observed_, env.cursor()));
  return news.empty() || attempt([&](Agent& agent) { agent.on_events(news); });
}

void SeatedAgent::end_hand(const Env& env) {
  if (!broken_) notify(env);
}

bool SeatedAgent::ask(const Env& env, const std::function<void(Agent&)>& what) {
  return !failed_ && notify(env) && attempt(what);
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
  std::string words;
  const auto step = [&](const Decision& decision) {
    words = env.decision_to_string(decision);
    env.step(decision);
  };
  const bool played = ask(env, [&](Agent& agent) { step(agent.act(env.observe(seat_))); });
  if (!played) step(give_up(env));
  decided_ = decided_ || played;
  return words;
}

void SeatedAgent::expect_decisions(std::string_view spec) const {
  if (!decided_ && !first_failure_.empty())
    throw AgentError(FailureKind::kError,
                     fmt::format("agent '{}' made no decision that could be played: {}", spec, first_failure_));
}

}  // namespace dealer
