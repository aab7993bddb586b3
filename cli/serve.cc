#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/program.h"
#include "cli/serve_handlers.h"
#include "cli/server.h"
#include "env/core/error.h"
#include "frontends/web/table_setup.h"
#include "frontends/web/web_server.h"

namespace dealer::cli {
namespace {

struct ServeArguments {
  std::string host = "127.0.0.1";
  int port = 8080;
  std::string token;
  std::string folder = ".";
  std::vector<std::string> allowed_origins;
  int threads = 0;
  bool verbose = false;
};

// The URL for a browser. The wildcard address is replaced, since it cannot be opened.
std::string link_of(const ServeArguments& options, std::uint16_t port, const std::string& token) {
  std::string host = options.host == "0.0.0.0" || options.host == "::" ? "127.0.0.1" : options.host;
  if (host.find(':') != std::string::npos) host = '[' + host + ']';
  return fmt::format("http://{}:{}/#token={}", host, port, token);
}

void run_serve(const ServeArguments& options) {
  if (!std::filesystem::is_directory(options.folder))
    throw UsageError(fmt::format("--folder: there is no folder {}", options.folder));
  web::WebServerOptions server_options = web::web_options();
  server_options.peer.host = options.host;
  server_options.peer.port = static_cast<std::uint16_t>(options.port);
  server_options.peer.allowed_origins = options.allowed_origins;
  server_options.tables.threads = options.threads;
  server_options.token = options.token.empty() ? web::random_key() : options.token;
  web::WebSpecs specs(std::filesystem::path(options.folder) / "runs");
  web::WebServer server(specs, server_options, serve_handlers(specs, options.folder), serve_analyser);
  if (options.verbose) server.log([](const std::string& line) { notify("dealer: " + one_line(line)); });
  print(link_of(options, server.port(), server_options.token) + '\n');
  flush_output();
  notify("dealer: open this link in a browser; Ctrl-C ends the server");
  run_until_interrupted([&] { server.run(); }, [&] { server.stop(); });
}

}  // namespace

void add_serve(CLI::App& program) {
  const auto options = std::make_shared<ServeArguments>();
  CLI::App* command = add_command(
      program, "serve", "Serves a page for the browser: follow training runs, play, watch agents, review hands",
      {"dealer serve", "dealer serve --port 9000 --folder my", "dealer serve --host 0.0.0.0 --token kitchen-table-17"});
  add_number(command, "--port", options->port, "The port; 0: any free port", 0, 65535)->capture_default_str();
  add_text(command, "--host", options->host,
           "The address to listen on; 0.0.0.0 admits everybody who can reach this machine", "an address")
      ->capture_default_str();
  add_text(command, "--token", options->token, "The token of the link; default: a new one at every start", "a text");
  add_text(command, "--folder", options->folder, "The folder with runs/ and with tournaments, studies and analyses",
           "the path of a folder")
      ->capture_default_str();
  add_threads(command, options->threads, "Threads for the agents' decisions; 0: one for each processor");
  add_allow_origin(command, options->allowed_origins);
  command->add_flag("--verbose", options->verbose, "Print each connection that ends, and why");
  bind(command, options, run_serve);
}

}  // namespace dealer::cli
