#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dealer {

// The origin of a web page, from the browser's header Origin (RFC 6454, section 7): "scheme://host[:port]".
struct WebOrigin {
  std::string scheme;
  std::string host;        // in lower case; an IP address in its shortest form, without brackets
  std::uint16_t port = 0;  // the scheme's default if none is given; 0: the scheme has none

  bool operator==(const WebOrigin&) const = default;
};

// Nothing when the text is not an origin, such as "null", or has anything after the port.
std::optional<WebOrigin> parse_web_origin(std::string_view text);

// Decides which web pages may open a WebSocket to a server. Browsers let every page connect to every address, this
// machine's own included (cross-site WebSocket hijacking), but send the page's origin, which no page can change.
// Programs send no origin and are admitted.
class WebOriginPolicy {
 public:
  // `address`: where the server listens; `allowed`: origins of other pages that may connect. Throws UsageError if one
  // of them is not an origin.
  WebOriginPolicy(std::string_view address, const std::vector<std::string>& allowed);

  // The reason, in a line, why the server at `address` and `port` refuses a request; empty when it accepts. A missing
  // header is nullopt.
  std::string refusal(std::optional<std::string_view> origin, std::optional<std::string_view> host,
                      std::string_view address, std::uint16_t port) const;
  // Checks the host alone, for requests that come without an origin.
  std::string host_refusal(std::string_view host) const;

 private:
  bool allowed(const WebOrigin& origin) const;
  bool allowed_host(const std::string& host) const;

  std::string address_;
  std::vector<WebOrigin> allowed_;
};

}  // namespace dealer
