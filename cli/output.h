#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

// Standard output. All throw FileError when it cannot be written: a full disk, a pipe nobody reads any more.
namespace dealer::cli {

void print(std::string_view text);
// One document in one line.
void print_json(const nlohmann::ordered_json& document);
void flush_output();

}  // namespace dealer::cli
