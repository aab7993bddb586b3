#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace dealer::web {

// The line "error" in answer to a message: its first line is told, with the message's id where it has one.
std::string refusal_of(const std::string& why, const nlohmann::json& message, const char* kind = "refused");

// Does something for a message. What somebody does wrong is for them to read, and changes nothing: the line "error" or,
// where all went well, nothing.
std::string refusal_of(const std::function<void()>& what, const nlohmann::json& message);

}  // namespace dealer::web
