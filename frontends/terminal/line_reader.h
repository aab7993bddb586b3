#pragma once

#include <optional>
#include <string>
#include <vector>

namespace dealer::terminal {

// Where a session's lines come from.
class LineReader {
 public:
  virtual ~LineReader() = default;
  // Shows the prompt and reads a line, without its end and the blanks around it; nothing at the end of the input.
  // `words`: what a line may begin with, for readers that complete.
  virtual std::optional<std::string> read(const std::string& prompt, const std::vector<std::string>& words) = 0;
};

}  // namespace dealer::terminal
