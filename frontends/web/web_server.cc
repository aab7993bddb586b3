#include "frontends/web/web_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "agents/remote/protocol.h"
#include "env/core/error.h"
#include "env/core/json_fields.h"
#include "env/core/version.h"
#include "env/core/wall_seconds.h"
#include "frontends/web/page_files.h"
#include "frontends/web/refusal.h"

namespace dealer::web {
namespace {

constexpr std::string_view kTablePath = "/ws/table";
constexpr std::string_view kPagePolicy =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; frame-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

// Constant time wherever the texts differ.
bool same_secret(std::string_view given, std::string_view secret) {
  volatile unsigned difference = given.size() == secret.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i)
    difference = difference | static_cast<unsigned>(static_cast<unsigned char>(given[i]) ^
                                                    static_cast<unsigned char>(secret[i % secret.size()]));
  return difference == 0;
}

std::string_view type_of_file(std::string_view path) {
  constexpr std::pair<std::string_view, std::string_view> kTypes[] = {{".html", "text/html; charset=utf-8"},
                                                                      {".js", "text/javascript; charset=utf-8"},
                                                                      {".css", "text/css; charset=utf-8"},
                                                                      {".svg", "image/svg+xml"},
                                                                      {".json", "application/json"},
                                                                      {".webmanifest", "application/manifest+json"},
                                                                      {".png", "image/png"},
                                                                      {".woff2", "font/woff2"},
                                                                      {".wasm", "application/wasm"},
                                                                      {".txt", "text/plain; charset=utf-8"}};
  for (const auto& [ending, type] : kTypes)
    if (path.ends_with(ending)) return type;
  return "application/octet-stream";
}

const PageFile* page_file(std::string_view path) {
  const auto files = page_files();
  const auto found = std::ranges::find(files, path, &PageFile::path);
  return found == files.end() ? nullptr : &*found;
}

// Files compressed at build time are sent compressed.
std::optional<WebAnswer> page_answer(const WebRequest& request) {
  const std::string asked = request.path();
  const std::string path = asked == "/" ? "/index.html" : asked;
  const PageFile* const packed = page_file(path + ".gz");
  const PageFile* const plain = page_file(path);
  if (packed == nullptr && plain == nullptr) return std::nullopt;
  const bool unpacks = request.accept_encoding.value_or("").find("gzip") != std::string::npos;
  if (!unpacks && plain == nullptr) return error_answer(406, "this file is sent compressed by gzip alone");
  const PageFile& sent = packed != nullptr && unpacks ? *packed : *plain;
  WebAnswer answer{200, std::string(type_of_file(path)), std::string(sent.bytes), {}};
  if (&sent == packed) answer.headers.emplace_back("Content-Encoding", "gzip");
  if (packed != nullptr) answer.headers.emplace_back("Vary", "Accept-Encoding");
  answer.headers.emplace_back("Content-Security-Policy", kPagePolicy);
  answer.headers.emplace_back("Referrer-Policy", "no-referrer");
  answer.headers.emplace_back("Cache-Control", "no-cache");
  return answer;
}

bool below(std::string_view path, std::string_view folder) {
  return path == folder || (path.starts_with(folder) && path[folder.size()] == '/');
}

WebAnswer guarded(const WebHandler& handler, const WebRequest& request) {
  try {
    return handler(request);
  } catch (const NotFound& error) {
    return error_answer(404, error.what());
  } catch (const Busy& error) {
    return error_answer(429, error.what());
  } catch (const UsageError& error) {
    return error_answer(400, error.what());
  } catch (const std::exception& error) {
    return error_answer(500, error.what());
  }
}

// Burst limit, in seconds of the rate; and the limit of messages waiting for the table.
constexpr double kBurst = 2;
constexpr int kMostWaiting = 16;
constexpr double kLookAgain = 0.05;  // seconds

// Limit of nesting: deeper values are copied and written by recursive functions.
constexpr int kDeepest = 8;

bool too_deep(std::string_view line) {
  int depth = 0;
  bool text = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (text && c == '\\')
      ++i;
    else if (c == '"')
      text = !text;
    else if (!text && (c == '[' || c == '{') && ++depth > kDeepest)
      return true;
    else if (!text && (c == ']' || c == '}'))
      --depth;
  }
  return false;
}

// A page at a table, over its WebSocket.
class WebSession final : public PeerSession {
 public:
  WebSession(WebTables& tables, double messages_per_second) : tables_(tables), rate_(messages_per_second) {}
  ~WebSession() override;

  void connected(const std::shared_ptr<PeerLink>& link) override { visitor_ = tables_.visit(link); }
  void take(std::string_view line, std::string& out) override;
  bool greeted() const override { return greeted_; }
  bool thinks() const override { return false; }
  double pause() const override;
  bool over() const override { return !problem_.empty(); }
  const std::string& problem() const override { return problem_; }

 private:
  WebTables& tables_;
  const double rate_;
  std::shared_ptr<WebTables::Visitor> visitor_;
  bool greeted_ = false;
  std::string problem_;
  double free_at_ = 0;  // rate limit, in wall_seconds(): the time at which the messages so far would have been allowed
};

WebSession::~WebSession() {
  if (visitor_) visitor_->left();
}

void WebSession::take(std::string_view line, std::string& out) {
  free_at_ = std::max(free_at_, wall_seconds()) + 1 / rate_;
  const bool deep = too_deep(line);
  nlohmann::json message = deep ? nlohmann::json() : nlohmann::json::parse(line, nullptr, false);
  if (!message.is_object()) {
    problem_ = fmt::format("{} is {}", quote_line(line),
                           deep ? fmt::format("nested more than {} deep", kDeepest) : "not a JSON object");
    return remote::write_error("malformed", problem_, 0, out);
  }
  greeted_ = true;
  visitor_->take(std::move(message));
}

double WebSession::pause() const {
  if (visitor_->waiting() >= kMostWaiting) return kLookAgain;
  return std::max(0.0, free_at_ - wall_seconds() - kBurst);
}

}  // namespace

WebServerOptions web_options() {
  WebServerOptions options;
  options.peer.max_connections = 1024;
  options.peer.idle_time = 60;
  options.peer.pings = true;
  options.peer.threads = 4;  // two more than the limit of simultaneous slow work
  options.peer.max_line = std::size_t{64} << 10;
  options.peer.max_body = std::size_t{1} << 20;
  return options;
}

WebAnswer json_answer(const nlohmann::ordered_json& document, int status) {
  return {status,
          "application/json",
          document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n',
          {{"Cache-Control", "no-store"}}};
}

WebAnswer error_answer(int status, std::string_view why) { return json_answer({{"error", page_text(why)}}, status); }

WebServer::WebServer(WebSpecs& specs, const WebServerOptions& options, Handlers handlers,
                     WebTables::MakeAnalyser make_analyser)
    : options_(options), handlers_(std::move(handlers)), tables_(specs, std::move(make_analyser), options.tables) {
  if (options_.token.empty()) throw UsageError("the token is empty");
  handlers_.emplace_back("/api/about", [this](const WebRequest&) { return about(); });
  handlers_.emplace_back("/api/games", [this](const WebRequest&) {
    // Making all agents takes a while: start once the page has loaded.
    std::call_once(games_made_, [this] { games_ = json_answer(games_json()); });
    return games_;
  });
  PeerHandlers peer;
  peer.new_session = [this] { return std::make_unique<WebSession>(tables_, options_.messages_per_second); };
  peer.answer = [this](const WebRequest& request) { return answer(request); };
  peer.refuse = [this](const WebRequest& request) { return refusal(request); };
  server_ = std::make_unique<PeerServer>(options_.peer, std::move(peer));
}

WebServer::~WebServer() {
  // Tables and connections call each other: first stop all activity.
  tables_.stop();
  server_ = nullptr;
}

bool WebServer::has_token(const WebRequest& request) const {
  constexpr std::string_view kBearer = "Bearer ";
  const std::string header = request.authorization.value_or("");
  if (header.starts_with(kBearer)) return same_secret(header.substr(kBearer.size()), options_.token);
  return same_secret(request.query("token").value_or(""), options_.token);
}

std::optional<WebAnswer> WebServer::refusal(const WebRequest& request) const {
  const std::string path = request.path();
  const bool page = !request.socket && !below(path, "/api") && !below(path, "/files");
  const bool reads = request.method == "GET" || request.method == "HEAD";
  if (request.socket && path != kTablePath) return error_answer(404, "there is no WebSocket here");
  if (!reads && (page || request.method != "POST"))
    return error_answer(405, page ? "expected GET" : "expected GET or POST");
  if (!page && !has_token(request)) return error_answer(401, "the token is missing or wrong");
  return std::nullopt;
}

WebAnswer WebServer::answer(const WebRequest& request) const {
  const std::string path = request.path();
  if (!below(path, "/api") && !below(path, "/files"))
    return page_answer(request).value_or(error_answer(404, "there is nothing here"));
  const std::pair<std::string, WebHandler>* best = nullptr;
  for (const auto& handler : handlers_)
    if (below(path, handler.first) && (best == nullptr || handler.first.size() > best->first.size())) best = &handler;
  if (best == nullptr) return error_answer(404, "there is nothing here");
  return guarded(best->second, request);
}

WebAnswer WebServer::about() const {
  return json_answer({{"version", version()},
                      {"limits",
                       {{"connections", options_.peer.max_connections},
                        {"tables", options_.tables.max_tables},
                        {"message_bytes", options_.peer.max_line},
                        {"body_bytes", options_.peer.max_body},
                        {"messages_per_second", options_.messages_per_second},
                        {"empty_table_seconds", options_.tables.empty_time}}}});
}

}  // namespace dealer::web
