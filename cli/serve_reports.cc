// Reports of tournaments, studies and other commands, and their files, for the page of `dealer serve`.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/serve_handlers.h"
#include "env/core/error.h"
#include "env/core/files.h"

namespace dealer::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Depth of the search for reports below the folder, and their maximum number.
constexpr int kDepth = 4;
constexpr std::size_t kMostReports = 1000;
constexpr std::size_t kMostEntries = 20'000;
constexpr std::size_t kMostFile = std::size_t{64} << 20;  // bytes
constexpr std::string_view kFilePolicy =
    "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; "
    "font-src data:; frame-ancestors 'self'";

// The command that made the folder, by the config in it.
std::string kind_of(const fs::path& folder) {
  constexpr std::pair<const char*, const char*> kConfigs[] = {{"tournament.yaml", "tournament"},
                                                              {"knockout.yaml", "knockout"},
                                                              {"sweep.yaml", "sweep"},
                                                              {"exploit.yaml", "exploit"},
                                                              {"config.yaml", "study"}};
  std::error_code error;
  for (const auto& [file, kind] : kConfigs)
    if (fs::is_regular_file(folder / file, error)) return kind;
  return "analysis";
}

// The title of the page: text between <title> and </title> near its beginning.
std::string title_of(const fs::path& page) {
  const std::string head = read_file(page, std::size_t{16} << 10);
  const std::size_t begin = head.find("<title>"), end = head.find("</title>");
  return begin == head.npos || end == head.npos || end < begin ? page.parent_path().filename().string()
                                                               : head.substr(begin + 7, end - begin - 7);
}

std::string encoded(const std::string& path) {
  std::string text;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    text += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return text;
}

bool hidden(const fs::path& entry) { return entry.filename().string().starts_with('.'); }

Json reports_json(const fs::path& folder) {
  struct Report {
    Json json;
    double age = 0;
  };
  std::vector<Report> reports;
  std::error_code error;
  std::size_t seen = 0;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
  for (; !error && at != end && reports.size() < kMostReports && ++seen < kMostEntries; at.increment(error)) {
    const fs::path path = at->path();
    std::error_code none;
    if (at->is_symlink(none) || hidden(path)) {
      at.disable_recursion_pending();
      continue;
    }
    if (at.depth() >= kDepth) at.disable_recursion_pending();
    if (path.extension() != ".html" || !at->is_regular_file(none)) continue;
    const bool own = path.filename() == "report.html";
    const double age =
        std::chrono::duration<double>(fs::file_time_type::clock::now() - fs::last_write_time(path, none)).count();
    const std::string inside = fs::relative(path, folder, none).generic_string();
    reports.push_back({{{"name", own ? fs::path(inside).parent_path().generic_string() : inside},
                        {"kind", own ? kind_of(path.parent_path()) : "analysis"},
                        {"title", title_of(path)},
                        {"page", "/files/" + encoded(inside)},
                        {"age_seconds", age}},
                       age});
  }
  std::ranges::sort(reports, {}, &Report::age);
  Json list = Json::array();
  for (Report& report : reports) list.push_back(std::move(report.json));
  return list;
}

std::string type_of(const fs::path& file) {
  const std::string ending = file.extension().string();
  if (ending == ".html") return "text/html; charset=utf-8";
  if (ending == ".svg") return "image/svg+xml";
  if (ending == ".json") return "application/json";
  if (ending == ".jsonl" || ending == ".txt" || ending == ".yaml" || ending == ".phhs" || ending == ".phh" ||
      ending == ".csv")
    return "text/plain; charset=utf-8";
  return {};
}

// A file in the folder; its real path, after following links, must be in it, too.
WebAnswer file_answer(const fs::path& folder, const std::string& below) {
  std::error_code error;
  const fs::path root = fs::canonical(folder, error);
  const fs::path file = error ? fs::path() : fs::canonical(root / fs::path(below).relative_path(), error);
  const auto [end, ignored] = std::mismatch(root.begin(), root.end(), file.begin(), file.end());
  const bool inside = !error && end == root.end();
  const bool shown = inside && std::ranges::none_of(fs::relative(file, root, error), hidden);
  const std::string type = type_of(file);
  if (!shown || error || type.empty() || !fs::is_regular_file(file, error))
    throw web::NotFound("there is no such file");
  if (fs::file_size(file, error) > kMostFile) throw UsageError("the file is too large to be shown");
  return {200,
          type,
          read_file(file, kMostFile),
          {{"Content-Security-Policy", std::string(kFilePolicy)},
           {"Referrer-Policy", "no-referrer"},
           {"Cache-Control", "no-store"}}};
}

}  // namespace

void add_report_handlers(const fs::path& folder, web::WebServer::Handlers& handlers) {
  handlers.emplace_back("/api/reports", [folder](const WebRequest&) { return web::json_answer(reports_json(folder)); });
  handlers.emplace_back(
      "/files", [folder](const WebRequest& request) { return file_answer(folder, path_below(request, "/files")); });
}

}  // namespace dealer::cli
