#include "frontends/bot/web_origin.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <utility>

#include "env/core/error.h"
#include "env/core/json_fields.h"
#include "env/core/numbers.h"

namespace dealer {
namespace {

using boost::asio::ip::make_address;
using IpAddress = boost::asio::ip::address;

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";

// Independent of the locale, for host names.
std::string ascii_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

// True for letters and `others` only.
bool consists_of(std::string_view text, std::string_view others) {
  return std::all_of(text.begin(), text.end(),
                     [&](char c) { return kLetters.find(c) != kLetters.npos || others.find(c) != others.npos; });
}

// Without the zone of IPv6, which browsers omit; an IPv4 address in IPv6 as IPv4.
std::optional<IpAddress> ip_address(std::string_view text) {
  boost::system::error_code error;
  const IpAddress address = make_address(std::string(text.substr(0, text.find('%'))), error);
  if (error) return std::nullopt;
  if (address.is_v6() && address.to_v6().is_v4_mapped())
    return boost::asio::ip::make_address_v4(boost::asio::ip::v4_mapped, address.to_v6());
  return address;
}

std::string shortest(std::string_view address) {
  const std::optional<IpAddress> ip = ip_address(address);
  return ip ? ip->to_string() : std::string(address);
}

// A port, from 1, in decimal digits.
bool read_port(std::string_view text, std::uint16_t& port) {
  const std::optional<std::uint16_t> number = number_in<std::uint16_t>(text);
  port = number.value_or(port);
  return number > 0;
}

// "host[:port]", an IPv6 address in brackets; `port` is unchanged if none is given.
bool read_host(std::string_view text, std::string& host, std::uint16_t& port) {
  std::string_view behind;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == text.npos) return false;
    host = text.substr(1, end - 1);
    const std::optional<IpAddress> ip = host.find('%') == host.npos ? ip_address(host) : std::nullopt;
    if (!ip || host.find(':') == host.npos) return false;
    behind = text.substr(end + 1);
  } else {
    const std::size_t end = std::min(text.find(':'), text.size());
    host = ascii_lower(text.substr(0, end));
    if (host.empty() || !consists_of(host, "0123456789-._")) return false;
    behind = text.substr(end);
  }
  host = shortest(host);
  return behind.empty() || (behind.starts_with(':') && read_port(behind.substr(1), port));
}

bool is_loopback(const std::string& host) {
  const std::optional<IpAddress> ip = ip_address(host);
  return host == "localhost" || (ip && ip->is_loopback());
}

}  // namespace

std::optional<WebOrigin> parse_web_origin(std::string_view text) {
  WebOrigin origin;
  const std::size_t end = text.find("://");
  if (end == text.npos) return std::nullopt;
  origin.scheme = ascii_lower(text.substr(0, end));
  if (origin.scheme.empty() || kLetters.find(origin.scheme.front()) == kLetters.npos ||
      !consists_of(origin.scheme, "0123456789+-."))
    return std::nullopt;
  if (origin.scheme == "http" || origin.scheme == "ws") origin.port = 80;
  if (origin.scheme == "https" || origin.scheme == "wss") origin.port = 443;
  if (!read_host(text.substr(end + 3), origin.host, origin.port)) return std::nullopt;
  return origin;
}

WebOriginPolicy::WebOriginPolicy(std::string_view address, const std::vector<std::string>& allowed)
    : address_(shortest(address)) {
  for (const std::string& text : allowed) {
    std::optional<WebOrigin> origin = parse_web_origin(text);
    if (!origin)
      throw UsageError(
          fmt::format("{} is not an origin of web pages; expected SCHEME://HOST or SCHEME://HOST:PORT, as "
                      "http://localhost:8000",
                      quote_line(text)));
    allowed_.push_back(std::move(*origin));
  }
}

bool WebOriginPolicy::allowed(const WebOrigin& origin) const {
  return std::find(allowed_.begin(), allowed_.end(), origin) != allowed_.end();
}

bool WebOriginPolicy::allowed_host(const std::string& host) const {
  return std::any_of(allowed_.begin(), allowed_.end(), [&](const WebOrigin& origin) { return origin.host == host; });
}

// Rejects foreign names resolved to this machine's address (DNS rebinding), which make their pages look like ours.
std::string WebOriginPolicy::host_refusal(std::string_view host) const {
  WebOrigin here{"http", {}, 80};
  if (read_host(host, here.host, here.port) &&
      (ip_address(here.host) || is_loopback(here.host) || allowed_host(here.host)))
    return {};
  return fmt::format("{} is not a name of this server; expected its IP address or localhost", quote_line(host));
}

std::string WebOriginPolicy::refusal(std::optional<std::string_view> origin, std::optional<std::string_view> host,
                                     std::string_view address, std::uint16_t port) const {
  if (!origin) return {};
  if (!host) return fmt::format("a page of {} has named no host", quote_line(*origin));
  if (std::string why = host_refusal(*host); !why.empty()) return why;
  WebOrigin here{"http", {}, 80};
  read_host(*host, here.host, here.port);
  const std::optional<WebOrigin> page = parse_web_origin(*origin);
  if (page && allowed(*page)) return {};
  const bool own = is_loopback(here.host) || here.host == address_ || here.host == shortest(address);
  if (page && own && here.port == port && *page == here) return {};
  return fmt::format("pages of {} may not connect; --allow-origin allows an origin", quote_line(*origin));
}

}  // namespace dealer
