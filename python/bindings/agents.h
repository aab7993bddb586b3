#pragma once

#include "agents/agent.h"
#include "python/bindings/bindings.h"

namespace dealer::python {

// Agents of a spec, of an Agent, of a class or object written in Python. What is raised by the latter comes out as an
// Error of one line. Throws UsageError on anything else, and what make_agents() throws.
AgentFactoryPtr to_factory(nb::handle agent, const GamePtr& game);

// The object of Python's that is all the agents the factory makes, so that it can play at one seat of one table only;
// null where every agent is an object of its own.
nb::handle single_object(const AgentFactory& factory);
bool is_written_in_python(const AgentFactory& factory);

}  // namespace dealer::python
