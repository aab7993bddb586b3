#pragma once

#include <istream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "agents/agent_registry.h"
#include "agents/table_loop.h"
#include "env/core/random.h"
#include "env/core/registry.h"
#include "frontends/terminal/betting/table.h"
#include "frontends/terminal/session.h"
#include "tests/support/texts.h"

// Sessions of the terminal, played from a text.
namespace dealer::test {

// A game with bets: not Pineapple OFC or 7-Hand Poker.
inline bool has_bets(const std::string& game) {
  const std::string& family = make_game(game)->id().family;
  return family != "ofc" && family != "seven_hand";
}

// A table after these decisions.
inline std::unique_ptr<Env> table_at(const std::string& spec, std::uint64_t seed, const Words& decisions = {}) {
  std::unique_ptr<Env> env = make_game(spec)->new_env({.hold_hands = true});
  env->reset(seed);
  for (const std::string& decision : decisions) env->step(env->parse_decision(decision));
  return env;
}

// "take" plays a decision, or plans one that "y" confirms; after a hand Enter deals the next.
inline const std::string kTake = "take\ny\n\n";

// An adviser whose every hint is a random legal action, drawn anew: it gives no policy, unlike `random`, whose equally
// likely actions hints list with the lowest first.
class DrawingAgent final : public Agent {
 public:
  void reset(Seat, std::uint64_t seed) override { rng_ = RandomStream(seed); }
  Decision act(const Observation& observation) override {
    const std::vector<Action> legal = observation.legal_actions();
    return legal[rng_.below(static_cast<std::uint32_t>(legal.size()))];
  }

 private:
  RandomStream rng_{0};
};

inline AgentFactoryPtr drawing_agents() {
  return make_factory("drawing", [] { return std::make_unique<DrawingAgent>(); });
}

// The same agent for every opponent; hands of 0: until the input ends.
inline terminal::SessionOptions session_options(const GamePtr& game, AgentFactoryPtr opponents, AgentFactoryPtr adviser,
                                                std::uint64_t seed, int hands = 0) {
  terminal::SessionOptions options;
  options.opponents.assign(static_cast<std::size_t>(game->players() - 1), std::move(opponents));
  options.adviser = std::move(adviser);
  options.seed = seed;
  options.hands = hands;
  return options;
}

struct Sat {
  std::string text;
  int hands = 0;
  std::vector<double> points;
  std::string error;  // of an agent that ended the session
};

inline Sat sit(const GamePtr& game, terminal::SessionOptions options, std::istream& in, std::ostringstream& out) {
  terminal::Session session(game, std::move(options), in, out);
  std::string error;
  try {
    session.run();
  } catch (const AgentFailure& failure) {
    error = failure.what();
  }
  return {out.str(), session.hands(), session.points(), error};
}

inline Sat sit(const GamePtr& game, terminal::SessionOptions options, const std::string& input) {
  std::istringstream in(input);
  std::ostringstream out;
  return sit(game, std::move(options), in, out);
}

// Deals episodes like sessions, from stream 0 of the seed. If they are no matches the button moves left from one to the
// next: other deals are skipped.
class Dealing {
 public:
  Dealing(Env& env, std::uint64_t seed) : env_(env), seed_(derive(seed, 0)) {}
  void episode() {
    const std::vector<Event> before = episodes_ == 0 ? std::vector<Event>() : env_.events(kSpectator);
    const std::uint64_t seed = derive(seed_, episodes_++);
    for (std::uint64_t deal = 0;; ++deal) {
      env_.reset(deal == 0 ? seed : derive(seed, deal));
      if (before.empty() || before.back().kind == Event::Kind::kMatchEnded) return;
      const Seat now = dealer_of(env_.events(kSpectator));
      if (now < 0 || now == (dealer_of(before) + 1) % env_.game().players()) return;
    }
  }

 private:
  static Seat dealer_of(const std::vector<Event>& events) {
    Seat dealer = -1;
    for (const Event& event : events)
      if (event.kind == Event::Kind::kHandBegun) dealer = event.seat;
    return dealer;
  }

  Env& env_;
  std::uint64_t seed_, episodes_ = 0;
};

}  // namespace dealer::test

namespace dealer::terminal {
using namespace test;

// At the beginning of a hand, with these chips of the seats: 0 for a seat that is out.
inline BettingTable table_with(std::vector<std::int64_t> stacks, Seat dealer = 0) {
  Event event;
  event.kind = Event::Kind::kHandBegun;
  event.seat = dealer;
  event.values = std::move(stacks);
  return BettingTable(std::span(&event, 1));
}
}  // namespace dealer::terminal
