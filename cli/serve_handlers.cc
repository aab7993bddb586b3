#include "cli/serve_handlers.h"

#include <fmt/format.h>

#include <optional>

#include "env/core/error.h"
#include "env/core/numbers.h"

namespace dealer::cli {
namespace {

constexpr int kSlowAtOnce = 2;
std::atomic<int> slow_now{0};

}  // namespace

SlowWork::SlowWork() {
  if (++slow_now <= kSlowAtOnce) return;
  --slow_now;
  throw web::Busy("the server is busy with requests of this kind; try again later");
}
SlowWork::~SlowWork() { --slow_now; }

std::int64_t number_of(const WebRequest& request, const char* name, std::int64_t otherwise, std::int64_t low,
                       std::int64_t high) {
  const std::optional<std::string> text = request.query(name);
  if (!text) return otherwise;
  const std::optional<std::int64_t> number = number_in<std::int64_t>(*text);
  if (!number || *number < low || *number > high)
    throw UsageError(fmt::format("{} is '{}'; expected {} to {}", name, *text, low, high));
  return *number;
}

std::string text_of(const WebRequest& request, const char* name) {
  const std::optional<std::string> text = request.query(name);
  if (!text || text->empty()) throw UsageError(fmt::format("{} is missing", name));
  return *text;
}

std::string path_below(const WebRequest& request, std::string_view folder) {
  const std::string path = request.path();
  return path.size() <= folder.size() + 1 ? std::string() : path.substr(folder.size() + 1);
}

web::WebServer::Handlers serve_handlers(web::WebSpecs& specs, const std::filesystem::path& folder) {
  web::WebServer::Handlers handlers;
  add_run_handlers(specs, handlers);
  add_report_handlers(folder, handlers);
  add_history_handlers(specs, handlers);
  add_chart_handlers(specs, handlers);
  return handlers;
}

}  // namespace dealer::cli
