#include "cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "env/core/error.h"
#include "env/core/nearest.h"
#include "env/core/numbers.h"

namespace dealer::cli {
namespace {

constexpr double kLongestSeconds = 3600;

std::string refusal(const std::string& text, const std::string& expected) {
  return fmt::format("'{}' is not allowed; expected {}", text, expected);
}

CLI::Validator validator(std::function<std::string(std::string&)> check) {
  // The empty description hides the check in the help, where the option's text describes it.
  return {std::move(check), ""};
}

CLI::Validator finite(bool (*allowed)(double), const std::string& expected) {
  return validator([allowed, expected](const std::string& text) {
    const auto value = number_in<double>(text);
    return value && std::isfinite(*value) && allowed(*value) ? std::string() : refusal(text, expected);
  });
}

}  // namespace

CLI::Validator integer(std::int64_t low, std::int64_t high) {
  return validator([low, high](std::string& text) {
    const auto value = integer_in(text);
    if (value >= low && value <= high) {
      text = std::to_string(*value);
      return std::string();
    }
    return refusal(text, fmt::format("an integer from {} to {}", low, high));
  });
}

CLI::Validator seed_number() {
  return validator([](std::string& text) {
    if (number_in<std::uint64_t>(text)) return std::string();
    const auto value = integer_in(text);
    if (value >= 0) text = std::to_string(*value);
    return value >= 0 ? std::string() : refusal(text, "an integer from 0 to 18446744073709551615");
  });
}

CLI::Validator number() {
  return finite([](double) { return true; }, "a number, as in 9.5");
}

CLI::Validator positive_number() {
  return finite([](double value) { return value > 0; }, "a number above 0, as in 0.001");
}

CLI::Validator seconds() {
  return finite([](double value) { return value > 0 && value <= kLongestSeconds; },
                fmt::format("a number above 0 and up to {}", kLongestSeconds));
}

CLI::Validator seconds_or_none() {
  return finite([](double value) { return value >= 0 && value <= kLongestSeconds; },
                fmt::format("a number from 0 (no limit) to {}", kLongestSeconds));
}

CLI::Validator one_of(std::vector<std::string> words) {
  return validator([words = std::move(words)](const std::string& text) {
    if (std::ranges::find(words, text) != words.end()) return std::string();
    std::string expected;
    for (std::size_t i = 0; i < words.size(); ++i)
      expected += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
    return refusal(text, expected) + did_you_mean(text, words);
  });
}

CLI::Validator no_empty(std::string expected) {
  return validator([expected = std::move(expected)](const std::string& text) {
    return text.empty() ? refusal(text, expected) : std::string();
  });
}

std::string given_twice(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options())
    if (option->count() > static_cast<std::size_t>(std::max(1, option->get_items_expected_max())))
      return option->get_name();
  return {};
}

void refuse_given_twice(const CLI::App& command) {
  if (const std::string option = given_twice(command); !option.empty())
    throw UsageError(fmt::format("'dealer {}': {} is given twice", command.get_name(), option));
}

CLI::App* add_command(CLI::App& parent, const std::string& name, const std::string& what,
                      const std::vector<std::string>& examples) {
  CLI::App* command = parent.add_subcommand(name, what);
  std::string footer = examples.size() == 1 ? "Example:" : "Examples:";
  for (const std::string& example : examples) footer += "\n  " + example;
  command->footer(footer);
  return command;
}

CLI::Option* add_seed(CLI::App* command, std::uint64_t& seed, const std::string& what) {
  return command->add_option("--seed", seed, what)->transform(seed_number())->capture_default_str();
}

CLI::Option* add_threads(CLI::App* command, int& threads, const std::string& what) {
  return command->add_option("--threads", threads, what)->transform(integer(0, kMaxThreads))->capture_default_str();
}

void add_json(CLI::App* command, bool& json) {
  command->add_flag("--json", json, "Print one JSON document on standard output, everything else on standard error");
}

}  // namespace dealer::cli
