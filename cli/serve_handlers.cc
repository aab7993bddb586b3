#include "cli/serve_handlers.h"

namespace dealer::cli {

web::WebServer::Handlers serve_handlers(web::WebSpecs&, const std::filesystem::path&) { return {}; }

}  // namespace dealer::cli
