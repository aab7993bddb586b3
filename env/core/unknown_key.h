#pragma once

#include <string>
#include <utility>
#include <vector>

#include "env/core/error.h"

namespace dealer {

// A key that nobody reads.
class UnknownKeyError : public ConfigError {
 public:
  // place: where it stands. section: "learner." of the key "learner.lr", or nothing. allowed: the keys of that section.
  UnknownKeyError(std::string place, std::string section, std::string key, std::vector<std::string> allowed);

  // Other keys are allowed, too.
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
