#include "arena/analysis/analyse.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "arena/analysis/report.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/recorded_hand.h"
#include "cli/solution_out.h"
#include "env/core/counted.h"
#include "env/core/error.h"
#include "env/core/files.h"
#include "env/core/nearest.h"
#include "frontends/phh/nearest_table.h"
#include "frontends/phh/replay.h"
#include "frontends/phh/standard_text.h"
#include "frontends/terminal/table_view.h"
#include "train/interrupt.h"
#include "train/progress.h"

namespace dealer::cli {
namespace {

struct AnalyseArguments {
  std::string file;
  analysis::AnalysisOptions work;
  double time = 0;
  std::string hands;  // "N" or "A-B"
  std::optional<std::int64_t> worst;
  bool all = false;
  std::string html;
  bool quiet = false;
  bool json = false;
};

constexpr std::int64_t kMaxHands = 1'000'000'000;
constexpr std::size_t kWorst = 10, kWorstInPage = 30;

struct Range {
  std::int64_t first = 1, last = kMaxHands;
};

// "200": the first 200; "11-20": a range.
Range range_of(const std::string& text) {
  Range range;
  if (text.empty()) return range;
  const char* const end = text.data() + text.size();
  auto read = std::from_chars(text.data(), end, range.last);
  if (read.ec == std::errc() && read.ptr != end && *read.ptr == '-') {
    range.first = range.last;
    read = std::from_chars(read.ptr + 1, end, range.last);
  }
  if (read.ec != std::errc() || read.ptr != end || range.first < 1 || range.last < range.first)
    throw UsageError(
        fmt::format("--hands: '{}' is not allowed; expected a number from 1, as 200, or a range, as 11-20", text));
  return range;
}

std::string name_of_file(const AnalyseArguments& options) {
  return options.file == "-" ? "standard input" : options.file;
}

// Histories are read twice: to check them, then hand by hand. Standard input is stored meanwhile in an unlinked file,
// so that nothing is left of it however the program ends.
class HandsFile {
 public:
  explicit HandsFile(const std::string& file) : path_(file) {
    if (file != "-") return;
    std::error_code none;
    std::string name = (std::filesystem::temp_directory_path(none) / "dealer-analyse-XXXXXX").string();
    const int descriptor = ::mkstemp(name.data());
    if (descriptor < 0) fail(name);
    copy_.reset(::fdopen(descriptor, "w+b"));
    ::unlink(name.c_str());
    InputFile input("-");
    std::vector<char> bytes(1 << 16);
    while (const std::size_t count = input.read(bytes))
      if (std::fwrite(bytes.data(), 1, count, copy_.get()) != count) fail(name);
    if (std::fflush(copy_.get()) != 0) fail(name);
    path_ = fmt::format("/dev/fd/{}", descriptor);
  }

  std::filesystem::path path() const {
    if (copy_ != nullptr) std::rewind(copy_.get());
    return path_;
  }

 private:
  [[noreturn]] static void fail(const std::string& file) {
    throw FileError(fmt::format("cannot write {}: {}", file, std::generic_category().message(errno)));
  }
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::filesystem::path path_;
  std::unique_ptr<std::FILE, Close> copy_;
};

// The contents of the selected hands.
struct Extent {
  std::int64_t hands = 0;
  int seats = 0;
  std::set<std::string> players;
  std::vector<GamePtr> games;  // the first ones
};

// The game at whose table a hand is analysed; null if none is near.
GamePtr game_of(const phh::Replayer& replayer) {
  if (replayer.standard() == nullptr) return replayer.game();
  return phh::nearest_table(*replayer.standard()).game;
}

// Checks the whole file. Throws FileError naming the first faulty line.
Extent check_log(const HandsFile& log, const AnalyseArguments& options) {
  constexpr std::size_t kMostGames = 16;
  const Range range = range_of(options.hands);
  Extent extent;
  const phh::FileReplay file =
      phh::replay_file(log.path(), [&](std::int64_t number, const phh::HandHistory& hand,
                                       const std::vector<phh::Problem>& problems, const phh::Replayer& replayer) {
        if (!problems.empty() || number < range.first || number > range.last) return;
        ++extent.hands;
        const GamePtr game = game_of(replayer);
        if (game == nullptr) return;
        extent.seats = std::max(extent.seats, game->players());
        for (std::string& name : replayer.standard() != nullptr ? phh::names_of(hand) : seats_of(hand, *game).names)
          extent.players.insert(std::move(name));
        const auto same = [&](const GamePtr& other) { return other->spec() == game->spec(); };
        if (extent.games.size() < kMostGames && std::none_of(extent.games.begin(), extent.games.end(), same))
          extent.games.push_back(game);
      });
  const std::string name = name_of_file(options);
  if (file.hands == 0) throw FileError(fmt::format("{}: there is no hand in it", name));
  if (!file.errors.empty())
    throw FileError(fmt::format("{}:{}: hand {}: {}; {} of {} {} wrong ('dealer replay' shows all)", name,
                                file.errors.front().line, file.errors.front().hand, file.errors.front().message,
                                file.hands - file.ok, counted(file.hands, "hand"),
                                file.hands - file.ok == 1 ? "is" : "are"));
  if (extent.hands > 0 && extent.games.empty())
    throw FileError(fmt::format(
        "{}: no game here resembles its hands; expected variants FT, NT, F7S, F7S/8, FR, N2L1D, F2L3D, FB or our own",
        name));
  if (extent.hands == 0)
    throw UsageError(
        fmt::format("--hands: there is no hand {} in {}; expected 1 to {}", options.hands, name, file.hands));
  return extent;
}

// Seats and names must occur in some hand.
void check_players(const AnalyseArguments& options, const Extent& extent) {
  for (const Seat seat : options.work.seats)
    if (seat >= extent.seats)
      throw UsageError(fmt::format("--seat: there is no seat {}; seats are 0 to {}", seat, extent.seats - 1));
  const std::vector<std::string> names(extent.players.begin(), extent.players.end());
  for (const std::string& player : options.work.players)
    if (!extent.players.contains(player))
      throw UsageError(fmt::format("--player: there is no player '{}' in {}{}; players: {}", player,
                                   name_of_file(options), did_you_mean(player, names), fmt::join(names, ", ")));
}

// Nothing after the last requested hand, or after Ctrl-C, is read.
void read_hands(const HandsFile& log, const AnalyseArguments& options, analysis::Analyst& analyst) {
  struct Enough {};
  const Range range = range_of(options.hands);
  try {
    phh::replay_file(log.path(), [&](std::int64_t number, const phh::HandHistory& hand,
                                     const std::vector<phh::Problem>&, const phh::Replayer& replayer) {
      if (number > range.last || analyst.stopped()) throw Enough();
      if (number < range.first) return;
      if (std::optional<analysis::RecordedHand> recorded = recorded_hand(number, hand, replayer))
        analyst.add(*std::move(recorded));
      else
        analyst.leave_out();
    });
  } catch (const Enough&) {
  }
}

analysis::AnalysisOptions options_of(const AnalyseArguments& options) {
  if (options.work.judge.simulations > 0 && options.time > 0)
    throw UsageError("--simulations and --time exclude each other; expected one of them");
  if (options.all && options.worst) throw UsageError("--all and --worst exclude each other; expected one of them");
  analysis::AnalysisOptions result = options.work;
  result.judge.milliseconds = options.time > 0 ? std::max(1, static_cast<int>(options.time * 1000)) : 0;
  result.stop = InterruptGuard::requested;
  // Lists all decisions, or the worst.
  const std::size_t worst = options.worst ? static_cast<std::size_t>(*options.worst) : kWorstInPage;
  const bool lists_all = options.all || (options.json && !options.worst);
  result.hands_kept = lists_all ? analysis::kAllHands : std::max(worst, analysis::kMostHands);
  result.tables = !options.html.empty();
  if (!options.json)
    result.draw = [style = terminal::style_for(STDOUT_FILENO)](const Env& table, Seat seat) {
      return terminal::cards_text(table, seat, style);
    };
  return result;
}

void run_analyse(const AnalyseArguments& options) {
  analysis::AnalysisOptions work = options_of(options);
  if (!options.html.empty()) expect_writable(options.html);
  const HandsFile log(options.file);
  const Extent extent = check_log(log, options);
  check_players(options, extent);
  const InterruptGuard guard;
  std::optional<Progress> progress;
  progress.emplace("analyse", extent.hands, ProgressOptions::standard("hands", options.quiet));
  work.progress = [&](std::int64_t done) { progress->update(done); };
  analysis::Analyst analyst(work);
  for (const GamePtr& game : extent.games) analyst.expect(game);
  read_hands(log, options, analyst);
  const analysis::Analysis result = analyst.finish(extent.hands);
  progress->finish();
  const auto worst = options.worst ? std::optional(static_cast<std::size_t>(*options.worst)) : std::nullopt;
  if (!options.html.empty()) write_file(options.html, analysis::page_of(result, worst.value_or(kWorstInPage)));
  if (options.json)
    print_json(analysis::to_json(result, worst));
  else
    print(analysis::text_of(result, {.all = options.all, .worst = worst.value_or(kWorst)}));
  if (!options.json && !options.html.empty()) print(fmt::format("report  {}\n", options.html));
  if (!result.interrupted) return;
  end_interrupted(fmt::format("interrupted after {} of {}; the result covers these", result.hands,
                              counted(result.hands_in_log, "hand")));
}

}  // namespace

void add_analyse(CLI::App& program) {
  const auto options = std::make_shared<AnalyseArguments>();
  CLI::App* command =
      add_command(program, "analyse", "Analyses hand histories: what each decision cost, and which was the best",
                  {"dealer analyse match.phhs", "dealer analyse match.phhs --player rule --html match.html",
                   "dealer analyse match.phhs --agent 'default[simulations=100]' --hands 20 --json"});
  command
      ->add_option("FILE", options->file,
                   "A .phh or .phhs file, as match and play --log write them; - reads standard input")
      ->required()
      ->check(no_empty("the path of a file, or -: standard input"));
  add_text(command, "--agent", options->work.judge.agent, "The agent that judges; it must provide values or a policy",
           "an agent")
      ->capture_default_str();
  add_number(command, "--simulations", options->work.judge.simulations,
             "Playouts, or simulations of a search, for each decision; default: the agent's own number", 1, 1'000'000);
  command->add_option("--time", options->time, "Seconds of search for each decision, instead of --simulations")
      ->check(seconds());
  command->add_flag("--sampled", options->work.judge.sampled, "Use playouts even where exact values exist");
  add_text(command, "--hands", options->hands,
           "The first N hands of the file, or those from A to B: N or A-B; default: all",
           "a number of hands, or a range");
  add_number(command, "--seat", options->work.seats, "Only decisions of this seat, counted from 0; may be repeated", 0,
             kMaxPlayers - 1);
  add_text(command, "--player", options->work.players, "Only decisions of the player with this name; may be repeated",
           "the name of a player");
  add_number(command, "--worst", options->worst,
             "Number of largest losses to list; with --json only these decisions are printed", 0, 1'000'000)
      ->default_str("10");
  command->add_flag("--all", options->all, "List every decision, in the order of the file");
  add_text(command, "--html", options->html, "Write a report to this file", "the path of a file");
  add_seed(command, options->work.seed, "The same seed samples the same hidden cards");
  add_threads(command, options->work.threads);
  command->add_flag("--quiet", options->quiet, "Show no progress");
  add_json(command, options->json);
  bind(command, options, run_analyse);
}

}  // namespace dealer::cli
