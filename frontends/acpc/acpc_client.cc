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
#include "agents/remote/protocol.h"
#include "env/core/error.h"
#include "env/core/random.h"

namespace dealer {
namespace {

using acpc::MatchState;
using remote::Clock;

constexpr std::chrono::milliseconds kLookAround{200};

// What a server does wrong.
class ServerFault : public Error {
 public:
  using Error::Error;
};

// Whether the hand can have gone on from the one to the other.
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
      : game_(game), options_(options), name_(agents->spec()), agent_(agents->make()), hears_(agent_->hears()) {
    // They separate the fields of a log.
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
      // Servers say no goodbye.
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
    MatchState told;
    int to_act = -1;
    try {
      told = acpc::parse_match_state(line, game_.deck());
      if (static_cast<int>(told.hole.size()) != game_.players())
        throw ParseError(
            fmt::format("{} players; '{}' is a game of {}", told.hole.size(), game_.game()->spec(), game_.players()));
      to_act = game_.to_act(told);
    } catch (const ParseError& error) {
      refuse(fmt::format("{} in {}", error.what(), remote::quote_line(line)));
    }
    if (result_.hands > 0 && !in_hand_ && told.hand == last_.hand) return;  // its end, once more
    if (!in_hand_)
      begin(told);
    else if (told.hand != last_.hand)
      refuse(fmt::format("hand {} begins in the middle of hand {}; is it another game than '{}'?", told.hand,
                         last_.hand, game_.game()->spec()));
    else if (!goes_on(last_, told))
      refuse(fmt::format("{} does not go on from the line before", remote::quote_line(line)));
    last_ = told;
    const std::optional<poker::State> state = replay(told);
    if (state && hears_) tell(*state, told.position);
    if (to_act == told.position) link_->send(fmt::format("{}:{}\r\n", line, acpc::to_string(decide(state, told))));
    if (to_act < 0) end(state, told);
  }

  void begin(const MatchState& told) {
    in_hand_ = true;
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
    if (events.size() < heard_) refuse("a hand that becomes shorter");
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
    std::vector<Amount> nets = game_.net(told);
    if (state && state->hand_over()) {
      const poker::HandRecord record = state->last_hand();
      std::copy_n(record.net.begin(), nets.size(), nets.begin());
    }
    const auto own = static_cast<std::size_t>(told.position);
    const Amount net = nets[own];
    std::string values, names;
    for (std::size_t position = 0; position < nets.size(); ++position) {
      if (position > 0) values += '|', names += '|';
      values += std::to_string(nets[position]);
      names += position == own ? name_ : "opponent";
    }
    result_.chips += net;
    if (options_.on_hand)
      options_.on_hand({told.hand, told.position, net,
                        fmt::format("STATE:{}:{}:{}:{}:{}", told.hand, acpc::betting_text(told),
                                    acpc::cards_text(told, game_.deck()), values, names)});
  }

  const acpc::Holdem game_;
  const AcpcOptions& options_;
  std::string name_;
  const std::unique_ptr<Agent> agent_;
  const bool hears_;
  std::unique_ptr<remote::Link> link_;
  bool in_hand_ = false, strange_ = false;
  MatchState last_;        // the last line of the last hand
  std::size_t heard_ = 0;  // events of the hand
  AcpcResult result_;
};

}  // namespace

AcpcResult play_acpc(const AgentFactoryPtr& agents, const GamePtr& game, const AcpcOptions& options) {
  return Client(agents, game, options).run();
}

}  // namespace dealer
