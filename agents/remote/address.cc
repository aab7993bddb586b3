#include "agents/remote/address.h"

#include <fmt/format.h>

#include <charconv>

#include "agents/remote/link.h"
#include "env/core/error.h"

namespace dealer::remote {

Address parse_address(std::string_view text, bool path) {
  const auto refuse = [&] {
    throw ParseError(fmt::format("'{}' is no address; expected HOST:PORT{}, the port 1 to 65535", text,
                                 path ? " or HOST:PORT/PATH" : ""));
  };
  Address address;
  std::string_view rest = text;
  if (const std::size_t slash = rest.find('/'); path && slash != std::string_view::npos) {
    address.path = rest.substr(slash);
    rest = rest.substr(0, slash);
  }
  const std::size_t colon = rest.rfind(':');
  if (colon == std::string_view::npos || colon == 0) refuse();
  std::string_view host = rest.substr(0, colon);
  const std::string_view port = rest.substr(colon + 1);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  int number = 0;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
  if (error != std::errc() || end != port.data() + port.size() || number < 1 || number > 65535 || host.empty())
    refuse();
  for (const char c : address.path + std::string(host))
    if (static_cast<unsigned char>(c) <= 0x20) refuse();
  address.host = host;
  address.port = port;
  return address;
}

void check_address(std::string_view text) { parse_address(text); }

}  // namespace dealer::remote
