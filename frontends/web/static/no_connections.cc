// Stubs for external agents: a page starts no programs and opens no sockets.
#include "agents/acpc/acpc_agents.h"
#include "agents/remote/connection.h"
#include "env/core/error.h"

namespace dealer {
namespace {

[[noreturn]] void refuse(const Spec& spec) {
  throw UsageError("'" + spec.name + "': without a server there are no programs and no connections");
}

}  // namespace

AgentFactoryPtr remote::make_remote_agents(const Spec& spec, const GamePtr& /*game*/) { refuse(spec); }
AgentFactoryPtr acpc::make_acpc_agents(const Spec& spec, const GamePtr& /*game*/) { refuse(spec); }

}  // namespace dealer
