#include "frontends/bot/web_message.h"

#include <fmt/format.h>

#include <iterator>

namespace dealer {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string_view reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 413:
      return "Content Too Large";
    case 429:
      return "Too Many Requests";
    case 503:
      return "Service Unavailable";
    default:
      return "Internal Server Error";
  }
}

}  // namespace

std::optional<std::string> percent_decoded(std::string_view text, bool query) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += query && text[i] == '+' ? ' ' : text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
    if (high < 0 || low < 0) return std::nullopt;
    decoded += static_cast<char>(high * 16 + low);
    i += 2;
  }
  if (decoded.find('\0') != decoded.npos) return std::nullopt;
  return decoded;
}

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
