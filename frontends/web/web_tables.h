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
  double empty_time = 600;  // seconds after which an empty table is removed
  int threads = 0;          // threads for agents; 0: one per processor
};

// The tables of a server, by the keys of their places. Agents and analysers run in its own threads.
class WebTables {
 public:
  using MakeAnalyser = std::function<TableAnalyser(const TableSetup&)>;
  // `specs` must outlive it.
  WebTables(WebSpecs& specs, MakeAnalyser make_analyser, const WebTablesOptions& options);
  // All connections, which own visitors, must be closed before.
  ~WebTables();
  WebTables(const WebTables&) = delete;
  WebTables& operator=(const WebTables&) = delete;

  // Messages of a connection, processed in order; each call returns at once. No message is sent to a connection after
  // left().
  class Visitor {
   public:
    virtual ~Visitor() = default;
    virtual void take(nlohmann::json message) = 0;
    virtual void left() = 0;
    // Number of waiting messages.
    virtual int waiting() const = 0;
  };
  std::shared_ptr<Visitor> visit(std::shared_ptr<PeerLink> link);

  std::size_t count() const;
  // Waits for running agents; nothing happens at the tables afterwards.
  void stop();

  class Impl;

 private:
  std::shared_ptr<Impl> impl_;
};

}  // namespace dealer::web
