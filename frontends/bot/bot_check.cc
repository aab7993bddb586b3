#include "frontends/bot/bot_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "agents/agent_error.h"
#include "agents/remote/connection.h"
#include "env/core/error.h"
#include "env/core/random.h"
#include "env/core/wall_seconds.h"

namespace dealer {
namespace {

using remote::Answer;
using remote::Connection;

std::unique_ptr<remote::Link> link_to(std::string_view target, const remote::LinkLimits& limits) {
  const auto rest = [&](std::string_view scheme) { return target.substr(scheme.size()); };
  if (target.starts_with("tcp:")) return remote::connect_tcp(rest("tcp:"), limits);
  if (target.starts_with("ws:")) return remote::connect_websocket(rest("ws:"), limits);
  return remote::start_process(target.starts_with("exec:") ? rest("exec:") : target, limits);
}

constexpr double kAfterBanner = 2;  // seconds

// Stopped by the caller.
struct Stopped {};

class Check {
 public:
  Check(std::string_view target, const GamePtr& game, const BotCheckOptions& options)
      : target_(target),
        game_(*game),
        options_(options),
        env_(game->new_env({.hold_hands = true})),
        view_(game->new_env()),
        rng_(options.seed) {}

  BotCheck run() {
    try {
      if (connect()) play();
    } catch (const Stopped&) {
      result_.stopped = true;
    }
    connection_.reset();
    for (const std::string& line : warnings_.lines()) {
      const std::size_t colon = line.find(": ");
      add(line.substr(0, colon), line.substr(colon + 2));
    }
    return std::move(result_);
  }

 private:
  // One line per kind suffices.
  void add(const std::string& kind, const std::string& message) {
    const auto known = [&](const BotFailure& failure) { return failure.kind == kind; };
    if (std::none_of(result_.failures.begin(), result_.failures.end(), known))
      result_.failures.push_back({kind, message});
  }

  bool connect() {
    remote::RemoteOptions options;
    options.link.start = options_.start_time;
    options.after_banner = kAfterBanner;
    std::unique_ptr<remote::Link> link;
    try {
      link = link_to(target_, options.link);
    } catch (const AgentError& error) {
      add("missing", error.what());
      return false;
    }
    try {
      connection_ = std::make_unique<Connection>(std::move(link), game_, options, warnings_);
    } catch (const AgentError& error) {
      add(error.kind() == FailureKind::kDisconnected ? "exited"
          : error.kind() == FailureKind::kLate       ? "silent"
                                                     : "hello",
          error.what());
      return false;
    }
    result_.name = connection_->bot().name;
    return true;
  }

  void play() {
    try {
      for (deal_ = 0; deal_ < options_.deals; ++deal_) play_deal();
    } catch (const AgentError& error) {
      // The rest of the input may contain unsolicited answers.
      add(error.kind() == FailureKind::kLate           ? "hangs"
          : error.kind() == FailureKind::kDisconnected ? "exited"
                                                       : "malformed",
          fmt::format("deal {}: {}{}", deal_, error.what(),
                      sent_unknown_ ? "; before, it got a message of a kind it cannot know" : ""));
      return;
    }
    // A second answer would have arrived by now.
    try {
      while (const std::optional<Answer> late = connection_->next_answer(remote::after(0.05)))
        add("unasked", fmt::format("a second answer to request {}", late->id));
    } catch (const AgentError& error) {
      add("exited", error.what());
    }
  }

  void play_deal() {
    env_->reset(derive(options_.seed, static_cast<std::uint64_t>(deal_)));
    const auto seat = static_cast<Seat>(deal_ % game_.players());
    remote::write_begin(0, seat, derive(options_.seed ^ 1, static_cast<std::uint64_t>(deal_)), connection_->outbox());
    EventCursor observed;
    const auto notify = [&] {
      if (!connection_->bot().events) return;
      const std::vector<Event> events = env_->events(seat, observed);
      observed = env_->cursor();
      if (!events.empty()) remote::write_events(0, events, game_, connection_->outbox());
    };
    // Later versions may send more: a bot must ignore unknown content.
    if (deal_ == 1) {
      connection_->outbox() += "{\"type\":\"weather\",\"table\":0,\"sky\":[\"grey\",{\"clouds\":8}]}\n";
      sent_unknown_ = true;
    }
    for (;;) {
      if (options_.stop && options_.stop()) throw Stopped();
      if (env_->hand_over()) {
        notify();
        if (env_->terminated()) break;
        env_->next_hand();
        observed = {};
        continue;
      }
      Decision decision = random_action();
      if (env_->current_player() == seat) {
        notify();
        if (const std::optional<Decision> answer = ask(seat)) decision = *answer;
        sent_unknown_ = false;
      }
      env_->step(decision);
    }
    connection_->send();
  }

  Action random_action() {
    const std::vector<Action> legal = env_->legal_actions();
    return legal[rng_() % legal.size()];
  }

  // Nothing if the bot's answer cannot be played.
  std::optional<Decision> ask(Seat seat) {
    const Observation seen = env_->observe(seat);
    // As in a match: a resampled position that the bot cannot distinguish from the real one.
    view_->sample_state(seen, 0);
    const std::uint64_t id = connection_->next_id();
    remote::write_request({id, 0, options_.move_time, connection_->bot().numbers}, seen, *view_, connection_->outbox());
    connection_->send();
    const double start = wall_seconds();
    const remote::Clock::time_point deadline = remote::after(options_.move_time);
    for (;;) {
      const std::optional<Answer> answer = connection_->next_answer(deadline);
      if (!answer) {
        const AgentError error = connection_->expire(id, options_.move_time);
        add(std::string(name_of(error.kind())), fmt::format("deal {}, request {}: {}", deal_, id, error.what()));
        if (++silent_ >= 3) throw AgentError(FailureKind::kLate, "three requests one after the other have no answer");
        return std::nullopt;
      }
      if (!answer->is_answer) {
        connection_->expire(id, 0);
        add("malformed", fmt::format("deal {}: {}", deal_, answer->problem));
        return std::nullopt;
      }
      if (answer->id != id) {
        connection_->complain_of(*answer);
        continue;
      }
      silent_ = 0;
      connection_->answered();
      ++result_.decisions;
      result_.slowest = std::max(result_.slowest, wall_seconds() - start);
      return checked(*answer);
    }
  }

  std::optional<Decision> checked(const Answer& answer) {
    if (!answer.decided) {
      add("malformed", fmt::format("deal {}: {}", deal_, answer.problem));
      return std::nullopt;
    }
    try {
      Decision decision = answer.decision;
      if (answer.by_text && !remote::find_decision(env_->choices(), answer.text, decision))
        env_->parse_decision(answer.text);  // throws, listing the legal choices
      const std::unique_ptr<Env> tried = env_->clone();
      tried->step(decision);
      return decision;
    } catch (const IllegalAction& error) {
      add("illegal", fmt::format("deal {}: {}", deal_, error.what()));
      return std::nullopt;
    }
  }

  const std::string target_;
  const Game& game_;
  const BotCheckOptions options_;
  std::unique_ptr<Env> env_, view_;
  RandomStream rng_;
  remote::Warnings warnings_;
  std::unique_ptr<Connection> connection_;
  BotCheck result_;
  std::int64_t deal_ = 0;
  int silent_ = 0;
  bool sent_unknown_ = false;
};

}  // namespace

BotCheck check_bot(std::string_view target, const GamePtr& game, const BotCheckOptions& options) {
  return Check(target, game, options).run();
}

}  // namespace dealer
