#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dealer {

// An HTTP request, as far as the answers depend on it.
struct WebRequest {
  std::string method;   // "GET"
  std::string target;   // "/api/runs?limit=3"
  bool socket = false;  // asks for a WebSocket
  std::optional<std::string> authorization, accept_encoding;
  std::string body;

  // The target without what follows '?', percent-decoded; "" where that is malformed.
  std::string path() const;
  // A field of the query, decoded; nothing where it is missing or malformed.
  std::optional<std::string> query(std::string_view name) const;
};

struct WebAnswer {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers = {};  // beside those of type, length and connection
};

// "%2F" and the like, and '+' for a blank where the text is a query; nothing where it is malformed or has a zero byte.
std::optional<std::string> percent_decoded(std::string_view text, bool query);

// The whole answer as it is sent. `head`: without the body, to a HEAD request.
std::string http_text(const WebAnswer& answer, bool head = false);

}  // namespace dealer
