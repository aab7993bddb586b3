#pragma once

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "frontends/web/web_specs.h"
#include "frontends/web/web_table.h"

namespace dealer::web {

// Tables of the page without a server: one thread, no sockets. The page numbers its connections, each with at most one
// table; the messages are those of docs/web-protocol.md. Other people cannot sit down: guests are refused, and keys
// open nothing.
class LocalTables {
 public:
  using Send = std::function<void(int connection, std::string lines)>;
  using Later = std::function<void(std::chrono::milliseconds, std::function<void()>)>;
  using MakeAnalyser = std::function<TableAnalyser(const TableSetup&)>;
  // `specs` must outlive it. `send` takes lines, each with its line break; `later` calls back from outside of take().
  LocalTables(WebSpecs& specs, MakeAnalyser make_analyser, Send send, Later later);
  ~LocalTables();
  LocalTables(const LocalTables&) = delete;
  LocalTables& operator=(const LocalTables&) = delete;

  // Takes a message of the page. Errors are answered by an "error" message.
  void take(int connection, std::string_view message);
  // The page has closed the connection: removes its table.
  void left(int connection);
  int count() const { return static_cast<int>(tables_.size()); }

 private:
  void handle(int connection, const nlohmann::json& message);
  void open(int connection, const nlohmann::json& message);

  WebSpecs& specs_;
  const MakeAnalyser make_analyser_;
  const Send send_;
  const Later later_;
  std::map<int, std::shared_ptr<WebTable>> tables_;
  int last_id_ = 0;
};

}  // namespace dealer::web
