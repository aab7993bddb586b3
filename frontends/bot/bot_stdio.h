#pragma once

#include "agents/agent.h"

namespace dealer {

// Speaks the bot protocol over two descriptors until the host says goodbye or closes `in`. Throws FileError when `out`
// is not writable any more, Error when the host sends an invalid line.
void run_bot(const AgentFactoryPtr& agents, const GamePtr& game, int in, int out);

}  // namespace dealer
