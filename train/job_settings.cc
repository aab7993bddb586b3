#include "train/job_settings.h"

#include <fmt/format.h>

#include "agents/agent_registry.h"
#include "env/core/error.h"
#include "env/core/registry.h"

namespace dealer {

JobSettings read_job(Config& config, const Evaluations& evaluations, bool resumed) {
  JobSettings job;
  job.game = make_game(config.get_string("game", "ofc"));
  job.name = config.get_string("name", job.game->name());
  if (!resumed && job.name.find('/') != std::string::npos)
    throw ConfigError(
        fmt::format("{}: '{}' is not allowed; expected a name without '/'", config.where("name"), job.name));
  job.seed = static_cast<std::uint64_t>(config.get_int("seed", 1, 0));
  Config checkpoint = config.section("checkpoint");
  job.checkpoint_every = checkpoint.get_int("every_hands", 200'000, 1);
  job.checkpoints_kept = static_cast<std::size_t>(checkpoint.get_int("keep", 3, 1, 1000));
  checkpoint.finish();
  Config evaluation = config.section("evaluation");
  job.evaluate_every = evaluation.get_int("every_hands", 200'000, 1);
  job.evaluation_deals = evaluation.get_int<int>("deals", 500, 0, 10'000'000);
  job.final_deals = evaluation.get_int<int>("final_deals", 2000, 0, 10'000'000);
  job.opponents = expand_zoo(evaluation.get_strings("opponents", {"rule", "random"}), *job.game);
  // Checked before hours of training, not after.
  for (const std::string& opponent : job.opponents) {
    if (resumed) break;
    if (std::ranges::count(job.opponents, opponent) > 1)
      throw ConfigError(fmt::format("{}: '{}' is given twice", evaluation.where("opponents"), opponent));
    try {
      make_agents(opponent, job.game);
    } catch (const UsageError& error) {
      throw ConfigError(fmt::format("{}: {}", evaluation.where("opponents"), error.what()));
    }
  }
  job.exploitability = evaluation.get_bool("exploitability", false);
  // Runs begun before this check existed may continue.
  if (!resumed && job.exploitability && evaluations.has_exploitability && !evaluations.has_exploitability(*job.game))
    throw ConfigError(fmt::format("{}: the tree of '{}' is too large to walk; expected false",
                                  evaluation.where("exploitability"), job.game->spec()));
  job.ships_best = evaluation.get_choice("ship", "last", {"last", "best"}) == 1;
  if (job.ships_best && !job.exploitability)
    throw ConfigError(evaluation.where("ship") +
                      ": 'best' is the least exploitable; expected evaluation.exploitability: true beside it, or last");
  evaluation.finish();
  return job;
}

}  // namespace dealer
