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

// Tables of the page without a server: one thread, no sockets. Every connection has a number of the page's and at most
// one table; the messages are those of docs/web-protocol.md. Nobody else can sit down: a guest is refused, and a key
// opens nothing.
class LocalTables {
 public:
  using Send = std::function<void(int connection, std::string lines)>;
  using Later = std::function<void(std::chrono::milliseconds, std::function<void()>)>;
  using MakeJudge = std::function<TableJudge(const TableSetup&)>;
  // `specs` outlives it. `send` takes lines, each with its line break; `later` calls back from outside of take().
  LocalTables(WebSpecs& specs, MakeJudge make_judge, Send send, Later later);
  ~LocalTables();
  LocalTables(const LocalTables&) = delete;
  LocalTables& operator=(const LocalTables&) = delete;

  // A message of the page. What is wrong with it is told by an "error".
  void take(int connection, std::string_view message);
  // The page has closed the connection; its table goes.
  void left(int connection);
  int count() const { return static_cast<int>(tables_.size()); }

 private:
  void handle(int connection, const nlohmann::json& message);
  void open(int connection, const nlohmann::json& message);

  WebSpecs& specs_;
  const MakeJudge make_judge_;
  const Send send_;
  const Later later_;
  std::map<int, std::shared_ptr<WebTable>> tables_;
  int last_id_ = 0;
};

}  // namespace dealer::web
