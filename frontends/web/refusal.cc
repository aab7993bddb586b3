#include "frontends/web/refusal.h"

#include <cstdint>
#include <nlohmann/json.hpp>

#include "agents/remote/protocol.h"
#include "env/core/error.h"

namespace dealer::web {

std::string refusal_of(const std::string& why, const nlohmann::json& message, const char* kind) {
  const nlohmann::json id = message.is_object() ? message.value("id", nlohmann::json()) : nlohmann::json();
  std::string line;
  remote::write_error(kind, why.substr(0, why.find('\n')), id.is_number_unsigned() ? id.get<std::uint64_t>() : 0, line);
  return line;
}

std::string refusal_of(const std::function<void()>& what, const nlohmann::json& message) {
  try {
    what();
  } catch (const UsageError& error) {
    return refusal_of(error.what(), message);
  } catch (const std::exception& error) {
    return refusal_of(error.what(), message, "failed");
  }
  return {};
}

}  // namespace dealer::web
