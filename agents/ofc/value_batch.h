#pragma once

#include <memory>

#include "agents/agent.h"
#include "agents/ofc/model_play.h"

namespace dealer::ofc {

// The trained player at many tables, its network asked for all of them at once: what value agents would do,
// decision for decision. A turn is planned when its first card is asked for; the others cost next to nothing.
std::unique_ptr<AgentBatch> make_value_batch(std::shared_ptr<const ModelPlay> play, int tables);

}  // namespace dealer::ofc
