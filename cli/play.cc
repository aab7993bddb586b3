#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <iostream>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "agents/agent_registry.h"
#include "cli/commands.h"
#include "cli/hint_values.h"
#include "cli/line_editor.h"
#include "cli/log_file.h"
#include "cli/options.h"
#include "env/core/counted.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "frontends/best_agents.h"
#include "frontends/terminal/session.h"

namespace dealer::cli {
namespace {

struct PlayArguments {
  std::string game = "ofc";
  std::vector<std::string> agents;
  std::string adviser;
  std::uint64_t seed = 0;
  bool seeded = false;
  int players = 0;
  int hands = 0;
  std::string log;
};

// The agent that plays if none is trained for the game, with the reason; empty if one is.
std::string untrained_text(const Game& game, const std::string& spec) {
  if (spec == "default") return {};
  return fmt::format("There is no trained agent for '{}'; {} plays instead, {}. --agent names another.", game.spec(),
                     spec, spec == "rule" ? "a heuristic agent" : "any legal action");
}

GamePtr play_game(const PlayArguments& options) {
  Spec spec = parse_spec(options.game);
  for (const auto& [key, value] : spec.options)
    if (options.players > 0 && key == "players")
      throw UsageError(
          fmt::format("--players {} beside players={} in --game; give one of them", options.players, value));
  if (options.players > 0) spec.options.emplace_back("players", std::to_string(options.players));
  return make_game(to_string(spec));
}

std::uint64_t any_seed() {
  std::random_device device;
  return device();
}

int nothing_to_read = -1;

// Ctrl-C ends the input like Ctrl-D, also during an agent's decision, so that the score is printed; a second one ends
// the program.
extern "C" void end_input(int) {
  const int error = errno;
  ::dup2(nothing_to_read, STDIN_FILENO);
  errno = error;
}

void end_input_on_interrupt() {
  nothing_to_read = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing_to_read < 0) return;
  struct sigaction action {};
  action.sa_handler = end_input;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // without SA_RESTART: it interrupts a waiting read
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
}

void run_play(const PlayArguments& options) {
  const GamePtr game = play_game(options);
  const auto others = static_cast<std::size_t>(game->players() - 1);
  if (options.agents.size() > 1 && options.agents.size() != others)
    throw UsageError(fmt::format("{} given; '{}' has room for {} beside you: give that many, or one for all",
                                 counted(std::ssize(options.agents), "agent"), game->spec(), others));
  terminal::SessionOptions session;
  for (const std::string& agent : options.agents) session.opponents.push_back(make_agents(agent, game));
  if (session.opponents.empty()) {
    session.opponents.push_back(best_agents(game));
    session.notice = untrained_text(*game, session.opponents.front()->spec());
  }
  session.opponents.resize(others, session.opponents.front());
  session.adviser = options.adviser.empty() ? best_agents(game) : make_agents(options.adviser, game);
  session.values = hint_values(game, session.adviser->spec());
  session.seed = options.seeded ? options.seed : any_seed();
  session.hands = options.hands;
  session.style = terminal::style_for(STDOUT_FILENO);
  session.width = [] { return terminal::terminal_width(STDOUT_FILENO); };
  session.echo = isatty(STDIN_FILENO) != 1;
  std::unique_ptr<LogFile> log;
  if (!options.log.empty()) {
    log = std::make_unique<LogFile>(options.log);
    session.log = [&log, &game, number = 0](const phh::HandPlayed& hand,
                                            const std::vector<std::string>& players) mutable {
      log->write(phh::section_of(*game, hand, players, std::to_string(++number)));
    };
  }
  std::optional<LineEditor> editor;
  if (LineEditor::possible()) session.lines = &editor.emplace();
  end_input_on_interrupt();
  terminal::Session(game, std::move(session), std::cin, std::cout).run();
}

}  // namespace

void add_play(CLI::App& program) {
  const auto options = std::make_shared<PlayArguments>();
  CLI::App* command = add_command(program, "play", "Lets you play against agents in the terminal",
                                  {"dealer play", "dealer play --agent rule --players 3 --seed 7"});
  command->add_option("--game", options->game, "The game, with options in brackets")->capture_default_str();
  command->add_option("--agent", options->agents,
                      "The opponents: one agent for all seats, or one for each seat from your left; default: the "
                      "trained agent, else the heuristic one");
  add_text(command, "--hint", options->adviser,
           "The agent that 'hint' asks; default: the trained agent, else the heuristic one", "an agent");
  add_number(command, "--players", options->players,
             "Number of players at the table, including you; default: that of the game", 2, kMaxPlayers);
  add_number(command, "--hands", options->hands, "End after this many hands; default: when you quit", 1, 1'000'000);
  CLI::Option* seed =
      command->add_option("--seed", options->seed, "The same seed deals the same cards; default: a random seed")
          ->transform(seed_number());
  add_text(command, "--log", options->log, "Write every hand to a .phhs file, which 'dealer replay' reads",
           "the path of a file");
  command->callback([command, options, seed] {
    refuse_given_twice(*command);
    options->seeded = seed->count() > 0;
    run_play(*options);
  });
}

}  // namespace dealer::cli
