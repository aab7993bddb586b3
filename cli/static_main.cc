// Functions called by the Web Worker of the page (page/src/static/worker.ts): tables without a server.
#include <emscripten.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "cli/serve_analyser.h"
#include "frontends/web/local_tables.h"
#include "frontends/web/refusal.h"
#include "frontends/web/web_specs.h"

// Lines of JSON, each with its line break.
EM_JS(void, dealer_send, (int connection, const char* lines), { Module.dealerSend(connection, UTF8ToString(lines)); });

namespace dealer::web {
namespace {

void later(std::chrono::milliseconds time, std::function<void()> what) {
  emscripten_async_call(
      [](void* call) {
        const std::unique_ptr<std::function<void()>> owned(static_cast<std::function<void()>*>(call));
        (*owned)();
      },
      new std::function<void()>(std::move(what)), static_cast<int>(time.count()));
}

LocalTables& tables() {
  static WebSpecs specs("/runs");
  static LocalTables all(
      specs, cli::serve_analyser,
      [](int connection, const std::string& lines) { dealer_send(connection, lines.c_str()); }, later);
  return all;
}

}  // namespace
}  // namespace dealer::web

extern "C" {

EMSCRIPTEN_KEEPALIVE void dealer_take(int connection, const char* message) {
  dealer::web::tables().take(connection, message);
}

EMSCRIPTEN_KEEPALIVE void dealer_left(int connection) { dealer::web::tables().left(connection); }

// Same as /api/games: JSON, or a line "error". Valid until the next call.
EMSCRIPTEN_KEEPALIVE const char* dealer_games() {
  static std::string text;
  std::string refusal = dealer::web::refusal_of([] { text = dealer::web::games_json().dump(); }, {});
  if (!refusal.empty()) text = std::move(refusal);
  return text.c_str();
}

}  // extern "C"
