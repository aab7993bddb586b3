#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace dealer {

// Bytes of memory still available to the program: limited by the machine and by its control group, whichever is less.
// Linux only; nothing elsewhere. root: the folder of proc and sys, for tests.
std::optional<double> available_memory(const std::filesystem::path& root = "/");

// "5.6 GB"
std::string memory_text(double bytes);

// Throws UsageError if less memory is available: "WHAT needs 1.2 TB of memory, 21 GB are available; ADVICE".
void expect_memory(double bytes, std::string_view what, std::string_view advice,
                   std::optional<double> available = available_memory());

}  // namespace dealer
