#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dealer::cli {

// One training of a sweep.
struct SweepRun {
  std::vector<std::string> overrides;  // "key=value", in the order of the command
  std::string setting;                 // those without the seed, with blanks between them; "as it stands" where none is
  std::string seed;                    // empty where the sweep gives none

  // Of its folder: the setting and the seed, in signs that every file system has.
  std::string name() const;
};

// The values of "a,b,c": cut at commas outside brackets and quotes; "1..3" stands for 1,2,3. Throws UsageError where
// one is empty, given twice, or a range falls.
std::vector<std::string> sweep_values(const std::string& word, const std::string& values);

// Every combination of the words "key=a,b,c", the first slowest. Throws UsageError, also where a key comes twice.
std::vector<SweepRun> sweep_runs(std::span<const std::string> words);

}  // namespace dealer::cli
