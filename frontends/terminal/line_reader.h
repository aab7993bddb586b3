#pragma once

#include <optional>
#include <string>
#include <vector>

namespace dealer::terminal {

// The source of a session's lines.
class LineReader {
 public:
  virtual ~LineReader() = default;
  // Shows the prompt and reads a line, without its end and the blanks around it; nothing at the end of the input.
  // `words`: possible first words of a line, for readers with completion.
  virtual std::optional<std::string> read(const std::string& prompt, const std::vector<std::string>& words) = 0;
};

}  // namespace dealer::terminal
