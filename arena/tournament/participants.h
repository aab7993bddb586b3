#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agents/agent.h"

namespace dealer::tournament {

// A participant of a tournament.
struct Participant {
  std::string name;            // its name in the tournament: the spec, or "step 1500" for a checkpoint
  std::string spec;            // the spec for making it
  AgentFactoryPtr factory;     // null: it no longer exists
  std::filesystem::path file;  // the file it was loaded from; empty: none
  std::string digest;          // of the file's contents
  std::optional<std::int64_t> step;
};

// Makes a participant from a spec. Throws what make_agents() throws, FileError.
Participant make_participant(std::string_view spec, const GamePtr& game);

// The file that an agent of such a spec is loaded from, for `default` and for paths; otherwise empty. It plays at
// `table`, which may have other chips than `game`.
std::filesystem::path file_of(std::string_view spec, const Game& game, const Game& table);
// Size and checksum; for a mixture including those of its members.
std::string digest_of(const std::filesystem::path& file);

// The game spec of a training run. Throws UsageError if there is no run.
std::string game_of_run(const std::filesystem::path& run);
// The existing checkpoints of the run, oldest first. Those that cannot be loaded are skipped and named in `left_out`.
// Throws FileError if there is none.
std::vector<Participant> checkpoints_of(const std::filesystem::path& run, const GamePtr& game,
                                        std::vector<std::string>& left_out);
// "random", "rule" and "default", as far as the game has them.
std::vector<Participant> baselines_of(const GamePtr& game);

}  // namespace dealer::tournament
