#include "frontends/seated_agent.h"

#include <fmt/format.h>

#include <exception>
#include <utility>
#include <vector>

#include "agents/agent_error.h"
#include "env/core/random.h"

namespace dealer {

SeatedAgent::SeatedAgent(std::unique_ptr<Agent> agent, Seat seat)
    : agent_(std::move(agent)), seat_(seat), hears_(agent_->hears()) {}

bool SeatedAgent::attempt(const std::function<void(Agent&)>& what) {
  try {
    what(*agent_);
    return true;
  } catch (const std::exception& error) {
    failure_ = error.what();
    failure_ = failure_.substr(0, failure_.find('\n'));
  } catch (...) {
    failure_ = "an unknown error";
  }
  if (first_failure_.empty()) first_failure_ = failure_;
  failed_ = true;
  return false;
}

void SeatedAgent::reset(std::uint64_t seed) {
  heard_ = {};
  broken_ = !attempt([&](Agent& agent) { agent.reset(seat_, seed); });
}

void SeatedAgent::begin_episode(std::uint64_t seed) {
  seed_ = seed;
  resets_ = 0;
  reset(seed);
}

bool SeatedAgent::tell(const Env& env) {
  if (!hears_) return true;
  const std::vector<Event> news = env.events(seat_, std::exchange(heard_, env.cursor()));
  return news.empty() || attempt([&](Agent& agent) { agent.hear(news); });
}

void SeatedAgent::end_hand(const Env& env) {
  if (!broken_) tell(env);
}

bool SeatedAgent::ask(const Env& env, const std::function<void(Agent&)>& what) {
  return !failed_ && tell(env) && attempt(what);
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
  // It has heard of decisions that may never be played. Other seeds, or what it samples would be the same every time.
  if (hears_ && turn.size() > 1) reset(derive(seed_, ++resets_));
  return planned ? std::optional(std::move(turn)) : std::nullopt;
}

std::string SeatedAgent::play(Env& env) {
  std::string words;
  const auto step = [&](const Decision& decision) {
    words = env.decision_to_string(decision);
    env.step(decision);
  };
  const bool played = ask(env, [&](Agent& agent) { step(agent.act(env.observe(seat_))); });
  if (!played) step(env.legal_actions().front());
  decided_ = decided_ || played;
  return words;
}

void SeatedAgent::expect_decisions(std::string_view spec) const {
  if (!decided_ && !first_failure_.empty())
    throw AgentError(FailureKind::kError,
                     fmt::format("agent '{}' made no decision that could be played: {}", spec, first_failure_));
}

}  // namespace dealer
