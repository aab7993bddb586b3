#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace dealer {

// Bytes that a program can still get: by the machine, and by the limit of its control group, whichever leaves less.
// Linux alone says; nothing elsewhere. root: where proc and sys are, for tests.
std::optional<double> available_memory(const std::filesystem::path& root = "/");

// "5.6 GB"
std::string memory_text(double bytes);

// Throws UsageError where there is not so much memory: "WHAT needs 1.2 TB of memory, 21 GB are available; ADVICE".
void expect_memory(double bytes, std::string_view what, std::string_view advice,
                   std::optional<double> available = available_memory());

}  // namespace dealer
