#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <optional>

#include "agents/agent_error.h"
#include "agents/agent_registry.h"
#include "agents/remote/connection.h"
#include "agents/remote/link.h"
#include "env/core/json_fields.h"

namespace dealer::remote {
namespace {

// The number of times that a factory restarts or reconnects lost bots.
constexpr int kMostRestarts = 3;
constexpr std::size_t kEarly = std::size_t{8} << 10;
// After this many consecutive unanswered requests the bot is considered hung.
constexpr int kMostSilent = 3;

// Makes the connections of one factory, and counts the lost ones.
class Connector {
 public:
  Connector(GamePtr game, RemoteOptions options, std::function<std::unique_ptr<Link>()> connect)
      : game_(std::move(game)), options_(options), connect_(std::move(connect)) {}

  const GamePtr& game() const { return game_; }
  const RemoteOptions& options() const { return options_; }
  Warnings& warnings() { return warnings_; }
  const Warnings& warnings() const { return warnings_; }

  // Throws AgentError; after kMostRestarts losses always, without trying.
  std::unique_ptr<Connection> connect() {
    if (const std::lock_guard lock(mutex_); losses_ > kMostRestarts)
      throw AgentGone(last_kind_, fmt::format("given up after {} lost connections: {}", losses_, last_));
    try {
      return std::make_unique<Connection>(connect_(), *game_, options_, warnings_);
    } catch (const AgentError& error) {
      lost(error);
      throw;
    }
  }
  void lost(const AgentError& error) {
    const std::lock_guard lock(mutex_);
    ++losses_;
    last_kind_ = error.kind();
    last_ = error.what();
  }

 private:
  const GamePtr game_;
  const RemoteOptions options_;
  const std::function<std::unique_ptr<Link>()> connect_;
  Warnings warnings_;
  std::mutex mutex_;
  int losses_ = 0;
  FailureKind last_kind_ = FailureKind::kDisconnected;
  std::string last_;
};

// The tables of a thread, over one connection.
class RemoteBatch final : public AgentBatch {
 public:
  RemoteBatch(std::shared_ptr<Connector> connector, int tables, std::unique_ptr<Connection> spare)
      : connector_(std::move(connector)), connection_(std::move(spare)), tables_(static_cast<std::size_t>(tables)) {
    for (Table& table : tables_) table.env = connector_->game()->new_env();
    try {
      if (connection_)
        check_tables();
      else
        connect();
    } catch (const AgentError&) {
      first_ = std::current_exception();
    }
  }

  // Missed events are not stored, so a bot that may reconnect later observes events from then on.
  bool observes() const override { return !connection_ || connection_->bot().events; }

  void reset(int table, Seat seat, std::uint64_t seed) override {
    if (first_) std::rethrow_exception(std::exchange(first_, nullptr));
    if (!connection_) connect();
    Table& mine = at(table);
    mine.connection = generation_;
    mine.failure = nullptr;
    write_begin(table, seat, seed, connection_->outbox());
  }

  void on_events(int table, std::span<const Event> events) override {
    if (!is_connected(at(table)) || !connection_->bot().events) return;
    write_events(table, events, *connector_->game(), connection_->outbox());
  }

  void add(int table, const Observation& observation, Decision& decision) override {
    Table& mine = at(table);
    mine.failure = nullptr;
    if (!is_connected(mine))
      throw AgentError(FailureKind::kDisconnected, "the connection of this hand is lost: " + why_lost_);
    // Never the real table: a state that looks the same from this seat.
    mine.env->sample_state(observation, 0);
    mine.legal = observation.legal_mask;
    mine.amounts = observation.amounts;
    mine.id = connection_->next_id();
    mine.decision = &decision;
    write_request({mine.id, table, connector_->options().move_time, connection_->bot().numbers}, observation, *mine.env,
                  connection_->outbox());
    waiting_.push_back(table);
    // The bot can read the first requests while the last are written.
    if (connection_->outbox().size() > kEarly) send_early();
  }

  void flush() override {
    if (waiting_.empty()) return;
    try {
      ask();
    } catch (const AgentError& error) {
      for (const int table : waiting_) fail(table, error);
      lose(error);
    }
    waiting_.clear();
  }

  std::exception_ptr failure(int table) override { return at(table).failure; }

 private:
  struct Table {
    int connection = -1;
    std::uint64_t id = 0;
    std::unique_ptr<Env> env;  // a position that the bot cannot distinguish from the real one
    LegalMask legal = 0;
    AmountRange amounts;
    Decision* decision = nullptr;
    std::exception_ptr failure;
  };

  Table& at(int table) { return tables_[static_cast<std::size_t>(table)]; }
  bool is_connected(const Table& table) const { return connection_ && table.connection == generation_; }

  void send_early() {
    try {
      connection_->send();
    } catch (const AgentError&) {
      // flush() will report it for all tables.
    }
  }

  void connect() {
    connection_ = connector_->connect();
    check_tables();
    ++generation_;
    silent_ = 0;
  }
  void check_tables() {
    if (static_cast<int>(tables_.size()) <= connection_->bot().tables) return;
    const AgentError error(FailureKind::kMalformed, fmt::format("it plays at {} tables at once; {} are needed",
                                                                connection_->bot().tables, tables_.size()));
    lose(error);
    throw error;
  }
  void lose(const AgentError& error) {
    connector_->lost(error);
    why_lost_ = error.what();
    connection_->give_up();
    connection_.reset();
  }
  void fail(int table, const AgentError& error) { at(table).failure = std::make_exception_ptr(error); }

  void ask() {
    connection_->send();
    const Clock::time_point deadline = after(connector_->options().move_time);
    while (!waiting_.empty()) {
      const std::optional<Answer> answer = connection_->next_answer(deadline);
      if (!answer) return late();
      silent_ = 0;
      answer->is_answer ? take(*answer) : take_attempt(*answer);
    }
  }

  void take(const Answer& answer) {
    const auto asked =
        std::find_if(waiting_.begin(), waiting_.end(), [&](int table) { return at(table).id == answer.id; });
    if (asked == waiting_.end()) return connection_->complain_of(answer);
    const int table = *asked;
    waiting_.erase(asked);
    connection_->answered();
    try {
      *at(table).decision = decision_of(at(table), answer);
    } catch (const AgentError& error) {
      fail(table, error);
      write_error(name_of(error.kind()), error.what(), answer.id, connection_->outbox());
    }
  }

  // The request that it answers is unknown: assume the one pending longest.
  void take_attempt(const Answer& answer) {
    const int table = waiting_.front();
    waiting_.erase(waiting_.begin());
    connection_->expire(at(table).id, 0);
    fail(table, AgentError(FailureKind::kMalformed, answer.problem));
    write_error("malformed", answer.problem, at(table).id, connection_->outbox());
  }

  static Decision decision_of(const Table& table, const Answer& answer) {
    if (!answer.decided) throw AgentError(FailureKind::kMalformed, answer.problem);
    Decision decision = answer.decision;
    if (answer.by_text && !find_decision(table.env->choices(), answer.text, decision))
      throw AgentError(FailureKind::kIllegal, fmt::format("its choice {} is not legal; expected one of: {}",
                                                          quote_line(answer.text), list(table)));
    const bool legal = decision.is_amount()
                           ? table.amounts.contains(decision.amount)
                           : decision.action < kMaxActions && (table.legal >> decision.action & 1) != 0;
    if (legal) return decision;
    throw AgentError(
        FailureKind::kIllegal,
        fmt::format("its {} {} is not legal; expected one of: {}", decision.is_amount() ? "amount" : "index",
                    decision.is_amount() ? decision.amount : decision.action, list(table)));
  }

  static std::string list(const Table& table) {
    std::string text;
    for (const Choice& choice : table.env->choices()) {
      text += text.empty() ? "" : ", ";
      if (choice.action == kNoAction)
        text += fmt::format("{} {}..{}", choice.text, choice.amount.low, choice.amount.high);
      else
        text += fmt::format("{} ({})", choice.text, choice.action);
    }
    return text;
  }

  void late() {
    for (const int table : waiting_) {
      const AgentError error = connection_->expire(at(table).id, connector_->options().move_time);
      fail(table, error);
      write_error(name_of(error.kind()), error.what(), at(table).id, connection_->outbox());
    }
    if (++silent_ < kMostSilent) return;
    throw AgentError(FailureKind::kLate, fmt::format("it hangs: {} requests without an answer in {} seconds", silent_,
                                                     connector_->options().move_time));
  }

  std::shared_ptr<Connector> connector_;
  std::unique_ptr<Connection> connection_;
  std::exception_ptr first_;  // from the constructor, thrown at the first reset()
  std::vector<Table> tables_;
  std::string why_lost_;      // the reason for the loss of the last connection
  std::vector<int> waiting_;  // tables with an unanswered request
  int generation_ = 0;
  int silent_ = 0;
};

// A batch of one table.
class RemoteAgent final : public Agent {
 public:
  explicit RemoteAgent(std::unique_ptr<AgentBatch> batch) : batch_(std::move(batch)) {}
  void reset(Seat seat, std::uint64_t seed) override { batch_->reset(0, seat, seed); }
  bool observes() const override { return batch_->observes(); }
  void on_events(std::span<const Event> events) override { batch_->on_events(0, events); }
  Decision act(const Observation& observation) override {
    Decision decision;
    batch_->add(0, observation, decision);
    batch_->flush();
    if (const std::exception_ptr failure = batch_->failure(0)) std::rethrow_exception(failure);
    return decision;
  }

 private:
  std::unique_ptr<AgentBatch> batch_;
};

class RemoteFactory final : public AgentFactory {
 public:
  RemoteFactory(std::string spec, std::shared_ptr<Connector> connector)
      : AgentFactory(std::move(spec)), connector_(std::move(connector)) {}

  std::unique_ptr<Agent> make() const override { return std::make_unique<RemoteAgent>(make_batch(1)); }
  std::unique_ptr<AgentBatch> make_batch(int tables) const override {
    std::unique_ptr<Connection> spare;
    {
      const std::lock_guard lock(mutex_);
      spare = std::move(spare_);
    }
    return std::make_unique<RemoteBatch>(connector_, tables, std::move(spare));
  }
  // The bot's own limit; so a bot is connected now, and kept for the first batch.
  int tables_at_once() const override {
    const std::lock_guard lock(mutex_);
    if (tables_ == 0) {
      try {
        spare_ = connector_->connect();
        tables_ = spare_->bot().tables;
      } catch (const AgentError& error) {
        tables_ = 1;
        absent_ = error;
      }
    }
    return tables_;
  }
  // Unknown for an unreachable bot, whose tables will report the error.
  int most_tables() const override {
    const int tables = tables_at_once();
    const std::lock_guard lock(mutex_);
    return absent_ ? AgentFactory::most_tables() : tables;
  }
  void expect_there() const override {
    tables_at_once();
    const std::lock_guard lock(mutex_);
    if (absent_) throw AgentError(*absent_);
  }
  std::vector<std::string> warnings() const override { return connector_->warnings().lines(); }

 private:
  std::shared_ptr<Connector> connector_;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<Connection> spare_;
  mutable int tables_ = 0;
  mutable std::optional<AgentError> absent_;  // reason why it could not be asked
};

}  // namespace

AgentFactoryPtr make_remote_agents(const Spec& spec, const GamePtr& game) {
  const std::string target = agent_argument(spec);
  Config given = agent_options(spec);
  RemoteOptions options;
  options.move_time = given.get_double("move_time", options.move_time, 0.001, 3600);
  options.link.start = given.get_double("start_time", options.link.start, 0.001, 3600);
  const std::string kind = spec.name.substr(0, spec.name.find(':'));
  const bool process = kind == "exec";
  if (process)
    options.link.memory =
        static_cast<std::size_t>(given.get_int("memory", static_cast<std::int64_t>(options.link.memory), 1, 1 << 20));
  given.finish();
  std::function<std::unique_ptr<Link>()> connect;
  if (process) {
    check_command(target);
    connect = [target, options] { return start_process(target, options.link); };
  } else if (kind == "tcp") {
    parse_address(target);
    connect = [target, options] { return connect_tcp(target, options.link); };
  } else {
    parse_address(target, true);
    connect = [target, options] { return connect_websocket(target, options.link); };
  }
  return std::make_shared<RemoteFactory>(to_string(spec),
                                         std::make_shared<Connector>(game, options, std::move(connect)));
}

}  // namespace dealer::remote
