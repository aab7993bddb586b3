#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "agents/agent.h"
#include "arena/local_best_response.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/training.h"
#include "env/core/counted.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "train/interrupt.h"
#include "train/progress.h"

namespace dealer::cli {
namespace {

constexpr int kLocalDeals = 2000;

struct BestResponseArguments {
  BestResponseOptions learned;
  LocalResponseOptions response;  // deals 0: the default number
  bool local = false;

  BestResponseArguments() {
    response.deals = 0;
    response.threads = 0;
  }
};

// No training, so libtorch is not needed.
void local_response(const BestResponseArguments& options) {
  LocalResponseOptions local = options.response;
  local.game = make_game(options.learned.game);
  local.against = make_agents(options.learned.against, local.game);
  if (local.deals == 0) local.deals = kLocalDeals;
  local.stop = InterruptGuard::requested;
  Progress progress("best-response", local.deals, ProgressOptions::standard("deals", options.learned.quiet));
  local.progress = [&](std::int64_t done) { progress.update(done); };
  const InterruptGuard guard;
  const LocalResponseResult result = local_best_response(local);
  progress.finish();
  const double gain = result.points.ratio(), ci95 = result.points.half_width95();
  const std::string& against = options.learned.against;
  if (options.learned.json)
    print_json(nlohmann::ordered_json{{"game", options.learned.game},
                                      {"against", against},
                                      {"method", "local"},
                                      {"gain", gain},
                                      {"ci95", ci95},
                                      {"unit", local.game->unit()},
                                      {"deals", result.deals},
                                      {"decisions", result.decisions},
                                      {"seconds", result.seconds}});
  else
    print(gain_text("a local best response", against, gain, ci95, local.game->unit()) + '\n');
  if (!result.interrupted) return;
  end_interrupted(
      fmt::format("interrupted after {} of {}; the result covers these", result.deals, counted(local.deals, "deal")));
}

void run_best_response(const BestResponseArguments& options) {
  if (options.local) return local_response(options);
  BestResponseOptions learned = options.learned;
  if (options.response.deals > 0) learned.deals = static_cast<int>(options.response.deals);
  need_training().best_response(learned);
}

}  // namespace

void add_best_response(CLI::App& program) {
  const auto options = std::make_shared<BestResponseArguments>();
  BestResponseOptions& learned = options->learned;
  CLI::App* command = add_command(program, "best-response",
                                  "Trains a best response to a fixed agent: a lower bound on its exploitability",
                                  {"dealer best-response --game leduc --against rule",
                                   "dealer best-response --game draw --against default hands=2000000 --json",
                                   "dealer best-response --game leduc --against rule --local --deals 2000"});
  add_text(command, "--game", learned.game, "The game, with options in brackets", "a game")->required();
  add_text(command, "--against", learned.against, "The agent in all other seats", "an agent")->required();
  CLI::Option* const words =
      command->add_option("OVERRIDE", learned.words, "Override a key of the training config: key=value");
  CLI::Option* const config =
      add_text(command, "--config", learned.config, "Use another training config: a name in configs/train, or a path",
               "a training config")
          ->capture_default_str();
  add_number(command, "--deals", options->response.deals,
             "Held-out deals that measure the gain, each played in every seating; default 20000, with --local 2000", 2,
             10'000'000);
  CLI::Option* const out = add_text(command, "--out", learned.out, "Create this run folder", "the path of a folder");
  CLI::Option* const runs =
      add_text(command, "--runs", learned.runs, "Create a new run folder in this folder", "the path of a folder")
          ->capture_default_str();
  CLI::Option* const local =
      command->add_flag("--local", options->local,
                        "Train nothing; play a local best response, which knows the agent's policy. Heads-up only");
  for (CLI::Option* const trains : {words, config, out, runs}) local->excludes(trains);
  add_number(command, "--samples", options->response.samples,
             "With --local: number of hidden hands sampled at each decision", 1, 1'000'000)
      ->needs(local)
      ->capture_default_str();
  add_number(
      command, "--from", options->response.from,
      "With --local: the first street, counted from 0, on which it may bet or fold; before, it only checks and calls",
      0, 10)
      ->needs(local)
      ->capture_default_str();
  command
      ->add_option(
          "--sizes", options->response.sizes,
          "With --local, in no-limit games: also try these bet sizes, multiples of the pot such as 0.5,1,3, and all-in")
      ->delimiter(',')
      ->check(positive_number())
      ->needs(local);
  command->add_option("--seed", options->response.seed, "With --local: the same seed deals the same cards")
      ->transform(seed_number())
      ->needs(local)
      ->capture_default_str();
  add_number(command, "--threads", options->response.threads,
             "With --local: number of threads; 0: one for each processor. The result does not depend on it", 0, 1024)
      ->needs(local)
      ->capture_default_str();
  command->add_flag("--quiet", learned.quiet, "Show no progress");
  add_json(command, learned.json);
  bind(command, options, run_best_response);
}

}  // namespace dealer::cli
