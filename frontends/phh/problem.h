#pragma once

#include <string>

namespace dealer::phh {

// A fault in a hand, with the line of its file.
struct Problem {
  int line = 0;
  std::string message;
};

// The same, thrown while reading a hand: the fault makes it unreadable.
struct Refusal {
  int line;
  std::string message;
};

}  // namespace dealer::phh
