#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "cli/serve_judge.h"
#include "frontends/web/web_server.h"

namespace dealer::cli {

// What `dealer serve` answers below /api and /files beside what frontends/web knows. `folder` has runs/ and the reports
// in it. `specs` outlives them.
web::WebServer::Handlers serve_handlers(web::WebSpecs& specs, const std::filesystem::path& folder);

// The parts of the above.
void add_run_handlers(web::WebSpecs& specs, web::WebServer::Handlers& handlers);
void add_report_handlers(const std::filesystem::path& folder, web::WebServer::Handlers& handlers);
void add_history_handlers(web::WebSpecs& specs, web::WebServer::Handlers& handlers);
void add_chart_handlers(web::WebSpecs& specs, web::WebServer::Handlers& handlers);

// Work that takes long: few of it at a time, so that the rest is answered meanwhile. Throws web::Busy where there is no
// place.
class SlowWork {
 public:
  SlowWork();
  ~SlowWork();
  SlowWork(const SlowWork&) = delete;
  SlowWork& operator=(const SlowWork&) = delete;
};

// A number of the query, or the default. Throws UsageError.
std::int64_t number_of(const WebRequest& request, const char* name, std::int64_t otherwise, std::int64_t low,
                       std::int64_t high);
// A text of the query. Throws UsageError where it is missing.
std::string text_of(const WebRequest& request, const char* name);
// What of the path lies below `folder`: "ofc-1/metrics"; empty for the folder itself.
std::string path_below(const WebRequest& request, std::string_view folder);

}  // namespace dealer::cli
