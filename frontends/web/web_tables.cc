#include "frontends/web/web_tables.h"

#include <fmt/format.h>

#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "agents/remote/link.h"
#include "env/core/error.h"
#include "env/core/json_fields.h"
#include "env/core/wall_seconds.h"
#include "env/core/worker_pool.h"
#include "frontends/terminal/table_view.h"
#include "frontends/web/refusal.h"
#include "frontends/web/table_setup.h"

namespace dealer::web {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Turns = asio::strand<asio::thread_pool::executor_type>;

// Interval of checks for empty tables, as a fraction of empty_time.
constexpr double kLooks = 4;

// What the terminal says of them. Tables without a server leave it out, as they have no terminal.
std::string rules_in_words(const Game& game) {
  const terminal::Seats seats{std::vector<std::string>(static_cast<std::size_t>(game.players())), 0};
  return terminal::make_table_view(game, seats, terminal::Style())->rules();
}

// A table with its strand.
struct Running {
  std::shared_ptr<WebTable> table;
  std::shared_ptr<Turns> turns;
};

// The place opened by a key.
struct Found {
  Running running;
  int place = 0;
};

}  // namespace

class WebTables::Impl : public std::enable_shared_from_this<WebTables::Impl> {
 public:
  Impl(WebSpecs& specs, MakeAnalyser make_analyser, const WebTablesOptions& options)
      : options_(options),
        specs_(specs),
        make_analyser_(std::move(make_analyser)),
        pool_(std::make_unique<asio::thread_pool>(static_cast<std::size_t>(thread_count(options.threads)))),
        analysts_(std::make_unique<asio::thread_pool>(1)),
        sweep_(std::make_unique<asio::steady_timer>(*pool_)) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() = default;

  // No handler is called from then on, and pending ones are dropped.
  void end() {
    analysts_->stop();
    pool_->stop();
    analysts_->join();
    pool_->join();
  }
  // Pending handlers keep references to the tables, and to this object.
  void drop() {
    keys_.clear();
    tables_.clear();
    sweep_.reset();
    analysts_ = nullptr;
    pool_ = nullptr;
  }

  void sweep_later() {
    sweep_->expires_at(remote::after(options_.empty_time / kLooks));
    sweep_->async_wait([this](error_code error) {
      if (error) return;
      sweep();
      sweep_later();
    });
  }

  // Throws UsageError, and the errors of WebSpecs.
  Found open(const nlohmann::json& message) {
    if (count() >= static_cast<std::size_t>(options_.max_tables))
      throw UsageError(fmt::format("there are {} tables already; close one or try later", options_.max_tables));
    TableSetup setup = read_setup(message, specs_);
    setup.how_to_play = rules_in_words(*setup.game);
    setup.id = ++last_id_;
    for (int place = 0; place < places_of(setup); ++place) setup.keys.push_back(random_key());
    Running running;
    running.turns = std::make_shared<Turns>(asio::make_strand(*pool_));
    TableServices services = services_of(running.turns);
    if (make_analyser_) services.judge = make_analyser_(setup);
    const std::vector<std::string> keys = setup.keys;
    const int opener = setup.opener;
    running.table = std::make_shared<WebTable>(std::move(setup), std::move(services));
    const std::lock_guard lock(mutex_);
    // Other tables may have been opened meanwhile.
    if (tables_.size() >= static_cast<std::size_t>(options_.max_tables))
      throw UsageError(fmt::format("there are {} tables already; close one or try later", options_.max_tables));
    tables_[running.table->setup().id] = running;
    for (std::size_t place = 0; place < keys.size(); ++place) keys_[keys[place]] = {running, static_cast<int>(place)};
    return {running, opener};
  }

  Found join(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto found = keys_.find(key);
    if (found == keys_.end()) throw UsageError("join: there is no table with this key any more");
    return found->second;
  }

  // The table is closed: its keys open nothing any more.
  void remove(const WebTable& table) {
    const std::lock_guard lock(mutex_);
    forget_keys(table);
    tables_.erase(table.setup().id);
  }

  std::size_t count() const {
    const std::lock_guard lock(mutex_);
    return tables_.size();
  }
  asio::thread_pool& pool() { return *pool_; }

 private:
  TableServices services_of(const std::shared_ptr<Turns>& turns) {
    TableServices services;
    services.later = [turns](std::chrono::milliseconds time, std::function<void()> what) {
      if (time.count() == 0) return asio::post(*turns, std::move(what));
      const auto timer = std::make_shared<
          asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, Turns>>(
          *turns, time);
      timer->async_wait([timer, what = std::move(what)](error_code error) {
        if (!error) what();
      });
    };
    services.aside = [this](std::function<void()> what) { asio::post(*analysts_, std::move(what)); };
    return services;
  }

  void forget_keys(const WebTable& table) {
    for (const std::string& key : table.setup().keys) keys_.erase(key);
  }

  void sweep() {
    const std::lock_guard lock(mutex_);
    std::erase_if(tables_, [&](const auto& entry) {
      const Running& running = entry.second;
      const bool empty = running.table->attached() == 0 && wall_seconds() - running.table->left() > options_.empty_time;
      if (!empty) return false;
      forget_keys(*running.table);
      asio::post(*running.turns, [table = running.table] { table->close("nobody was at the table for too long"); });
      return true;
    });
  }

  const WebTablesOptions options_;
  WebSpecs& specs_;
  const MakeAnalyser make_analyser_;
  mutable std::mutex mutex_;
  std::map<int, Running> tables_;
  std::map<std::string, Found, std::less<>> keys_;
  std::atomic<int> last_id_{0};
  std::unique_ptr<asio::thread_pool> pool_, analysts_;
  std::unique_ptr<asio::steady_timer> sweep_;
};

namespace {

// A connection with its strand: opening a table may take a while.
class Guest final : public WebTables::Visitor, public std::enable_shared_from_this<Guest> {
 public:
  Guest(std::shared_ptr<WebTables::Impl> tables, std::shared_ptr<PeerLink> link)
      : tables_(std::move(tables)), turns_(asio::make_strand(tables_->pool())), link_(std::move(link)) {}

  void take(nlohmann::json message) override {
    ++waiting_;
    asio::post(turns_, [self = shared_from_this(), message = std::move(message)] { self->handle(message); });
  }
  void left() override {
    asio::post(turns_, [self = shared_from_this()] { self->leave(); });
  }
  int waiting() const override { return waiting_; }

 private:
  void handle(const nlohmann::json& message) {
    const auto type = message.find("type");
    const bool enters = type != message.end() && (*type == "open" || *type == "join");
    if (left_) return done();
    if (enters == at_table_) {
      link_->send(
          refusal_of(enters ? "this connection is at a table already" : R"(expected "open" or "join" first)", {}));
      return done();
    }
    if (enters) return enter(message);
    if (type != message.end() && *type == "leave") return leave_for_good();
    asio::post(*found_.running.turns, [self = shared_from_this(), message] {
      self->guarded([&] { self->found_.running.table->take(self->found_.place, message); }, message);
      self->done();
    });
  }
  void enter(const nlohmann::json& message) {
    guarded(
        [&] {
          found_ = message["type"] == "open" ? tables_->open(message)
                                             : tables_->join(JsonFields(message, "join: ").text("key"));
          at_table_ = true;
        },
        message);
    if (!at_table_) return done();
    asio::post(*found_.running.turns, [self = shared_from_this()] {
      self->found_.running.table->attach(self->found_.place, self->link_);
      self->done();
    });
  }
  void leave() {
    if (std::exchange(left_, true) || !at_table_) return;
    asio::post(*found_.running.turns, [self = shared_from_this()] {
      self->found_.running.table->detach(self->found_.place, self->link_.get());
    });
  }
  void leave_for_good() {
    left_ = true;
    asio::post(*found_.running.turns, [self = shared_from_this()] {
      WebTable& table = *self->found_.running.table;
      if (table.leave(self->found_.place, self->link_.get())) self->tables_->remove(table);
      self->link_->close("goodbye");
      self->done();
    });
  }
  void guarded(const std::function<void()>& what, const nlohmann::json& message) {
    if (std::string refusal = refusal_of(what, message); !refusal.empty()) link_->send(std::move(refusal));
  }
  void done() { --waiting_; }

  const std::shared_ptr<WebTables::Impl> tables_;
  Turns turns_;
  const std::shared_ptr<PeerLink> link_;
  Found found_;
  bool at_table_ = false, left_ = false;
  std::atomic<int> waiting_{0};
};

}  // namespace

WebTables::WebTables(WebSpecs& specs, MakeAnalyser make_analyser, const WebTablesOptions& options)
    : impl_(std::make_shared<Impl>(specs, std::move(make_analyser), options)) {
  impl_->sweep_later();
}
WebTables::~WebTables() {
  impl_->end();
  impl_->drop();
}
void WebTables::stop() { impl_->end(); }

std::shared_ptr<WebTables::Visitor> WebTables::visit(std::shared_ptr<PeerLink> link) {
  return std::make_shared<Guest>(impl_, std::move(link));
}

std::size_t WebTables::count() const { return impl_->count(); }

}  // namespace dealer::web
