#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

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

}  // namespace dealer
