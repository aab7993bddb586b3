#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "frontends/web/web_specs.h"
#include "frontends/web/web_table.h"

namespace dealer::web {

struct WebTablesOptions {
  int max_tables = 256;
  double empty_time = 600;  // seconds after which a table goes that nobody is at
  int threads = 0;          // in which agents think; 0: one for each processor
};

// The tables of a server, by the keys of their places. Agents think, and judges judge, in threads of its own.
class WebTables {
 public:
  using MakeJudge = std::function<TableJudge(const TableSetup&)>;
  // `specs` outlives it.
  WebTables(WebSpecs& specs, MakeJudge make_judge, const WebTablesOptions& options);
  // Connections, which have visitors, must have gone.
  ~WebTables();
  WebTables(const WebTables&) = delete;
  WebTables& operator=(const WebTables&) = delete;

  // What a connection says, in order, one after the other; each call returns at once. Nothing is told of a connection
  // after left().
  class Visitor {
   public:
    virtual ~Visitor() = default;
    virtual void take(nlohmann::json message) = 0;
    virtual void left() = 0;
    // Messages that wait.
    virtual int waiting() const = 0;
  };
  std::shared_ptr<Visitor> visit(std::shared_ptr<PeerLink> link);

  std::size_t count() const;
  // Waits for who thinks; nothing happens at the tables from then on.
  void stop();

  class Impl;

 private:
  std::shared_ptr<Impl> impl_;
};

}  // namespace dealer::web
