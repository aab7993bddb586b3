#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace dealer::cli {

// Upper limit of --threads.
inline constexpr int kMaxThreads = 1024;

// Checks of option values whose messages quote the value and state what is allowed. Integers accept the notation of
// integer_in(): these two are for CLI::Option::transform().
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

// Any nonempty text, for options that are omitted rather than left empty. `expected` ends the message.
CLI::Validator no_empty(std::string expected);

// A single-valued option or flag that was given more than once: "--hands"; empty when there is none.
std::string given_twice(const CLI::App& command);
// Throws UsageError when there is one.
void refuse_given_twice(const CLI::App& command);

// Sets the action of the subcommand, which runs unless only its help is requested.
CLI::App* add_command(CLI::App& parent, const std::string& name, const std::string& what,
                      const std::vector<std::string>& examples);
void add_json(CLI::App* command, bool& json);

// Options shared by several commands, or with shared checks.
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
// `expected`: end of the message about an empty text, as in no_empty().
template <class T>
CLI::Option* add_text(CLI::App* command, const std::string& name, T& value, const std::string& what,
                      const std::string& expected) {
  return command->add_option(name, value, what)->check(no_empty(expected));
}

// Binds options to a shared struct that lives as long as the callback: `bind(command, options, run)`.
template <class Options>
void bind(CLI::App* command, std::shared_ptr<Options> options, void (*run)(const Options&)) {
  command->callback([command, options = std::move(options), run] {
    refuse_given_twice(*command);
    run(*options);
  });
}

}  // namespace dealer::cli
