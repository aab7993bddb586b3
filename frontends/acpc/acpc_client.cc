#include "frontends/acpc/acpc_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "agents/acpc/holdem.h"
#include "agents/agent_error.h"
#include "agents/remote/link.h"
#include "env/core/error.h"
#include "env/core/json_fields.h"
#include "env/core/random.h"

namespace dealer {
namespace {

using acpc::MatchState;
using remote::Clock;

constexpr std::chrono::milliseconds kLookAround{200};

// A protocol error of the server.
class ServerFault : public Error {
 public:
  using Error::Error;
};

// True if the hand can have continued from one state to the other.
bool goes_on(const MatchState& from, const MatchState& to) {
  const auto own = static_cast<std::size_t>(from.position);
  if (from.position != to.position || from.hole[own] != to.hole[own] || from.rounds.size() > to.rounds.size())
    return false;
  const std::size_t last = from.rounds.size() - 1;
  return std::equal(from.board.begin(), from.board.end(), to.board.begin()) &&
         std::equal(from.rounds.begin(), from.rounds.begin() + static_cast<std::ptrdiff_t>(last), to.rounds.begin()) &&
         from.rounds[last].size() <= to.rounds[last].size() &&
         std::equal(from.rounds[last].begin(), from.rounds[last].end(), to.rounds[last].begin());
}

class Client {
 public:
  Client(const AgentFactoryPtr& agents, const GamePtr& game, const AcpcOptions& options)
      : game_(game), options_(options), name_(agents->spec()), agent_(agents->make()), observes_(agent_->observes()) {
    // Separators of the fields in a log line.
    for (char& c : name_)
      if (c == ':' || c == '|') c = '_';
  }

  AcpcResult run() {
    link_ = remote::connect_tcp(options_.server, {.start = options_.start_time});
    link_->send("VERSION:2.0.0\r\n");
    try {
      while (!result_.stopped && play_on()) result_.stopped = options_.stop && options_.stop();
    } catch (const ServerFault& fault) {
      result_.failure = fault.what();
    }
    return result_;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw ServerFault(fmt::format("{}: {}", options_.server, what));
  }

  // False at the end.
  bool play_on() {
    std::optional<std::string_view> line;
    try {
      line = link_->next_line(Clock::now() + kLookAround);
    } catch (const AgentError& error) {
      // Servers send no goodbye.
      if (error.kind() == FailureKind::kDisconnected && !in_hand_ && result_.hands > 0) return false;
      throw ServerFault(fmt::format("{}{}", error.what(),
                                    in_hand_             ? fmt::format(" in the middle of hand {}", last_.hand)
                                    : result_.hands == 0 ? " before a hand was played"
                                                         : ""));
    }
    if (line && !line->empty() && line->front() != '#' && line->front() != ';') take(std::string(*line));
    return true;
  }

  void take(const std::string& line) {
    MatchState match_state;
    int to_act = -1;
    try {
      match_state = acpc::parse_match_state(line, game_.deck());
      if (static_cast<int>(match_state.hole.size()) != game_.players())
        throw ParseError(fmt::format("{} players; '{}' is a game of {}", match_state.hole.size(), game_.game()->spec(),
                                     game_.players()));
      if (match_state.hole[static_cast<std::size_t>(match_state.position)].empty())
        throw ParseError(fmt::format("no cards of position {}, which plays here", match_state.position));
      to_act = game_.to_act(match_state);
    } catch (const ParseError& error) {
      refuse(fmt::format("{} in {}", error.what(), quote_line(line)));
    }
    if (result_.hands > 0 && !in_hand_ && match_state.hand == last_.hand) return;  // the end of the hand, repeated
    if (!in_hand_)
      begin(match_state);
    else if (match_state.hand != last_.hand)
      refuse(fmt::format("hand {} begins in the middle of hand {}; is it another game than '{}'?", match_state.hand,
                         last_.hand, game_.game()->spec()));
    else if (!goes_on(last_, match_state))
      refuse(fmt::format("{} does not continue the line before", quote_line(line)));
    last_ = match_state;
    const std::optional<poker::State> state = replay(match_state);
    if (state && observes_) notify(*state, match_state.position);
    if (to_act == match_state.position)
      link_->send(fmt::format("{}:{}\r\n", line, acpc::to_string(decide(state, match_state))));
    if (to_act < 0) end(match_state);
  }

  void begin(const MatchState& match_state) {
    in_hand_ = true;
    observed_ = 0;
    strange_ = false;
    agent_->reset(match_state.position, derive(options_.seed, match_state.hand));
  }

  // Nothing if the hand is impossible.
  std::optional<poker::State> replay(const MatchState& match_state) {
    if (strange_) return std::nullopt;
    try {
      return game_.replay(match_state);
    } catch (const ParseError& error) {
      strange_ = true;
      if (result_.strange++ == 0) result_.first_strange = error.what();
      return std::nullopt;
    }
  }

  void notify(const poker::State& state, Seat seat) {
    std::vector<Event> events;
    state.events(events);
    events = seen_by(events, seat);
    if (events.size() < observed_) refuse("a hand that becomes shorter");
    agent_->on_events(std::span(events).subspan(observed_));
    observed_ = events.size();
  }

  acpc::Move decide(const std::optional<poker::State>& state, const MatchState& match_state) {
    if (!state || state->current_player() != match_state.position) return {};
    Observation seen;
    seen.player = match_state.position;
    seen.data.resize(static_cast<std::size_t>(game_.game()->observation_spec().size()));
    state->observe(match_state.position, seen.data.data());
    seen.legal_mask = state->legal_mask();
    seen.amounts = state->amount_range();
    const Decision decision = agent_->act(seen);
    ++result_.decisions;
    const bool legal = decision.is_amount() ? seen.amounts.contains(decision.amount)
                                            : decision.action < kMaxActions && (seen.legal_mask >> decision.action & 1);
    if (!legal) throw AgentError(FailureKind::kIllegal, fmt::format("{}: its decision is not legal", name_));
    return game_.move_of(decision, *state);
  }

  void end(const MatchState& match_state) {
    in_hand_ = false;
    ++result_.hands;
    const std::vector<Amount> nets = game_.net(match_state);
    const auto own = static_cast<std::size_t>(match_state.position);
    const Amount net = nets[own];
    std::string values, names;
    for (std::size_t position = 0; position < nets.size(); ++position) {
      if (position > 0) values += '|', names += '|';
      values += std::to_string(nets[position]);
      names += position == own ? name_ : "opponent";
    }
    result_.chips += net;
    if (options_.on_hand)
      options_.on_hand({match_state.hand, match_state.position, net,
                        fmt::format("STATE:{}:{}:{}:{}:{}", match_state.hand, acpc::betting_text(match_state),
                                    acpc::cards_text(match_state, game_.deck()), values, names)});
  }

  const acpc::Holdem game_;
  const AcpcOptions& options_;
  std::string name_;
  const std::unique_ptr<Agent> agent_;
  const bool observes_;
  std::unique_ptr<remote::Link> link_;
  bool in_hand_ = false, strange_ = false;
  MatchState last_;           // the last line of the last hand
  std::size_t observed_ = 0;  // number of events of the hand seen
  AcpcResult result_;
};

}  // namespace

AcpcResult play_acpc(const AgentFactoryPtr& agents, const GamePtr& game, const AcpcOptions& options) {
  return Client(agents, game, options).run();
}

}  // namespace dealer
