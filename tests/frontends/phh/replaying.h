#pragma once

#include <fmt/format.h>

#include <string>

#include "frontends/phh/replay.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts.h"

namespace dealer::phh {

using test::changed;

inline FileReplay replay(const std::string& text) {
  const test::TempFolder folder;
  test::write_bytes(folder / "x.phhs", text);
  return replay_file(folder / "x.phhs");
}

// "right", or every error as "LINE: MESSAGE", a line each.
inline std::string faults(const std::string& text) {
  std::string all;
  for (const FileReplay::Error& error : replay(text).errors)
    all += fmt::format("{}{}: {}", all.empty() ? "" : "\n", error.line, error.message);
  return all.empty() ? "right" : all;
}

}  // namespace dealer::phh
