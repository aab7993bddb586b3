#include "agents/small/trained_agent.h"

#include <fmt/format.h>

#include <iterator>

#include "agents/tabular/solution_agent.h"
#include "agents/tabular/solution_file.h"
#include "env/core/error.h"

namespace dealer::small {
namespace {

struct Format {
  const char* name;
  AgentFactoryPtr (*make)(const Spec& spec, const TensorFile& file, const GamePtr& game);
};

// A new kind of file adds its line here.
constexpr Format kFormats[] = {
    {tabular::kSolutionFormat, tabular::make_solution_agents},
};

}  // namespace

AgentFactoryPtr make_trained_agents(const Spec& spec, const std::filesystem::path& file, const GamePtr& game) {
  const TensorFile content = read_safetensors(file);
  const std::string& format = content.meta("format");
  std::string known;
  for (const Format& each : kFormats) {
    if (format == each.name) return each.make(spec, content, game);
    known += fmt::format("{}'{}'", known.empty() ? "" : ", ", each.name);
  }
  throw CheckpointError(fmt::format("{}: its format is '{}', which is none for '{}'; expected {}", content.name, format,
                                    game->spec(), known));
}

}  // namespace dealer::small
