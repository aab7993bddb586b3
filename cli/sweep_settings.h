#pragma once

#include <span>
#include <string>
#include <vector>

namespace dealer::cli {

// One training of a sweep.
struct SweepRun {
  std::vector<std::string> overrides;  // "key=value", in the order of the command
  std::string setting;                 // the overrides without the seed, blanks between them; "as it stands" if none
  std::string seed;                    // empty if the sweep sets none

  // Name of its run folder: the setting and the seed, in characters that every file system allows.
  std::string name() const;
};

// The values of "a,b,c", split at commas outside brackets and quotes; "1..3" stands for 1,2,3. Throws UsageError on an
// empty or repeated value and on a descending range.
std::vector<std::string> sweep_values(const std::string& word, const std::string& values);

// Every combination of the words "key=a,b,c", the first varying slowest. Throws UsageError, also on a repeated key.
std::vector<SweepRun> sweep_runs(std::span<const std::string> words);

}  // namespace dealer::cli
