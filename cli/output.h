#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace dealer::cli {

// Standard output. All throw FileError when it cannot be written (a full disk), ClosedPipe when nobody reads it any
// more.
void print(std::string_view text);
// One document in one line.
void print_json(const nlohmann::ordered_json& document);
void flush_output();

// A line on standard error. Where that cannot be written there is nobody to tell, and the command goes on.
void tell(std::string_view line) noexcept;

}  // namespace dealer::cli
