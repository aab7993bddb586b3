#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "arena/studies/figure.h"
#include "arena/studies/seven_hand/tries.h"

namespace dealer::studies::seven_hand {

// Counts turns that were tried in every way. What a choice is worth is what it wins less the mean of all choices there
// were in the same turn.
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

// Counts the file of tries. Throws FileError.
Figure count_tries(const std::filesystem::path& file);

// The preferences (agents/seven_hand/preference.h) that turns tried in every way speak for: those whose difference was
// seen.
std::vector<std::string_view> advised(const Figure& advice);
// What a player of that preference does; empty where there is none of that name.
std::string_view what_is_preferred(std::string_view preference);

}  // namespace dealer::studies::seven_hand
