#include "env/core/vector_env.h"

#include "env/core/game.h"

namespace dealer {

OwnedBatch::OwnedBatch(const Game& game, int num_envs, BatchParts parts) {
  const auto n = static_cast<std::size_t>(num_envs), width = static_cast<std::size_t>(game.observation_spec().size());
  const auto players = static_cast<std::size_t>(game.players());
  observations_.resize(n * width);
  legal_.resize(n);
  rewards_.resize(n * players);
  current_players_.resize(n);
  terminated_.resize(n);
  if (parts.truncated) truncated_.resize(n);
  if (parts.all_observations) all_observations_.resize(n * players * width);
  if (parts.final_observations) final_observations_.resize(n * players * width);
  if (parts.returns) returns_.resize(n * players);
  if (parts.statistics) statistics_.resize(n * players * game.statistic_names().size() * 2);
  batch_ = {observations_,       legal_,   rewards_,   current_players_, terminated_, truncated_, all_observations_,
            final_observations_, returns_, statistics_};
}

}  // namespace dealer
