#include "agents/encoder.h"

#include "agents/agent_registry.h"

namespace dealer {

EncoderPtr make_encoder(const GamePtr& game) {
  for (const auto& [name, family] : agent_families())
    if (family.facts != nullptr && family.plays(*game)) return family.facts(game);
  return nullptr;
}

}  // namespace dealer
