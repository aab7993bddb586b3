#pragma once

#include <string>
#include <string_view>

namespace dealer::remote {

struct Address {
  std::string host, port;
  std::string path = "/";  // of a WebSocket
};

// "HOST:PORT", "[::1]:PORT", with `path` also "HOST:PORT/PATH". Throws ParseError.
Address parse_address(std::string_view text, bool path = false);

}  // namespace dealer::remote
