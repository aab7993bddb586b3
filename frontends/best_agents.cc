#include "frontends/best_agents.h"

#include "env/core/error.h"

namespace dealer {

AgentFactoryPtr best_agents(const GamePtr& game) {
  for (const char* spec : {"default", "rule"}) {
    try {
      return make_agents(spec, game);
    } catch (const FileError&) {
      continue;
    } catch (const UsageError&) {
      continue;
    }
  }
  return make_agents("random", game);
}

}  // namespace dealer
