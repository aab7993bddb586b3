#include "arena/match.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "agents/agent_registry.h"
#include "arena/output.h"
#include "cli/commands.h"
#include "cli/log_file.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/program.h"
#include "env/core/counted.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "frontends/phh/history.h"
#include "train/interrupt.h"
#include "train/progress.h"

namespace dealer::cli {
namespace {

struct MatchArguments {
  std::vector<std::string> agents;
  std::string game = "ofc";
  MatchOptions match;
  std::optional<std::int64_t> deals;  // default 1,000; with a stopping rule no limit
  std::string sprt;                   // "H0,H1"
  std::string values;                 // "showdown" or an agent
  std::string log;
  std::vector<std::string> acpc;  // ports for ACPC bots
  bool json = false;

  MatchArguments() { match.threads = 0; }
};

constexpr std::int64_t kDeals = 1000, kMaxDeals = 1'000'000'000;
constexpr int kMaxEnvs = 4096;
constexpr int kMaxSamples = 10000;
constexpr int kMaxOtherHands = 2000;

// The number of agents sets the number of players, if the game allows it: `dealer match a b c` plays for three.
GamePtr match_game(const MatchArguments& options) {
  Spec spec = parse_spec(options.game);
  const bool given = std::any_of(spec.options.begin(), spec.options.end(),
                                 [](const auto& option) { return option.first == "players"; });
  GamePtr game = make_game(options.game);
  const auto agents = static_cast<int>(options.agents.size() + options.acpc.size());
  if (given || agents == game->players()) return game;
  spec.options.emplace_back("players", std::to_string(agents));
  try {
    return make_game(to_string(spec));
  } catch (const ConfigError&) {
    const auto [low, high] = game->player_range();
    throw UsageError(fmt::format("{} given; '{}' cannot be played by so many; it is a game of {} players",
                                 counted(static_cast<std::int64_t>(agents), "agent"), options.game,
                                 low == high ? std::to_string(low) : fmt::format("{} to {}", low, high)));
  }
}

// "-0.5,0.5"
SprtBounds bounds_of(const std::string& text) {
  SprtBounds bounds;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, bounds.h0);
  const auto second = first.ptr != end && *first.ptr == ',' ? std::from_chars(first.ptr + 1, end, bounds.h1) : first;
  if (first.ec != std::errc() || second.ec != std::errc() || first.ptr == second.ptr || second.ptr != end)
    throw UsageError(fmt::format("--sprt '{}': expected two numbers, H0,H1, such as -0.5,0.5", text));
  return bounds;
}

// Names that fit into columns: long ones keep their beginning and end, and get a number if they are still
// ambiguous.
std::vector<std::string> short_names(const MatchResult& result) {
  constexpr std::size_t kLongest = 20, kBeginning = 6;
  std::vector<std::string> names;
  for (const AgentResult& agent : result.agents) {
    const std::string& spec = agent.spec;
    std::string name = spec;
    if (spec.size() > kLongest)
      name = spec.substr(0, kBeginning) + "..." + spec.substr(spec.size() - (kLongest - kBeginning - 3));
    const bool taken = std::find(names.begin(), names.end(), name) != names.end();
    names.push_back(taken ? fmt::format("{} ({})", name, names.size() + 1) : name);
  }
  return names;
}

using Cell = std::function<std::string(const AgentResult& agent)>;
using Names = std::vector<std::string>;

// One line per agent: name and results.
class Table {
 public:
  Table(const MatchResult& result, const Names& names) : result_(result) {
    for (const std::string& name : names) width_ = std::max(width_, name.size() + 2);
    std::string text(kFirstColumn, ' ');
    for (const std::string& name : names) text += fmt::format("{:>{}}", name, width_);
    print(text + '\n');
  }
  void line(const std::string& name, const Cell& cell) const {
    std::string text = padded(name, kFirstColumn);
    for (const AgentResult& agent : result_.agents) text += fmt::format("{:>{}}", cell(agent), width_);
    print(text + '\n');
  }

 private:
  static constexpr std::size_t kFirstColumn = 24;
  const MatchResult& result_;
  std::size_t width_ = 12;
};

// Only if an agent has failed.
void print_failures(const MatchResult& result, const Names& names, const Table& table) {
  if (result.failed_deals == 0) return;
  print("\n");
  for (std::size_t kind = 0; kind < kFailureKinds; ++kind) {
    const auto failed_so = [kind](const AgentResult& agent) { return agent.failures.hands[kind] > 0; };
    if (std::none_of(result.agents.begin(), result.agents.end(), failed_so)) continue;
    table.line(fmt::format("hands failed ({})", name_of(static_cast<FailureKind>(kind))),
               [kind](const AgentResult& agent) { return std::to_string(agent.failures.hands[kind]); });
  }
  table.line("hands forfeited", [](const AgentResult& agent) { return std::to_string(agent.failures.forfeited); });
  print(
      fmt::format("{} of {} excluded from the results above: an agent failed in one of their hands; an agent that "
                  "fails in bad positions looks better than it is\n",
                  result.failed_deals, counted(result.deals, "deal")));
  for (std::size_t a = 0; a < names.size(); ++a)
    for (std::size_t kind = 0; kind < kFailureKinds; ++kind)
      if (result.agents[a].failures.hands[kind] > 0)
        print(fmt::format("{}, first {}: {}\n", names[a], name_of(static_cast<FailureKind>(kind)),
                          one_line(result.agents[a].failures.first[kind])));
}

// "about 1300 deals", rounded to two digits.
std::string about_deals(double deals) {
  if (!(deals < static_cast<double>(kMaxDeals))) return "more than a billion deals";
  const double step = std::pow(10, std::max(0.0, std::floor(std::log10(deals)) - 1));
  return fmt::format("about {:.0f} deals", std::ceil(deals / step) * step);
}

// The comparison of the two, in words.
std::string verdict(const MatchResult& result, const Difference& difference, const Names& names) {
  const ClusteredRatio& points = difference.points;
  const std::string &a = names[difference.a], &b = names[difference.b];
  if (points.clusters() < 2)
    return fmt::format("undecided between {} and {}: {}", a, b,
                       points.clusters() == 1 ? "one deal gives no estimate of the variance" : "no deal counts");
  if (!points.has_scatter())
    return points.ratio() == 0
               ? fmt::format("no difference between {} and {}: neither won more than the other in any deal", a, b)
               : fmt::format("undecided between {} and {}: all deals had the same result, so the variance is unknown",
                             a, b);
  const bool first = points.ratio() > 0;
  const std::string &ahead = first ? a : b, &behind = first ? b : a;
  const double likelihood = points.superiority();
  const std::string los =
      fmt::format("likelihood of superiority {}", likelihood_text(first ? likelihood : 1 - likelihood));
  if (std::abs(points.ratio()) > points.half_width95())
    return fmt::format("{} is better than {}: {}", ahead, behind, los);
  return fmt::format(
      "undecided: {} is ahead of {}, {}; {} in all would decide if mean and variance stay as in these {}", ahead,
      behind, los, about_deals(clusters_to_decide(points)), result.counted_deals());
}

void print_verdicts(const MatchResult& result, const Names& names) {
  print("\n");
  for (const Difference& difference : result.differences) {
    // In a zero-sum game of two the table has already shown it.
    const std::string lead =
        names.size() == 2 || result.counted_deals() == 0
            ? std::string()
            : fmt::format("{} minus {}: {:+.3f} ± {} {}; ", names[difference.a], names[difference.b], difference.mean(),
                          half_width_text(difference.ci95()), result.unit);
    std::string text = verdict(result, difference, names);
    // Names of agents are left unescaped.
    if (lead.empty() && text.starts_with("undecided")) text.front() = 'U';
    if (lead.empty() && text.starts_with("no difference")) text.front() = 'N';
    print(lead + text + '\n');
  }
}

void print_match(const MatchResult& result) {
  print(fmt::format("{}: {}{}, {}, {:.1f} s\n\n", result.game, counted(result.deals, "deal"),
                    result.duplicate ? " in every seating" : "", counted(result.hands_played, "hand"), result.seconds));
  const Names names = short_names(result);
  for (std::size_t a = 0; a < names.size(); ++a)
    if (names[a] != result.agents[a].spec) print(fmt::format("{}: {}\n", names[a], result.agents[a].spec));
  const Table table(result, names);
  const bool measured = result.counted_deals() > 0;
  const auto lines = [&](const std::string& name, double factor, ClusteredRatio PointsWon::*points, int digits) {
    table.line(name, [&](const AgentResult& agent) {
      return measured ? fmt::format("{:+.{}f}", (agent.*points).ratio() * factor, digits) : "-";
    });
    table.line("± (95%)", [&](const AgentResult& agent) {
      return measured ? half_width_text((agent.*points).half_width95() * factor) : "-";
    });
  };
  const double per_100 = result.big_blind > 0 ? 100 / result.big_blind : 1;
  // With a big blind of 100 both units have the same digits.
  lines(result.big_blind > 0 && per_100 == 1 ? result.unit + " = bb/100" : result.unit, 1, &PointsWon::points, 3);
  if (per_100 != 1) lines("big blinds/100 hands", per_100, &PointsWon::points, 2);
  if (result.control_variates > 0) lines("uncorrected", 1, &PointsWon::as_dealt, 3);
  for (std::size_t i = 0; i < result.agents.front().rates.size(); ++i)
    table.line(result.agents.front().rates[i].name, [i](const AgentResult& agent) {
      const AgentResult::Rate& rate = agent.rates[i];
      return rate.denominator == 0 ? std::string("-") : fmt::format("{:.4f}", rate.numerator / rate.denominator);
    });
  print_verdicts(result, names);
  if (result.sprt)
    print(fmt::format("{} wins {} or {}: llr {:+.2f}, {}\n", names[0], result.sprt->h0, result.sprt->h1, result.llr,
                      result.decision == SprtDecision::kNone
                          ? result.counted_deals() < StoppingRule::kFewest
                                ? fmt::format("not decided: the test needs {} deals", StoppingRule::kFewest)
                                : "not decided"
                      : result.decision == SprtDecision::kH1 ? fmt::format("H1, {}", result.sprt->h1)
                                                             : fmt::format("H0, {}", result.sprt->h0)));
  print_failures(result, names, table);
  for (const AgentResult& agent : result.agents)
    for (const std::string& warning : agent.warnings) print(fmt::format("{}: {}\n", agent.spec, one_line(warning)));
}

MatchOptions match_of(const MatchArguments& options) {
  if (options.agents.size() + options.acpc.size() < 2) throw UsageError("one agent given; a match needs two or more");
  MatchOptions match = options.match;
  match.game = match_game(options);
  for (const std::string& agent : options.agents) match.agents.push_back(make_agents(agent, match.game));
  for (const std::string& port : options.acpc) match.agents.push_back(make_agents("acpc:" + port, match.game));
  for (const AgentFactoryPtr& agent : match.agents)
    if (agent->spec().starts_with("acpc:"))
      notify(fmt::format("dealer: {} waits for a bot of the ACPC", agent->spec()));
  if (!options.sprt.empty()) match.stopping.sprt = bounds_of(options.sprt);
  match.deals = options.deals.value_or(match.stopping.any() ? kMaxDeals : kDeals);
  if (match.control_variates == 0 && !options.values.empty())
    throw UsageError("--values needs --control-variates above 0");
  if (match.control_variates == 0 && match.other_hands > 0)
    throw UsageError("--other-hands needs --control-variates above 0");
  if (match.control_variates > 0 && match.other_hands == 0)
    match.values = value_source(options.values, match.game, match.agents);
  match.stop = InterruptGuard::requested;
  return match;
}

// Hands for the log, under the heading DEAL-SEATING-HAND.
std::string section_of(const MatchOptions& match, const PlayedHand& hand) {
  std::vector<std::string> players;
  for (const int agent : hand.agent_of_seat) players.push_back(match.agents[static_cast<std::size_t>(agent)]->spec());
  phh::HandPlayed played{hand.seed, hand.hand, hand.events, {}, hand.points};
  for (const PlayedDecision& taken : hand.decisions) played.moves.emplace_back(taken.seat, taken.text);
  return phh::section_of(*match.game, played, players, fmt::format("{}-{}-{}", hand.deal, hand.seating, hand.hand));
}

void run_match(const MatchArguments& options) {
  MatchOptions match = match_of(options);
  // Unknown with a stopping rule.
  Progress progress("match", match.stopping.any() ? 0 : match.deals, ProgressOptions::standard("deals", false));
  match.progress = [&](std::int64_t done) { progress.update(done); };
  match.decided = [&](std::int64_t decisions) { progress.count_decisions(decisions); };
  progress.update(0);
  std::unique_ptr<LogFile> log;
  if (!options.log.empty()) {
    log = std::make_unique<LogFile>(options.log);
    match.describe = [&](const PlayedHand& hand) { return section_of(match, hand); };
    match.log = [&](std::string_view text) { log->write(text); };
  }
  const InterruptGuard guard;
  const MatchResult result = play_match(match);
  progress.finish();
  if (options.json)
    print_json(to_json(result));
  else
    print_match(result);
  if (result.interrupted)
    end_interrupted(
        fmt::format("interrupted after {} of {}; the result covers these", result.deals, counted(match.deals, "deal")));
  if (result.counted_deals() > 0) return;
  flush_output();
  throw Error("nothing was measured: an agent failed in every deal");
}

// A line for each: "random    any legal action".
std::string kinds_of_agents() {
  std::string text;
  for (const auto& [name, kind] : agent_kinds()) text += fmt::format("\n{:<8} {}", name, kind.what);
  return text;
}

}  // namespace

void add_match(CLI::App& program) {
  const auto options = std::make_shared<MatchArguments>();
  CLI::App* command =
      add_command(program, "match", "Plays agents against each other: mean points per hand with a 95% interval",
                  {"dealer match rule random --deals 1000 --seed 1", "dealer match rule rule random --json"});
  command->add_option("AGENT", options->agents, "Two or more agents:" + kinds_of_agents())->required();
  command->add_option("--game", options->game, "The game, with options in brackets")->capture_default_str();
  CLI::Option* const deals =
      add_number(command, "--deals", options->deals,
                 "Number of deals, each played in every seating to the end of its episode", 1, kMaxDeals)
          ->default_str("1000");
  add_number(command, "--hands", options->deals, "The same as --deals", 1, kMaxDeals)->excludes(deals);
  CLI::Option* const until = command->add_option(
      "--until", options->match.stopping.until,
      "Stop when the half-width of every 95% interval is at most this many points a hand, or after --deals, if given");
  until->check(positive_number());
  add_text(command, "--sprt", options->sprt,
           "H0,H1: sequential test (SPRT, error rates of 5%) of whether the first agent wins H0 or H1 points a hand; "
           "stop when decided, or after --deals, if given",
           "two numbers")
      ->excludes(until);
  add_seed(command, options->match.seed);
  add_threads(command, options->match.threads);
  add_number(
      command, "--num-envs", options->match.num_envs,
      "Simultaneous tables per thread; an agent decides for all of them in one batch. 0: as many as suit the agents", 0,
      kMaxEnvs)
      ->capture_default_str();
  command
      ->add_option(
          "--move-time", options->match.move_time,
          "Time limit for each decision, in seconds; an agent that takes longer forfeits the hand. 0: no limit")
      ->check(seconds_or_none())
      ->capture_default_str();
  CLI::Option* const variates =
      add_number(command, "--control-variates", options->match.control_variates,
                 "Subtract the chance terms of the cards (AIVAT), estimated by resampling every "
                 "dealt card this many times (8 to 32); 0: off",
                 0, kMaxSamples)
          ->capture_default_str();
  CLI::Option* const others =
      add_number(command, "--other-hands", options->match.other_hands,
                 "Heads-up hold'em: also average over this many imaginary hands of each player, weighted by the "
                 "probability that it would have played them the same way (20 to 100); 0: off",
                 0, kMaxOtherHands)
          ->needs(variates)
          ->capture_default_str();
  add_text(command, "--values", options->values,
           "Value function for --control-variates: 'showdown' (the value without further bets; default in betting "
           "games) or an agent; default in other games: the first agent that provides values",
           "'showdown' or an agent")
      ->needs(variates)
      ->excludes(others);
  command->add_flag(
      "--strict", options->match.strict,
      "Stop when an agent fails: by an error, or by an illegal or late decision. Otherwise the deal is left "
      "out of the result");
  add_text(command, "--log", options->log, "Write every hand to this file (.phhs), which 'dealer replay' reads",
           "the path of a file");
  add_text(command, "--acpc-listen", options->acpc,
           "PORT or HOST:PORT: add the bot of the Annual Computer Poker Competition that connects there as an agent "
           "(docs/acpc.md); may be repeated",
           "a port");
  command->add_flag_callback(
      "--no-duplicate", [match = &options->match] { match->duplicate = false; },
      "Play every deal only once, with the seatings in rotation");
  add_json(command, options->json);
  bind(command, options, run_match);
}

}  // namespace dealer::cli
