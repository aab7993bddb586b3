#include "cli/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <new>
#include <string>
#include <vector>

#include "cli/command_tree.h"
#include "cli/options.h"
#include "cli/output.h"
#include "env/core/error.h"
#include "env/core/nearest.h"
#include "env/core/version.h"
#include "train/backend_info.h"

namespace dealer::cli {
namespace {

// The instruction sets that the hand evaluator and the vectorised loops were compiled for.
std::string instructions() {
  std::string names;
  const auto add = [&](const char* name) { names += (names.empty() ? "" : " ") + std::string(name); };
#ifdef __POPCNT__
  add("POPCNT");
#endif
#ifdef __BMI2__
  add("BMI2");
#endif
#ifdef __AVX2__
  add("AVX2");
#endif
#ifdef __FMA__
  add("FMA");
#endif
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__)
  add("AVX-512");
#endif
#ifdef __ARM_NEON
  add("NEON");
#endif
  return names.empty() ? "the baseline of the architecture" : names;
}

std::string version_text() {
  std::string text = fmt::format("dealer {}\nlibtorch {}\n", version(), libtorch_version());
  text += fmt::format("BLAS {}, kernel {}\n", blas_library(), blas_kernel());
  text += fmt::format("evaluator compiled for {}", instructions());
  if (const std::string warning = blas_warning(); !warning.empty()) text += "\nwarning: " + warning;
  return text;
}

// A closed standard stream would give its descriptor to the next file opened, which would then receive the output.
void keep_standard_streams() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // Opened in the wrong direction, so that using it still fails.
    open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
  }
}

// The subcommand given, below the program itself: "dealer ofc score".
const CLI::App& deepest(const CLI::App& program) {
  const CLI::App* app = &program;
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  return *app;
}

std::string explain_extra(const CLI::App& app, const std::string& extra) {
  const std::string name = full_name(app);
  if (extra.size() > 1 && extra[0] == '-') {
    const std::string option = extra.substr(0, extra.find('='));
    return fmt::format("'{}' has no option '{}'{}; '{} --help' lists them", name, option,
                       did_you_mean(option, option_names(app)), name);
  }
  const std::vector<std::string> commands = command_names(app);
  if (commands.empty()) return fmt::format("'{}' has no use for '{}'; see '{} --help'", name, extra, name);
  return fmt::format("there is no command '{} {}'{}; commands: {}", name, extra, did_you_mean(extra, commands),
                     fmt::join(commands, ", "));
}

int fail(std::string_view message, int status) {
  // Output before the error consists of whole lines and is still valid.
  std::fflush(stdout);
  // Only one of several ranks reports it.
  if (!message.empty()) notify("dealer: " + one_line(message));
  return status;
}

void parse_arguments(CLI::App& program, int argc, const char* const* argv) {
  try {
    program.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    print(program.help());
  } catch (const CLI::CallForVersion&) {
    use_fitting_blas_kernel();
    print(version_text() + '\n');
  } catch (const CLI::ParseError& error) {
    throw UsageError(explain(program, error));
  }
}

}  // namespace

std::string explain(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App& app = deepest(program);
  const std::string name = full_name(app);
  for (const CLI::App* with_extra = &app; with_extra != nullptr; with_extra = with_extra->get_parent()) {
    const std::vector<std::string> extras = with_extra->remaining();
    // A misspelt option leaves its value as an extra argument: name the option instead.
    for (const std::string& extra : extras)
      if (extra.starts_with('-')) return explain_extra(*with_extra, extra);
    if (!extras.empty()) return explain_extra(*with_extra, extras.front());
  }
  const std::vector<std::string> commands = command_names(app);
  if (!commands.empty() && app.get_subcommands().empty())
    return fmt::format("a command is missing after '{}'; commands: {}; '{} --help' says more", name,
                       fmt::join(commands, ", "), name);
  if (const std::string option = given_twice(app); !option.empty())
    return fmt::format("'{}': {} is given twice; see '{} --help'", name, option, name);
  const std::string what = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
    return fmt::format("'{}': the value of {} is missing; see '{} --help'", name, what.substr(0, what.find(':')), name);
  return fmt::format("'{}': {}; see '{} --help'", name, what, name);
}

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n')
      line += "\\n";
    else if (byte < 0x20 || byte == 0x7f)
      line += fmt::format("\\x{:02x}", byte);
    else
      line += c;
  }
  return line;
}

int run(int argc, const char* const* argv, std::span<const AddCommand> commands) {
  keep_standard_streams();
  // A failed write is reported as an error by its caller, instead of ending the program silently.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    CLI::App program("A self-play laboratory for the poker family: train agents, match them, play against them.",
                     "dealer");
    program.set_version_flag("-V,--version", std::string(), "Print the versions of the program and its libraries");
    program.require_subcommand(1);
    program.footer("'dealer help COMMAND' shows the options of a command and an example.");
    for (const AddCommand add : commands) add(program);
    parse_arguments(program, argc, argv);
    flush_output();
    return 0;
  } catch (const ClosedPipe& error) {
    return error.exit_status();
  } catch (const Error& error) {
    return fail(error.what(), error.exit_status());
  } catch (const std::bad_alloc&) {
    return fail("out of memory", 1);
  } catch (const std::exception& error) {
    return fail(fmt::format("unexpected failure: {}", error.what()), 1);
  }
}

}  // namespace dealer::cli
