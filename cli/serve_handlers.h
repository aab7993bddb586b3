#pragma once

#include <filesystem>

#include "frontends/web/web_server.h"

namespace dealer::cli {

// What `dealer serve` answers below /api and /files beside what frontends/web knows. `folder` has runs/ and the reports
// in it.
web::WebServer::Handlers serve_handlers(web::WebSpecs& specs, const std::filesystem::path& folder);

// Who judges what is decided at a table of the page: as dealer analyse does.
web::TableJudge serve_judge(const web::TableSetup& setup);

}  // namespace dealer::cli
