#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "env/core/error.h"
#include "frontends/phh/replay.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts.h"

namespace dealer::phh {

using test::changed;

// The only hand of a text.
inline HandHistory parse_hand(std::string text, const std::string& name = "x") {
  HistoryReader reader(std::move(text), name);
  std::optional<HandHistory> hand = reader.next();
  if (!hand || reader.next()) throw ParseError(name + ": not a single hand");
  return std::move(*hand);
}

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

// A three-player hand at 1/2 in which all fold to a raise to 10, followed by more fields.
inline std::string raised(const std::string& more) {
  return "variant = 'NT'\nantes = [0, 0, 0]\nblinds_or_straddles = [1, 2, 0]\nmin_bet = 2\n"
         "starting_stacks = [200, 200, 200]\n"
         "actions = ['d dh p1 ???\?', 'd dh p2 ???\?', 'd dh p3 AsAh', 'p3 cbr 10', 'p1 f', 'p2 f']\n" +
         more;
}

}  // namespace dealer::phh
