#pragma once

#include <string>

namespace dealer::phh {

// What is wrong with a hand, and in which line of its file.
struct Problem {
  int line = 0;
  std::string message;
};

// The same, thrown by what reads a hand: what makes it unreadable.
struct Refusal {
  int line;
  std::string message;
};

}  // namespace dealer::phh
