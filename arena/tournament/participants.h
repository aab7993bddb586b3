#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agents/agent.h"

namespace dealer::tournament {

// Who plays in a tournament.
struct Participant {
  std::string name;            // by which the tournament knows it: the spec, "step 1500" of a checkpoint
  std::string spec;            // by which it can be made
  AgentFactoryPtr factory;     // null: it is not there any more
  std::filesystem::path file;  // it was loaded from; empty: from none
  std::string digest;          // of what was in it
  std::optional<std::int64_t> step;
};

// An agent by its spec. Throws what make_agents() throws, FileError.
Participant make_participant(std::string_view spec, const GamePtr& game);

// The file that an agent of such a spec is loaded from: of `default` and of paths; else empty. It plays at `table`,
// which may have other chips than `game`.
std::filesystem::path file_of(std::string_view spec, const Game& game, const Game& table);
// Size and checksum; of a mixture those of its members count, too.
std::string digest_of(const std::filesystem::path& file);

// The spec of the game that a training run has learned. Throws UsageError when there is no run.
std::string game_of_run(const std::filesystem::path& run);
// Its checkpoints that are still there, the oldest first. What cannot be loaded is left out and told in `left_out`.
// Throws FileError when there is none.
std::vector<Participant> checkpoints_of(const std::filesystem::path& run, const GamePtr& game,
                                        std::vector<std::string>& left_out);
// "random", "rule" and "default", those that the game has.
std::vector<Participant> baselines_of(const GamePtr& game);

}  // namespace dealer::tournament
