#pragma once

#include <string>
#include <utility>
#include <vector>

#include "env/core/error.h"

namespace dealer {

// A key that the program never reads.
class UnknownKeyError : public ConfigError {
 public:
  // place: its position in the file. section: "learner." for the key "learner.lr", or nothing. allowed: its keys.
  UnknownKeyError(std::string place, std::string section, std::string key, std::vector<std::string> allowed);

  // True if other keys are allowed, too.
  UnknownKeyError beside(const std::vector<std::string>& others) const {
    std::vector<std::string> all = allowed_;
    all.insert(all.end(), others.begin(), others.end());
    return {place_, section_, key_, std::move(all)};
  }

 private:
  std::string place_, section_, key_;
  std::vector<std::string> allowed_;
};

}  // namespace dealer
