#pragma once

#include <filesystem>
#include <string>

#include "cli/serve_analyser.h"
#include "frontends/web/web_server.h"

namespace dealer::cli {

// Handlers of `dealer serve` for paths below /api and /files, besides those in frontends/web. `folder` contains runs/
// and the reports. `specs` must outlive them.
web::WebServer::Handlers serve_handlers(web::WebSpecs& specs, const std::filesystem::path& folder);

// The individual handlers.
void add_run_handlers(web::WebSpecs& specs, web::WebServer::Handlers& handlers);
void add_report_handlers(const std::filesystem::path& folder, web::WebServer::Handlers& handlers);
void add_history_handlers(web::WebSpecs& specs, web::WebServer::Handlers& handlers);
void add_chart_handlers(web::WebSpecs& specs, web::WebServer::Handlers& handlers);

// Runs long work: only a few at a time, so that other requests are answered meanwhile. Throws web::Busy when all slots
// are taken.
class SlowWork {
 public:
  SlowWork();
  ~SlowWork();
  SlowWork(const SlowWork&) = delete;
  SlowWork& operator=(const SlowWork&) = delete;
};

// A number from the query, or the default. Throws UsageError.
std::int64_t number_of(const WebRequest& request, const char* name, std::int64_t otherwise, std::int64_t low,
                       std::int64_t high);
// A text from the query. Throws UsageError if it is missing.
std::string text_of(const WebRequest& request, const char* name);
// The part of the path below `folder`: "ofc-1/metrics"; empty for the folder itself.
std::string path_below(const WebRequest& request, std::string_view folder);

}  // namespace dealer::cli
