#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "arena/studies/figure.h"
#include "arena/studies/seven_hand/tries.h"

namespace dealer::studies::seven_hand {

// Counts turns in which every choice was tried. The value of a choice is its result less the mean
// over all choices of the same turn.
class AdviceCounter {
 public:
  AdviceCounter();
  void add(const Tried& tried);
  Figure figures() const;

 private:
  void add_numbers(const Tried& tried);
  void add_chips(const Tried& tried);

  std::int64_t tries_ = 0;
  Figure figures_;
};

// Evaluates the file of tries. Throws FileError.
Figure count_tries(const std::filesystem::path& file);

// The preferences (agents/seven_hand/preference.h) supported by the tries: those
// with a significant difference.
std::vector<std::string_view> advised(const Figure& advice);
// The description of that preference; empty if there is none of that name.
std::string_view what_is_preferred(std::string_view preference);

}  // namespace dealer::studies::seven_hand
