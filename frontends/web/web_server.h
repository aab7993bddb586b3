#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "env/core/error.h"
#include "frontends/bot/peer_server.h"
#include "frontends/web/web_tables.h"

namespace dealer::web {

// Answers a request below a path. Throws NotFound for 404, Busy for 429, UsageError for 400; anything else is a 500.
using WebHandler = std::function<WebAnswer(const WebRequest& request)>;

class NotFound : public Error {
 public:
  using Error::Error;
};

class Busy : public Error {
 public:
  using Error::Error;
};

struct WebServerOptions {
  // Options of the connections; web_options() sets the limits of this server.
  PeerServerOptions peer;
  std::string token;
  WebTablesOptions tables;
  double messages_per_second = 20;  // per WebSocket; messages beyond it are delayed
};
// The limits of `dealer serve` (docs/web-protocol.md).
WebServerOptions web_options();

// An answer with a JSON document, and one with an error as JSON.
WebAnswer json_answer(const nlohmann::ordered_json& document, int status = 200);
WebAnswer error_answer(int status, std::string_view why);

// The page, its files and its tables (docs/web-protocol.md). Features beyond env and agents are handlers by path,
// "/api/runs", which also cover the paths below. Everything except the page needs the token.
class WebServer {
 public:
  using Handlers = std::vector<std::pair<std::string, WebHandler>>;
  // `specs` must outlive it. Throws like PeerServer.
  WebServer(WebSpecs& specs, const WebServerOptions& options, Handlers handlers, WebTables::MakeAnalyser make_analyser);
  ~WebServer();
  std::uint16_t port() const { return server_->port(); }
  void run() { server_->run(); }
  void stop() { server_->stop(); }
  int connections() const { return server_->connections(); }
  std::size_t tables() const { return tables_.count(); }
  // Set before run().
  void log(std::function<void(const std::string&)> log) { server_->log = std::move(log); }

 private:
  std::optional<WebAnswer> refusal(const WebRequest& request) const;
  WebAnswer answer(const WebRequest& request) const;
  WebAnswer about() const;
  bool has_token(const WebRequest& request) const;

  const WebServerOptions options_;
  Handlers handlers_;
  std::once_flag games_made_;
  WebAnswer games_;
  WebTables tables_;
  std::unique_ptr<PeerServer> server_;
};

}  // namespace dealer::web
