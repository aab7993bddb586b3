#pragma once

#include "agents/agent.h"
#include "python/bindings/bindings.h"

namespace dealer::python {

// Agents from a spec, an Agent, or a class or object written in Python, whose exceptions become an Error of one line.
// Throws UsageError on anything else, and the errors of make_agents().
AgentFactoryPtr to_factory(nb::handle agent, const GamePtr& game);

// The Python object if all agents of the factory are that one object, which can then play at only one seat of one
// table; null if every agent is a separate object.
nb::handle single_object(const AgentFactory& factory);
bool is_written_in_python(const AgentFactory& factory);

}  // namespace dealer::python
