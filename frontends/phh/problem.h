#pragma once

#include <string>

namespace dealer::phh {

// A fault in a hand or in its text, with the line of its file; thrown if it makes the hand unreadable.
struct Problem {
  int line = 0;
  std::string message;
};

}  // namespace dealer::phh
