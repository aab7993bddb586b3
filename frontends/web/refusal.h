#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace dealer::web {

// A text for the page: its first line, and of the files that it names only the names. Where the files of this machine
// lie is nobody else's business.
std::string page_text(std::string_view text);

// The line "error" in answer to a message: the first line of the error, with the message's id if it has one.
std::string refusal_of(const std::string& why, const nlohmann::json& message, const char* kind = "refused");

// Runs an action for a message. User errors change nothing and are returned as the line "error"; on success the result
// is empty.
std::string refusal_of(const std::function<void()>& what, const nlohmann::json& message);

}  // namespace dealer::web
