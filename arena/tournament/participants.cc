#include "arena/tournament/participants.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <system_error>

#include "agents/agent_registry.h"
#include "agents/nn/checkpoints.h"
#include "agents/nn/model_files.h"
#include "env/core/config.h"
#include "env/core/crc32c.h"
#include "env/core/data_dir.h"
#include "env/core/error.h"
#include "env/core/files.h"

namespace dealer::tournament {

namespace fs = std::filesystem;

fs::path file_of(std::string_view spec, const Game& game, const Game& table) {
  const std::string name = parse_spec(spec).name;
  if (name == "default") return find_model(game, table, data_path("models"));
  const std::string head = name.substr(0, name.find(':'));
  for (const auto& [known, kind] : agent_kinds())
    if (!kind.recognises && (known == name || (kind.takes_argument && known == head))) return {};
  return agent_file(name);
}

std::string digest_of(const fs::path& file) {
  std::vector<fs::path> files{file};
  if (file.extension() == kMixtureSuffix)
    for (const fs::path& member : read_model_file(file).members) files.push_back(agent_file(member));
  constexpr std::size_t kPart = 1 << 20;
  const auto part = std::make_unique<char[]>(kPart);
  std::uint32_t sum = 0;
  std::uint64_t size = 0;
  for (const fs::path& each : files) {
    InputFile input(each);
    while (const std::size_t bytes = input.read({part.get(), kPart})) {
      sum = crc32c({part.get(), bytes}, sum);
      size += bytes;
    }
  }
  return fmt::format("{} bytes, crc32c {:08x}", size, sum);
}

Participant make_participant(std::string_view spec, const GamePtr& game) {
  Participant participant;
  // Digest before and after loading: a training run may overwrite the file meanwhile.
  try {
    participant.file = file_of(spec, *game, *game);
    if (!participant.file.empty()) participant.digest = digest_of(participant.file);
  } catch (const Error&) {
    // Making the agent reports the error.
  }
  participant.factory = make_agents(spec, game);
  participant.name = participant.spec = participant.factory->spec();
  const fs::path file = file_of(participant.spec, *game, *game);
  if (file != participant.file || (!file.empty() && digest_of(file) != participant.digest))
    throw FileError(fmt::format("agent '{}': its file changed while it was loaded; start again", spec));
  return participant;
}

std::string game_of_run(const fs::path& run) {
  const fs::path file = run / "config.yaml";
  std::error_code error;
  if (!fs::is_regular_file(file, error))
    throw UsageError(fmt::format("'{}' is not a training run: there is no {}", run.string(), file.string()));
  Config config = Config::load(file);
  // The oldest runs are of OFC and do not name a game.
  return config.get_string("game", "ofc");
}

std::vector<Participant> checkpoints_of(const fs::path& run, const GamePtr& game, std::vector<std::string>& left_out) {
  std::vector<CheckpointFile> files = list_checkpoints(run);
  std::reverse(files.begin(), files.end());
  std::vector<Participant> participants;
  for (const CheckpointFile& file : files) {
    try {
      Participant participant = make_participant(file.path.string(), game);
      participant.name = fmt::format("step {}", file.step);
      participant.step = file.step;
      participants.push_back(std::move(participant));
    } catch (const CheckpointError& error) {
      left_out.emplace_back(error.what());
    } catch (const FileError& error) {  // a running training may have removed it by now
      left_out.emplace_back(error.what());
    }
  }
  if (participants.empty())
    throw FileError(fmt::format("'{}' has no checkpoint that can be loaded: expected files such as {}", run.string(),
                                checkpoint_path(run, 0).string()));
  return participants;
}

std::vector<Participant> baselines_of(const GamePtr& game) {
  const std::vector<std::string> known = agent_names(*game);
  std::vector<Participant> participants;
  for (const char* name : {"random", "rule", "default"}) {
    if (std::find(known.begin(), known.end(), name) == known.end()) continue;
    try {
      participants.push_back(make_participant(name, game));
    } catch (const UsageError&) {  // no model for these rules
    } catch (const CheckpointError&) {
    }
  }
  return participants;
}

}  // namespace dealer::tournament
