#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <source_location>
#include <string>
#include <vector>

// Texts and documents of which a test knows parts.
namespace dealer::test {

using Json = nlohmann::json;
using Words = std::vector<std::string>;
using Place = std::source_location;

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

inline std::string repeat(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

inline std::string replaced(std::string text, const std::string& old, const std::string& by) {
  for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + by.size()))
    text.replace(at, old.size(), by);
  return text;
}

// With the first occurrence of a part that must be there replaced.
inline std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

inline Words lines_of(const std::string& text) {
  Words lines;
  for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
  }
  return lines;
}

// The parts of a text between separators.
inline Words split(const std::string& text, const std::string& separator) {
  Words parts;
  std::size_t at = 0;
  for (std::size_t end = 0; (end = text.find(separator, at)) != std::string::npos; at = end + separator.size())
    parts.push_back(text.substr(at, end - at));
  parts.push_back(text.substr(at));
  return parts;
}

// The words of a text that blanks part.
inline Words words_in(const std::string& text) {
  Words words = split(text, " ");
  std::erase(words, "");
  return words;
}

// Rows "KEY: VALUE" between semicolons and ends of lines.
inline std::vector<std::pair<std::string, std::string>> rows_in(std::string text) {
  std::vector<std::pair<std::string, std::string>> rows;
  std::replace(text.begin(), text.end(), '\n', ';');
  for (const std::string& row : split(text, ";")) {
    const std::size_t colon = row.find(':'), begin = row.find_first_not_of(' ');
    if (colon == std::string::npos) continue;
    rows.emplace_back(row.substr(begin, colon - begin), row.substr(std::min(colon + 2, row.size())));
  }
  return rows;
}

// All of these parts stand in the text; what fails is told with the line of the caller.
inline void expect_parts(const std::string& text, const Words& parts, const Place& place = Place::current()) {
  for (const std::string& part : parts)
    if (!contains(text, part))
      ADD_FAILURE_AT(place.file_name(), static_cast<int>(place.line())) << part << "\nis not in\n" << text;
}

// None of them does.
inline void expect_none(const std::string& text, const Words& parts, const Place& place = Place::current()) {
  for (const std::string& part : parts)
    if (contains(text, part))
      ADD_FAILURE_AT(place.file_name(), static_cast<int>(place.line())) << part << "\nis in\n" << text;
}

// The document has these members, and perhaps others.
inline void expect_members(const Json& json, const Json& expected, const Place& place = Place::current()) {
  for (const auto& [name, value] : expected.items())
    if (!json.contains(name) || json[name] != value)
      ADD_FAILURE_AT(place.file_name(), static_cast<int>(place.line()))
          << name << " is not " << value << " in " << json;
}

}  // namespace dealer::test
