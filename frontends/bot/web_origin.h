#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dealer {

// Where a web page comes from, as browsers say in the header Origin (RFC 6454, section 7): "scheme://host[:port]".
struct WebOrigin {
  std::string scheme;
  std::string host;        // in lower case; an IP address in its shortest form, without brackets
  std::uint16_t port = 0;  // the scheme's default where none is given; 0: the scheme has none

  bool operator==(const WebOrigin&) const = default;
};

// Nothing when the text is no origin, as "null", or has anything behind the port.
std::optional<WebOrigin> parse_web_origin(std::string_view text);

// Decides which web pages may open a WebSocket to a server. Browsers let every page connect to every address, this
// machine's own included (cross-site WebSocket hijacking), but send the page's origin, which no page can change.
// Programs send none, and are let in.
class WebOriginPolicy {
 public:
  // `address` is where the server listens; `allowed` are origins of other pages that may connect. Throws UsageError on
  // one that is none.
  WebOriginPolicy(std::string_view address, const std::vector<std::string>& allowed);

  // Why a request that has reached the server at `address` and `port` is refused, in a line; empty when it is accepted.
  // A header that the request does not have is no text.
  std::string refusal(std::optional<std::string_view> origin, std::optional<std::string_view> host,
                      std::string_view address, std::uint16_t port) const;
  // The same of the host alone, for requests that come without an origin.
  std::string host_refusal(std::string_view host) const;

 private:
  bool allowed(const WebOrigin& origin) const;
  bool allowed_host(const std::string& host) const;

  std::string address_;
  std::vector<WebOrigin> allowed_;
};

}  // namespace dealer
