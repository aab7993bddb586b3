#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agents/agent_registry.h"
#include "arena/output.h"
#include "arena/report/text.h"
#include "arena/tournament/results.h"
#include "arena/tournament/run.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/tournament_knockout.h"
#include "env/core/at.h"
#include "env/core/counted.h"
#include "env/core/error.h"
#include "env/core/nearest.h"
#include "env/core/registry.h"
#include "train/interrupt.h"
#include "train/progress.h"

namespace dealer::cli {
namespace {

using studies::Estimate;
using tournament::Results;

std::string figure(const Estimate& estimate) {
  if (estimate.count == 0) return "-";
  const int digits = estimate.known() ? std::max(2, studies::digits_of(estimate.ci95)) : 2;
  const std::string value = fmt::format("{:+.{}f}", estimate.value, digits);
  return estimate.known() ? fmt::format("{} ± {:.{}f}", value, estimate.ci95, digits) : value;
}

std::string likelihood(double superiority) { return std::isfinite(superiority) ? likelihood_text(superiority) : "-"; }

using Row = std::vector<std::string>;

// "1  rule"
std::string head_of(const Results& results, int agent) {
  return fmt::format("{:>3}  {}", agent + 1, results.name(agent));
}

// Table rows begin with a name cell; columns that do not fit the window follow below, with the names repeated.
std::string wide_table(const std::vector<Row>& rows) {
  const std::size_t columns = rows.front().size(), window = at(output_columns().value_or(1 << 20));
  std::vector<std::size_t> width(columns);
  for (const Row& row : rows)
    for (std::size_t c = 0; c < columns; ++c) width[c] = std::max(width[c], width_of(row[c]) + (c > 0 ? 2 : 0));
  std::string out;
  for (std::size_t begin = 1; begin < columns;) {
    std::size_t end = begin + 1, used = width[0] + width[begin];
    while (end < columns && used + width[end] <= window) used += width[end++];
    if (begin > 1) out += '\n';
    for (const Row& row : rows) {
      std::string line = padded(row[0], width[0]);
      for (std::size_t c = begin; c < end; ++c) line += padded(row[c], width[c], true);
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + '\n';
    }
    begin = end;
  }
  return out;
}

std::string ratings_table(const Results& results) {
  std::vector<Row> rows = {{"", results.unit, "LOS", "Nash", "hands"}};
  const bool failed = results.failed() > 0;
  if (failed) rows[0].emplace_back("failed pairs");
  for (std::size_t i = 0; i < results.agents.size(); ++i) {
    const tournament::AgentStanding& agent = results.agents[i];
    rows.push_back({head_of(results, static_cast<int>(i)), figure(to_estimate(agent.rating)),
                    likelihood(agent.superiority), results.has_nash ? fmt::format("{:.3f}", agent.nash) : "-",
                    std::to_string(agent.hands)});
    if (failed) rows.back().push_back(std::to_string(agent.failed_pairs));
  }
  return wide_table(rows);
}

std::string text_of(const Results& results) {
  std::string out = fmt::format(
      "{}: {}, {}, {}\n\n", results.game, counted(static_cast<std::int64_t>(results.agents.size()), "agent"),
      counted(static_cast<std::int64_t>(results.pairs.size()), "pair"), counted(results.hands(), "hand"));
  out += ratings_table(results) + "\nWins of the row from the column:\n";
  const auto head = [&](int agent) { return head_of(results, agent); };
  out += wide_table(pair_cells(results, head, [&](int a, int b) { return figure(between(results, a, b)); }));
  out += "\nLikelihood that the row is better than the column (LOS; above: than the next):\n";
  out += wide_table(pair_cells(results, head, [&](int a, int b) { return likelihood(superiority(results, a, b)); }));
  out += '\n';
  for (const std::string& sentence : tournament::conclusions_of(results)) out += "- " + sentence + '\n';
  return out;
}

using tournament::Format;

constexpr std::string_view kKnockout = "knockout";

struct TournamentArguments {
  tournament::Job job;
  std::vector<std::string> agents;
  std::string game;  // "ofc", or the run's game
  std::string run;
  std::string out;
  std::string format = "round_robin";
  std::optional<std::int64_t> deals;  // default 1,000; with --until no limit
  bool quiet = false;
  bool json = false;
  bool markdown = false;
  KnockoutCommand knockout;
  const CLI::App* command = nullptr;

  TournamentArguments() { job.threads = 0; }
};

constexpr std::int64_t kPairDeals = 1000, kMaxPairDeals = 1'000'000'000;

Format format_of(const std::string& name) {
  const std::vector<std::string> known = {std::string(name_of(Format::kRoundRobin)),
                                          std::string(name_of(Format::kGauntlet)), std::string(kKnockout)};
  for (const Format format : {Format::kRoundRobin, Format::kGauntlet})
    if (name == name_of(format)) return format;
  throw UsageError(
      fmt::format("there is no format '{}'{}; formats: {}", name, did_you_mean(name, known), fmt::join(known, ", ")));
}

tournament::Job job_of(const TournamentArguments& options) {
  tournament::Job job = options.job;
  job.format = format_of(options.format);
  const bool of_run = !options.run.empty();
  if (of_run && job.format == Format::kGauntlet)
    throw UsageError("--run: checkpoints play everybody; expected --format round_robin");
  if (options.agents.empty() && !of_run) throw UsageError("no agent given; expected two agents or more, or --run RUN");
  const std::string game = !options.game.empty() ? options.game : of_run ? tournament::game_of_run(options.run) : "ofc";
  job.game = make_game(game);
  if (of_run) {
    std::vector<std::string> left_out;
    job.participants = tournament::checkpoints_of(options.run, job.game, left_out);
    for (const std::string& what : left_out) notify(fmt::format("dealer: left out: {}", what));
    job.with_earlier_checkpoints = true;
    for (tournament::Participant& baseline : tournament::baselines_of(job.game))
      job.participants.push_back(std::move(baseline));
  }
  for (const std::string& agent : expand_zoo(options.agents, *job.game))
    job.participants.push_back(tournament::make_participant(agent, job.game));
  job.deals = options.deals.value_or(job.until > 0 ? kMaxPairDeals : kPairDeals);
  return job;
}

std::string folder_of(const TournamentArguments& options) {
  if (!options.out.empty()) return options.out;
  if (options.run.empty())
    throw UsageError("'dealer tournament': --out is missing; expected the folder of the results");
  return options.run + (options.run.ends_with('/') ? "" : "/") + "tournament";
}

// Reported after everything else, with exit status 1.
void print_failures(const tournament::Results& results) {
  if (results.failed() == 0) return;
  flush_output();
  for (const tournament::PairResult& pair : results.pairs) {
    if (pair.failure.empty()) continue;
    const auto name = [&](int agent) { return results.agents[static_cast<std::size_t>(agent)].name; };
    throw Error(fmt::format("{} of {} failed, and the same command tries again; '{}' against '{}': {}",
                            results.failed(), counted(std::ssize(results.pairs), "pair"), name(pair.points.a),
                            name(pair.points.b), pair.failure));
  }
}

void run_pairs(const TournamentArguments& options) {
  const std::string folder = folder_of(options);
  const tournament::Job job = job_of(options);
  std::optional<Progress> progress;
  tournament::Hooks hooks;
  hooks.begin = [&](std::int64_t missing) {
    progress.emplace("tournament", missing, ProgressOptions::standard("deals", options.quiet));
  };
  hooks.progress = [&](std::int64_t done) { progress->update(done); };
  hooks.decided = [&](std::int64_t decisions) { progress->count_decisions(decisions); };
  hooks.stop = InterruptGuard::requested;
  const InterruptGuard guard;
  const tournament::Outcome outcome = tournament::run_tournament(job, folder, hooks);
  progress->finish();
  if (outcome.interrupted)
    end_interrupted(
        fmt::format("stopped after {} of {} pairs; the same command continues", outcome.finished, outcome.pairs));
  if (options.json)
    print_json(to_json(outcome.results));
  else if (options.markdown)
    print(to_markdown(outcome.results));
  else
    print(text_of(outcome.results) + fmt::format("\nreport  {}\n", outcome.report.string()));
  print_failures(outcome.results);
}

void refuse_given(const TournamentArguments& options, std::initializer_list<const char*> names) {
  for (const char* const name : names)
    if (options.command->count(name) > 0)
      throw UsageError(fmt::format("{} cannot be combined with --format {}", name, options.format));
}

void run_tournament(const TournamentArguments& options) {
  if (options.format != kKnockout) {
    format_of(options.format);
    if (const std::string given = knockout_option_given(*options.command); !given.empty())
      throw UsageError(fmt::format("{} needs --format {}", given, kKnockout));
    return run_pairs(options);
  }
  refuse_given(options, {"--run", "--deals", "--until", "--move-time", "--markdown"});
  if (options.agents.empty()) throw UsageError("no agent given; expected two agents or more");
  KnockoutCommand command = options.knockout;
  command.play.game = make_game(options.game.empty() ? "ofc" : options.game);
  command.play.agents = expand_zoo(options.agents, *command.play.game);
  command.play.folder = options.out;
  command.play.seed = options.job.seed;
  command.play.threads = options.job.threads;
  command.quiet = options.quiet;
  command.json = options.json;
  run_knockout(command);
}

}  // namespace

void add_tournament(CLI::App& program) {
  const auto options = std::make_shared<TournamentArguments>();
  CLI::App* command = add_command(program, "tournament",
                                  "Plays agents against each other, pair by pair: ratings with intervals, and a report",
                                  {"dealer tournament default rule random --game leduc --out tournaments/leduc",
                                   "dealer tournament --run runs/kuhn --deals 2000"});
  command->add_option("AGENT", options->agents,
                      "Two or more agents, as in dealer match; zoo: every zoo:NAME of the game");
  add_text(command, "--game", options->game, "The game, with options in brackets; default: ofc, or the game of the run",
           "the name of a game");
  add_text(command, "--out", options->out,
           "Folder for the results, including results.json and report.html. The same command continues there; with "
           "other agents, more deals or more tournaments it plays only what is missing",
           "the path of a folder");
  add_text(command, "--run", options->run,
           "Rate the checkpoints of this training run together with the named agents, random, rule and default; --out "
           "is then RUN/tournament by default",
           "the path of a run folder");
  command
      ->add_option("--format", options->format,
                   "round_robin: every pair plays; gauntlet: the first agent plays all others; knockout: small tables, "
                   "the last player with chips wins")
      ->capture_default_str();
  add_number(command, "--deals", options->deals, "Deals for each pair, each played in every seating", 2, kMaxPairDeals)
      ->default_str("1000");
  command
      ->add_option("--until", options->job.until,
                   "Stop a pair when the half-width of its 95% interval is at most this many points a hand, or after "
                   "--deals, if given")
      ->check(positive_number());
  add_seed(command, options->job.seed);
  add_threads(command, options->job.threads);
  command
      ->add_option("--move-time", options->job.move_time,
                   "Time limit for each decision, in seconds; an agent that takes longer fails. 0: no limit")
      ->check(seconds_or_none())
      ->capture_default_str();
  command->add_flag("--quiet", options->quiet, "Show no progress");
  add_json(command, options->json);
  command->add_flag("--markdown", options->markdown, "Print the tables as Markdown")->excludes("--json");
  add_knockout_options(command, options->knockout);
  options->command = command;
  bind(command, options, run_tournament);
}

}  // namespace dealer::cli
