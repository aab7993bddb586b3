#include "cli/bot_acpc.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "arena/confidence.h"
#include "cli/interrupted.h"
#include "cli/log_file.h"
#include "cli/output.h"
#include "cli/program.h"
#include "env/core/error.h"
#include "frontends/acpc/acpc_client.h"
#include "train/interrupt.h"

namespace dealer::cli {
namespace {

nlohmann::json number_or_null(double number) {
  return std::isfinite(number) ? nlohmann::json(number) : nlohmann::json(nullptr);
}

}  // namespace

void play_on_acpc_server(const AcpcPlay& play, const AgentFactoryPtr& agents, const GamePtr& game) {
  const InterruptGuard guard;
  AcpcOptions options;
  options.server = play.server;
  options.seed = play.seed;
  options.stop = InterruptGuard::requested;
  ClusteredRatio chips;
  std::unique_ptr<LogFile> log;
  if (!play.log.empty()) log = std::make_unique<LogFile>(play.log);
  options.on_hand = [&](const AcpcHand& hand) {
    chips.add(hand.net, 1);
    if (log) log->write(hand.line + '\n');
  };
  const auto start = std::chrono::steady_clock::now();
  const AcpcResult result = play_acpc(agents, game, options);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double per_100 = 100 / game->big_blind();
  if (play.json) {
    print_json({{"game", game->spec()},
                {"agent", agents->spec()},
                {"server", play.server},
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
    print(fmt::format("{}: {} hands of {} on {}, {} decisions, {:.1f} s\n", agents->spec(), result.hands, game->spec(),
                      play.server, result.decisions, seconds));
    print(fmt::format("{:+} chips, {:+.2f} big blinds/100 hands", result.chips, chips.ratio() * per_100));
    if (std::isfinite(chips.half_width95())) print(fmt::format(" +- {:.2f}", chips.half_width95() * per_100));
    print("\n");
  }
  if (result.strange > 0)
    tell(fmt::format(
        "dealer: in {} hands it checked and called, for they were not played by the rules of '{}', the first: {}",
        result.strange, game->spec(), one_line(result.first_strange)));
  if (!result.failure.empty()) throw Error(result.failure);
  if (result.stopped) end_interrupted("stopped; the result is that of the hands before");
}

}  // namespace dealer::cli
