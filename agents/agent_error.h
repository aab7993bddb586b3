#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "env/core/error.h"

namespace dealer {

// The way in which an agent has failed.
enum class FailureKind : std::uint8_t {
  kError,         // it threw
  kIllegal,       // its decision is not legal
  kLate,          // it took too long
  kMalformed,     // a bot sent something that is not an answer
  kDisconnected,  // a bot is not there, has ended or has closed the connection
};
inline constexpr std::size_t kFailureKinds = 5;
// "error", "illegal", "late", "malformed", "disconnected"
std::string_view name_of(FailureKind kind);

// Thrown by agents that know the kind of their failure; any other exception counts as kError.
class AgentError : public Error {
 public:
  AgentError(FailureKind kind, const std::string& what) : Error(what), kind_(kind) {}
  FailureKind kind() const { return kind_; }

 private:
  FailureKind kind_;
};

// The agent has failed before and is gone for good: its remaining hands are forfeited and are not new failures.
class AgentGone : public AgentError {
 public:
  using AgentError::AgentError;
};

class AgentFactory;

// Throws AgentError naming the agent if it is known to be unreachable. It cannot be asked then, for
// instance, whether it observes events.
void expect_there(const AgentFactory& agents);

// Runs a function that uses an agent outside of matches; an AgentError thrown by it gets the agent's name as a prefix.
template <class F>
decltype(auto) naming_agent(std::string_view spec, F&& what) {
  try {
    return std::forward<F>(what)();
  } catch (const AgentError& error) {
    throw AgentError(error.kind(), "agent '" + std::string(spec) + "': " + error.what());
  }
}

}  // namespace dealer
