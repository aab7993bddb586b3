#include "cli/server.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <thread>

#include "cli/output.h"
#include "frontends/bot/web_origin.h"

namespace dealer::cli {

CLI::Option* add_allow_origin(CLI::App* command, std::vector<std::string>& origins) {
  return command
      ->add_option("--allow-origin", origins,
                   "Origin of web pages that may connect, such as https://example.org; may be repeated")
      ->check([](const std::string& text) {
        return parse_web_origin(text)
                   ? std::string()
                   : fmt::format(
                         "'{}' is not allowed; expected SCHEME://HOST or SCHEME://HOST:PORT, as http://localhost:8000",
                         text);
      });
}

void run_until_interrupted(const std::function<void()>& run, const std::function<void()>& stop) {
  const InterruptGuard guard;
  std::jthread watch([&](const std::stop_token& over) {
    while (!over.stop_requested() && !InterruptGuard::requested())
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop();
  });
  run();
  watch.request_stop();
  if (InterruptGuard::requested()) end_interrupted("stopped");
}

}  // namespace dealer::cli
