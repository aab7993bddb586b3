#include "cli/output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <system_error>

#include "env/core/error.h"

namespace dealer::cli {
namespace {

[[noreturn]] void fail() {
  throw FileError("cannot write to standard output: " + std::generic_category().message(errno));
}

}  // namespace

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail();
}

void print_json(const nlohmann::ordered_json& document) {
  print(document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n');
}

void flush_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) fail();
}

}  // namespace dealer::cli
