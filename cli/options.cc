#include "cli/options.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace dealer::cli {
namespace {

constexpr double kLongestSeconds = 3600;

template <class T>
bool parse(const std::string& text, T& value) {
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  return result.ec == std::errc() && result.ptr == end;
}

std::string refusal(const std::string& text, const std::string& expected) {
  return fmt::format("'{}' is not allowed; expected {}", text, expected);
}

CLI::Validator validator(std::function<std::string(std::string&)> check) {
  // The empty description keeps the check out of the help, where the option's text says it better.
  return {std::move(check), ""};
}

}  // namespace

CLI::Validator integer(std::int64_t low, std::int64_t high) {
  return validator([low, high](const std::string& text) {
    std::int64_t value = 0;
    if (parse(text, value) && value >= low && value <= high) return std::string();
    return refusal(text, fmt::format("an integer from {} to {}", low, high));
  });
}

CLI::Validator seed_number() {
  return validator([](const std::string& text) {
    std::uint64_t value = 0;
    return parse(text, value) ? std::string() : refusal(text, "an integer from 0 to 18446744073709551615");
  });
}

CLI::Validator number() {
  return validator([](const std::string& text) {
    double value = 0;
    return parse(text, value) && std::isfinite(value) ? std::string() : refusal(text, "a number, as in 9.5");
  });
}

CLI::Validator seconds() {
  return validator([](const std::string& text) {
    double value = 0;
    if (parse(text, value) && value > 0 && value <= kLongestSeconds) return std::string();
    return refusal(text, fmt::format("a number above 0 and up to {}", kLongestSeconds));
  });
}

CLI::Validator seconds_or_none() {
  return validator([](const std::string& text) {
    double value = 0;
    if (parse(text, value) && value >= 0 && value <= kLongestSeconds) return std::string();
    return refusal(text, fmt::format("a number from 0 (no limit) to {}", kLongestSeconds));
  });
}

CLI::App* add_command(CLI::App& parent, const std::string& name, const std::string& what,
                      const std::vector<std::string>& examples) {
  CLI::App* command = parent.add_subcommand(name, what);
  std::string footer = examples.size() == 1 ? "Example:" : "Examples:";
  for (const std::string& example : examples) footer += "\n  " + example;
  command->footer(footer);
  return command;
}

void add_json(CLI::App* command, bool& json) {
  command->add_flag("--json", json, "One JSON document on standard output, everything else on standard error");
}

}  // namespace dealer::cli
