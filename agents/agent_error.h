#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "env/core/error.h"

namespace dealer {

// In which way an agent has failed.
enum class FailureKind : std::uint8_t {
  kError,         // it threw
  kIllegal,       // its decision is not legal
  kLate,          // it took too long
  kMalformed,     // a bot sent what is no answer
  kDisconnected,  // a bot is not there, has ended or has closed the connection
};
inline constexpr std::size_t kFailureKinds = 5;
// "error", "illegal", "late", "malformed", "disconnected"
std::string_view name_of(FailureKind kind);

// Thrown by agents that know in which way they have failed; whatever else they throw counts as kError.
class AgentError : public Error {
 public:
  AgentError(FailureKind kind, const std::string& what) : Error(what), kind_(kind) {}
  FailureKind kind() const { return kind_; }

 private:
  FailureKind kind_;
};

class AgentFactory;

// Throws AgentError, naming the agent, where it is known not to be there. Nobody can ask it then, for instance, whether
// it hears events.
void expect_there(const AgentFactory& agents);

// Does something with an agent outside of matches: an AgentError that comes of it says whose it is.
template <class F>
decltype(auto) naming_agent(std::string_view spec, F&& what) {
  try {
    return std::forward<F>(what)();
  } catch (const AgentError& error) {
    throw AgentError(error.kind(), "agent '" + std::string(spec) + "': " + error.what());
  }
}

}  // namespace dealer
