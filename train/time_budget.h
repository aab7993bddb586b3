#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "env/core/config.h"

namespace dealer {

// The time that a training may take, all the times that it was started taken together. So that what falls towards the
// end of a training does so in time, it says how many hands fit: at the mean speed so far, from a tenth of the time on
// and again after each further tenth.
class TimeBudget {
 public:
  // The key `seconds`; 0: as long as it takes. `clock`: seconds from any start; empty: the real ones.
  explicit TimeBudget(Config& section, std::function<double()> clock = {});

  bool limited() const { return seconds_ > 0; }
  double seconds() const { return seconds_; }
  double used() const;
  // How many hands to play in all, after so many: no more than `most`, and none more where the time that has passed
  // since the last call is more than what is left. To be asked after each step of a training.
  std::int64_t hands_that_fit(std::int64_t hands, std::int64_t most);

  // What was last said to fit.
  std::int64_t planned(std::int64_t most) const;

  // What a checkpoint has to keep. Loaded, the time goes on from there, with what was last said to fit unless the
  // budget is another one since. Throws CheckpointError, naming the file, on what cannot have been kept.
  void save(std::map<std::string, std::string>& metadata) const;
  void load(const std::map<std::string, std::string>& metadata, const std::string& file);

 private:
  std::function<double()> clock_;
  double seconds_;
  double start_;
  double earlier_ = 0;    // used before the start
  double asked_ = 0;      // used when it was last asked
  int tenths_ = 0;        // after which hands were last counted
  std::int64_t fit_ = 0;  // 0: nobody knows yet
};

}  // namespace dealer
