#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "agents/acpc/holdem.h"
#include "agents/agent.h"
#include "agents/remote/link.h"
#include "arena/confidence.h"
#include "arena/output.h"
#include "cli/commands.h"
#include "cli/log_file.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/program.h"
#include "cli/server.h"
#include "env/core/counted.h"
#include "env/core/error.h"
#include "env/core/numbers.h"
#include "env/core/registry.h"
#include "env/core/wall_seconds.h"
#include "frontends/acpc/acpc_client.h"
#include "frontends/bot/bot_check.h"
#include "frontends/bot/bot_server.h"
#include "frontends/bot/bot_stdio.h"
#include "train/interrupt.h"

namespace dealer::cli {
namespace {

struct BotArguments {
  std::string agent = "default";
  std::string game = "ofc";
  std::string listen;
  std::string check;
  std::string acpc;  // "HOST:PORT"
  std::string log;   // a file, or nothing
  BotServerOptions server;
  std::int64_t deals = BotCheckOptions().deals;
  std::optional<std::uint64_t> seed;
  bool acpc_game = false;
  bool quiet = false;
  bool json = false;
};

void play_on_acpc_server(const BotArguments& play, const AgentFactoryPtr& agents, const GamePtr& game) {
  const InterruptGuard guard;
  AcpcOptions options;
  options.server = play.acpc;
  options.seed = play.seed.value_or(0);
  options.stop = InterruptGuard::requested;
  ClusteredRatio chips;
  std::unique_ptr<LogFile> log;
  if (!play.log.empty()) log = std::make_unique<LogFile>(play.log);
  options.on_hand = [&](const AcpcHand& hand) {
    chips.add(hand.net, 1);
    if (log) log->write(hand.line + '\n');
  };
  const double start = wall_seconds();
  const AcpcResult result = play_acpc(agents, game, options);
  const double seconds = wall_seconds() - start;
  const double per_100 = 100 / game->big_blind();
  if (play.json) {
    print_json({{"game", game->spec()},
                {"agent", agents->spec()},
                {"server", play.acpc},
                {"hands", result.hands},
                {"chips", result.chips},
                {"unit", game->unit() + "/hand"},
                {"mean", chips.ratio()},
                {"ci95", number_or_null(chips.half_width95())},
                {"bb_per_100", chips.ratio() * per_100},
                {"bb_per_100_ci95", number_or_null(chips.half_width95() * per_100)},
                {"decisions", result.decisions},
                {"strange", result.strange},
                {"seconds", seconds},
                {"interrupted", result.stopped}});
  } else {
    print(fmt::format("{}: {} of {} on {}, {}, {:.1f} s\n", agents->spec(), counted(result.hands, "hand"), game->spec(),
                      play.acpc, counted(result.decisions, "decision"), seconds));
    print(fmt::format("{:+} chips, {:+.2f} big blinds/100 hands", result.chips, chips.ratio() * per_100));
    if (std::isfinite(chips.half_width95())) print(fmt::format(" +- {:.2f}", chips.half_width95() * per_100));
    print("\n");
  }
  if (result.strange > 0)
    notify(fmt::format(
        "dealer: in {} the agent checked and called, because they did not follow the rules of '{}'; the first: {}",
        counted(result.strange, "hand"), game->spec(), one_line(result.first_strange)));
  if (!result.failure.empty()) throw Error(result.failure);
  if (result.stopped) end_interrupted("stopped; the result covers the hands before");
}

// "PORT" or "HOST:PORT".
void set_address(const std::string& text, BotServerOptions& options) {
  if (text.find(':') != std::string::npos) {
    const remote::Address address = remote::parse_address(text, false, 0);
    options.host = address.host;
    options.port = static_cast<std::uint16_t>(std::stoi(address.port));
    return;
  }
  const std::optional<std::uint16_t> port = number_in<std::uint16_t>(text);
  if (!port)
    throw UsageError(fmt::format("--listen: '{}' is not a port; expected 0 (any) to 65535, or HOST:PORT", text));
  options.port = *port;
}

void serve(const BotArguments& options, const AgentFactoryPtr& agents, const GamePtr& game) {
  BotServerOptions server_options = options.server;
  set_address(options.listen, server_options);
  BotServer server(agents, game, server_options);
  if (!options.quiet) server.log = [](const std::string& line) { notify("dealer: " + one_line(line)); };
  notify(fmt::format("dealer: {} for {} listens at {} (TCP and WebSocket); Ctrl-C ends it", agents->spec(),
                     game->spec(), remote::host_and_port(server_options.host, std::to_string(server.port()))));
  run_until_interrupted([&] { server.run(); }, [&] { server.stop(); });
}

void check_program(const BotArguments& options, const GamePtr& game) {
  const InterruptGuard guard;
  const BotCheck result =
      check_bot(options.check, game,
                {.deals = options.deals, .seed = options.seed.value_or(0), .stop = InterruptGuard::requested});
  if (options.json) {
    nlohmann::ordered_json json = {{"ok", result.failures.empty()}, {"failures", nlohmann::ordered_json::array()}};
    for (const auto& [kind, message] : result.failures)
      json["failures"].push_back({{"kind", kind}, {"message", message}});
    json["game"] = game->spec();
    json["bot"] = result.name;
    json["deals"] = options.deals;
    json["decisions"] = result.decisions;
    json["slowest"] = result.slowest;
    print_json(json);
  } else {
    print(fmt::format("{} at {}: {}, the slowest after {:.3g} s\n", result.name.empty() ? "bot" : one_line(result.name),
                      game->spec(), counted(result.decisions, "decision"), result.slowest));
    for (const auto& [kind, message] : result.failures) print(fmt::format("{}: {}\n", kind, one_line(message)));
    print(result.failures.empty() ? "ok\n"
                                  : counted(static_cast<std::int64_t>(result.failures.size()), "failure") + '\n');
  }
  if (result.stopped) end_interrupted("the check was stopped");
  if (!result.failures.empty()) throw Error("the bot has failed the check");
}

void run_bot(const BotArguments& options) {
  const GamePtr game = make_game(options.game);
  if (options.acpc_game && (options.json || options.seed))
    throw UsageError("'dealer bot': --acpc-game allows only --game beside it");
  if (options.acpc_game) return print(acpc::Holdem(game).definition());
  if (options.seed && options.check.empty() && options.acpc.empty())
    throw UsageError("'dealer bot': --seed needs --check or --acpc");
  if (!options.check.empty()) return check_program(options, game);
  const AgentFactoryPtr agents = make_agents(options.agent, game);
  if (!options.listen.empty()) return serve(options, agents, game);
  if (!options.acpc.empty()) return play_on_acpc_server(options, agents, game);
  if (options.json) throw UsageError("'dealer bot': --json needs --check or --acpc");
  run_bot(agents, game, STDIN_FILENO, STDOUT_FILENO);
}

}  // namespace

void add_bot(CLI::App& program) {
  const auto options = std::make_shared<BotArguments>();
  CLI::App* command =
      add_command(program, "bot", "Serves an agent over the bot protocol, or checks a bot (docs/bot-protocol.md)",
                  {"dealer bot --check 'dealer bot --agent rule --game leduc' --game leduc",
                   "dealer match 'exec:dealer bot --agent rule --game draw' random --game draw --deals 20"});
  command->add_option("--agent", options->agent, "The agent that makes the decisions")->capture_default_str();
  command->add_option("--game", options->game, "The game, with options in brackets")->capture_default_str();
  CLI::Option* const listen = command->add_option(
      "--listen", options->listen,
      "PORT or HOST:PORT: serve hosts that connect by TCP or WebSocket; default: standard input and output");
  listen->check(no_empty("a port"));
  CLI::Option* const check = command->add_option(
      "--check", options->check,
      "COMMAND, tcp:HOST:PORT or ws:HOST:PORT: check the bot that COMMAND starts or that listens there, and report "
      "its errors");
  check->check(no_empty("a command"))->excludes(listen);
  CLI::Option* const acpc = command->add_option(
      "--acpc", options->acpc,
      "HOST:PORT: play hold'em on a server of the Annual Computer Poker Competition (docs/acpc.md)");
  acpc->check(no_empty("an address"))->excludes(listen)->excludes(check);
  add_text(command, "--log", options->log, "With --acpc: write every hand to this file in the log format of the ACPC",
           "the path of a file")
      ->needs(acpc);
  command
      ->add_flag("--acpc-game", options->acpc_game, "Print the game as a .game file for the dealer program of the ACPC")
      ->excludes(listen)
      ->excludes(check)
      ->excludes(acpc);
  add_number(command, "--deals", options->deals, "With --check: number of deals", 1, 1'000'000)
      ->capture_default_str()
      ->needs(check);
  command
      ->add_option("--seed", options->seed,
                   "Seed of the cards of a check, or of the agent's decisions on a server; default 0")
      ->transform(seed_number());
  add_threads(command, options->server.threads, "Threads for the agent's decisions; 0: one for each processor")
      ->needs(listen);
  add_number(command, "--max-connections", options->server.max_connections,
             "Largest number of simultaneous hosts; further ones are refused with a message", 1, 100'000)
      ->capture_default_str()
      ->needs(listen);
  command->add_option("--idle-time", options->server.idle_time, "Seconds of silence after which a host is disconnected")
      ->check(seconds())
      ->capture_default_str()
      ->needs(listen);
  add_allow_origin(command, options->server.allowed_origins)->needs(listen);
  command->add_flag("--quiet", options->quiet, "Do not report connections")->needs(listen);
  add_json(command, options->json);
  bind(command, options, run_bot);
}

}  // namespace dealer::cli
