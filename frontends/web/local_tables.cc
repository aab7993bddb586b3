#include "frontends/web/local_tables.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "agents/remote/protocol.h"
#include "env/core/error.h"
#include "env/core/json_fields.h"
#include "frontends/web/refusal.h"
#include "frontends/web/table_setup.h"

namespace dealer::web {
namespace {

// The page's connection to its table. The page closes it.
class LocalLink final : public PeerLink {
 public:
  LocalLink(int connection, LocalTables::Send send) : connection_(connection), send_(std::move(send)) {}
  void send(std::string lines) override { send_(connection_, std::move(lines)); }
  void close(std::string /*why*/) override {}

 private:
  const int connection_;
  const LocalTables::Send send_;
};

}  // namespace

LocalTables::LocalTables(WebSpecs& specs, MakeAnalyser make_analyser, Send send, Later later)
    : specs_(specs), make_analyser_(std::move(make_analyser)), send_(std::move(send)), later_(std::move(later)) {}

LocalTables::~LocalTables() {
  while (!tables_.empty()) left(tables_.begin()->first);
}

void LocalTables::take(int connection, std::string_view text) {
  const nlohmann::json message = nlohmann::json::parse(text, nullptr, false);
  std::string refusal = message.is_discarded() ? refusal_of("expected a JSON object", message, "malformed")
                                               : refusal_of([&] { handle(connection, message); }, message);
  if (!refusal.empty()) send_(connection, std::move(refusal));
}

void LocalTables::left(int connection) {
  const auto found = tables_.find(connection);
  if (found == tables_.end()) return;
  const std::shared_ptr<WebTable> table = found->second;
  tables_.erase(found);
  table->close("the page has left");
}

void LocalTables::handle(int connection, const nlohmann::json& message) {
  const std::string& type = JsonFields(message, "").text("type");
  if (type == "join") throw UsageError("join: without a server a table ends with its page");
  const auto found = tables_.find(connection);
  if (type == "open") {
    if (found != tables_.end()) throw UsageError("this connection is at a table already");
    return open(connection, message);
  }
  if (found == tables_.end()) throw UsageError("expected \"open\" first");
  if (type == "leave") return left(connection);
  found->second->take(0, message);
}

void LocalTables::open(int connection, const nlohmann::json& message) {
  TableSetup setup = read_setup(message, specs_);
  if (std::count(setup.agents.begin(), setup.agents.end(), nullptr) > 1)
    throw UsageError("open: without a server nobody else can sit down; expected agents beside \"me\"");
  setup.id = ++last_id_;
  setup.keys = {random_key()};
  TableServices services;
  services.later = later_;
  services.aside = [later = later_](std::function<void()> what) {
    later(std::chrono::milliseconds(0), std::move(what));
  };
  if (make_analyser_) services.judge = make_analyser_(setup);
  const auto table = std::make_shared<WebTable>(std::move(setup), std::move(services));
  tables_[connection] = table;
  table->attach(0, std::make_shared<LocalLink>(connection, send_));
}

}  // namespace dealer::web
