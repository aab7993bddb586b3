#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace dealer::cli {

// The most that --threads takes.
inline constexpr int kMaxThreads = 1024;

// Checks of option values whose messages say what came and what is allowed. Integers may be written as integer_in()
// reads them: these two are for CLI::Option::transform().
CLI::Validator integer(std::int64_t low, std::int64_t high);
CLI::Validator seed_number();
// Any finite number.
CLI::Validator number();
// Any finite number above 0.
CLI::Validator positive_number();
// Above 0, at most an hour.
CLI::Validator seconds();
// The same, or 0 for no limit.
CLI::Validator seconds_or_none();

// One of these words; the refusal names the nearest.
CLI::Validator one_of(std::vector<std::string> words);

// Anything but the empty text, where that would mean that the option is left out. `expected` ends the message.
CLI::Validator no_empty(std::string expected);

// An option that takes one value, or none, and was given more often: "--hands"; empty when there is none.
std::string given_twice(const CLI::App& command);
// Throws UsageError when there is.
void refuse_given_twice(const CLI::App& command);

// What the subcommand does, unless only its help was asked for.
CLI::App* add_command(CLI::App& parent, const std::string& name, const std::string& what,
                      const std::vector<std::string>& examples);
void add_json(CLI::App* command, bool& json);

// Options that several commands have, or that are checked alike.
CLI::Option* add_seed(CLI::App* command, std::uint64_t& seed,
                      const std::string& what = "The same seed deals the same cards");
CLI::Option* add_threads(
    CLI::App* command, int& threads,
    const std::string& what = "Number of threads; 0: one for each processor. The result does not depend on it");
template <class T>
CLI::Option* add_number(CLI::App* command, const std::string& name, T& value, const std::string& what, std::int64_t low,
                        std::int64_t high) {
  return command->add_option(name, value, what)->transform(integer(low, high));
}
// `expected`: what an empty text is not, as no_empty() says it.
template <class T>
CLI::Option* add_text(CLI::App* command, const std::string& name, T& value, const std::string& what,
                      const std::string& expected) {
  return command->add_option(name, value, what)->check(no_empty(expected));
}

// Lets options be set in a shared struct that lives as long as the callback: `bind(command, options, run)`.
template <class Options>
void bind(CLI::App* command, std::shared_ptr<Options> options, void (*run)(const Options&)) {
  command->callback([command, options = std::move(options), run] {
    refuse_given_twice(*command);
    run(*options);
  });
}

}  // namespace dealer::cli
