#include "arena/match.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/match_log.h"
#include "cli/options.h"
#include "cli/output.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "train/progress.h"

namespace dealer::cli {
namespace {

struct Options {
  std::vector<std::string> agents;
  std::string game = "ofc";
  std::int64_t hands = 1000;
  std::uint64_t seed = 0;
  int threads = 0;
  std::string log;
  bool single = false;
  bool json = false;
};

constexpr std::int64_t kMaxHands = 1'000'000'000;
constexpr int kMaxThreads = 1024;

// With as many agents as the game is for, its players follow: `dealer match a b c` plays for three.
GamePtr game_of(const Options& options) {
  Spec spec = parse_spec(options.game);
  const bool given = std::any_of(spec.options.begin(), spec.options.end(),
                                 [](const auto& option) { return option.first == "players"; });
  const GamePtr game = make_game(options.game);
  const auto agents = static_cast<int>(options.agents.size());
  if (given || agents == game->players()) return game;
  spec.options.emplace_back("players", std::to_string(agents));
  try {
    return make_game(to_string(spec));
  } catch (const ConfigError&) {
    throw UsageError(fmt::format("{} agents given; '{}' cannot be played by so many", agents, options.game));
  }
}

std::string interval(const AgentResult& agent) {
  return std::isfinite(agent.ci95()) ? fmt::format("{:.3f}", agent.ci95()) : "unknown";
}

// Name and statistics a line, an agent a column.
void print_table(const MatchResult& result) {
  print(fmt::format("{}: {} deals{}, {} hands, {:.1f} s\n\n", result.game, result.deals,
                    result.duplicate ? " in every seating" : "", result.hands_played, result.seconds));
  std::size_t width = 12;
  for (const AgentResult& agent : result.agents) width = std::max(width, agent.spec.size() + 2);
  const auto line = [&](const std::string& name, const auto& cell) {
    std::string text = fmt::format("{:<24}", name);
    for (const AgentResult& agent : result.agents) text += fmt::format("{:>{}}", cell(agent), width);
    print(text + '\n');
  };
  line("", [](const AgentResult& agent) { return agent.spec; });
  line(result.unit, [](const AgentResult& agent) { return fmt::format("{:+.3f}", agent.mean()); });
  line("+- (95%)", interval);
  for (std::size_t i = 0; i < result.agents.front().rates.size(); ++i)
    line(result.agents.front().rates[i].name, [i](const AgentResult& agent) {
      const AgentResult::Rate& rate = agent.rates[i];
      return rate.denominator == 0 ? std::string("-") : fmt::format("{:.4f}", rate.numerator / rate.denominator);
    });
}

void run(const Options& options) {
  if (options.agents.size() < 2) throw UsageError("one agent given; a match needs two or more");
  MatchOptions match;
  match.game = game_of(options);
  for (const std::string& agent : options.agents) match.agents.push_back(make_agents(agent, match.game));
  match.deals = options.hands;
  match.seed = options.seed;
  match.duplicate = !options.single;
  match.threads = options.threads;
  Progress progress("match", match.deals, ProgressOptions::standard("deals", false));
  match.progress = [&](std::int64_t done) { progress.update(done); };
  std::unique_ptr<MatchLog> log;
  if (!options.log.empty()) {
    log = std::make_unique<MatchLog>(options.log, match);
    match.describe = [&](const PlayedHand& hand) { return log->describe(hand); };
    match.log = [&](std::string_view text) { log->write(text); };
  }
  const MatchResult result = play_match(match);
  if (log) log->close();
  progress.finish();
  if (options.json) return print_json(to_json(result));
  print_table(result);
}

}  // namespace

void add_match(CLI::App& program) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      add_command(program, "match", "Plays agents against each other: mean points per hand with a 95% interval",
                  {"dealer match rule random --hands 1000 --seed 1", "dealer match rule rule random --json"});
  command
      ->add_option("AGENT", options->agents, "Two or more: random, rule, default, or the path of a run or checkpoint")
      ->required();
  command->add_option("--game", options->game, "The game, options in brackets")->capture_default_str();
  command->add_option("--hands", options->hands, "Deals; each is played in every seating, to the end of its episode")
      ->check(integer(1, kMaxHands))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "The same seed deals the same cards")
      ->check(seed_number())
      ->capture_default_str();
  command->add_option("--threads", options->threads, "0: one for each processor; changes no result")
      ->check(integer(0, kMaxThreads))
      ->capture_default_str();
  command->add_option("--log", options->log, "Write every hand to this file (.phhs), for `dealer replay`");
  command->add_flag("--no-duplicate", options->single, "Play every deal once only, the seatings taking turns");
  add_json(command, options->json);
  bind(command, options, run);
}

}  // namespace dealer::cli
