#include "frontends/acpc/acpc_client.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "agents/acpc/holdem.h"
#include "agents/agent_error.h"
#include "agents/remote/link.h"
#include "agents/remote/protocol.h"
#include "env/core/error.h"
#include "env/core/random.h"

namespace dealer {
namespace {

using acpc::MatchState;
using remote::Clock;

constexpr std::chrono::milliseconds kLookAround{200};

class Client {
 public:
  Client(const AgentFactoryPtr& agents, const GamePtr& game, const AcpcOptions& options)
      : game_(game), options_(options), name_(agents->spec()), agent_(agents->make()), hears_(agent_->hears()) {}

  AcpcResult run() {
    link_ = remote::connect_tcp(options_.server, {.start = options_.start_time});
    link_->send("VERSION:2.0.0\r\n");
    while (!options_.stop || !options_.stop()) {
      std::optional<std::string_view> line;
      try {
        line = link_->next_line(Clock::now() + kLookAround);
      } catch (const AgentError& error) {
        // Servers say no goodbye.
        if (error.kind() != FailureKind::kDisconnected || in_hand_) throw;
        return result_;
      }
      if (line && !line->empty() && line->front() != '#' && line->front() != ';') take(std::string(*line));
    }
    result_.stopped = true;
    return result_;
  }

 private:
  void take(const std::string& line) {
    MatchState told;
    int to_act = -1;
    try {
      told = acpc::parse_match_state(line, game_.deck());
      to_act = game_.to_act(told);
    } catch (const ParseError& error) {
      throw ParseError(fmt::format("{}: {} in {}", options_.server, error.what(), remote::quote_line(line)));
    }
    if (!in_hand_ || told.hand != hand_) begin(told);
    const std::optional<poker::State> state = replay(told);
    if (state && hears_) tell(*state, told.position);
    if (to_act == told.position) link_->send(fmt::format("{}:{}\r\n", line, acpc::to_string(decide(state, told))));
    if (to_act < 0) end(state, told);
  }

  void begin(const MatchState& told) {
    in_hand_ = true;
    hand_ = told.hand;
    heard_ = 0;
    strange_ = false;
    agent_->reset(told.position, derive(options_.seed, told.hand));
  }

  // Nothing where the hand cannot be so.
  std::optional<poker::State> replay(const MatchState& told) {
    if (strange_) return std::nullopt;
    try {
      return game_.replay(told);
    } catch (const ParseError& error) {
      strange_ = true;
      if (result_.strange++ == 0) result_.first_strange = error.what();
      return std::nullopt;
    }
  }

  void tell(const poker::State& state, Seat seat) {
    std::vector<Event> events;
    state.events(events);
    events = seen_by(events, seat);
    agent_->hear(std::span(events).subspan(heard_));
    heard_ = events.size();
  }

  acpc::Move decide(const std::optional<poker::State>& state, const MatchState& told) {
    if (!state || state->current_player() != told.position) return {};
    Observation seen;
    seen.player = told.position;
    seen.data.resize(static_cast<std::size_t>(game_.game()->observation_spec().size()));
    state->observe(told.position, seen.data.data());
    seen.legal_mask = state->legal_mask();
    seen.amounts = state->amount_range();
    const Decision decision = agent_->act(seen);
    ++result_.decisions;
    const bool legal = decision.is_amount() ? seen.amounts.contains(decision.amount)
                                            : decision.action < kMaxActions && (seen.legal_mask >> decision.action & 1);
    if (!legal) throw AgentError(FailureKind::kIllegal, fmt::format("{}: its decision is not legal", name_));
    return game_.move_of(decision, *state);
  }

  void end(const std::optional<poker::State>& state, const MatchState& told) {
    in_hand_ = false;
    ++result_.hands;
    if (!state || !state->hand_over()) return;
    const poker::HandRecord record = state->last_hand();
    std::string values, names;
    for (int position = 0; position < game_.players(); ++position) {
      const bool ours = position == told.position;
      if (position > 0) values += '|', names += '|';
      values += std::to_string(record.net[static_cast<std::size_t>(position)]);
      names += ours ? name_ : "opponent";
    }
    const Amount net = record.net[static_cast<std::size_t>(told.position)];
    result_.chips += net;
    if (options_.on_hand)
      options_.on_hand({told.hand, told.position, net,
                        fmt::format("STATE:{}:{}:{}:{}:{}", told.hand, acpc::betting_text(told),
                                    acpc::cards_text(told, game_.deck()), values, names)});
  }

  const acpc::Holdem game_;
  const AcpcOptions& options_;
  const std::string name_;
  const std::unique_ptr<Agent> agent_;
  const bool hears_;
  std::unique_ptr<remote::Link> link_;
  bool in_hand_ = false, strange_ = false;
  std::uint32_t hand_ = 0;
  std::size_t heard_ = 0;  // events of the hand
  AcpcResult result_;
};

}  // namespace

AcpcResult play_acpc(const AgentFactoryPtr& agents, const GamePtr& game, const AcpcOptions& options) {
  return Client(agents, game, options).run();
}

}  // namespace dealer
