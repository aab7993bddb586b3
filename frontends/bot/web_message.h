#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dealer {

// The parts of an HTTP request that answers depend on.
struct WebRequest {
  std::string method;   // "GET"
  std::string target;   // "/api/runs?limit=3"
  bool socket = false;  // requests a WebSocket
  std::optional<std::string> authorization, accept_encoding;
  std::string body;

  // The target up to '?', percent-decoded; "" if it is malformed.
  std::string path() const;
  // A field of the query, decoded; nothing if it is missing or malformed.
  std::optional<std::string> query(std::string_view name) const;
};

struct WebAnswer {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers = {};  // besides content type, length and connection
};

// The complete answer to send. `head`: without the body, for a HEAD request.
std::string http_text(const WebAnswer& answer, bool head = false);

}  // namespace dealer
