#pragma once

#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>

namespace dealer {

// Appends JSON to a text without building a tree: for data written at every decision of a match. The caller must close
// every object and array and write a key before every value of an object.
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out), start_(out.size()) {}

  void begin_object() { open('{'); }
  void end_object() { out_ += '}'; }
  void begin_array() { open('['); }
  void end_array() { out_ += ']'; }
  // Opens an object or array that is the value of a key.
  void begin_object(std::string_view name) { key(name), open('{'); }
  void begin_array(std::string_view name) { key(name), open('['); }

  void key(std::string_view name) {
    value(name);
    out_ += ':';
  }
  void value(std::string_view text) {
    separate();
    out_ += '"';
    for (const char c : text) {
      if (c == '"' || c == '\\') {
        out_ += '\\';
        out_ += c;
      } else if (static_cast<unsigned char>(c) < 0x20) {
        fmt::format_to(std::back_inserter(out_), "\\u{:04x}", static_cast<unsigned>(c));
      } else {
        out_ += c;
      }
    }
    out_ += '"';
  }
  void value(const std::string& text) { value(std::string_view(text)); }
  void value(const char* text) { value(std::string_view(text)); }
  void value(std::nullptr_t) {
    separate();
    out_ += "null";
  }
  template <std::same_as<bool> T>
  void value(T flag) {
    separate();
    out_ += flag ? "true" : "false";
  }
  template <class T>
  requires(std::integral<T> && !std::same_as<T, bool>) void value(T number) {
    separate();
    const fmt::format_int digits(number);
    out_.append(digits.data(), digits.size());
  }
  // The shortest text that reads back as the same number; null if it is not finite.
  template <std::floating_point T>
  void value(T number) {
    separate();
    if (!std::isfinite(number))
      out_ += "null";
    else
      fmt::format_to(std::back_inserter(out_), "{}", number);
  }
  template <class T>
  void member(std::string_view name, const T& what) {
    key(name);
    value(what);
  }
  // An array of all elements of the range, or of f of each.
  template <class Range, class F = std::identity>
  void values(const Range& range, F f = {}) {
    begin_array();
    for (const auto& what : range) value(f(what));
    end_array();
  }
  template <class Range, class F = std::identity>
  void array(std::string_view name, const Range& range, F f = {}) {
    key(name);
    values(range, f);
  }
  // A value that is JSON text already.
  void raw(std::string_view json) {
    separate();
    out_ += json;
  }

 private:
  void open(char bracket) {
    separate();
    out_ += bracket;
  }
  // A comma, except after an opening bracket.
  void separate() {
    if (out_.size() == start_) return;
    const char last = out_.back();
    if (last != '{' && last != '[' && last != ':') out_ += ',';
  }

  std::string& out_;
  std::size_t start_;
};

}  // namespace dealer
