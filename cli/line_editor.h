#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontends/terminal/line_reader.h"

namespace dealer::cli {

// Reads lines at a terminal with libedit: editing, history with the arrow keys, completion with Tab. Reads standard
// input and writes standard output, both terminals. When standard input is replaced while it waits, as Ctrl-C does in
// `dealer play`, it continues with the new one.
class LineEditor final : public terminal::LineReader {
 public:
  LineEditor();
  ~LineEditor() override;
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  // True if standard input and output are a terminal that supports line editing.
  static bool possible();
  std::optional<std::string> read(const std::string& prompt, const std::vector<std::string>& words) override;

 private:
  struct Editor;
  std::unique_ptr<Editor> editor_;
};

}  // namespace dealer::cli
