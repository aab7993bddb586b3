#include "frontends/bot/web_message.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <iterator>

namespace dealer {
namespace {

std::string_view reason_of(int status) {
  constexpr std::pair<int, std::string_view> kReasons[] = {{200, "OK"},
                                                           {304, "Not Modified"},
                                                           {400, "Bad Request"},
                                                           {401, "Unauthorized"},
                                                           {403, "Forbidden"},
                                                           {404, "Not Found"},
                                                           {405, "Method Not Allowed"},
                                                           {406, "Not Acceptable"},
                                                           {413, "Content Too Large"},
                                                           {429, "Too Many Requests"},
                                                           {503, "Service Unavailable"}};
  for (const auto& [known, reason] : kReasons)
    if (known == status) return reason;
  return "Internal Server Error";
}

// Decodes "%2F" and the like, and in a query '+' as a blank; nothing if the text is malformed or has a zero byte.
std::optional<std::string> percent_decoded(std::string_view text, bool query) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += query && text[i] == '+' ? ' ' : text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const char *const digits = text.data() + i + 1, *const end = digits + 2;
    std::uint8_t byte = 0;
    if (std::from_chars(digits, end, byte, 16).ptr != end) return std::nullopt;
    decoded += static_cast<char>(byte);
    i += 2;
  }
  if (decoded.find('\0') != decoded.npos) return std::nullopt;
  return decoded;
}

}  // namespace

std::string WebRequest::path() const {
  return percent_decoded(std::string_view(target).substr(0, target.find('?')), false).value_or("");
}

std::optional<std::string> WebRequest::query(std::string_view name) const {
  const std::size_t begin = target.find('?');
  if (begin == target.npos) return std::nullopt;
  std::string_view rest = std::string_view(target).substr(begin + 1);
  while (!rest.empty()) {
    const std::string_view field = rest.substr(0, rest.find('&'));
    rest.remove_prefix(field.size() == rest.size() ? rest.size() : field.size() + 1);
    const std::size_t equals = field.find('=');
    if (field.substr(0, equals) != name) continue;
    return percent_decoded(equals == field.npos ? std::string_view() : field.substr(equals + 1), true);
  }
  return std::nullopt;
}

std::string http_text(const WebAnswer& answer, bool head) {
  std::string text = fmt::format(
      "HTTP/1.1 {} {}\r\nConnection: close\r\nContent-Type: {}\r\nContent-Length: {}\r\nX-Content-Type-Options: "
      "nosniff\r\n",
      answer.status, reason_of(answer.status), answer.type, answer.body.size());
  for (const auto& [name, value] : answer.headers) fmt::format_to(std::back_inserter(text), "{}: {}\r\n", name, value);
  text += "\r\n";
  if (!head) text += answer.body;
  return text;
}

}  // namespace dealer
