#include "frontends/phh/replay.h"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/program.h"
#include "cli/seats.h"
#include "env/core/counted.h"
#include "env/core/error.h"
#include "frontends/terminal/screen_text.h"
#include "frontends/terminal/table_view.h"

namespace dealer::cli {
namespace {

struct ReplayArguments {
  std::string file;
  std::optional<std::string> hand;
  bool show = false;
  bool json = false;
};

void print_hand(std::int64_t, const phh::HandHistory& hand, const std::vector<phh::Problem>& problems,
                const phh::Replayer&) {
  print(phh::to_string(hand));
  for (const phh::Problem& problem : problems) print(fmt::format("# line {}: {}\n", problem.line, problem.message));
  print(problems.empty() ? "# replayed: every card, action and payout is right\n\n" : "\n");
}

// One hand of the file, by its heading or else its number.
class HandOfFile {
 public:
  explicit HandOfFile(const ReplayArguments& options) : options_(options), style_(terminal::style_for(STDOUT_FILENO)) {}

  void look(std::int64_t number, const phh::HandHistory& hand, const std::vector<phh::Problem>& problems,
            const phh::Replayer& replayer) {
    const bool heading = !hand.heading.empty() && hand.heading == *options_.hand;
    if (!heading && (by_heading_ || std::to_string(number) != *options_.hand)) return;
    by_heading_ = heading;
    found_ = true;
    wrong_ = !problems.empty();
    text_ = options_.json ? json(hand, problems, replayer) : text(hand, problems, replayer);
  }

  // Prints it. Throws UsageError when there is none, FileError when it is wrong.
  void print_it(const phh::FileReplay& file) const {
    if (!found_)
      throw UsageError(fmt::format("{} has no hand '{}' that can be read; expected 1 to {}, or a heading",
                                   options_.file, *options_.hand, file.hands));
    print(text_);
    if (wrong_) throw FileError(fmt::format("{}: hand {} is wrong", options_.file, *options_.hand));
  }

 private:
  std::string text(const phh::HandHistory& hand, const std::vector<phh::Problem>& problems,
                   const phh::Replayer& replayer) const {
    std::string text = fmt::format("Hand {}", *options_.hand);
    if (const GamePtr& game = replayer.game()) {
      const terminal::Seats seats = seats_of(hand, *game);
      text += fmt::format(" of {}\n", game->spec());
      text += terminal::hand_replay_text(*game, replayer.events(), seats, style_);
    } else {
      text += '\n';
    }
    for (const phh::Problem& problem : problems) text += fmt::format("line {}: {}\n", problem.line, problem.message);
    return terminal::wrap(text, style_.width);
  }

  static std::string json(const phh::HandHistory& hand, const std::vector<phh::Problem>& problems,
                          const phh::Replayer& replayer) {
    auto events = nlohmann::ordered_json::array(), errors = nlohmann::ordered_json::array();
    nlohmann::ordered_json document{{"hand", hand.heading}, {"game", nullptr}, {"players", nullptr}};
    if (const GamePtr& game = replayer.game()) {
      document["game"] = game->spec();
      document["players"] = seats_of(hand, *game).names;
      for (const Event& event : replayer.events()) events.emplace_back(to_json(event, *game));
    }
    for (const phh::Problem& problem : problems)
      errors.push_back({{"line", problem.line}, {"message", problem.message}});
    document["events"] = events;
    document["errors"] = errors;
    return document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
  }

  const ReplayArguments& options_;
  const terminal::Style style_;
  bool found_ = false, by_heading_ = false, wrong_ = false;
  std::string text_;
};

void run_hand(const ReplayArguments& options) {
  HandOfFile hand(options);
  hand.print_it(phh::replay_file(options.file, [&hand](auto&&... what) { hand.look(what...); }));
}

void run_replay(const ReplayArguments& options) {
  if (options.hand) return run_hand(options);
  const bool show = options.show && !options.json;
  const std::string name = options.file == "-" ? "standard input" : options.file;
  const phh::FileReplay result = phh::replay_file(options.file, show ? phh::LookAtHand(print_hand) : nullptr);
  // Said once, at the end.
  const bool empty = result.hands == 0;
  if (options.json) {
    auto errors = nlohmann::ordered_json::array();
    for (const auto& error : result.errors)
      errors.push_back({{"hand", error.hand}, {"line", error.line}, {"message", error.message}});
    print_json(nlohmann::ordered_json{{"hands", result.hands}, {"ok", result.ok}, {"errors", errors}});
  } else if (!empty) {
    for (const auto& error : result.errors)
      print(fmt::format("{}:{}: hand {}: {}\n", name, error.line, error.hand, error.message));
    print(fmt::format("{}, {} right\n", counted(result.hands, "hand"), result.ok));
  }
  if (empty) throw FileError(fmt::format("{}: there is no hand in it", name));
  if (!result.errors.empty())
    throw FileError(fmt::format("{}: {} of {} wrong", name, result.hands - result.ok,
                                counted(result.hands, "hand") + (result.hands == 1 ? " is" : " are")));
}

}  // namespace

void add_replay(CLI::App& program) {
  const auto options = std::make_shared<ReplayArguments>();
  CLI::App* command = add_command(
      program, "replay", "Plays hand histories again and checks every action and payout",
      {"dealer replay hand.phh --show", "dealer replay match.phhs --hand 3", "xz -dc match.phhs.xz | dealer replay -"});
  command->add_option("FILE", options->file, "A .phh file, or a .phhs file of many hands; - reads standard input")
      ->required()
      ->check(no_empty("the path of a file, or -: standard input"));
  add_text(command, "--hand", options->hand,
           "Show this hand street by street: its heading, or its number in the file from 1",
           "a heading, or a number from 1");
  command->add_flag("--show", options->show, "Print every hand");
  add_json(command, options->json);
  bind(command, options, run_replay);
}

}  // namespace dealer::cli
