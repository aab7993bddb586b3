#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "env/core/config.h"

namespace dealer {

// The time limit of a training, over all its sessions. So that schedules that fall towards the end of a training reach
// it in time, it predicts the number of hands that fit: at the mean speed so far, from a tenth of the time on and again
// after each further tenth.
class TimeBudget {
 public:
  // Reads the key `seconds`; 0: no limit. `clock`: seconds from an arbitrary start; empty: the real time.
  explicit TimeBudget(Config& section, std::function<double()> clock = {});

  bool limited() const { return seconds_ > 0; }
  double seconds() const { return seconds_; }
  double used() const;
  // The total number of hands to play, given those played: at most `most`, and no more when the remaining time is less
  // than the time since the last call. Call after each step of a training.
  std::int64_t hands_that_fit(std::int64_t hands, std::int64_t most);

  // The last prediction of hands that fit.
  std::int64_t planned(std::int64_t most) const;

  // State for checkpoints. After loading, the time continues from there, with the last prediction unless the budget has
  // changed. Throws CheckpointError, naming the file, on invalid state.
  void save(std::map<std::string, std::string>& metadata) const;
  void load(const std::map<std::string, std::string>& metadata, const std::string& file);

 private:
  std::function<double()> clock_;
  double seconds_;
  double start_;
  double earlier_ = 0;    // used before this start
  double asked_ = 0;      // used at the last call
  int tenths_ = 0;        // tenth of the time at the last prediction
  std::int64_t fit_ = 0;  // 0: no prediction yet
};

}  // namespace dealer
