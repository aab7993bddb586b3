#include "frontends/phh/replay.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/recorded_hand.h"
#include "env/core/counted.h"
#include "env/core/error.h"
#include "frontends/phh/standard_text.h"
#include "frontends/terminal/screen_text.h"
#include "frontends/terminal/table_view.h"

namespace dealer::cli {
namespace {

struct ReplayArguments {
  std::vector<std::string> files;
  std::optional<std::string> hand;
  bool show = false;
  bool json = false;
};

// Further errors are counted, not listed.
constexpr std::size_t kMostErrors = 10'000;

std::string name_of(const std::string& file) { return file == "-" ? "standard input" : file; }

// Files as given, and for folders all histories in them, sorted by name.
std::vector<std::string> files_of(const std::vector<std::string>& given) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (const std::string& name : given) {
    std::error_code none;
    if (name == "-" || !fs::is_directory(name, none)) {
      // Checked before any output.
      if (name != "-" && !fs::exists(name, none))
        throw FileError(fmt::format("cannot read {}: No such file or directory", name));
      files.push_back(name);
      continue;
    }
    std::vector<std::string> inside;
    std::error_code error;
    for (fs::recursive_directory_iterator at(name, error), end; !error && at != end; at.increment(error))
      if ((at->path().extension() == ".phh" || at->path().extension() == ".phhs") && at->is_regular_file(none))
        inside.push_back(at->path().string());
    if (error) throw FileError(fmt::format("cannot read {}: {}", name, error.message()));
    if (inside.empty()) throw FileError(fmt::format("{}: there is no .phh or .phhs file in it", name));
    std::sort(inside.begin(), inside.end());
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

void print_hand(std::int64_t, const phh::HandHistory& hand, const std::vector<phh::Problem>& problems,
                const phh::Replayer& replayer) {
  print(phh::to_string(hand));
  for (const phh::Problem& problem : problems) print(fmt::format("# line {}: {}\n", problem.line, problem.message));
  if (!problems.empty()) return print("\n");
  std::string warnings;
  if (replayer.standard() != nullptr)
    for (const std::string& warning : phh::warnings_of(*replayer.standard())) warnings += "; " + warning;
  print(fmt::format("# replayed: every card, action and payout is correct{}\n\n", warnings));
}

// Selects one hand of the file, by its heading or else its number.
class HandOfFile {
 public:
  HandOfFile(const ReplayArguments& options, std::string file)
      : options_(options), file_(std::move(file)), style_(terminal::style_for(STDOUT_FILENO)) {}

  void look(std::int64_t number, const phh::HandHistory& hand, const std::vector<phh::Problem>& problems,
            const phh::Replayer& replayer) {
    const bool heading = !hand.heading.empty() && hand.heading == *options_.hand;
    if (!heading && (by_heading_ || std::to_string(number) != *options_.hand)) return;
    by_heading_ = heading;
    found_ = true;
    wrong_ = !problems.empty();
    text_ = options_.json ? json(hand, problems, replayer) : text(hand, problems, replayer);
  }

  // Prints the hand. Throws UsageError when there is none, FileError when it is faulty.
  void print_it(const phh::FileReplay& file) const {
    if (!found_)
      throw UsageError(fmt::format("{} has no hand '{}' that can be read; expected 1 to {}, or a heading", file_,
                                   *options_.hand, file.hands));
    print(text_);
    if (wrong_) throw FileError(fmt::format("{}: hand {} is wrong", file_, *options_.hand));
  }

 private:
  std::string text(const phh::HandHistory& hand, const std::vector<phh::Problem>& problems,
                   const phh::Replayer& replayer) const {
    std::string text = fmt::format("Hand {}", *options_.hand);
    if (const GamePtr& game = replayer.game()) {
      const terminal::Seats seats = seats_of(hand, *game);
      text += fmt::format(" of {}\n", game->spec());
      text += terminal::hand_replay_text(*game, replayer.events(), seats, style_);
    } else if (const phh::StandardReplay* standard = replayer.standard()) {
      text += ": " + phh::standard_text(*standard);
      for (const std::string& warning : phh::warnings_of(*standard)) text += warning + '\n';
    } else {
      text += '\n';
    }
    for (const phh::Problem& problem : problems) text += fmt::format("line {}: {}\n", problem.line, problem.message);
    return terminal::wrap(text, style_.width);
  }

  std::string json(const phh::HandHistory& hand, const std::vector<phh::Problem>& problems,
                   const phh::Replayer& replayer) const {
    auto events = nlohmann::ordered_json::array(), errors = nlohmann::ordered_json::array();
    nlohmann::ordered_json document{{"hand", hand.heading.empty() ? *options_.hand : hand.heading},
                                    {"game", nullptr},
                                    {"players", nullptr},
                                    {"variant", hand.variant}};
    if (const GamePtr& game = replayer.game()) {
      document["game"] = game->spec();
      document["players"] = seats_of(hand, *game).names;
      for (const Event& event : replayer.events()) events.emplace_back(to_json(event, *game));
    } else if (const phh::StandardReplay* standard = replayer.standard()) {
      document["players"] = phh::names_of(hand);
      events = phh::standard_events(*standard);
      document["remarks"] = phh::warnings_of(*standard);
    }
    for (const phh::Problem& problem : problems)
      errors.push_back({{"line", problem.line}, {"message", problem.message}});
    document["events"] = events;
    document["errors"] = errors;
    return document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
  }

  const ReplayArguments& options_;
  const std::string file_;
  const terminal::Style style_;
  bool found_ = false, by_heading_ = false, wrong_ = false;
  std::string text_;
};

void run_hand(const ReplayArguments& options, const std::vector<std::string>& files) {
  if (files.size() != 1)
    throw UsageError(fmt::format("--hand shows a hand of one file; there are {} files", files.size()));
  HandOfFile hand(options, files.front());
  hand.print_it(phh::replay_file(files.front(), [&hand](auto&&... what) { hand.look(what...); }));
}

// Totals over all files.
class Summary {
 public:
  explicit Summary(bool json) : json_(json) {}

  void add(const std::string& file, const phh::FileReplay& result) {
    ++files_;
    hands_ += result.hands;
    ok_ += result.ok;
    raked_ += result.raked;
    unfinished_ += result.unfinished;
    undecided_ += result.undecided;
    for (const auto& error : result.errors) {
      if (++recorded_ > kMostErrors) continue;
      if (json_)
        errors_.push_back({{"file", file}, {"hand", error.hand}, {"line", error.line}, {"message", error.message}});
      else
        print(fmt::format("{}:{}: hand {}: {}\n", name_of(file), error.line, error.hand, error.message));
    }
  }

  void print_json_of() const {
    nlohmann::ordered_json document{{"hands", hands_},        {"ok", ok_},       {"errors", errors_},
                                    {"files", files_},        {"raked", raked_}, {"unfinished", unfinished_},
                                    {"undecided", undecided_}};
    if (recorded_ > kMostErrors) document["errors_left_out"] = recorded_ - kMostErrors;
    print_json(document);
  }

  void print_text() const {
    if (recorded_ > kMostErrors) print(fmt::format("{} more errors\n", recorded_ - kMostErrors));
    std::string warnings;
    const auto warning = [&](std::int64_t count, const char* what) {
      if (count > 0) warnings += fmt::format("{}{} {}", warnings.empty() ? " (" : ", ", count, what);
    };
    warning(raked_, "raked");
    warning(unfinished_, "broken off");
    warning(undecided_, "without a known winner");
    if (!warnings.empty()) warnings += ')';
    print(fmt::format("{}{}, {} correct{}\n", counted(hands_, "hand"),
                      files_ > 1 ? fmt::format(" in {} files", files_) : "", ok_, warnings));
  }

  void fail_if_wrong(const std::string& name) const {
    if (recorded_ == 0) return;
    const std::string where = files_ == 1 ? name : fmt::format("{} files", files_);
    if (hands_ == ok_) throw FileError(fmt::format("{}: some of them contain no hand", where));
    throw FileError(fmt::format("{}: {} of {} wrong", where, hands_ - ok_,
                                counted(hands_, "hand") + (hands_ == 1 ? " is" : " are")));
  }

 private:
  bool json_;
  std::int64_t files_ = 0, hands_ = 0, ok_ = 0, raked_ = 0, unfinished_ = 0, undecided_ = 0;
  std::size_t recorded_ = 0;
  nlohmann::ordered_json errors_ = nlohmann::ordered_json::array();
};

void run_replay(const ReplayArguments& options) {
  const std::vector<std::string> files = files_of(options.files);
  if (options.hand) return run_hand(options, files);
  const bool show = options.show && !options.json;
  Summary summary(options.json);
  bool empty = true;
  for (const std::string& file : files) {
    const phh::FileReplay result = phh::replay_file(file, show ? phh::LookAtHand(print_hand) : nullptr);
    empty = empty && result.hands == 0;
    // Printed once, at the end.
    if (files.size() == 1 && empty && !options.json) break;
    summary.add(file, result);
  }
  const std::string name = name_of(files.front());
  if (options.json)
    summary.print_json_of();
  else if (!empty)
    summary.print_text();
  if (empty && files.size() == 1) throw FileError(fmt::format("{}: there is no hand in it", name));
  summary.fail_if_wrong(name);
}

}  // namespace

void add_replay(CLI::App& program) {
  const auto options = std::make_shared<ReplayArguments>();
  CLI::App* command = add_command(program, "replay", "Replays hand histories and checks every action and payout",
                                  {"dealer replay hand.phh --show", "dealer replay match.phhs --hand 3",
                                   "dealer replay wsop/ online.phhs --json", "xz -dc match.phhs.xz | dealer replay -"});
  command
      ->add_option("FILE", options->files,
                   "A .phh file, a .phhs file of many hands, or a folder with such files; several together get one "
                   "summary; - reads standard input")
      ->required()
      ->check(no_empty("the path of a file or folder, or -: standard input"));
  add_text(command, "--hand", options->hand,
           "Show one hand street by street: its heading in the .phhs file, or its number in the file, from 1",
           "a heading, or a number from 1");
  command->add_flag("--show", options->show, "Print every hand");
  add_json(command, options->json);
  bind(command, options, run_replay);
}

}  // namespace dealer::cli
