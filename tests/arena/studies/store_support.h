#pragma once

#include <regex>
#include <string>

namespace dealer::test {

// A file of results (arena/studies/lines_file.h) as versions before checksums wrote it. Of such a file it is seen
// whether its lines can be, which checksums would hide.
inline std::string without_sums(const std::string& text) {
  return std::regex_replace(text, std::regex(" crc32c [0-9a-f]{8}\n"), "\n");
}

// Its records without their ends, which depend on where it was stopped.
inline std::string without_ends(const std::string& text) {
  return std::regex_replace(text, std::regex("(^|\n)[a-z]+ [0-9]+ crc32c [0-9a-f]{8}(?=\n)"), "");
}

}  // namespace dealer::test
